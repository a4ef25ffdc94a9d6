#!/usr/bin/env python3
"""Counts the instructions of start, rest and readings on Raspberry Pis, without any.

    .venv/bin/python scripts/count_instructions.py WORK [--part reading] [--every 14]
    .venv/bin/python scripts/count_instructions.py WORK --part start rest

The arm64 builds of Python and of the pinned packages run under qemu-user, whose processor model
decides which kernels the libraries choose: `cortex-a53` (Zero 2 W) and `cortex-a72` (Pi 4) have no
products of four 8-bit numbers, `cortex-a76` (Pi 5) has. A plugin (`qemu/count_instructions.c`)
counts what is executed between marks.

    reading  each picture is read once before, so that no start-up is counted
    start    commands until they end, and `dicetray run` until its first prompt is handed over
    rest     each frame of a resting tray, as `bench_rest.py` has it, with the whole process

What goes by the clock, such as the loop's polling, costs as much whatever the frame rate: rest is
counted at two rates, and what follows for 30 frames a second is printed. One core runs it all, as
threads that count at the same time would lose some.

WORK is filled on the first run, which takes apt, pip, a C compiler, `mmdebstrap` and Debian 12's
`qemu-user` (7.2); Debian 13's has no plugins. An instruction is not a time: a Pi executes half of
one to two and a half per cycle.
"""

import argparse
import logging
import os
import pickle
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
GUEST = Path(__file__).resolve()
PLUGIN = GUEST.parent / "qemu" / "count_instructions.c"
CPUS = ("cortex-a53", "cortex-a72", "cortex-a76")
SUITE, PYTHON = "trixie", "3.13"
MIRROR = "http://deb.debian.org/debian"
LEFT_OUT = ("mpremote", "setuptools")
"""Packages of `requirements/base.txt` that neither a start nor a reading imports."""
PLATFORMS = ("manylinux_2_28_aarch64", "manylinux_2_27_aarch64", "manylinux2014_aarch64")
PARTS = {"cortex-a53": "0xd03", "cortex-a72": "0xd08", "cortex-a76": "0xd0b"}
"""As /proc/cpuinfo names them; qemu would show the host's file."""
SLOW_FPS, SLOWER_FPS = 4.0, 2.0
"""Frame rates at which rest is counted; qemu-user is some twenty times slower than a PC."""
FIRST_FRAME, FRAMES = 240, 40
"""Of each of the two countings; before the first one the tray is read, which takes a minute."""
FPS = 30.0
PATIENCE_S = 60.0
"""With a camera that qemu-user slows down; it must not be opened anew."""
PROMPT, SLOW, SLOWER, END = range(4)
"""Marks of a run."""
FIRST_MARK = 0x5EED0000
"""Process numbers from here on do not exist; asking for one marks a place in the log."""
STARTS = {"help": ("--help",), "score": ("score", "classic", "6", "6", "6", "5", "5")}
PARTS_COUNTED = ("start", "rest", "reading")
COUNTED = ("all", "vector", "memory", "dot")
MILLION = 1e6


@dataclass(frozen=True, slots=True)
class Row:
    """One reading.

    Attributes:
        group: pictures of one kind.
        faces: looks of the face classifier.
        postures: looks of the posture classifier.
        millions: instructions by `COUNTED`.
    """

    group: str
    faces: int
    postures: int
    millions: dict[str, float]


def make_root(work: Path) -> Path:
    """Unpacks a Debian for arm64; nothing of it is run for that."""
    root = work / "root"
    if not root.exists():
        command = ["mmdebstrap", "--variant=extract", "--architectures=arm64"]
        include = "--include=python3,python3-minimal,libstdc++6,libgomp1"
        subprocess.run([*command, include, SUITE, str(root), MIRROR], check=True)
        if not (root / "lib").exists():
            (root / "lib").symlink_to("usr/lib")
    return root


