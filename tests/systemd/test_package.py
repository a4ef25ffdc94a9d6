"""The Debian package: what is in it, and what its scripts do as dpkg calls them."""

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.systemd.machine import SAVED, Machine, bundle, make_key, program, write

MAKER = {"DEBFULLNAME": "Ann Owner", "DEBEMAIL": "ann@owner.net"}
MACHINE = os.uname().machine
ARCHITECTURE = {"aarch64": "arm64", "x86_64": "amd64"}.get(MACHINE, "")
pytestmark = [
    pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="skipped: no dpkg-deb here"),
    pytest.mark.skipif(not ARCHITECTURE, reason="skipped: releases are for aarch64 and x86_64"),
]


def packed(top: Path) -> Path:
    script = f". '{ROOT}/scripts/packing.sh'; pack '{top}' 1700000000"
    subprocess.run(["sh", "-euc", script], check=True)
    return top.parent / f"{top.name}.tar.gz"


def checkout(folder: Path) -> Path:
    """The part of a checkout that scripts/make_deb needs: it writes into dist/ beside itself."""
    for name in (
        *("scripts/make_deb", "scripts/environment.sh", "scripts/packing.sh"),
        "systemd/signature.sh",
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    return folder


def make_deb(folder: Path, *words: str | Path, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", folder / "scripts/make_deb", *words],
        env={**os.environ, **more},
        capture_output=True,
        text=True,
        check=False,
    )


def make(folder: Path, version: str, key: Path | None) -> Path:
    """A package of a release of the scripts as they are here."""
    done = make_deb(checkout(folder / "made"), packed(bundle(folder, version, key)), **MAKER)
    assert done.returncode == 0, done.stderr
    (made,) = (folder / "made/dist").glob("*.deb")
    return made


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_key(tmp_path_factory.mktemp("key"))


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory, key: Path) -> Path:
    return make(tmp_path_factory.mktemp("package"), "2.0", key)


def field(package: Path, name: str) -> str:
    command = ["dpkg-deb", "--field", str(package), name]
    return subprocess.check_output(command, text=True).strip()


class Dpkg:
    """Unpacks a package into a machine, and calls its scripts as dpkg does (Debian Policy, 6.5)."""

    def __init__(self, machine: Machine, package: Path) -> None:
        self.machine = machine
        self.package = package
        self.scripts = machine.folder / package.stem
        self.paths = list[Path]()

    def unpack(self) -> None:
        """Files of a version before that are not in this one go, before its postinst (6.6)."""
        if (self.machine.root / "usr/lib/dicetray").exists():
            self.delete_files()
        subprocess.run(["dpkg-deb", "-x", self.package, self.machine.root], check=True)
        subprocess.run(["dpkg-deb", "-e", self.package, self.scripts], check=True)
        write(self.machine.folder / "program", program(field(self.package, "Version"), 2))

    def call(self, script: str, *words: str) -> subprocess.CompletedProcess[str]:
        root = str(self.machine.root)
        return self.machine.run(self.scripts / script, *words, DPKG_ROOT=root)

    def delete_files(self) -> None:
        shutil.rmtree(self.machine.root / "usr/lib/dicetray")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = Machine(tmp_path / "machine")
    (made.root / "usr/lib").mkdir(parents=True, exist_ok=True)
    return made


@pytest.fixture
def dpkg(machine: Machine, package: Path) -> Dpkg:
    made = Dpkg(machine, package)
    made.unpack()
    return made


def test_its_control_file_says_what_it_needs(package: Path) -> None:
    assert field(package, "Architecture") == ARCHITECTURE
    assert field(package, "Maintainer") == "Ann Owner <ann@owner.net>"
    needs = {name.split(" ")[0] for name in field(package, "Depends").split(", ")}
    installer = (ROOT / "systemd/install.sh").read_text()
    (system,) = (line for line in installer.splitlines() if line.startswith("PACKAGES="))
    assert set(system.removeprefix("PACKAGES=").strip('"').split()) <= needs
    assert "openssl" in needs
    # Debian has neither, Raspberry Pi OS both: a package that depended on them could not be
    # installed on a PC.
    assert field(package, "Recommends") == "python3-lgpio, python3-picamera2"


