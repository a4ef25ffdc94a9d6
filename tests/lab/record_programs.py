#!/usr/bin/env python3
"""Records what the programs that we start say and how they end, good and bad, in systems of Debian.

    sudo .venv/bin/python tests/lab/record_programs.py FOLDER

makes roots of Debian 12, 13 and forky in FOLDER, unless they are there, and writes
`tests/rigs/programs/recorded.json`, from which all stand-ins of the tests are fed. It says what has
changed since; with `--compare` it writes nothing, and its exit status is then 1. With `--systems`
it leaves the rows of other systems as they are.

Needs root, and `apt install mmdebstrap systemd-container`. Beside a program runs nothing (a
container with one process), or a whole system: systemd, its bus, logind, polkit and NetworkManager.
Nowhere is there a sound card, a Wi-Fi adapter or udev. mpremote comes from PyPI, and talks to
MicroPython for PCs behind a terminal.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from simulator.pico import micropython
from simulator.pico.board import SimulatedBoard
from tests.paths import ROOT
from tests.rigs.programs import RECORDED, SYSTEMS

PACKAGES = (
    *("alsa-utils", "chromium", "dbus", "espeak-ng", "network-manager", "openssh-client"),
    *("openssl", "polkitd", "systemd", "systemd-sysv", "udev"),
)
PYPI = "pypi"
ORDER = (*SYSTEMS, PYPI)
NOTHING, SYSTEM = "nothing", "systemd, bus, logind, polkit, NetworkManager"
MPREMOTE_BESIDE = "MicroPython for PCs behind a terminal"
USER, OUR_USER = 65534, 7777
"""Nobody, and the one that polkit's rule of ours names."""
LONGEST_S = 120.0
MOST = 2000
"""Characters kept of an output."""

NULL_CARD = "pcm.!default { type null }\nctl.!default { type null }\n"
FULL_CARD = (
    'pcm.!default { type plug slave.pcm { type file format "raw" file "/dev/full" '
    "slave.pcm { type null } } }\nctl.!default { type null }\n"
)
UNIT = "[Service]\nExecStart=/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n"
BROKEN_UNIT = "[Service]\nExecStart=/bin/false\n"
LISTING_UNIT = """\
[Service]
ExecStart=/bin/sleep infinity
ExecStop=/bin/sh -c 'systemctl list-jobs --no-legend poweroff.target halt.target >/mnt/lab/jobs'
TimeoutStopSec=20
"""
WIFI = "11111111-2222-4333-8444-555555555555"
IDENTITY = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")


@dataclass(frozen=True)
class Case:
    """A run of a program: a shell's line, what it reads, what was done before, and who runs it."""

    program: str
    name: str
    line: str
    beside: str = NOTHING
    text: str = ""
    before: str = ""
    user: int = 0


def espeak(name: str, words: str = "", card: str = "", text: str = "Anna.") -> Case:
    line = f"{card and f'ALSA_CONFIG_PATH=/mnt/lab/{card} '}espeak-ng -v en -s 165 {words}--stdin"
    return Case("espeak-ng", name, line, text=text)


def nmcli(name: str, words: str, text: str = "", before: str = "", beside: str = SYSTEM) -> Case:
    return Case("nmcli", name, f"nmcli {words}", beside, text, before)


def systemctl(name: str, words: str, before: str = "", beside: str = SYSTEM, user: int = 0) -> Case:
    return Case("systemctl", name, f"systemctl {words}", beside, "", before, user)


def edited(*lines: str) -> str:
    return "\n".join((*lines, "save persistent", "quit", ""))


