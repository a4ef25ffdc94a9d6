#!/usr/bin/env python3
"""Counts the instructions of a reading on a Raspberry Pi 4 and 5, without either.

    .venv/bin/python scripts/count_instructions.py WORK [--only rendered/stills] [--every 10]

The arm64 builds of Python and of the pinned packages run under qemu-user, whose processor model
decides which kernels the libraries choose: `cortex-a72` (Pi 4) has no products of four 8-bit
numbers, `cortex-a76` (Pi 5) has. A plugin (`qemu/count_instructions.c`) counts what is executed
between marks around each reading; every picture is read once before, so that no start-up is
counted.

WORK is filled on the first run, which takes apt, pip, a C compiler, `mmdebstrap` and Debian 12's
`qemu-user` (7.2); Debian 13's has no plugins. An instruction is not a time: a Pi executes one to
two and a half per cycle.
"""

import argparse
import os
import pickle
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
GUEST = Path(__file__).resolve()
PLUGIN = GUEST.parent / "qemu" / "count_instructions.c"
CPUS = ("cortex-a72", "cortex-a76")
SUITE, PYTHON = "trixie", "3.13"
MIRROR = "http://deb.debian.org/debian"
NEEDED = ("numpy", "onnxruntime", "opencv-python-headless", "flatbuffers", "protobuf", "packaging")
"""Packages of `requirements/base.txt` that the rooms for vision import, directly or not."""
PLATFORMS = ("manylinux_2_28_aarch64", "manylinux_2_27_aarch64", "manylinux2014_aarch64")
PARTS = {"cortex-a72": "0xd08", "cortex-a76": "0xd0b"}
"""As /proc/cpuinfo names them; qemu would show the host's file."""
FIRST_MARK = 0x5EED0000
"""Process numbers from here on do not exist; asking for one marks a place in the log."""
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
    """Unpacks the pinned packages for arm64, and the rooms for vision."""
    packages = work / "packages"
    if not packages.exists():
        pins = work / "pins.txt"
        lines = (ROOT / "requirements" / "base.txt").read_text().splitlines()
        chosen = [line.split()[0] for line in lines if line.partition("==")[0] in NEEDED]
        pins.write_text("\n".join(chosen) + "\n")
        platforms = [word for one in PLATFORMS for word in ("--platform", one)]
        pip = [sys.executable, "-m", "pip", "--quiet", "install", "--no-deps", *platforms]
        only = ["--only-binary=:all:", "--python-version", PYTHON, "--target", str(packages)]
        subprocess.run([*pip, *only, "--requirement", str(pins)], check=True)
    shutil.rmtree(packages / "vision", ignore_errors=True)
    shutil.copytree(ROOT / "vision", packages / "vision")
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


def count(work: Path, cpu: str) -> list[Row]:
    """Reads the chosen pictures on one processor."""
    root, log, rows = work / "root", work / f"{cpu}.log", work / f"{cpu}.tsv"
    (root / "proc").mkdir(exist_ok=True)
    # ONNX Runtime aborts where fewer are listed than /sys, which is the host's, has.
    core = f"processor\t: {{}}\nCPU implementer\t: 0x41\nCPU part\t: {PARTS[cpu]}\n\n"
    cores = "".join(core.format(k) for k in range(os.cpu_count() or 1))
    (root / "proc" / "cpuinfo").write_text(cores)
    plugin = str(work / "count_instructions.so")
    qemu = ["qemu-aarch64", "-cpu", cpu, "-L", str(root), "-plugin", plugin, "-d", "plugin"]
    python = [str(root / "usr" / "bin" / f"python{PYTHON}"), "-s", "-B", str(GUEST)]
    alone = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
    place = {"PATH": os.environ["PATH"], "PYTHONPATH": str(work / "packages")}
    words = [*qemu, "-D", str(log), *python, "--guest", str(work / "cases.pickle"), str(rows)]
    subprocess.run(words, check=True, env=place | alone)
    return rows_of(log.read_text(), rows.read_text())


def rows_of(log: str, read: str) -> list[Row]:
    """The readings, from the plugin's log and what the guest wrote of each."""
    marks = {}
    for line in log.splitlines():
        if line.startswith("mark "):
            number, *counts = map(int, line.split()[1:])
            marks[number] = counts
    found = []
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


def mark(number: int) -> None:
    """Has the plugin write down its counts; to be called in the guest."""
    try:
        os.getpgid(FIRST_MARK + number)
    except ProcessLookupError:
        return


def read_in_guest(cases: Path, rows: Path) -> None:
    """Reads each picture twice, the second time between marks."""
    import cv2

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


def main(words: list[str] | None = None) -> int:
    """Parses the command line."""
    words = sys.argv[1:] if words is None else words
    if words[:1] == ["--guest"]:
        read_in_guest(Path(words[1]), Path(words[2]))
        return 0
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("work", type=Path, metavar="WORK", help="folder for what it makes")
    data = ROOT.parent / "shared" / "data"
    parser.add_argument("--data", type=Path, default=data, help="folder with an index.jsonl")
    parser.add_argument("--only", default="rendered/s", help="files with this in their name")
    parser.add_argument("--every", type=int, default=10, help="take one picture in so many")
    parser.add_argument("--cpu", choices=CPUS, nargs="*", default=CPUS, help="default: both")
    args = parser.parse_args(words)
    work = args.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    make_root(work)
    make_packages(work)
    make_plugin(work)
    choose_cases(work, args.data, args.only, args.every)
    for cpu in args.cpu:
        print_table(cpu, count(work, cpu))
    return 0


if __name__ == "__main__":
    sys.exit(main())
