"""A new card installs what is on its boot partition, however often it is switched off."""

import shutil
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

import pytest

from appliance.devices.scoreboard import usb
from appliance.screens.drawing.layout import two_lines
from simulator.pico import micropython
from simulator.pico.board import SimulatedBoard
from tests.paths import ROOT
from tests.systemd.machine import Machine, bundle, counting, make_key, program, steps, write

DEBS = """#!/bin/sh
# What dpkg would install is in its database from now on; an older version if nothing forbids it.
case " $* " in *" --refuse-downgrade "*) older= ;; *) older=yes ;; esac
for file; do
    case $file in *-older.deb) [ "$older" ] || continue ;; esac
    case $file in *.deb) basename "$file" .deb >>"$WORLD/installed" ;; esac
done
"""
QUERY = """#!/bin/sh
for name; do :; done
! grep -qx "$name" "$WORLD/lacks" || grep -qx "$name" "$WORLD/installed" || exit 1
echo installed
"""
CPYTHON = {micropython.INTERPRETER_VARIABLE: "cpython"}
STRIDE = 20
"""One step in this many is tried, and the last ones; all were when this was written."""
CARD = ("opt/dicetray", "var/lib/dicetray-first-boot", "var/lib/dicetray-first-boot.done")


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_key(tmp_path_factory.mktemp("key"))


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory, key: Path) -> Path:
    return pack(tmp_path_factory.mktemp("packed"), key)


def pack(folder: Path, key: Path | None) -> Path:
    top = bundle(folder, "2.0", key)
    subprocess.run(["tar", "-C", folder, "-czf", f"{top}.tar.gz", top.name], check=True)
    return folder / "dicetray-2.0.tar.gz"


@dataclass
class Card:
    """A card with a stock system, and what its owner has copied onto it."""

    machine: Machine

    @property
    def boot(self) -> Path:
        return self.machine.root / "boot/firmware"

    @property
    def log(self) -> str:
        file = self.boot / "dicetray-install.log"
        return file.read_text() if file.exists() else ""

    def start(self, **more: str) -> int:
        """Switches it on: cloud-init runs the file, systemd the service; returns its status."""
        hook = self.machine.folder / "part-001"
        if not hook.exists():
            # As cloud-init stores it.
            text = (self.boot / "vendor-data").read_text()
            write(hook, text.removeprefix("#cloud-boothook\n"))
        assert self.machine.run(hook, **more).returncode == 0, "cloud-init would report an error"
        service = self.machine.root / "usr/local/sbin/dicetray-first-boot"
        done = self.machine.root / "var/lib/dicetray-first-boot.done"
        if done.exists() or not self.link.is_symlink():
            return 0
        return self.machine.run(service, "--install", **more).returncode

    @property
    def link(self) -> Path:
        folder = self.machine.root / "etc/systemd/system/multi-user.target.wants"
        return folder / "dicetray-first-boot.service"

    def left(self) -> list[str]:
        return [place for place in CARD if (self.machine.root / place).exists()]


@pytest.fixture
def card(tmp_path: Path, key: Path, packed: Path) -> Card:
    machine = Machine(tmp_path / "card")
    write(machine.bin / "dpkg", DEBS, 0o755)
    write(machine.bin / "dpkg-query", QUERY, 0o755)
    # Without a network apt knows no packages.
    write(machine.bin / "apt-get", "#!/bin/sh\nexit 100\n", 0o755)
    for name in ("lacks", "installed"):
        write(machine.folder / name, "")
    write(machine.folder / "program", program("2.0", 2))
    card = Card(machine)
    script = f". '{ROOT}/scripts/packing.sh'; make_card '{ROOT}/systemd' '{key}'"
    done = subprocess.run(["sh", "-euc", script], capture_output=True, text=True, check=True)
    write(card.boot / "vendor-data", done.stdout)
    shutil.copy(packed, card.boot)
    return card