REQUEST = "openssl req -x509 -newkey rsa:2048 -sha256 -nodes -days 820 -config /mnt/lab/request.cnf"
SHOW = (
    "show dicetray.service --property=LoadState,ActiveState,SubState,NRestarts,Result,UnitFileState"
)
VERIFY = "openssl pkeyutl -verify -rawin -pubin -inkey /tmp/pub -sigfile /tmp/sig -in"
SIGNED = (
    "cd /tmp; openssl genpkey -algorithm ed25519 -out key; openssl pkey -in key -pubout -out pub;"
    " echo text >text; echo more >more; openssl pkeyutl -sign -rawin -inkey key -in text -out sig"
)
BROWSER = "chromium --headless --no-sandbox --disable-gpu"
CAN_OFF = (
    "busctl call org.freedesktop.login1 /org/freedesktop/login1 "
    "org.freedesktop.login1.Manager CanPowerOff"
)
OFF = "--no-ask-password poweroff"

CASES = (
    espeak("heard", card="null.conf"),
    espeak("no card"),
    espeak("wrong device", "-d plughw:CARD=Device "),
    espeak("card fails", card="full.conf"),
    Case(
        *("espeak-ng", "unknown language"),
        "ALSA_CONFIG_PATH=/mnt/lab/null.conf espeak-ng -v xx --stdin",
        text="Anna.",
    ),
    Case(
        *("espeak-ng", "no voices"),
        "ESPEAK_DATA_PATH=/nowhere ALSA_CONFIG_PATH=/mnt/lab/null.conf espeak-ng -v en --stdin",
        text="Anna.",
    ),
    espeak("nothing to say", card="null.conf", text=""),
    Case("aplay", "heard", "ALSA_CONFIG_PATH=/mnt/lab/null.conf aplay -q /mnt/lab/tone.wav"),
    Case("aplay", "no card", "aplay -q /mnt/lab/tone.wav"),
    Case("aplay", "wrong device", "aplay -q -D plughw:CARD=Device /mnt/lab/tone.wav"),
    Case("aplay", "no file", "ALSA_CONFIG_PATH=/mnt/lab/null.conf aplay -q /nowhere.wav"),
    Case("aplay", "no sound", "ALSA_CONFIG_PATH=/mnt/lab/null.conf aplay -q /mnt/lab/null.conf"),
    Case("aplay", "list without cards", "aplay -l"),
    nmcli(
        "no manager", "-e no -t -f TYPE,DEVICE,UUID,NAME connection show --active", beside=NOTHING
    ),
    nmcli("add without manager", "connection add type wifi con-name it ssid Home", beside=NOTHING),
    nmcli("radio on", "-t radio wifi on"),
    nmcli("delete unknown", "connection delete id dicetray-wifi"),
    nmcli(
        "added",
        f"connection add type wifi con-name dicetray-wifi ssid 'Home: 5G' connection.uuid {WIFI}",
    ),
    nmcli("no password", "-g 802-11-wireless-security.key-mgmt connection show dicetray-wifi"),
    nmcli(
        *("password refused", "connection edit dicetray-wifi"),
        edited(
            "set 802-11-wireless-security.key-mgmt wpa-psk",
            "set 802-11-wireless-security.psk 1234567",
        ),
    ),
    nmcli(
        *("password saved", "connection edit dicetray-wifi"),
        edited(
            "set connection.autoconnect yes",
            "set 802-11-wireless-security.key-mgmt wpa-psk",
            "set 802-11-wireless-security.psk secret1234",
        ),
    ),
    nmcli("has password", "-g 802-11-wireless-security.key-mgmt connection show dicetray-wifi"),
    nmcli("name escaped", f"-g 802-11-wireless.ssid connection show uuid {WIFI}"),
    nmcli("name as it is", f"-e no -g 802-11-wireless.ssid connection show uuid {WIFI}"),
    nmcli("no adapter", "-w 45 connection up dicetray-wifi"),
    nmcli("up unknown", "-w 45 connection up nowhere"),
    nmcli("empty name", "connection add type wifi con-name other ssid ''"),
    nmcli(
        *("long name", f"connection add type wifi con-name other ssid {'x' * 33}"),
    ),
    nmcli(
        *("deleted", "connection delete id other2"),
        before="nmcli connection add type wifi con-name other2 ssid Home",
    ),
    nmcli(
        *("active", "-e no -t -f TYPE,DEVICE,UUID,NAME connection show --active"),
        before="nmcli device set host0 managed yes; nmcli connection add type ethernet"
        " con-name 'Wired: one' ifname host0 ip4 192.168.1.20/24 ipv6.method disabled;"
        " nmcli -w 20 connection up 'Wired: one'; nmcli device; nmcli connection",
    ),
    nmcli("address", "-t -g IP4.ADDRESS device show host0"),
    nmcli("no such device", "-t -g IP4.ADDRESS device show wlan0"),
    nmcli("a cable has no Wi-Fi", "-e no -g 802-11-wireless.ssid connection show id 'Wired: one'"),
    Case("openssl", "made", f"{REQUEST} -keyout /tmp/k.pem -out /tmp/c.pem"),
    Case("openssl", "dates", "openssl x509 -in /tmp/c.pem -noout -dates"),
    Case("openssl", "no file", "openssl x509 -in /nowhere.pem -noout -dates"),
    Case("openssl", "no certificate", "openssl x509 -in /mnt/lab/null.conf -noout -dates"),
    Case(
        *("openssl", "no request"),
        "openssl req -x509 -newkey rsa:2048 -nodes -config /nowhere.cnf -keyout /tmp/k -out /tmp/c",
    ),
    Case("openssl", "no folder", f"{REQUEST} -keyout /nowhere/k.pem -out /nowhere/c.pem"),
    Case("openssl", "disk full", f"{REQUEST} -keyout /dev/full -out /dev/full"),
    Case("openssl", "signature right", f"{VERIFY} /tmp/text", before=SIGNED),
    Case("openssl", "signature wrong", f"{VERIFY} /tmp/more"),
    Case("openssl", "no key", "openssl pkey -in /mnt/lab/null.conf -pubout"),
    systemctl("version", "--version"),
    systemctl("not installed", SHOW),
    systemctl("restart unknown", "restart dicetray"),
    systemctl("stop unknown", "stop dicetray"),
    systemctl("disable unknown", "disable --now dicetray dicetray-mqtt"),
    systemctl(
        *("restarted", "restart dicetray"),
        before="cp /mnt/lab/unit /etc/systemd/system/dicetray.service; systemctl daemon-reload;"
        " systemctl enable dicetray",
    ),
    systemctl("runs", SHOW),
    systemctl("is active", "is-active --quiet dicetray"),
    systemctl("main process", "show -p MainPID --value dicetray"),
    systemctl("stopped", "stop dicetray"),
    systemctl("not running", SHOW),
    systemctl("main process of none", "show -p MainPID --value dicetray"),
    systemctl("is inactive", "is-active --quiet dicetray"),
    systemctl("try-restart of none", "try-restart dicetray"),
    systemctl("not enabled", SHOW, before="systemctl disable dicetray; systemctl start dicetray"),
    systemctl(
        *("failed", SHOW),
        before="systemctl stop dicetray; cp /mnt/lab/broken /etc/systemd/system/dicetray.service;"
        " systemctl daemon-reload; systemctl restart dicetray; sleep 1",
    ),
    systemctl(
        *("restarted often", SHOW),
        before="printf '[Service]\\nExecStart=/bin/sh -c \"[ -e /tmp/often ] && exec sleep 99;"
        ' echo >>/tmp/count; [ $(wc -l </tmp/count) -lt 5 ] || touch /tmp/often"\\n'
        "Restart=always\\nRestartSec=0\\n[Install]\\nWantedBy=multi-user.target\\n'"
        " >/etc/systemd/system/dicetray.service; systemctl daemon-reload;"
        " systemctl reset-failed dicetray; systemctl enable dicetray;"
        " sed -i '1i[Unit]\\nStartLimitIntervalSec=0' /etc/systemd/system/dicetray.service;"
        " systemctl daemon-reload; systemctl restart dicetray; sleep 3",
    ),
    systemctl(
        *("killed by its watchdog", SHOW),
        before="systemctl stop dicetray; printf '[Service]\\nExecStart=/bin/sleep 99\\n"
        "WatchdogSec=1\\n' >/etc/systemd/system/dicetray.service; systemctl daemon-reload;"
        " systemctl restart dicetray; sleep 4",
    ),
    systemctl(
        *("start fails", "restart dicetray"),
        before="printf '[Service]\\nType=oneshot\\nExecStart=/bin/false\\n'"
        " >/etc/systemd/system/dicetray.service; systemctl daemon-reload",
    ),
    systemctl(
        *("disable two, one unknown", "disable --now dicetray dicetray-mqtt"),
        before="cp /mnt/lab/unit /etc/systemd/system/dicetray.service; systemctl daemon-reload;"
        " systemctl enable --now dicetray",
    ),
    systemctl("is active after all", "is-active dicetray"),
    systemctl("no jobs", "list-jobs --no-legend poweroff.target halt.target"),
    systemctl("reload", "daemon-reload"),
    systemctl("off without rule", OFF, user=USER),
    systemctl("restart without rule", "--no-ask-password reboot", user=USER),
    systemctl(
        *("off denied", OFF),
        before="mkdir -p /etc/polkit-1/rules.d; echo 'polkit.addRule(function(action, subject)"
        ' { if (action.id.indexOf("org.freedesktop.login1.power-off") == 0)'
        " return polkit.Result.NO; });' >/etc/polkit-1/rules.d/10-no.rules; sleep 1;"
        " systemctl restart polkit",
        user=USER,
    ),
    systemctl("off without bus", OFF, beside=NOTHING),
    systemctl("show without systemd", SHOW, beside=NOTHING),
    Case("busctl", "denied", CAN_OFF, SYSTEM, user=USER),
    Case(
        *("busctl", "challenge", CAN_OFF, SYSTEM, ""),
        "rm /etc/polkit-1/rules.d/10-no.rules; sleep 1; systemctl restart polkit",
        USER,
    ),
    Case("busctl", "allowed", CAN_OFF, SYSTEM),
    Case(
        *("busctl", "allowed by our rule", CAN_OFF, SYSTEM, ""),
        "useradd -u 7777 dicetray; cp /mnt/lab/our.rules /etc/polkit-1/rules.d/60-dicetray.rules;"
        " sleep 1; systemctl restart polkit",
        OUR_USER,
    ),
    Case(
        *("busctl", "inhibited", CAN_OFF, SYSTEM, ""),
        "systemd-run --unit=keeps-on systemd-inhibit --what=shutdown --who=a --why=b --mode=block"
        " sleep 99; sleep 1",
        OUR_USER,
    ),
    systemctl("off while inhibited", OFF, user=OUR_USER),
    Case("busctl", "no bus", CAN_OFF),
    Case(
        *("busctl", "no logind", CAN_OFF, SYSTEM),
        before="systemctl stop keeps-on;"
        " systemctl mask --now systemd-logind dbus-org.freedesktop.login1.service",
    ),
    Case("journalctl", "no lines", "journalctl -u nobody -n 5 --no-pager --no-hostname", SYSTEM),
    Case("journalctl", "no journal", "journalctl -u dicetray -n 5 --no-pager --no-hostname"),
    nmcli(
        *("manager stopped", "-w 45 connection up dicetray-wifi"),
        before="systemctl mask --now NetworkManager",
    ),
    Case("udevadm", "reload without udev", "udevadm control --reload"),
    Case("udevadm", "trigger", "udevadm trigger --subsystem-match=tty"),
    Case("udevadm", "no device", "udevadm info /dev/nowhere"),
    Case("udevadm", "info", "udevadm info -q path /dev/null"),
    Case("udevadm", "unknown option", "udevadm control --nonsense"),
    Case("udevadm", "settle without udev", "udevadm settle --timeout=1"),
    Case("ssh-keygen", "made", "ssh-keygen -q -t ed25519 -N '' -f /tmp/id"),
    Case("ssh-keygen", "there already", "ssh-keygen -q -t ed25519 -N '' -f /tmp/id", text="n\n"),
    Case(
        "ssh-keygen", "there already, nobody answers", "ssh-keygen -q -t ed25519 -N '' -f /tmp/id"
    ),
    Case("ssh-keygen", "unknown kind", "ssh-keygen -q -t dice -N '' -f /tmp/id2"),
    Case("ssh-keygen", "no folder", "ssh-keygen -q -t ed25519 -N '' -f /nowhere/id"),
    Case("ssh-keygen", "short passphrase", "ssh-keygen -q -t ed25519 -N abc -f /tmp/id3"),
    Case("ssh-keygen", "no key", "ssh-keygen -y -f /mnt/lab/null.conf"),
    Case("chromium", "page", f"{BROWSER} --dump-dom file:///mnt/lab/page.html"),
    Case("chromium", "no page", f"{BROWSER} --dump-dom file:///nowhere.html"),
    Case("chromium", "no host", f"{BROWSER} --dump-dom http://nowhere.invalid/"),
    Case(
        "chromium",
        "as root with sandbox",
        "chromium --headless --dump-dom file:///mnt/lab/page.html",
    ),
    Case(
        "chromium",
        "no folder for picture",
        f"{BROWSER} --screenshot=/nowhere/a.png file:///mnt/lab/page.html",
    ),
    Case(
        "chromium", "unknown option", f"{BROWSER} --nonsense --dump-dom file:///mnt/lab/page.html"
    ),
    # The last one: it ends the container.
    systemctl(
        *("off", OFF),
        before="systemctl unmask systemd-logind dbus-org.freedesktop.login1.service;"
        " systemctl start systemd-logind; cp /mnt/lab/listing /etc/systemd/system/listing.service;"
        " systemctl daemon-reload; systemctl start listing",
    ),
)
"""In the order in which they are run; some go on from what one before has left."""