def test_it_has_the_release_as_it_is_and_nothing_outside_usr(package: Path, tmp_path: Path) -> None:
    subprocess.run(["dpkg-deb", "-x", package, tmp_path / "root"], check=True)
    top = tmp_path / "root/usr/lib/dicetray/release"
    subprocess.run(["sha256sum", "--quiet", "--strict", "-c", "SHA256SUMS"], cwd=top, check=True)
    assert [path.name for path in (tmp_path / "root").iterdir()] == ["usr"]
    wanted = tmp_path / "root/usr/lib/systemd/system/multi-user.target.wants"
    assert (wanted / "dicetray-package.service").resolve().is_file()


def test_the_same_release_gives_the_same_package(package: Path, tmp_path: Path, key: Path) -> None:
    release = package.parents[2] / "dicetray-2.0.tar.gz"
    again = make_deb(checkout(tmp_path / "again"), release, **MAKER)
    assert again.returncode == 0, again.stderr
    made = tmp_path / "again/dist" / package.name
    assert made.read_bytes() == package.read_bytes()


def test_it_is_made_only_of_a_release_for_one_machine_and_by_somebody(
    tmp_path: Path, key: Path
) -> None:
    folder = checkout(tmp_path / "made")
    top = bundle(tmp_path, "2.0", None)
    release = packed(top)
    for words, more, says in (
        ((), MAKER, "expected the file of one release"),
        ((release,), {}, "expected DEBFULLNAME and DEBEMAIL"),
        ((tmp_path / "none",), MAKER, "expected the file of one release"),
    ):
        done = make_deb(folder, *words, **{"DEBFULLNAME": "", "DEBEMAIL": "", **more})
        assert done.returncode == 2
        assert says in done.stderr
    for wheel in top.glob("wheels/numpy-*"):
        other = {"x86_64": "aarch64", "aarch64": "x86_64"}[MACHINE]
        write(wheel.with_name(wheel.name.replace(MACHINE, other)), "other")
    subprocess.run(["sh", "-euc", f". '{ROOT}/scripts/packing.sh'; list_sums '{top}'"], check=True)
    done = make_deb(folder, packed(top), **MAKER)
    assert done.returncode == 2
    assert "expected a release for one machine, found aarch64 x86_64" in done.stderr


@pytest.mark.parametrize(("machine", "architecture"), [("aarch64", "arm64"), ("x86_64", "amd64")])
def test_it_is_for_the_machine_of_the_release(
    tmp_path: Path, machine: str, architecture: str
) -> None:
    top = bundle(tmp_path, "2.0", None)
    (wheel,) = top.glob("wheels/numpy-*")
    wheel.rename(wheel.with_name(wheel.name.replace(MACHINE, machine)))
    subprocess.run(["sh", "-euc", f". '{ROOT}/scripts/packing.sh'; list_sums '{top}'"], check=True)
    done = make_deb(checkout(tmp_path), packed(top), **MAKER)
    assert done.returncode == 0, done.stderr
    assert field(tmp_path / f"dist/dicetray_2.0_{architecture}.deb", "Architecture") == architecture


def test_installed_it_runs_and_asks_apt_for_nothing(dpkg: Dpkg, machine: Machine) -> None:
    write(machine.bin / "apt-get", "#!/bin/sh\necho asked >>$WORLD/apt\n", 0o755)
    done = dpkg.call("postinst", "configure", "")
    assert done.returncode == 0, done.stderr
    assert machine.version == "2.0"
    assert machine.service == "running"
    assert not (machine.folder / "apt").exists()
    assert (machine.root / "opt/dicetray/current/share/systemd/release.pub").is_file()


