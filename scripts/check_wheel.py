#!/usr/bin/env python3
"""Builds the source distribution and from it the wheel, and checks both.

    .venv/bin/python scripts/check_wheel.py [--out dist] [--install]

The source distribution is dicetray_VERSION_source.tar.gz, as dicetray-VERSION.tar.gz, its name on
a package index (PEP 625), is that of the release bundle.

With --install, the wheel goes into a fresh environment, for which there must be a network, and the
commands of somebody who has just installed it are run there. Exit status 1 if anything is wrong.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from collections.abc import Iterator
from email.parser import HeaderParser
from functools import partial
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[1]
PACKAGES = frozenset({"appliance", "calibration", "firmware", "games", "simulator", "vision"})
MODULES = frozenset({"dicetray.py"})
EXTRAS = frozenset({"club", "heic", "mqtt", "pi", "web"})
"""The extras that somebody who installs the wheel can add."""

MADE_WITH_THE_WHEEL = frozenset({"firmware/package.zip"})
"""In the wheel, and not among the sources."""

TRIED = (
    ("dicetray", "--version"),
    ("dicetray", "score", "classic", "3", "3", "5", "3", "5"),
    ("python", "-c", "import dicetray; print(dicetray.find_game('classic').name)"),
)
"""Commands that must work in the fresh environment."""

PLAYED = ("play", "--no-view", "--speed", "0", "--picture", "small", "--seed", "1")
"""A game that is played until its first throw is read."""


def build(source: Path, out: Path, kind: str) -> Path:
    """Builds the `sdist` or the `wheel` of a folder with the tools of this environment."""
    code = (
        "import sys; from setuptools import build_meta; "
        f"print(build_meta.build_{kind}(sys.argv[1]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(out.resolve())],
        cwd=source,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return out / done.stdout.splitlines()[-1]


def build_both(out: Path) -> tuple[Path, Path]:
    """The source distribution, under a name of its own, and the wheel that is built from it."""
    # What an earlier build has listed, setuptools packs again, whatever pyproject.toml now says.
    (ROOT / "dicetray.egg-info/SOURCES.txt").unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        sdist = build(ROOT, Path(scratch), "sdist")
        name = sdist.name.removesuffix(".tar.gz")
        # Debian 12's Python has no filter for `extractall`, and later ones warn without one.
        subprocess.run(["tar", "-xzf", str(sdist), "-C", scratch], check=True)
        wheel = build(Path(scratch) / name, out, "wheel")
        return Path(shutil.move(sdist, out / f"{name.replace('-', '_')}_source.tar.gz")), wheel


def sources() -> set[str]:
    """The files of packages and modules that are committed or about to be."""
    listed = subprocess.run(
        [
            "git",
            "ls-files",
            "--cached",
            "--others",
            "--exclude-standard",
            *sorted(PACKAGES | MODULES),
        ],
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout.splitlines()
    return {name for name in listed if (ROOT / name).is_file()}


def check_sdist(archive: Path) -> Iterator[str]:
    """The faults of a source distribution."""
    with tarfile.open(archive) as packed:
        names = {"/".join(PurePosixPath(name).parts[1:]) for name in packed.getnames()}
    needed = sources() | {"LICENSE", "README.md", "pyproject.toml", "setup.py"}
    for name in sorted(needed - names):
        yield f"{archive.name}: {name} is missing"
    for name in sorted(names):
        if name.startswith(("tests/", ".venv/", "build/")):
            yield f"{archive.name}: {name} is not for others"


def check_wheel(wheel: Path) -> Iterator[str]:
    """The faults of a wheel."""
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
        (about,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        metadata = HeaderParser().parsestr(packed.read(about).decode())
        scripts = packed.read(about.replace("METADATA", "entry_points.txt")).decode()
    inside = {name for name in names if name.partition("/")[0] in PACKAGES | MODULES}
    for name in sorted(sources() - inside):
        yield f"{wheel.name}: {name} is missing"
    for name in sorted(inside - sources() - MADE_WITH_THE_WHEEL):
        yield f"{wheel.name}: {name} is no file of this checkout"
    for name in sorted(MADE_WITH_THE_WHEEL - inside):
        yield f"{wheel.name}: {name} is missing"
    for top in sorted({name.partition("/")[0] for name in names - inside}):
        if not top.endswith(".dist-info"):
            yield f"{wheel.name}: {top} is no package of ours"
    extras = set(metadata.get_all("Provides-Extra", ()))
    if extras != EXTRAS:
        expected, found = ", ".join(sorted(EXTRAS)), ", ".join(sorted(extras))
        yield f"{wheel.name}: expected the extras {expected}, found {found}"
    if "dicetray = appliance.cli.program:program" not in scripts:
        yield f"{wheel.name}: there is no command `dicetray`"


def try_installed(wheel: Path) -> Iterator[str]:
    """The failures in a fresh environment that has only this wheel and what it needs."""
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        venv.create(folder / "fresh", with_pip=True)
        programs = folder / "fresh" / ("Scripts" if os.name == "nt" else "bin")
        install = ("-m", "pip", "install", "--quiet", str(wheel.resolve()))
        subprocess.run([str(programs / "python"), *install], check=True)
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        environment |= {"HOME": text, "XDG_STATE_HOME": text, "LOCALAPPDATA": text}
        start = partial(
            subprocess.Popen,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        for words in TRIED:
            with start([programs / words[0], *words[1:]]) as program:
                said, complaint = program.communicate()
            print(f"{' '.join(words)}: {(said.splitlines() or [''])[-1]}")
            if program.returncode:
                yield f"{' '.join(words)}: exit status {program.returncode}: {complaint}"
        with start([programs / "dicetray", *PLAYED]) as program:
            if program.stdout is None:
                raise RuntimeError("a program without output")
            throw = next((line for line in program.stdout if "  roll " in line), "")
            program.terminate()
            _, complaint = program.communicate()
        print(f"dicetray {' '.join(PLAYED)}: {throw.strip()}")
        if not throw:
            yield f"dicetray {' '.join(PLAYED)}: no throw was read: {complaint}"
        # Windows ends it without asking.
        elif program.returncode and os.name != "nt":
            yield f"dicetray {' '.join(PLAYED)}: exit status {program.returncode}: {complaint}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, help="folder to keep both in; default: none")
    parser.add_argument("--install", action="store_true", help="also try the wheel where it is new")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        out = args.out or Path(scratch) / "dist"
        out.mkdir(parents=True, exist_ok=True)
        sdist, wheel = build_both(out)
        wrong = [*check_sdist(sdist), *check_wheel(wheel)]
        if args.install and not wrong:
            wrong += try_installed(wheel)
    for line in wrong:
        print(line, file=sys.stderr)
    if not wrong:
        print(f"{sdist.name} and {wheel.name} are complete")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