def test_a_card_installs_itself_once(card: Card) -> None:
    presets = {"user-data": "#cloud-config\nhostname: den\n", "network-config": "version: 2\n"}
    for name, text in presets.items():
        write(card.boot / name, text)
    assert card.start() == 0, card.log
    assert card.machine.version == "2.0"
    assert card.machine.service == "running"
    assert "dicetray: installed;" in card.log
    assert card.left() == ["opt/dicetray", "var/lib/dicetray-first-boot.done"]
    assert not card.link.is_symlink()
    assert {name: (card.boot / name).read_text() for name in presets} == presets
    before = card.log
    shutil.rmtree(card.machine.root / "opt/dicetray")
    assert card.start() == 0
    assert (card.log, card.left()) == (before, ["var/lib/dicetray-first-boot.done"])


def test_the_file_is_what_cloud_init_takes_for_a_script_of_every_start(card: Card) -> None:
    lines = (card.boot / "vendor-data").read_text().splitlines()
    assert lines[:2] == ["#cloud-boothook", "#!/bin/sh"]
    assert "FINGERPRINT=none" not in lines
    assert not any(line.startswith(". ") for line in lines), "it has nothing beside it to read"


def test_what_another_has_signed_never_runs(card: Card, tmp_path: Path) -> None:
    shutil.copy(pack(tmp_path, make_key(tmp_path)), card.boot)
    assert card.start() != 0
    assert "expected the key" in card.log
    assert "preparing" not in card.log
    assert not (card.machine.root / "opt/dicetray").exists()


@pytest.mark.parametrize(
    "change", ["echo true >>systemd/install.sh", "rm SHA256SUMS.sig", "echo more >>SHA256SUMS"]
)
def test_what_was_changed_never_runs(card: Card, key: Path, tmp_path: Path, change: str) -> None:
    top = bundle(tmp_path, "2.0", key)
    subprocess.run(["sh", "-euc", change], cwd=top, check=True)
    file = card.boot / "dicetray-2.0.tar.gz"
    subprocess.run(["tar", "-C", tmp_path, "-czf", file, top.name], check=True)
    assert card.start() != 0
    assert "cannot be trusted" in card.log
    assert not (card.machine.root / "opt/dicetray").exists()


@pytest.mark.parametrize("content", [None, b"", b"\x1f\x8b\x08\x00" + bytes(40)])
def test_without_a_whole_bundle_the_log_says_so_and_the_next_start_tries_again(
    card: Card, packed: Path, content: bytes | None
) -> None:
    file = card.boot / packed.name
    file.unlink()
    if content is not None:
        file.write_bytes(content)
    assert card.start() != 0
    assert "none" in card.log if content is None else "cannot be unpacked" in card.log
    shutil.copy(packed, card.boot)
    assert card.start() == 0
    assert card.machine.version == "2.0"