def test_in_an_image_it_waits_for_the_first_start(dpkg: Dpkg, machine: Machine) -> None:
    shutil.rmtree(machine.root / "run/systemd")
    done = dpkg.call("postinst", "configure", "")
    assert done.returncode == 0, done.stderr
    assert not (machine.root / "opt/dicetray").exists()
    (machine.root / "run/systemd/system").mkdir(parents=True)
    service = (machine.root / "usr/lib/systemd/system/dicetray-package.service").read_text()
    assert "ExecStart=/bin/sh /usr/lib/dicetray/setup.sh" in service
    done = machine.run(machine.root / "usr/lib/dicetray/setup.sh")
    assert done.returncode == 0, done.stderr
    assert machine.version == "2.0"


def test_what_is_missing_is_named_with_the_command_that_brings_it(
    dpkg: Dpkg, machine: Machine
) -> None:
    lacks = '#!/bin/sh\ncase "$*" in *polkitd) echo no ;; *) echo installed ;; esac\n'
    write(machine.bin / "dpkg-query", lacks, 0o755)
    done = dpkg.call("postinst", "configure", "")
    assert done.returncode == 2
    assert "sudo apt install polkitd" in done.stderr
    assert not (machine.root / "opt/dicetray/current").exists()


def test_on_a_pi_the_missing_camera_package_is_not_taken_for_the_wish_for_a_usb_camera(
    dpkg: Dpkg, machine: Machine
) -> None:
    """apt leaves out a recommended package that it cannot find, and says nothing."""
    write(machine.root / "proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0")
    lacks = '#!/bin/sh\ncase "$*" in *picamera2) echo no ;; *) echo installed ;; esac\n'
    write(machine.bin / "dpkg-query", lacks, 0o755)
    done = dpkg.call("postinst", "configure", "")
    assert done.returncode == 2
    assert "sudo apt install python3-picamera2" in done.stderr
    assert "sudo touch /boot/firmware/dicetray-usb-camera" in done.stderr
    assert not (machine.root / "etc/dicetray.toml").exists()
    assert not (machine.root / "opt/dicetray/current").exists()
    write(machine.root / "boot/firmware/dicetray-usb-camera", "")
    done = dpkg.call("postinst", "configure", "")
    assert done.returncode == 0, done.stderr
    assert "the camera is a USB camera" in done.stdout
    # From now on its configuration says so.
    (machine.root / "boot/firmware/dicetray-usb-camera").unlink()
    write(machine.root / "etc/dicetray.toml", '[camera]\nsource = "v4l2:/dev/dicetray-camera"\n')
    assert dpkg.call("postinst", "configure", "2.0").returncode == 0


def test_an_upgrade_keeps_games_and_one_that_fails_goes_back(
    dpkg: Dpkg, machine: Machine, tmp_path: Path, key: Path
) -> None:
    assert dpkg.call("postinst", "configure", "").returncode == 0
    write(machine.root / "var/lib/dicetray/games", "\n".join(["2", *SAVED, ""]))
    newer = Dpkg(machine, make(tmp_path / "newer", "3.0", key))
    assert dpkg.call("prerm", "upgrade", "3.0").returncode == 0
    assert machine.version == "2.0"
    newer.unpack()
    write(machine.folder / "program", program("3.0", 2, health="exit 1"))
    done = newer.call("postinst", "configure", "2.0")
    assert done.returncode == 2
    assert "does not become healthy" in done.stderr
    assert machine.version == "2.0"
    assert machine.games() == SAVED
    newer.unpack()
    assert newer.call("postinst", "configure", "2.0").returncode == 0
    assert machine.version == "3.0"
    assert machine.games() == SAVED


def test_a_later_version_from_a_stick_stays(dpkg: Dpkg, machine: Machine) -> None:
    assert dpkg.call("postinst", "configure", "").returncode == 0
    current = machine.root / "opt/dicetray/current"
    (machine.root / "opt/dicetray/versions/2.0").rename(machine.root / "opt/dicetray/versions/2.10")
    current.unlink()
    current.symlink_to("versions/2.10")
    write(current / "bin/dicetray", program("2.10", 2), 0o755)
    done = dpkg.call("postinst", "configure", "2.0")
    assert done.returncode == 0
    assert "2.10 is in use, which is newer" in done.stdout
    assert machine.version == "2.10"


