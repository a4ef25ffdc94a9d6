"""The wheel has all that the program needs and nothing else, and runs without a checkout."""

import os
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

from appliance.cli.stick import released_version
from scripts.check_wheel import build_both, check_sdist, check_wheel

BUNDLE = b"a signed release"


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The source distribution, and the wheel made from it, beside a release's bundle."""
    dist = tmp_path_factory.mktemp("dist")
    (dist / f"dicetray-{metadata.version('dicetray')}.tar.gz").write_bytes(BUNDLE)
    return build_both(dist)


def test_both_are_complete_and_hold_nothing_else(built: tuple[Path, Path]) -> None:
    sdist, wheel = built
    assert [*check_sdist(sdist), *check_wheel(wheel)] == []


def test_the_bundle_of_a_release_stays_as_it_was_signed(built: tuple[Path, Path]) -> None:
    """Its name is what a package index wants for a source distribution."""
    version = metadata.version("dicetray")
    contents = {file.name: file.read_bytes() for file in built[0].parent.iterdir()}
    assert contents.keys() == {
        f"dicetray-{version}.tar.gz",
        f"dicetray_{version}_source.tar.gz",
        f"dicetray-{version}-py3-none-any.whl",
    }
    assert contents[f"dicetray-{version}.tar.gz"] == BUNDLE
    assert [name for name in contents if released_version(name)] == [f"dicetray-{version}.tar.gz"]


def test_the_wheel_runs_without_the_checkout(built: tuple[Path, Path], tmp_path: Path) -> None:
    with zipfile.ZipFile(built[1]) as packed:
        packed.extractall(tmp_path / "site")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "appliance.cli.program",
            "score",
            "classic",
            "3",
            "3",
            "5",
            "3",
            "5",
        ],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path / "site"), "PYTHONSAFEPATH": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "full house" in done.stdout.lower()


def test_what_is_missing_or_does_not_belong_is_named(
    built: tuple[Path, Path], tmp_path: Path
) -> None:
    wheel = tmp_path / built[1].name
    with zipfile.ZipFile(built[1]) as old, zipfile.ZipFile(wheel, "w") as new:
        for name in old.namelist():
            if name != "appliance/languages/de.toml":
                new.writestr(name, old.read(name))
        new.writestr("appliance/stray.py", "")
        new.writestr("tests/test_all.py", "")
    assert [line.partition(": ")[2] for line in check_wheel(wheel)] == [
        "appliance/languages/de.toml is missing",
        "appliance/stray.py is no file of this checkout",
        "tests is no package of ours",
    ]
