#!/usr/bin/env python3
"""Shares a campaign among three machines by GNU parallel; one is slow, one dies half-way.

    apt-get install parallel openssh-server rsync
    .venv/bin/python tests/lab/check_campaign.py [--hang]

The machines are three sshd on loopback ports, each with a home of its own. The line run is that of
docs/developing.md; only what it measures is replaced, by units that each sleep, four times longer
on the slow machine. Half-way, one machine is killed, or with `--hang` stands still with all
connections open. The results are then counted by the merge of campaigns, and the time is compared
with the least in which machines of these speeds can do it: all are busy to the same moment, and of
what the dead one had begun nothing has to be done again. Their speeds are those measured, as each
part also takes some connections and a start of Python; the time without these is printed, too.
Exit status 1 if anything is lost or doubled, or if it took more than 1.15 times as long.
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
from scripts.campaign.results import Found, Results, begun, load
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
    """What a machine does for a part: it sleeps, and keeps a result for each unit not kept yet."""
    done = begun(out, SETTINGS).units
    with out.open("a", encoding="utf-8") as file:
        for unit in (one for one in own.share(wanted(own.of)) if one not in done):
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
        # Not its files: results of a campaign may be among them.
        for path in (one for one in ROOT.iterdir() if one.is_dir()):
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


def ideal_s(parts: int, took_s: dict[str, float], death_s: float) -> float:
    """The least time for so many parts, of which each machine takes so long for each."""
    all_rates = sum(1 / each for each in took_s.values())
    rest = all_rates - 1 / took_s["dying"]
    return death_s + (parts - death_s * all_rates) / rest


def measured_s(jobs: Path) -> dict[str, float]:
    """How long a part took on each machine, by the engine's list of those done."""
    rows = [row.split("\t") for row in jobs.read_text("utf-8").splitlines()[1:]]
    by_machine = {name: [float(row[3]) for row in rows if row[1] == name] for name in PACES}
    print("parts by machine:", {name: len(times) for name, times in by_machine.items()})
    return {name: sum(times) / len(times) for name, times in by_machine.items()}


@dataclass(frozen=True, slots=True)
class Shared:
    """What came of the campaign: the exit code, how long it took, and when a machine died."""

    code: int
    took_s: float
    death_s: float


def shared(folder: Path, parts: int, seconds: float, *, hang: bool) -> Shared:
    """Runs the line, and lets a machine die half-way."""
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
    # Half at the pace of all, half at that of the others.
    death_s = parts * seconds / (2 * pace - 1 / PACES["dying"])
    sign = signal.SIGSTOP if hang else signal.SIGKILL
    death = Timer(death_s, machines["dying"].all_get, [sign])
    try:
        time.sleep(1)
        death.start()
        start = time.monotonic()
        line = documented(parts, seconds, config)
        print(line, flush=True)
        code = subprocess.run(["bash", "-c", line], cwd=folder, check=False).returncode
        return Shared(code, time.monotonic() - start, death_s)
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
        each_s = measured_s(folder / "jobs")
    least_s = ideal_s(args.parts, each_s, done.death_s)
    paced_s = {name: pace * args.seconds for name, pace in PACES.items()}
    longer = done.took_s / least_s
    print(
        f"exit code {done.code}; {len(results.units)} units, {len(missing)} missing, "
        f"{len(results.repeated)} twice; a part took "
        f"{', '.join(f'{name} {took:.1f} s' for name, took in each_s.items())}; "
        f"{done.took_s:.0f} s in all, ideal {least_s:.0f} s: {longer:.2f} times as long "
        f"(ideal of the sleep alone: {ideal_s(args.parts, paced_s, done.death_s):.0f} s)"
    )
    return 0 if not (done.code or missing or results.repeated) and longer <= MOST_LONGER else 1


if __name__ == "__main__":
    sys.exit(main())
