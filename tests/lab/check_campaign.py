#!/usr/bin/env python3
"""Shares a campaign among three machines by GNU parallel; one is slow, one dies half-way.

    apt-get install parallel openssh-server rsync
    .venv/bin/python tests/lab/check_campaign.py [--hang]

The machines are three sshd on loopback ports, each with a home of its own. The line run is that of
docs/developing.md; only what it measures is replaced, by units that each sleep, four times longer
on the slow machine. Half-way, one machine is killed, or with `--hang` stands still with all
connections open. The results are then counted by the merge of campaigns, and the time is compared
with that of machines that share the work without loss. Exit status 1 if anything is lost or
doubled, or if it took more than 1.15 times as long.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer

sys.path.insert(0, str(Path(__file__).parents[2]))

from scripts.campaign.parts import Part, part
from scripts.campaign.results import Found, Results, load
from tests.paths import ROOT
from tests.rigs.mosquitto import free_port

PACES = {"quick": 1.0, "dying": 1.0, "slow": 4.0}
"""How long each machine takes for what takes the quickest a second."""
MOST_LONGER = 1.15
UNITS_PER_PART = 2
SETTINGS = {"code": "slept"}


def wanted(parts: int) -> list[str]:
    """The units of the campaign."""
    return [f"unit {k}" for k in range(parts * UNITS_PER_PART)]


def measure(own: Part, seconds: float, out: Path) -> None:
    """What a machine does for a part: it sleeps, and keeps a result for each unit."""
    with out.open("a", encoding="utf-8") as file:
        for unit in own.share(wanted(own.of)):
            time.sleep(seconds / UNITS_PER_PART * float(os.environ["PACE"]))
            file.write(Found(unit, SETTINGS, {}, []).line())
            file.flush()


def children(pid: int) -> list[int]:
    """All processes below one."""
    below = dict[int, list[int]]()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except OSError:
            continue  # it has just ended
        below.setdefault(int(text.rpartition(")")[2].split()[1]), []).append(int(stat.parent.name))
    found, left = list[int](), [pid]
    while left:
        left += (more := below.get(left.pop(), []))
        found += more
    return found


class Machine:
    """A machine that ssh reaches: an sshd with a home of its own, in which the project is."""

    def __init__(self, folder: Path, name: str, pace: float, key: Path) -> None:
        program = shutil.which("sshd") or shutil.which("sshd", path="/usr/sbin")
        assert program is not None, "expected sshd: apt-get install openssh-server"
        self.home, self.port = folder / name, free_port()
        project = self.home / "dicetray"
        project.mkdir(parents=True)
        for path in ROOT.iterdir():
            (project / path.name).symlink_to(path)
        file, own_key = folder / f"{name}.conf", folder / f"{name}.key"
        make_key(own_key)
        rsync = Path(shutil.which("rsync") or "/usr/bin/rsync").parent
        lines = (
            *(f"Port {self.port}", "ListenAddress 127.0.0.1", f"HostKey {own_key}"),
            *(f"AuthorizedKeysFile {key}.pub", "StrictModes no", f"PidFile {folder}/{name}.pid"),
            *("UsePAM no", "MaxStartups 100", f'SetEnv PACE={pace} "PATH={rsync}:/usr/bin:/bin"'),
            f'ForceCommand cd {self.home}; export HOME=$PWD; eval "$SSH_ORIGINAL_COMMAND"',
        )
        file.write_text("\n".join(lines) + "\n", "utf-8")
        self._process = subprocess.Popen([program, "-D", "-f", file], stderr=subprocess.DEVNULL)

    def all_get(self, sign: signal.Signals) -> None:
        """Sends a signal to all processes of this machine."""
        for pid in (self._process.pid, *children(self._process.pid)):
            with suppress(ProcessLookupError):
                os.kill(pid, sign)


def make_key(path: Path) -> None:
    """A key without a password, and its public half beside it."""
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path], check=True)


def documented(parts: int, seconds: float, config: Path) -> str:
    """The line of the developer's guide, for units that sleep and machines of this check."""
    text = (ROOT / "docs/developing.md").read_text("utf-8")
    (line,) = re.findall(r"^    (seq \d+ \| parallel .*(?:\n {8}.*)*)$", text, re.MULTILINE)
    replaced = (
        (r"\b400\b", str(parts)),
        ('"ssh ', f'"ssh -F {config} '),
        (r"scripts/bench_rendered\.py .*--jobs 1", f"tests/lab/check_campaign.py {seconds}"),
    )
    for old, new in replaced:
        line, times = re.subn(old, new, line)
        assert times, f"expected {old!r} in the line of docs/developing.md, found {line}"
    return str(line)


