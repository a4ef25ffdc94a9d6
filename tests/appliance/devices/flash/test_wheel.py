"""The firmware package in the program's wheel, built as pip does."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from appliance.devices.flash.package import SHIPPED_PACKAGE, Package
from tests.paths import ROOT

BUILD = """
import sys
from setuptools import build_meta
name = getattr(build_meta, sys.argv[1])(sys.argv[2])
# Where pip builds there is nothing but setuptools.
assert not {"serial", "numpy", "cv2"} & set(sys.modules)
print(name)
"""


def build(kind: str, source: Path, out: Path) -> Path:
    """Builds as pip does."""
    done = subprocess.run(
        [sys.executable, "-c", BUILD, kind, str(out)],
        cwd=source,
        env={**os.environ, "PYTHONSAFEPATH": "1", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return out / done.stdout.splitlines()[-1]


@pytest.mark.slow
def test_a_wheel_from_the_source_archive_holds_it(tmp_path: Path) -> None:
    archive, source = tmp_path / "firmware.zip", tmp_path / "checkout"
    Package.from_folder().write_zip(archive)
    source.mkdir()
    for name in ("appliance", "calibration", "firmware", "games", "simulator", "vision"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("dicetray.py", "pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    (tmp_path / "unpacked").mkdir()
    packed = build("build_sdist", source, tmp_path)
    subprocess.run(["tar", "-xzf", packed, "-C", tmp_path / "unpacked"], check=True)
    [unpacked] = (tmp_path / "unpacked").iterdir()
    with zipfile.ZipFile(build("build_wheel", unpacked, tmp_path)) as wheel:
        assert wheel.read(f"firmware/{SHIPPED_PACKAGE}") == archive.read_bytes()
        names = set(wheel.namelist())
    assert {f"firmware/{name}" for name in Package.from_folder().files} <= names