VERSIONS = {
    "espeak-ng": "espeak-ng --version",
    "aplay": "aplay --version",
    "nmcli": "nmcli --version",
    "openssl": "openssl version",
    "systemctl": "systemctl --version",
    "busctl": "busctl --version",
    "journalctl": "journalctl --version",
    "udevadm": "udevadm --version",
    "ssh-keygen": "ssh -V 2>&1",
    "chromium": "chromium --version",
}


def make_root(folder: Path, system: str) -> Path:
    """A root with the programs, made unless it is there."""
    root = folder / f"root-{system}"
    if (root / "usr/bin/chromium").exists():
        return root
    subprocess.run(
        [
            *("mmdebstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}"),
            '--aptopt=APT::Install-Recommends "false"',
            # A mirror may be some weeks old; the signatures are checked all the same.
            '--aptopt=Acquire::Check-Valid-Until "false"',
            *(system, str(root), f"deb http://deb.debian.org/debian {system} main"),
        ],
        check=True,
    )
    return root


class Container:
    """A container of a root: with one process in it, or a whole system that has started."""

    def __init__(self, root: Path, shared: Path, *, whole: bool) -> None:
        how = ("--boot", "--network-veth") if whole else ("--private-network", "--as-pid2")
        self._log = (shared / "log").open("w+b")
        self._process = subprocess.Popen(
            [
                *("systemd-nspawn", "--quiet", f"--directory={root}", "--register=no"),
                *("--keep-unit", f"--machine=lab-{'whole' if whole else 'bare'}"),
                *("--console=pipe", f"--bind={shared}:/mnt/lab", "--volatile=overlay", *how),
                *(() if whole else ("sleep", "infinity")),
            ],
            env=os.environ | {"UNIFIED_CGROUP_HIERARCHY": "1"},
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
        )
        until_s = time.monotonic() + LONGEST_S
        ready = "systemctl is-system-running --wait | grep -E 'running|degraded'" if whole else ":"
        while self.run(ready)[0]:
            if self._process.poll() is not None or time.monotonic() > until_s:
                self._log.seek(0)
                raise SystemExit(f"expected a container that starts: {self._log.read().decode()}")
            time.sleep(0.5)

    def _leader(self) -> str:
        found = subprocess.run(
            ["pgrep", "-P", str(self._process.pid)], capture_output=True, text=True, check=False
        ).stdout.split()
        return found[0] if found else ""

    def run(self, line: str, text: str = "", user: int = 0) -> tuple[int, str, str]:
        """Runs a shell's line in it; its exit status and what it wrote. 124 if it hung."""
        if not (leader := self._leader()):
            return 1, "", ""
        who = ("setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups") if user else ()
        command = [
            *("nsenter", "-t", leader, "-m", "-u", "-i", "-n", "-p", "-C", "-r", "-w"),
            *("env", "-i", "HOME=/root", "LC_ALL=C.UTF-8"),
            *("PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", *who),
            *("timeout", str(LONGEST_S), "sh", "-c", line),
        ]
        done = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
        out, err = (each.decode("utf-8", "replace") for each in (done.stdout, done.stderr))
        return done.returncode, out, err

    def gone(self, within_s: float) -> bool:
        """Waits until it has ended by itself."""
        try:
            self._process.wait(within_s)
        except subprocess.TimeoutExpired:
            return False
        return True

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            if not self.gone(30.0):
                self._process.kill()
                self._process.wait()
        self._log.close()