@dataclass(frozen=True, slots=True)
class Shared:
    """What came of the campaign: how long it took, how long it need have taken, in seconds."""

    code: int
    took_s: float
    ideal_s: float


def shared(folder: Path, parts: int, seconds: float, *, hang: bool) -> Shared:
    """Runs the line, and lets a machine die when half the time is over that all would need."""
    key, config = folder / "key", folder / "ssh.conf"
    make_key(key)
    machines = {name: Machine(folder, name, pace, key) for name, pace in PACES.items()}
    config.write_text(
        "".join(
            f"Host {name}\n HostName 127.0.0.1\n Port {machine.port}\n IdentityFile {key}\n"
            " StrictHostKeyChecking no\n UserKnownHostsFile /dev/null\n LogLevel ERROR\n"
            for name, machine in machines.items()
        ),
        "utf-8",
    )
    (folder / "machines").write_text("".join(f"1/{name}\n" for name in machines), "utf-8")
    pace = sum(1 / pace for pace in PACES.values())
    left = pace - 1 / PACES["dying"]
    # Half-way of an evening in which it dies: t/2 at the whole pace, t/2 without it.
    ideal_s = 2 * parts * seconds / (pace + left)
    sign = signal.SIGSTOP if hang else signal.SIGKILL
    death = Timer(ideal_s / 2, machines["dying"].all_get, [sign])
    try:
        time.sleep(1)
        death.start()
        start = time.monotonic()
        line = documented(parts, seconds, config)
        print(line, flush=True)
        code = subprocess.run(["bash", "-c", line], cwd=folder, check=False).returncode
        return Shared(code, time.monotonic() - start, ideal_s)
    finally:
        death.cancel()
        for machine in machines.values():
            machine.all_get(signal.SIGKILL)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sleep", type=float, nargs="?", help=argparse.SUPPRESS)
    parser.add_argument("--part", type=part, help=argparse.SUPPRESS)
    parser.add_argument("--out", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--parts", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=20.0, help="of a part on a quick machine")
    parser.add_argument("--hang", action="store_true", help="one stands still, instead of dying")
    args = parser.parse_args()
    if args.part is not None:
        measure(args.part, args.sleep, args.out)
        return 0
    with TemporaryDirectory() as name:
        folder = Path(name)
        done = shared(folder, args.parts, args.seconds, hang=args.hang)
        results = Results()
        for path in sorted(folder.glob("found-*")):
            for found in load(path):
                results.add(found)
        missing = results.missing(wanted(args.parts))
        hosts = [row.split("\t")[1] for row in (folder / "jobs").read_text().splitlines()[1:]]
        by_machine = {name: hosts.count(name) for name in PACES}
    longer = done.took_s / done.ideal_s
    print(
        f"exit code {done.code}; parts by machine {by_machine}; {len(results.units)} units, "
        f"{len(missing)} missing, {len(results.repeated)} twice; {done.took_s:.0f} s, "
        f"ideal {done.ideal_s:.0f} s: {longer:.2f} times as long"
    )
    return 0 if not (done.code or missing or results.repeated) and longer <= MOST_LONGER else 1


if __name__ == "__main__":
    sys.exit(main())