def test_a_damaged_bundle_does_not_hide_another_that_is_whole(card: Card, packed: Path) -> None:
    whole = packed.read_bytes()
    (card.boot / packed.name).write_bytes(whole[: len(whole) // 2])
    (card.boot / "dicetray-2.0 (1).tar.gz").write_bytes(whole)
    (card.boot / "dicetray-10.0.tar.gz").write_bytes(b"no archive")
    assert card.start() == 0, card.log
    assert card.machine.version == "2.0"
    for name in ("10.0", "2.0"):
        assert f"dicetray-{name}.tar.gz: cannot be unpacked" in card.log


def on_a_pi_with_a_usb_camera(card: Card) -> None:
    """Only a Pi needs python3-lgpio."""
    write(card.machine.root / "proc/device-tree/model", "Raspberry Pi Zero 2 W Rev 1.0\0")
    write(card.boot / "dicetray-usb-camera", "")


def test_missing_packages_are_named_and_may_come_from_the_second_folder(card: Card) -> None:
    on_a_pi_with_a_usb_camera(card)
    write(card.machine.folder / "lacks", "polkitd\npython3-lgpio\n")
    assert card.start() != 0
    assert "into dicetray-debs: polkitd python3-lgpio" in card.log
    assert not (card.machine.root / "opt/dicetray").exists()
    for name in ("polkitd", "python3-lgpio"):
        write(card.boot / f"dicetray-debs/{name}.deb", "")
    write(card.boot / "dicetray-debs/openssl-older.deb", "")
    assert card.start() == 0, card.log
    assert card.machine.version == "2.0"
    assert "openssl" not in (card.machine.folder / "installed").read_text()


@pytest.mark.parametrize("unknown", ["", "python3-lgpio"])
def test_packages_that_apt_knows_and_cannot_fetch_are_named(card: Card, unknown: str) -> None:
    """Together with those that it does not know: the owner learns of all of them at once."""
    on_a_pi_with_a_usb_camera(card)
    write(card.machine.folder / "lacks", f"python3-venv\n{unknown}\n")
    cases = f'*"{unknown or "nothing"}") ;; *--simulate*) exit 0 ;;'
    apt = f'#!/bin/sh\ncase "$*" in {cases} esac\nexit 100\n'
    write(card.machine.bin / "apt-get", apt, 0o755)
    assert card.start() != 0
    named = card.log.split("into dicetray-debs: ")[1].splitlines()[0]
    assert set(named.split()) == {"python3-venv", unknown} - {""}


def test_a_pi_needs_picamera2_unless_a_file_says_that_its_camera_is_a_usb_camera(
    card: Card,
) -> None:
    write(card.machine.root / "proc/device-tree/model", "Raspberry Pi Zero 2 W Rev 1.0\0")
    write(card.machine.folder / "lacks", "python3-picamera2\n")
    assert card.start() != 0
    assert "into dicetray-debs: python3-picamera2" in card.log
    write(card.boot / "dicetray-usb-camera", "")
    assert card.start() == 0, card.log
    assert card.machine.version == "2.0"
    assert "the camera is a USB camera" in card.log


def test_a_full_card_is_said(card: Card) -> None:
    write(card.machine.bin / "df", "#!/bin/sh\necho Avail\necho 12\n", 0o755)
    assert card.start() != 0
    assert "expected 700 MB free" in card.log
    (card.machine.bin / "df").unlink()
    assert card.start() == 0


def test_what_is_installed_and_not_healthy_is_not_installed_at_every_start(card: Card) -> None:
    write(card.machine.folder / "program", program("2.0", 2, "exit 1"))
    assert card.start() == 0
    assert "not healthy: sudo dicetray doctor" in card.log
    before = card.log
    assert card.start() == 0
    assert card.log == before


def test_a_boot_partition_that_cannot_be_written_does_not_stop_it(card: Card) -> None:
    (card.boot / "dicetray-install.log").mkdir()
    assert card.start() == 0
    assert card.machine.version == "2.0"


def test_whenever_it_is_cut_off_the_next_start_installs_it(card: Card, tmp_path: Path) -> None:
    """At some steps a copy of the card, as it was then, is started again."""
    counted = counting(tmp_path / "steps")
    assert card.start(STEPS=str(counted), KEEP="yes") == 0
    found = steps(counted)
    names = [step for _, step in found]
    for part in ("first-boot.service", "tar -xzf", "versions/2.0", "dicetray-first-boot"):
        assert any(part in name for name in names), part
    root = card.machine.root
    for number, name in [*found[::STRIDE], *found[-2:]]:
        shutil.rmtree(root)
        subprocess.run(["cp", "-a", counted / str(number), root], check=True)
        assert card.start() == 0, name
        # A version already in use when it was cut off is prepared once more, beside it.
        assert card.machine.version.startswith("2.0"), name
        assert card.left() == ["opt/dicetray", "var/lib/dicetray-first-boot.done"], name


def test_the_board_says_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program inside the script, against the firmware; only the Pico's USB is a stand-in."""
    script = (ROOT / "systemd/first-boot.sh").read_text()
    said = script.split("<<'BOARD'\n")[1].split("\nBOARD\n")[0]
    current = tmp_path / "current"
    with SimulatedBoard(interpreter=micropython.find_interpreter(CPYTHON)) as board:
        pico = usb.UsbDevice("2e8a", "0005", ports=(board.device,))
        monkeypatch.setattr(usb, "devices", lambda: (pico,))
        monkeypatch.setattr(sys, "argv", ["-", str(ROOT), str(current), "MISSING", "LGPIO"])
        monkeypatch.setattr(sys, "path", list(sys.path))
        speaker = threading.Thread(target=exec, args=(said, {}))
        speaker.start()
        try:
            board.wait(lambda lights: lights.data == two_lines("MISSING", "LGPIO").data)
        finally:
            # What it waits for: the installed program.
            current.symlink_to("versions/2.0")
            speaker.join(5)
        assert not speaker.is_alive()