def make_packages(work: Path) -> Path:
    """Unpacks the pinned packages for arm64; the rooms are those of this checkout."""
    packages = work / "packages"
    if not packages.exists():
        pins = work / "pins.txt"
        lines = (ROOT / "requirements" / "base.txt").read_text().splitlines()
        named = [line.split()[0] for line in lines if "==" in line and line[0].isalnum()]
        chosen = [pin for pin in named if pin.partition("==")[0] not in LEFT_OUT]
        pins.write_text("\n".join(chosen) + "\n")
        platforms = [word for one in PLATFORMS for word in ("--platform", one)]
        pip = [sys.executable, "-m", "pip", "--quiet", "install", "--no-deps", *platforms]
        only = ["--only-binary=:all:", "--python-version", PYTHON, "--target", str(packages)]
        subprocess.run([*pip, *only, "--requirement", str(pins)], check=True)
    return packages


def make_plugin(work: Path) -> Path:
    """Compiles the plugin that counts."""
    plugin = work / "count_instructions.so"
    command = ["cc", "-shared", "-fPIC", "-O2", "-o", str(plugin), str(PLUGIN)]
    subprocess.run(command, check=True)
    return plugin


def choose_cases(work: Path, data: Path, only: str, every: int) -> Path:
    """Writes pictures and what is known of their trays, for the guest to read."""
    sys.path.insert(0, str(ROOT))
    from appliance.cli.bench import CaseReaders
    from appliance.dataset.evaluation.sites import with_learning
    from appliance.dataset.evaluation.vision import load_cases, with_geometry

    plain = list(load_cases(data))
    wanted = [case for case in plain if only in case.file]
    groups: dict[str, list[Any]] = {}
    learning = [case for case in with_learning(plain) if only in case.file]
    for case in [*wanted, *with_geometry(wanted), *learning]:
        groups.setdefault(case.group, []).append(case)
    readers = CaseReaders(plain)
    chosen = [
        (group, case.load(), readers.reader_of(case).profile)
        for group, cases in groups.items()
        for case in cases[::every]
    ]
    path = work / "cases.pickle"
    path.write_bytes(pickle.dumps(chosen))
    return path


def guest(work: Path, cpu: str, *words: str) -> tuple[str, str]:
    """Runs this script in the guest; returns the plugin's log and what the guest wrote."""
    root, log, rows = work / "root", work / f"{cpu}.log", work / f"{cpu}.tsv"
    (root / "proc").mkdir(exist_ok=True)
    # ONNX Runtime aborts where fewer are listed than /sys, which is the host's, has; since 1.28 a
    # segmentation fault ends it where it finds the host's own file.
    core = f"processor\t: {{}}\nCPU implementer\t: 0x41\nCPU part\t: {PARTS[cpu]}\n\n"
    cores = "".join(core.format(k) for k in range(os.cpu_count() or 1))
    (root / "proc" / "cpuinfo").write_text(cores)
    plugin = str(work / "count_instructions.so")
    qemu = ["qemu-aarch64", "-cpu", cpu, "-L", str(root), "-plugin", plugin, "-d", "plugin"]
    python = [str(root / "usr" / "bin" / f"python{PYTHON}"), "-s", str(GUEST)]
    alone = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
    place = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(work / "packages"),
        # An installed program is compiled already.
        "PYTHONPYCACHEPREFIX": str(work / "pycache"),
        "GPIOZERO_PIN_FACTORY": "mock",
        "HOME": str(work),
    }
    one_core = ["taskset", "--cpu-list", str(min(os.sched_getaffinity(0)))]
    command = [*one_core, *qemu, "-D", str(log), *python, "--guest", str(rows), *words]
    subprocess.run(command, check=True, env=place | alone, stdout=subprocess.DEVNULL)
    return log.read_text(), rows.read_text()


def count(work: Path, cpu: str) -> list[Row]:
    """Reads the chosen pictures on one processor."""
    return rows_of(*guest(work, cpu, "reading", str(work / "cases.pickle")))


def marks_in(log: str) -> dict[int, list[int]]:
    """The counts at each mark, from the plugin's log."""
    lines = (line.split()[1:] for line in log.splitlines() if line.startswith("mark "))
    return {number: counts for number, *counts in (list(map(int, words)) for words in lines)}


def rows_of(log: str, read: str) -> list[Row]:
    """The readings, from the plugin's log and what the guest wrote of each."""
    marks, found = marks_in(log), []
    for k, line in enumerate(read.splitlines()):
        group, faces, postures = line.split("\t")
        spent = zip(COUNTED, marks[2 * k], marks[2 * k + 1], strict=True)
        millions = {name: (after - before) / MILLION for name, before, after in spent}
        found.append(Row(group, int(faces), int(postures), millions))
    return found