_CLEANED: tuple[tuple[str, str], ...] = (
    (r"\[\d+:\d+:\d+/[\d.]+:", "[1:1:0101/000000.000000:"),
    (r"\[\d+:\d+:\d{2}/\d{2}/\d{2}:", "[1:1:"),
    (r"(?m)^.*(dbus/|mojo/|/gpu/|vulkan|angle|gcm|gl_|viz_main|ozone|font_service|V8 ).*\n", ""),
    (r"(?m)^(not(?:Before|After))=.*GMT$", r"\1=Jan  1 00:00:00 2027 GMT"),
    (r"(?m)^[.+*-]+$", "..."),
    (r"\b[0-9A-F]{12,16}:error", "0:error"),
    (r"(?m)^[1-9]\d*$", "7"),
    (r"0x[0-9a-f]{6,}", "0x0"),
    (r"(?m)^\d+ (poweroff|halt)\.target", r"7 \1.target"),
    (r"\(pid \d+\)", "(pid 7)"),
)
"""What differs from run to run, and what stands in its place: process numbers, dates, addresses."""


def cleaned(text: str) -> str:
    text = IDENTITY.sub(WIFI, text.replace(f"{ROOT}/", ""))
    for pattern, by in _CLEANED:
        text = re.sub(pattern, by, text)
    return text if len(text) <= MOST else text[:MOST] + "[cut]\n"


