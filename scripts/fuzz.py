#!/usr/bin/env python3
"""Looks for bytes that break what reads them, guided by the lines of code that they reach.

    .venv/bin/python scripts/fuzz.py record [--minutes 60]
    .venv/bin/python scripts/fuzz.py all --minutes 5

Each target of `tests/proofs/fuzzing/targets.py` gets so many minutes, beginning with examples and
what earlier runs came to (in `.cache/fuzzing/corpus`). A find is written to `.cache/fuzzing/finds`
and ends its target: mend it, and keep it in `tests/proofs/fuzzing/finds/TARGET` as a test. It
installs Atheris (https://github.com/google/atheris), which needs a network the first time.

Ends with 1 if there is a find.
"""

import argparse
import os
import re
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

ATHERIS = "atheris==3.0.0"
TOOLS = ROOT / ".cache" / "fuzzing"

INSIDE = "DICETRAY_FUZZ_TARGET"
"""Set in the process that fuzzes, to the name of its target."""

INSTRUMENTED = (
    "appliance",
    "calibration",
    "firmware",
    "games",
    "simulator",
    "vision",
    "tomllib",
    "json",
    *("board", "boots", "max7219", "mounting", "screens"),
)
"""Packages whose branches guide the search, and the firmware's modules, which it imports flat."""

LONGEST_S = 30
"""Seconds after which one example counts as endless; a busy machine is no find."""
MOST_MB = 2048
"""Memory after which an example counts as too much."""


def atheris() -> Path:
    """A Python with Atheris, in an environment of its own."""
    python = TOOLS / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", TOOLS], check=True)
    if subprocess.run([python, "-c", "import atheris"], capture_output=True).returncode:
        subprocess.run([TOOLS / "bin" / "pip", "install", "--quiet", ATHERIS], check=True)
    return python


def names() -> tuple[str, ...]:
    """The targets, without importing what they read with."""
    text = (ROOT / "tests/proofs/fuzzing/targets.py").read_text("utf-8")
    return tuple(re.findall(r'^    "([a-z]+)": Target\(', text, re.MULTILINE))


def fuzz(name: str, minutes: float, seed: int) -> bool:
    """Fuzzes one target in a process of its own; whether nothing was found."""
    finds = TOOLS / "finds"
    finds.mkdir(parents=True, exist_ok=True)
    environment = os.environ | {
        INSIDE: name,
        "PYTHONPATH": os.pathsep.join((str(ROOT), sysconfig.get_path("purelib"))),
    }
    limits = [f"-max_total_time={round(60 * minutes)}", f"-timeout={LONGEST_S}"]
    limits += [f"-rss_limit_mb={MOST_MB}", f"-seed={seed}", "-print_final_stats=1"]
    command = [str(atheris()), __file__, *limits, f"-artifact_prefix={finds}/{name}-"]
    begun = time.monotonic()
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    spent_min = (time.monotonic() - begun) / 60
    runs = re.search(r"stat::number_of_executed_units: (\d+)", done.stderr)
    covered = re.findall(r"cov: (\d+)", done.stderr)
    print(
        f"{name:<10}{spent_min:6.1f} min  {runs[1] if runs else '?':>9} examples  "
        f"{covered[-1] if covered else '?':>5} branches  {'a find' if done.returncode else ''}",
        flush=True,
    )
    if done.returncode:
        print(done.stdout[-4000:], done.stderr[-4000:], sep="\n", flush=True)
    return done.returncode == 0


def inside(name: str) -> None:
    """Fuzzes in this process, which has Atheris, until the time is over or something is found."""
    # Here, as only this process has it.
    import atheris  # type: ignore[import-untyped]

    with atheris.instrument_imports(include=list(INSTRUMENTED)):
        from tests.proofs.fuzzing.targets import TARGETS
    target = TARGETS[name]
    corpus = TOOLS / "corpus" / name
    corpus.mkdir(parents=True, exist_ok=True)
    examples = target.examples(name)
    for number, example in enumerate(examples):
        (corpus / f"seed-{number}").write_bytes(example)
    words = {word for one in examples for word in re.findall(rb"[A-Za-z_-]{3,20}", one)}
    tokens = TOOLS / f"{name}.dict"
    tokens.write_text("".join(f'"{word.decode()}"\n' for word in sorted(words)))
    # libFuzzer refuses an empty dictionary.
    options = [f"-max_len={target.most_bytes}", *([f"-dict={tokens}"] * bool(words)), str(corpus)]
    atheris.Setup([*sys.argv, *options], target.read)
    atheris.Fuzz()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("target", choices=(*names(), "all"))
    parser.add_argument("--minutes", type=float, default=60.0, help="a target (default: 60)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chosen = names() if options.target == "all" else (options.target,)
    sound = [fuzz(name, options.minutes, options.seed) for name in chosen]
    return 0 if all(sound) else 1


if __name__ == "__main__":
    if os.environ.get(INSIDE):
        inside(os.environ[INSIDE])
    else:
        sys.exit(main())
