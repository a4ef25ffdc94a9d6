"""The wheel has all that the program needs and nothing else, and runs without a checkout."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from scripts.check_wheel import ROOT, build, check_sdist, check_wheel


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The source distribution, and the wheel made from it."""
    out = tmp_path_factory.mktemp("dist")
    sdist = build(ROOT, out, "sdist")
    with tarfile.open(sdist) as packed:
        packed.extractall(out, filter="data")
    return sdist, build(out / sdist.name.removesuffix(".tar.gz"), out, "wheel")


def test_both_are_complete_and_hold_nothing_else(built: tuple[Path, Path]) -> None:
    sdist, wheel = built
    assert [*check_sdist(sdist), *check_wheel(wheel)] == []


def test_the_wheel_runs_without_the_checkout(built: tuple[Path, Path], tmp_path: Path) -> None:
    with zipfile.ZipFile(built[1]) as packed:
        packed.extractall(tmp_path / "site")
    done = subprocess.run(
        [sys.executable, "-m", "appliance.cli.main", "score", "classic", "3", "3", "5", "3", "5"],
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