Answers = dict[str, dict[str, dict[str, object]]]


def record_in(root: Path, system: str) -> Iterator[tuple[Case, dict[str, object]]]:
    """The answers of one system, in the order of the cases."""
    with tempfile.TemporaryDirectory() as name:
        shared = Path(name)
        shared.chmod(0o755)
        write_shared(shared)
        containers: dict[str, Container] = {}
        try:
            for case in CASES:
                if case.beside not in containers:
                    containers[case.beside] = Container(root, shared, whole=case.beside == SYSTEM)
                inside = containers[case.beside]
                if case.before:
                    inside.run(case.before)
                status, out, err = inside.run(case.line, case.text, case.user)
                answer = {"status": status, "out": cleaned(out), "err": cleaned(err)}
                print(f"{system}: {case.program}, {case.name}: {status}", flush=True)
                yield case, answer
                if (case.program, case.name) == ("systemctl", "off"):
                    inside.gone(30.0)
                    jobs = shared / "jobs"
                    text = cleaned(jobs.read_text() if jobs.exists() else "")
                    while_off = Case(
                        *("systemctl", "jobs while going off"),
                        "systemctl list-jobs --no-legend poweroff.target halt.target",
                        SYSTEM,
                    )
                    yield while_off, {"status": 0, "out": text, "err": ""}
        finally:
            for container in containers.values():
                container.close()