def print_table(cpu: str, rows: Iterable[Row]) -> None:
    """Prints medians by group."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)
    titles = ["pictures", "readings", "looks", "postures", *COUNTED]
    print(f"\n{cpu}, million instructions, medians\n\n| " + " | ".join(titles) + " |")
    print("|---" + "|---:" * (len(titles) - 1) + "|")
    for group, some in sorted(groups.items()):
        looks = statistics.median(row.faces for row in some)
        postures = statistics.median(row.postures for row in some)
        millions = [statistics.median(row.millions[name] for row in some) for name in COUNTED]
        cells = [f"{looks:.0f}", f"{postures:.0f}", *(f"{one:.0f}" for one in millions)]
        print(f"| {group} | {len(some)} | " + " | ".join(cells) + " |")


def count_starts(work: Path, cpu: str, compiled: bool) -> dict[str, float]:
    """Million instructions of commands, from the start of Python."""
    found = {}
    for name in STARTS:
        for _ in range(2 - compiled):
            log, _ = guest(work, cpu, "command", name)
        found[f"dicetray {' '.join(STARTS[name])}"] = marks_in(log)[END][0] / MILLION
    return found


def count_runs(work: Path, cpu: str, compiled: bool) -> dict[str, float]:
    """Million instructions of `dicetray run` to its first prompt, and of each frame at rest."""
    sys.path.insert(0, str(ROOT))
    from scripts import bench_rest
    from simulator.pico.board import SimulatedBoard

    found = {}
    with tempfile.TemporaryDirectory() as name, SimulatedBoard() as board:
        bench_rest.prepare(Path(name), 5)
        for kind in ("usb", "pi"):
            for _ in range(2 - compiled):
                log, read = guest(work, cpu, "run", kind, str(Path(name) / kind), board.device)
            marks = {number: counts[0] / MILLION for number, counts in marks_in(log).items()}
            found["dicetray run, to the first prompt"] = marks[PROMPT]
            said = [line.split() for line in read.splitlines()]
            times_s = {int(number): float(time_s) for number, time_s in said}
            if len(times_s) != len(said):
                raise SystemExit("count_instructions: the camera stalled; try a quieter machine")
            found[f"a frame at rest, {kind}"] = of_a_frame(marks, times_s)
            compiled = True
    return found


def of_a_frame(marks: Mapping[int, float], times_s: Mapping[int, float]) -> float:
    """What a frame takes at `FPS`: its own part, and what the clock adds meanwhile."""
    (slow, slow_s), (slower, slower_s) = (
        ((marks[end] - marks[begin]) / FRAMES, (times_s[end] - times_s[begin]) / FRAMES)
        for begin, end in ((SLOW, SLOWER), (SLOWER, END))
    )
    of_a_second = (slower - slow) / (slower_s - slow_s)
    return slow + of_a_second * (1 / FPS - slow_s)


def print_runs(counted: Mapping[str, Mapping[str, float]]) -> None:
    """Prints what was counted on each processor."""
    print("| million instructions | " + " | ".join(counted) + " |")
    print("|---" + "|---:" * len(counted) + "|")
    for name in next(iter(counted.values())):
        print(f"| {name} | " + " | ".join(f"{one[name]:.1f}" for one in counted.values()) + " |")


def mark(number: int) -> None:
    """Has the plugin write down its counts; to be called in the guest."""
    try:
        os.getpgid(FIRST_MARK + number)
    except ProcessLookupError:
        return


def read_in_guest(cases: Path, rows: Path) -> None:
    """Reads each picture twice, the second time between marks."""
    import cv2

    sys.path.insert(0, str(ROOT))
    from vision.classify.network import Network
    from vision.image.arrays import Float32Array, FloatArray
    from vision.reader import Reader

    cv2.setNumThreads(1)
    looks: list[int] = []
    ask = Network.ask

    def counted(self: Network, blob: Float32Array) -> FloatArray:
        looks[blob.shape[1] != 3] += len(blob)
        return ask(self, blob)

    with rows.open("w") as file:
        for k, (group, image, profile) in enumerate(pickle.loads(cases.read_bytes())):
            reader = Reader(profile)
            looks[:] = [0, 0]
            Network.ask = counted  # type: ignore[method-assign]
            reader.read(image)
            Network.ask = ask  # type: ignore[method-assign]
            mark(2 * k)
            reader.read(image)
            mark(2 * k + 1)
            print(group, *looks, sep="\t", file=file)


def run_in_guest(rows: Path, kind: str, folder: Path, board: str) -> None:
    """Runs the appliance as `bench_rest.py` does; marks its prompt, and frames at two rates."""
    sys.path.insert(0, str(ROOT))
    from appliance.devices.camera import threaded
    from scripts import bench_rest

    threaded.STALLED_AFTER_S = PATIENCE_S
    make = logging.getLogRecordFactory()
    begins = {FIRST_FRAME: SLOW, FIRST_FRAME + FRAMES: SLOWER, FIRST_FRAME + 2 * FRAMES: END}

    def note(number: int) -> None:
        mark(number)
        with rows.open("a") as file:
            print(number, time.monotonic(), file=file)

    def record(*args: Any, **others: Any) -> logging.LogRecord:
        made = make(*args, **others)
        if made.getMessage().startswith("first prompt after"):
            note(PROMPT)
        return made

    class Pace(bench_rest._Pace):
        """Slow, then slower; then it is over."""

        def wait(self) -> None:
            if (number := begins.get(self.number)) is not None:
                note(number)
                bench_rest.FPS = SLOWER_FPS if number == SLOWER else SLOW_FPS
                if number == END:
                    os._exit(0)
            super().wait()

    rows.write_text("")
    logging.setLogRecordFactory(record)
    bench_rest._Pace, bench_rest.FPS = Pace, SLOW_FPS  # type: ignore[misc]
    width, height = bench_rest.SIZES[kind]
    source = {"usb": f"v4l2:{folder / '000.jpg'}", "pi": "pi"}[kind]
    words = ["--camera", f"{source}?size={width}x{height}&fps={bench_rest.FPS:g}"]
    words += ["--profile", str(folder / "tray.profile"), "--journal", ":memory:"]
    bench_rest.child(kind, folder, ["run", *words, "--board", board, "--buttons", "gpio"])


def command_in_guest(name: str) -> None:
    """Runs a command, and marks its end."""
    sys.path.insert(0, str(ROOT))
    from appliance.cli.main import main

    with suppress(SystemExit):
        main(STARTS[name])
    mark(END)


def main(words: list[str] | None = None) -> int:
    """Parses the command line."""
    words = sys.argv[1:] if words is None else words
    if words[:1] == ["--guest"]:
        rows, what, *others = words[1:]
        if what == "reading":
            read_in_guest(Path(others[0]), Path(rows))
        elif what == "command":
            command_in_guest(others[0])
        else:
            run_in_guest(Path(rows), others[0], Path(others[1]), others[2])
        return 0
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("work", type=Path, metavar="WORK", help="folder for what it makes")
    parser.add_argument("--part", choices=PARTS_COUNTED, nargs="*", default=PARTS_COUNTED)
    data = ROOT.parent / "shared" / "data"
    parser.add_argument("--data", type=Path, default=data, help="folder with an index.jsonl")
    parser.add_argument("--only", default="rendered/s", help="files with this in their name")
    parser.add_argument("--every", type=int, default=10, help="take one picture in so many")
    parser.add_argument("--cpu", choices=CPUS, nargs="*", default=CPUS, help="default: all")
    args = parser.parse_args(words)
    work = args.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    make_root(work)
    make_packages(work)
    make_plugin(work)
    # The first run of each kind compiles the modules; an installed program has them compiled.
    counted: dict[str, dict[str, float]] = {}
    for cpu in args.cpu:
        if "start" in args.part:
            counted.setdefault(cpu, {}).update(count_starts(work, cpu, bool(counted)))
        if "rest" in args.part:
            counted.setdefault(cpu, {}).update(count_runs(work, cpu, cpu != args.cpu[0]))
    if counted:
        print_runs(counted)
    if "reading" in args.part:
        choose_cases(work, args.data, args.only, args.every)
        for cpu in args.cpu:
            print_table(cpu, count(work, cpu))
    return 0


if __name__ == "__main__":
    sys.exit(main())
