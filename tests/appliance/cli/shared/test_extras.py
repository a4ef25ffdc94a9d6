"""Who lacks a package is told the command that adds it to an installation like theirs."""

import tomllib
from pathlib import Path

import pytest

from appliance.cli.shared.extras import EXTRA_OF_PACKAGE, how_to_add
from tests.paths import ROOT


def test_a_checkout_is_told_of_its_extra(tmp_path: Path) -> None:
    assert how_to_add("web", ROOT / ".venv") == ".venv/bin/pip install '.[web]'"
    # Another environment's pip is named whole: the one on the PATH may be anybody's.
    assert how_to_add("web", tmp_path) == f"{tmp_path}/bin/pip install '{ROOT}[web]'"


def test_the_appliance_is_told_of_its_installer() -> None:
    assert how_to_add("mqtt", Path("/opt/dicetray/current/venv")) == "run the installer with --mqtt"


@pytest.mark.parametrize(
    ("mark", "command"),
    [
        ("pipx_metadata.json", "pipx inject dicetray 'starlette<2,>=1' 'uvicorn>=0.36'"),
        (
            "uv-receipt.toml",
            "uv tool install --with 'starlette<2,>=1' --with 'uvicorn>=0.36' "
            "dicetray-VERSION-py3-none-any.whl",
        ),
    ],
)
def test_tools_that_install_programs_are_told_in_their_own_words(
    tmp_path: Path, mark: str, command: str
) -> None:
    (tmp_path / mark).touch()
    assert how_to_add("web", tmp_path) == command


def test_what_is_said_to_be_in_an_extra_is_there() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for package, extra in EXTRA_OF_PACKAGE.items():
        listed = project["optional-dependencies"][extra]
        assert any(one.startswith(package.replace("_", "-")) for one in listed), package