def write_shared(folder: Path) -> None:
    """The files that the cases name."""
    rate, seconds = 8000, 0.1
    data = bytes(int(rate * seconds) * 2)
    header = b"RIFF" + (36 + len(data)).to_bytes(4, "little") + b"WAVEfmt "
    fields = ((16, 4), (1, 2), (1, 2), (rate, 4), (2 * rate, 4), (2, 2), (16, 2))
    header += b"".join(value.to_bytes(size, "little") for value, size in fields)
    (folder / "tone.wav").write_bytes(header + b"data" + len(data).to_bytes(4, "little") + data)
    (folder / "null.conf").write_text(NULL_CARD)
    (folder / "our.rules").write_text((ROOT / "systemd/polkit.rules").read_text())
    (folder / "full.conf").write_text(FULL_CARD)
    (folder / "unit").write_text(UNIT)
    (folder / "broken").write_text(BROKEN_UNIT)
    (folder / "listing").write_text(LISTING_UNIT)
    (folder / "page.html").write_text("<!doctype html><title>Dice</title><p>3 3 3")
    (folder / "request.cnf").write_text(
        "[req]\ndistinguished_name = who\nprompt = no\nx509_extensions = server\n[who]\n"
        "CN = dicetray\n[server]\nsubjectAltName = DNS:localhost\n"
    )