def test_a_candidate_gives_way_to_what_it_became(
    dpkg: Dpkg, machine: Machine, tmp_path: Path, key: Path
) -> None:
    assert dpkg.call("postinst", "configure", "").returncode == 0
    current = machine.root / "opt/dicetray/current"
    write(current / "bin/dicetray", program("2.0rc1", 2), 0o755)
    done = dpkg.call("postinst", "configure", "2.0~rc1")
    assert done.returncode == 0
    assert "it stays" not in done.stdout
    # dpkg itself would take 2.0rc1 for the newer one.
    candidate = make(tmp_path, "2.0rc1", key)
    assert field(candidate, "Version") == "2.0~rc1"
    # Its file is named as all others of a release are: some hosts change a tilde.
    assert candidate.name.startswith("dicetray_2.0rc1_")
    order = ["dpkg", "--compare-versions", "2.0~rc1", "lt", "2.0"]
    assert subprocess.run(order, check=False).returncode == 0


def test_removing_leaves_what_is_the_owners_and_purging_nothing(
    dpkg: Dpkg, machine: Machine
) -> None:
    there = machine.root / "usr/local"
    before = set(there.iterdir())
    assert dpkg.call("postinst", "configure", "").returncode == 0
    assert (there / "lib/systemd/system/dicetray.service").is_symlink()
    write(machine.root / "var/lib/dicetray/games", "\n".join(["2", *SAVED, ""]))
    done = dpkg.call("prerm", "remove")
    assert done.returncode == 0, done.stderr
    # Folders above its own were made for it too.
    assert set(there.iterdir()) == before
    dpkg.delete_files()
    assert dpkg.call("postrm", "remove").returncode == 0
    assert not (machine.root / "opt/dicetray").exists()
    assert (machine.root / "var/lib/dicetray/games").is_file()
    assert (machine.root / "etc/dicetray.toml").is_file()
    password = machine.root / "etc/credstore/camera-password"
    write(password, "geheim")
    assert dpkg.call("postrm", "purge").returncode == 0
    assert not password.exists()
    left = [p for p in machine.root.rglob("*") if "dicetray" in p.name]
    system = machine.root / "usr/lib/systemd/system"
    assert [p for p in left if not p.is_relative_to(system) and "doc" not in p.parts] == []


def test_a_system_whose_python_it_has_nothing_for_is_told_before_it_is_unpacked(
    dpkg: Dpkg, machine: Machine
) -> None:
    """As Ubuntu 24.04 has Python 3.12, and Debian's next version 3.14."""
    ours = f"{sys.version_info[0]}.{sys.version_info[1]}"
    before = dpkg.scripts / "preinst"
    assert f'PYTHONS="{ours}"' in before.read_text()
    assert machine.run(before, "install").returncode == 0
    before.write_text(before.read_text().replace(f'"{ours}"', '"3.9 3.10"'))
    for words in (("install",), ("upgrade", "1.0")):
        done = machine.run(before, *words)
        assert done.returncode == 1
        assert (
            f"expected Python 3.9 or 3.10, as Debian 12 and 13 have it, found {ours}" in done.stderr
        )
        assert "with pipx" in done.stderr
    # Another root has another Python.
    assert dpkg.call("preinst", "install").returncode == 0
    assert machine.run(before, "abort-upgrade").returncode == 0


def test_what_dpkg_never_says_is_an_error(dpkg: Dpkg) -> None:
    for script in ("preinst", "postinst", "prerm", "postrm"):
        done = dpkg.call(script, "whatever")
        assert done.returncode == 1
        assert "found whatever" in done.stderr


def test_its_files_belong_to_root_and_nobody_else_may_write(package: Path, tmp_path: Path) -> None:
    data = subprocess.run(
        ["dpkg-deb", "--fsys-tarfile", package], check=True, capture_output=True
    ).stdout
    (tmp_path / "data.tar").write_bytes(data)
    with tarfile.open(tmp_path / "data.tar") as files:
        for file in files:
            assert (file.uid, file.gid) == (0, 0)
            assert file.issym() or not file.mode & 0o022, file.name
