"""The installer and the system's packages: real apt and dpkg, an archive on this machine.

The lists that apt starts with are none, old ones, or up to date; the archive answers, lacks a
package, fails once, or is not there at all.
"""

import hashlib
import http.server
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.systemd.machine import Machine, bundle, program, real_path, write

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not all(map(shutil.which, ("apt-get", "dpkg", "dpkg-deb"))),
        reason="skipped: no apt and dpkg here",
    ),
]

PACKAGES = ("python3-venv", "polkitd", "udev", "python3-picamera2", "python3-lgpio")
THERE = PACKAGES[:3]
"""The packages that Raspberry Pi OS Lite has and the installer wants."""
NEEDED = "libcamera"
"""A package that python3-picamera2 needs; Raspberry Pi OS has dozens of such packages."""
PI = "Raspberry Pi 4 Model B Rev 1.4\0"
NO_PICAMERA2 = '*"import picamera2"*) exit 1 ;;\n'
USB = 'source = "v4l2:/dev/dicetray-camera"'


def control(name: str, version: str) -> str:
    needs = f"Depends: {NEEDED}\n" if name == "python3-picamera2" else ""
    return (
        f"Package: {name}\nVersion: {version}\nArchitecture: all\nMaintainer: nobody <a@b>\n"
        f"{needs}Description: empty\n"
    )


@pytest.fixture(scope="module")
def debs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """Empty packages, each version in a file of its own."""
    folder = tmp_path_factory.mktemp("debs")
    made: dict[str, list[Path]] = {}
    for version in ("1", "2"):
        for name in (*PACKAGES, NEEDED):
            source = folder / f"{name}-{version}"
            write(source / "DEBIAN/control", control(name, version))
            deb = folder / f"{name}_{version}_all.deb"
            command = ["dpkg-deb", "--root-owner-group", "--build", str(source), str(deb)]
            subprocess.run(command, check=True, capture_output=True)
            made.setdefault(version, []).append(deb)
    return made