@contextmanager
def board_with(repl: bool) -> Iterator[str]:
    """A port with MicroPython's raw REPL, or with something that never says a word."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found = micropython.find_interpreter()
        if not found.real:
            raise SystemExit(f"expected MicroPython for PCs: {found.sentence}")
        silent = [sys.executable, "-c", "import time; time.sleep(600)"]
        command = [str(found.path), str(ROOT / "tests/rigs/repl.py")] if repl else silent
        with SimulatedBoard(interpreter=found, firmware=folder, state=folder, repl=command) as made:
            yield made.device


def record_mpremote() -> Iterator[tuple[Case, dict[str, object]]]:
    """The answers of mpremote."""

    def run(name: str, port: str, *words: str) -> tuple[Case, dict[str, object]]:
        done = subprocess.run(
            [sys.executable, "-m", "mpremote", "connect", port, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=LONGEST_S,
        )
        place = re.compile(re.escape(port) if port.startswith("/dev/pts") else "(?!)")
        told = [place.sub("/dev/pts/1", cleaned(each)) for each in (done.stdout, done.stderr)]
        print(f"mpremote, {name}: {done.returncode}", flush=True)
        line = " ".join(("mpremote connect PORT", *words))
        case = Case("mpremote", name, line, MPREMOTE_BESIDE)
        return case, {"status": done.returncode, "out": told[0], "err": told[1]}

    with board_with(repl=True) as port:
        yield run("done", port, "exec", "print('dicetray')")
        yield run("program fails", port, "exec", "1/0")
        yield run("no such file", port, "cp", "/nowhere/board.py", ":")
        yield run("unknown command", port, "dice")
    with board_with(repl=False) as port:
        yield run("no REPL", port, "exec", "1")
    yield run("no port", "/dev/ttyNOWHERE", "exec", "1")


def version_of(program: str, run: Callable[[str], tuple[int, str, str]]) -> str:
    found = re.search(r"\d+(?:\.\d+)+\w*|\b\d{3}\b", run(VERSIONS[program])[1])
    return found[0] if found else "unknown"


Rows = list[tuple[str, Case, dict[str, object]]]
"""A system, a case, and the answer there."""


def table_of(rows: Rows) -> Answers:
    """The cases by program and name; systems that answer alike share an answer."""
    cases: Answers = {}
    for system, case, answer in rows:
        entry = cases.setdefault(case.program, {}).setdefault(
            case.name,
            {"command": case.line, "stdin": case.text, "beside": case.beside, "answers": []},
        )
        command = (case.line, case.text, case.beside)
        if command != (entry["command"], entry["stdin"], entry["beside"]):
            raise SystemExit(
                f"{case.program}, {case.name}: expected one command in all systems, found "
                f"{entry['command']} and {case.line}; record all systems"
            )
        said = entry["answers"]
        assert isinstance(said, list)
        for other in said:
            if {key: other[key] for key in answer} == answer:
                other["in"].append(system)
                break
        else:
            said.append({"in": [system], **answer})
    return cases


def rows_of(programs: Answers, systems: Collection[str]) -> Rows:
    """The rows of some systems, in the order of `ORDER`."""
    rows: Rows = []
    for program, named in programs.items():
        for name, entry in named.items():
            line, text, beside, answers = (
                entry[key] for key in ("command", "stdin", "beside", "answers")
            )
            assert isinstance(answers, list)
            case = Case(program, name, str(line), str(beside), str(text))
            for said in answers:
                answer = {key: value for key, value in said.items() if key != "in"}
                rows += [(system, case, answer) for system in said["in"] if system in systems]
    return sorted(rows, key=lambda row: ORDER.index(row[0]))


def joined(
    before: dict[str, Any], found: dict[str, Any], systems: Collection[str]
) -> dict[str, Any]:
    """What was recorded, with the rows of these systems as they were found now."""
    others = [system for system in ORDER if system not in systems]
    rows = rows_of(before["programs"], others) + rows_of(found["programs"], systems)
    versions: dict[str, dict[str, str]] = {}
    for program in {**found["versions"], **before["versions"]}:
        known = {s: v for s, v in before["versions"].get(program, {}).items() if s in others}
        known |= found["versions"].get(program, {})
        if known:
            versions[program] = {s: known[s] for s in ORDER if s in known}
    rows.sort(key=lambda row: ORDER.index(row[0]))
    return {"versions": versions, "programs": table_of(rows)}


def changes(
    before: dict[str, Any], found: dict[str, Any], systems: Collection[str]
) -> Iterator[str]:
    """What differs in the rows of these systems: cases that are new, other, or gone."""
    known = table_of(rows_of(before["programs"], systems))
    for program, named in found["programs"].items():
        for name, entry in named.items():
            if known.get(program, {}).get(name) != entry:
                yield f"{program}, {name}: changed\n{json.dumps(entry, indent=1)}"
    for program, named in known.items():
        for name in named.keys() - found["programs"].get(program, {}).keys():
            yield f"{program}, {name}: gone"


def record(folder: Path, systems: Sequence[str]) -> dict[str, Any]:
    """The table of these systems, and of `PYPI`."""
    versions: dict[str, dict[str, str]] = {}
    rows: Rows = []
    for system in systems:
        root = make_root(folder, system)
        with tempfile.TemporaryDirectory() as name:
            bare = Container(root, Path(name), whole=False)
            try:
                for program in VERSIONS:
                    versions.setdefault(program, {})[system] = version_of(program, bare.run)
            finally:
                bare.close()
        rows += [(system, case, answer) for case, answer in record_in(root, system)]
    rows += [(PYPI, case, answer) for case, answer in record_mpremote()]
    versions["mpremote"] = {PYPI: version("mpremote")}
    return {"versions": versions, "programs": table_of(rows)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the roots are, or are made")
    parser.add_argument("--compare", action="store_true", help="only say what has changed")
    parser.add_argument("--systems", nargs="+", default=list(SYSTEMS), choices=SYSTEMS)
    options = parser.parse_args()
    if os.geteuid():
        print("expected root, which containers need", file=sys.stderr)
        return 2
    systems = [system for system in SYSTEMS if system in options.systems]
    found = record(options.folder.resolve(), systems)
    before = json.loads(RECORDED.read_text())
    told = list(changes(before, found, (*systems, PYPI)))
    print(*told, sep="\n")
    if options.compare:
        return 1 if told else 0
    table = joined(before, found, (*systems, PYPI))
    RECORDED.write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
