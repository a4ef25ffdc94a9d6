"""Who lacks a package is told the command that adds it to an installation like theirs."""

from pathlib import Path

import pytest

from appliance.cli.shared.extras import how_to_add


def test_a_checkout_is_told_of_its_extra(tmp_path: Path) -> None:
    assert how_to_add("web", tmp_path) == "pip install '.[web]'"


def test_the_appliance_is_told_of_its_installer() -> None:
    assert how_to_add("mqtt", Path("/opt/dicetray/current/venv")) == "run the installer with --mqtt"


@pytest.mark.parametrize(
    ("mark", "command"),
    [
        ("pipx_metadata.json", "pipx inject dicetray 'starlette<2,>=1' 'uvicorn>=0.34'"),
        (
            "uv-receipt.toml",
            "uv tool install --with 'starlette<2,>=1' --with 'uvicorn>=0.34' "
            "dicetray-VERSION-py3-none-any.whl",
        ),
    ],
)
def test_tools_that_install_programs_are_told_in_their_own_words(
    tmp_path: Path, mark: str, command: str
) -> None:
    (tmp_path / mark).touch()
    assert how_to_add("web", tmp_path) == command