@dataclass
class Archive:
    """An archive that answers on this machine, until it is closed."""

    folder: Path
    misses: int = 0
    day: float = 1.7e9
    asked: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.folder.mkdir()
        archive = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            def __init__(self, *args: object) -> None:
                super().__init__(*args, directory=str(archive.folder))  # type: ignore[arg-type]

            def do_GET(self) -> None:
                archive.asked.append(self.path)
                if self.path.endswith(".deb") and archive.misses:
                    archive.misses -= 1
                    self.send_error(503)
                else:
                    super().do_GET()

            def log_message(self, *args: object) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        self.line = f"deb [trusted=yes] http://127.0.0.1:{self._server.server_port}/ ./\n"

    def offer(self, debs: list[Path], needed_mb: int = 1) -> None:
        """Offers these packages and no others; what picamera2 needs has this size, installed."""
        for old in self.folder.iterdir():
            old.unlink()
        text = ""
        for deb in debs:
            shutil.copy(deb, self.folder)
            name, version, _ = deb.name.split("_")
            content = deb.read_bytes()
            kb = 1024 * needed_mb if name == NEEDED else 10
            text += (
                f"{control(name, version)}Installed-Size: {kb}\n"
                f"Filename: ./{deb.name}\nSize: {len(content)}\n"
                f"SHA256: {hashlib.sha256(content).hexdigest()}\n\n"
            )
        write(self.folder / "Packages", text)
        # apt asks whether the list is newer than its own, to the second.
        self.day += 86400
        os.utime(self.folder / "Packages", (self.day, self.day))

    def close(self) -> None:
        """From now on nobody answers."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    archive = Archive(tmp_path / "archive")
    yield archive
    archive.close()


class Pi(Machine):
    """A machine with apt and dpkg of its own; a Raspberry Pi unless that is taken away."""

    def use(self, archive: Archive, tmp_path: Path) -> None:
        apt, dpkg = self.folder / "apt", self.folder / "dpkg"
        for part in ("etc/apt.conf.d", "etc/preferences.d", "state/lists", "cache", "log"):
            (apt / part).mkdir(parents=True)
        write(apt / "etc/sources.list", archive.line)
        for part in ("info", "updates", "triggers"):
            (dpkg / part).mkdir(parents=True)
        installed = "".join(
            control(name, "1").replace("\n", "\nStatus: install ok installed\n", 1) + "\n"
            for name in THERE
        )
        write(dpkg / "status", installed)
        (self.folder / "files").mkdir()
        (self.folder / "tmp").mkdir()
        options = (
            f"--root={self.folder / 'files'}",
            f"--admindir={dpkg}",
            f"--log={dpkg / 'log'}",
            "--force-not-root",
        )
        write(
            apt / "apt.conf",
            f'Dir::State "{apt / "state"}";\nDir::State::status "{dpkg / "status"}";\n'
            f'Dir::Cache "{apt / "cache"}";\nDir::Etc "{apt / "etc"}";\nDir::Log "{apt / "log"}";\n'
            'APT::Sandbox::User "root";\nAcquire::Retries "0";\nAcquire::http::Proxy "DIRECT";\n'
            f"DPkg::Options {{{' '.join(f'{chr(34)}{o}{chr(34)};' for o in options)}}};\n",
        )
        environment = f"export PATH={real_path()} APT_CONFIG={apt / 'apt.conf'} LC_ALL=C"
        write(self.bin / "apt-get", f'#!/bin/sh\n{environment}\nexec apt-get "$@"\n', 0o755)
        write(self.bin / "apt-cache", f'#!/bin/sh\n{environment}\nexec apt-cache "$@"\n', 0o755)
        query = f'dpkg-query --admindir={dpkg} "$@"'
        write(self.bin / "dpkg-query", f"#!/bin/sh\n{environment}\nexec {query}\n", 0o755)
        # What is installed can be imported.
        python = (self.bin / "python3").read_text()
        assert NO_PICAMERA2 in python
        for name in ("picamera2", "lgpio"):
            asked = f"{self.bin / 'dpkg-query'} -W -f='${{db:Status-Status}}' python3-{name}"
            case = f'*"import {name}"*) test "$({asked})" = installed ;;\n'
            python = python.replace(NO_PICAMERA2, case + NO_PICAMERA2)
        write(self.bin / "python3", python, 0o755)
        write(self.root / "proc/device-tree/model", PI)
        self.apt = apt

    def refresh(self) -> None:
        """apt's lists as they are now."""
        subprocess.run([self.bin / "apt-get", "-qq", "update"], check=True)

    def files_of_apt(self) -> dict[str, bytes]:
        """Lists, caches, records."""
        return {
            str(path.relative_to(self.apt)): path.read_bytes()
            for path in self.apt.rglob("*")
            if path.is_file()
        }

    def has(self, name: str) -> bool:
        command = [str(self.bin / "dpkg-query"), "-W", "-f=${db:Status-Status}", name]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.stdout == "installed"

    def get(self, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
        """Runs the installer of version 2.0."""
        top = folder / "dicetray-2.0"
        if not top.exists():
            bundle(folder, "2.0", None)
        text = program("2.0", 2).replace(
            "echo '[camera]'", "printf '[camera]\\nsource = \"pi\"\\n'"
        )
        return self.install(top, "--unsigned", *words, text=text, TMPDIR=str(self.folder / "tmp"))

    @property
    def config(self) -> str:
        file = self.root / "etc/dicetray.toml"
        return file.read_text() if file.exists() else ""


@pytest.fixture
def pi(tmp_path: Path, archive: Archive) -> Pi:
    pi = Pi(tmp_path / "pi")
    pi.use(archive, tmp_path)
    return pi


@pytest.fixture(params=["no lists", "old lists", "good lists"])
def lists(
    request: pytest.FixtureRequest, pi: Pi, archive: Archive, debs: dict[str, list[Path]]
) -> str:
    """A Pi whose lists are like this; its archive has gone on."""
    if request.param == "old lists":
        archive.offer(debs["1"])
        pi.refresh()
    archive.offer(debs["2"])
    if request.param == "good lists":
        pi.refresh()
    return str(request.param)


def test_whatever_lists_apt_starts_with_the_pi_gets_its_camera(
    pi: Pi, lists: str, tmp_path: Path
) -> None:
    done = pi.get(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert pi.has("python3-picamera2") and pi.has("python3-lgpio"), lists
    assert pi.version == "2.0"
    assert 'source = "pi"' in pi.config
    assert not any(path.endswith("_1_all.deb") for path in pi.files_of_apt())


def test_a_look_says_what_is_true_and_changes_no_lists(
    pi: Pi, lists: str, archive: Archive, tmp_path: Path
) -> None:
    before = pi.files_of_apt()
    done = pi.get(tmp_path, "--check")
    assert done.returncode == 0, lists
    assert "could be installed; nothing was changed" in done.stdout
    assert pi.files_of_apt() == before
    assert list((pi.folder / "tmp").iterdir()) == []
    archive.folder.joinpath("Packages").unlink()
    done = pi.get(tmp_path, "--check")
    assert done.returncode == 2
    assert "could be installed" not in done.stdout
    assert "404" in done.stdout
    assert pi.files_of_apt() == before


def test_without_a_network_nothing_is_promised(
    pi: Pi, archive: Archive, debs: dict[str, list[Path]], tmp_path: Path
) -> None:
    archive.offer(debs["1"])
    pi.refresh()
    write(pi.apt / "etc/sources.list", "deb [trusted=yes] http://127.0.0.1:1/ ./\n")
    shutil.rmtree(pi.apt / "state/lists")
    (pi.apt / "state/lists").mkdir()
    for words in (("--check",), ()):
        done = pi.get(tmp_path, *words)
        said = done.stdout + done.stderr
        assert done.returncode == 2, said
        assert "could be installed" not in said
        assert "Connection refused" in said
        assert "expected the package python3-picamera2, installed or in apt's lists" in said
        assert "with a network, run this again" in said
        assert "--usb-camera" in said
        assert pi.config == ""
        assert not (pi.root / "opt/dicetray/current").exists()


def test_old_lists_without_a_network_promise_nothing_either(
    pi: Pi, archive: Archive, debs: dict[str, list[Path]], tmp_path: Path
) -> None:
    archive.offer(debs["1"])
    pi.refresh()
    for file in archive.folder.iterdir():
        file.unlink()
    done = pi.get(tmp_path, "--check")
    assert done.returncode == 2
    assert "could be installed" not in done.stdout
    assert "nobody knows whether python3-picamera2 python3-lgpio can be fetched" in done.stderr
    done = pi.get(tmp_path)
    assert done.returncode == 2
    assert "trying once more" in done.stdout
    assert "apt could not fetch python3-picamera2 python3-lgpio: " in done.stderr
    assert "404" in done.stderr
    assert (pi.config, pi.has("python3-lgpio")) == ("", False)


def test_a_download_that_fails_once_is_tried_again(
    pi: Pi, archive: Archive, debs: dict[str, list[Path]], tmp_path: Path
) -> None:
    archive.offer(debs["2"])
    archive.misses = 1
    done = pi.get(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "trying once more with new lists" in done.stdout
    assert pi.has("python3-picamera2")
    assert 'source = "pi"' in pi.config


def test_an_archive_without_picamera2_stops_a_pi_unless_its_camera_is_a_usb_camera(
    pi: Pi, archive: Archive, debs: dict[str, list[Path]], tmp_path: Path
) -> None:
    archive.offer([deb for deb in debs["2"] if "picamera2" not in deb.name])
    done = pi.get(tmp_path)
    assert done.returncode == 2
    assert "Unable to locate package python3-picamera2" in done.stderr
    assert "this system's archives lack it" in done.stderr
    assert "nothing but apt's lists was changed" in done.stderr
    assert (pi.config, pi.has("python3-lgpio")) == ("", False)
    done = pi.get(tmp_path, "--usb-camera")
    assert done.returncode == 0, done.stderr
    assert USB in pi.config
    assert f"the camera is a USB camera: {USB}" in done.stdout
    assert pi.has("python3-lgpio")
    # From now on the configuration says so.
    done = pi.get(tmp_path)
    assert done.returncode == 0, done.stderr
    assert "for a camera on the Pi's own connector install it" in done.stdout


def test_the_room_that_all_packages_need_counts(
    pi: Pi, archive: Archive, debs: dict[str, list[Path]], lists: str, tmp_path: Path
) -> None:
    """The packages picamera2 needs are larger than itself: up to 190 on Raspberry Pi OS Lite."""
    archive.offer(debs["2"], needed_mb=416)
    done = pi.get(tmp_path, "--check")
    assert done.returncode == 0, done.stderr
    # With the files that are fetched, and rounded up.
    assert "with all that they need, these take 417 MB" in done.stdout
    archive.offer(debs["2"], needed_mb=900_000_000)
    before = pi.files_of_apt()
    done = pi.get(tmp_path, "--check")
    assert done.returncode == 2
    expected = "expected 900000701 MB free in /opt, 900000001 of them for apt's packages, found"
    assert expected in done.stderr
    assert pi.files_of_apt() == before
    done = pi.get(tmp_path)
    assert done.returncode == 2
    assert expected in done.stderr
    assert (pi.config, pi.has("python3-lgpio"), pi.has(NEEDED)) == ("", False, False)


def test_a_pi_whose_configuration_names_its_own_camera_is_not_given_another(
    pi: Pi, archive: Archive, debs: dict[str, list[Path]], tmp_path: Path
) -> None:
    archive.offer(debs["2"])
    text = '[camera]\nsource = "pi"\n'
    write(pi.root / "etc/dicetray.toml", text)
    done = pi.get(tmp_path, "--usb-camera")
    assert done.returncode == 2
    assert "or leave --usb-camera out" in done.stderr
    assert pi.config == text


def test_a_pc_without_picamera2_is_told_that_it_has_a_usb_camera(
    pi: Pi, archive: Archive, debs: dict[str, list[Path]], tmp_path: Path
) -> None:
    (pi.root / "proc/device-tree/model").unlink()
    archive.offer([deb for deb in debs["2"] if "picamera2" not in deb.name])
    done = pi.get(tmp_path)
    assert done.returncode == 0, done.stderr
    assert "USB cameras only" in done.stdout
    assert f"the camera is a USB camera: {USB}" in done.stdout
    assert USB in pi.config


def test_without_lgpio_a_pc_is_told_and_a_pi_stopped(
    pi: Pi, archive: Archive, debs: dict[str, list[Path]], tmp_path: Path
) -> None:
    # Debian's own archive has no python3-lgpio, that of Raspberry Pi OS does.
    archive.offer([deb for deb in debs["2"] if "lgpio" not in deb.name])
    done = pi.get(tmp_path)
    assert done.returncode == 2
    assert "Unable to locate package python3-lgpio" in done.stderr
    (pi.root / "proc/device-tree/model").unlink()
    done = pi.get(tmp_path)
    assert done.returncode == 0, done.stderr
    assert "no buttons at a Pi's pins" in done.stdout


def test_with_everything_there_nobody_is_asked(
    pi: Pi, archive: Archive, debs: dict[str, list[Path]], tmp_path: Path
) -> None:
    archive.offer(debs["2"])
    pi.refresh()
    subprocess.run(
        [pi.bin / "apt-get", "-qq", "-y", "install", *PACKAGES[3:]], check=True, capture_output=True
    )
    archive.asked.clear()
    done = pi.get(tmp_path)
    assert done.returncode == 0, done.stderr
    assert archive.asked == []
    assert 'source = "pi"' in pi.config
