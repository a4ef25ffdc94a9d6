#!/usr/bin/env python3
"""Counts what everyday actions cost, where a clock would count the load of the machine, too.

    .venv/bin/python scripts/count_costs.py [--instructions]
    .venv/bin/python scripts/count_costs.py --release 1.1.0    keeps the counts as this release's

Each group of actions runs in a process of its own, as whoever uses the program starts it. Modules
are those that an action loads, so that what one leaves to a later one is counted there; calls are
of our functions, in the main thread; memory is the most that was taken at once. Instructions are
counted by valgrind, for the commands.

Held against those of the last release by `tests/test_costs.py`.
"""

import argparse
import gc
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import asdict, dataclass
from io import StringIO
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from appliance.simulator.appliance import SimulatedAppliance

ROOT = Path(__file__).parents[1]
COSTS_FILE = ROOT / "tests/costs.toml"
"""The counts of the last release, and what has grown since then for a reason."""

COMMANDS: Mapping[str, tuple[str, ...]] = {
    "help": ("--help",),
    "score": ("score", "classic", "6", "6", "6", "5", "5"),
    "doctor": ("doctor", "--only", "clock", "disk", "games", "profile", "dice"),
    "completion": ("completion", "bash"),
    "list of games": ("games", "list", "--journal", "games.sqlite3"),
}
"""Commands, each an action. The others are those of `first_prompt` and `at_table`."""

FRAMES_UNTIL_REST = 60
FRAMES_AT_REST = 30

SMALL_GROWTH_PERCENT = 5
"""What a count may grow by from one release to the next without a line on it."""

MOST_GROWTH_PERCENT = 15
"""What it may grow by at all."""

SLACK = {"modules": 8, "calls": 8, "kilobytes": 250, "million_instructions": 5}
"""So much more is no growth: chance, or a few that are many hundredths of little."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of an action.

    Attributes:
        modules: loaded during it, ours and others.
        calls: of our functions.
        kilobytes: the most memory that was taken at once, above what was there before.
    """

    modules: int
    calls: int
    kilobytes: int


class Counting:
    """Counts actions; `costs` has each by its name."""

    def __init__(self) -> None:
        self.costs: dict[str, Cost] = {}
        self._ours: dict[str, bool] = {}
        self._calls = 0

    @contextmanager
    def action(self, name: str) -> Iterator[None]:
        """Counts what is done until the end of the block."""
        self._calls, modules = 0, len(sys.modules)
        # Whether garbage is collected in an action is chance.
        gc.collect()
        gc.disable()
        tracemalloc.start()
        sys.setprofile(self._see)
        try:
            yield
        finally:
            sys.setprofile(None)
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            gc.enable()
        loaded = len(sys.modules) - modules
        self.costs[name] = Cost(loaded, self._calls, peak // 1000)

    def _see(self, frame: FrameType, event: str, _: object) -> None:
        if event != "call":
            return
        file = frame.f_code.co_filename
        ours = self._ours.get(file)
        if ours is None:
            ours = self._ours[file] = is_ours(file)
        self._calls += ours


def is_ours(file: str) -> bool:
    """Whether a file is one of this checkout, but for this script."""
    path = Path(file)
    inside = path.is_relative_to(ROOT) and not path.is_relative_to(ROOT / ".venv")
    return inside and path != Path(__file__)


def command(counting: Counting, name: str) -> None:
    """Runs a command in this process, as its user does."""
    with counting.action(name), redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        from appliance.cli.main import main

        with suppress(SystemExit):
            main(COMMANDS[name])


def first_prompt(counting: Counting) -> None:
    """Starts a game at a rendered tray that is not known yet."""
    with counting.action("first prompt"), ExitStack() as stack:
        table(stack, waits_for_tray=False)


def at_table(counting: Counting) -> None:
    """Starts a game and learns the tray; then watches it, throws, presses, asks for a hint."""
    with ExitStack() as stack:
        with counting.action("ready to read"):
            simulated = table(stack, waits_for_tray=True)
        _play(counting, simulated)


def table(stack: ExitStack, *, waits_for_tray: bool) -> "SimulatedAppliance":
    """A simulated appliance that shows its first prompt, until the stack ends."""
    from appliance.config import Config
    from appliance.journal.journal import Journal
    from appliance.journal.sessions import load_session
    from appliance.simulator.appliance import SimulatedAppliance
    from appliance.table.session.session import Setup

    buttons = Config().buttons
    journal = stack.enter_context(Journal(":memory:"))
    session = load_session(journal, Setup("classic", ("ANNA",), (("first", 0),)))
    pins, lights = dict(buttons.pins), buttons.lights
    simulated = SimulatedAppliance(
        session, journal, pins, lights, seed=1, waits_for_tray=waits_for_tray
    )
    stack.callback(simulated.close)
    simulated.start()
    return simulated


def _play(counting: Counting, simulated: "SimulatedAppliance") -> None:
    from appliance.inputs import Button
    from vision.events import Roll

    heard: list[object] = []
    simulated.hear = lambda happened: heard.append(happened.input)
    for _ in range(FRAMES_UNTIL_REST):
        simulated.step()
    with counting.action("tray at rest"):
        for _ in range(FRAMES_AT_REST):
            simulated.step()
    while not any(isinstance(each, Roll) for each in heard):
        simulated.let_play()
        frame = simulated.take_frame()
        # The one in which the throw is read is the last to be counted.
        with counting.action("throw"):
            simulated.process_frame(frame)
    for name, button in (("press", Button.HOLD1), ("hint", Button.HINT)):
        simulated.mock_buttons.press(button)
        with counting.action(name):
            simulated.appliance.presses()


GROUPS: Mapping[str, Callable[[Counting], None]] = {
    **{name: (lambda counting, name=name: command(counting, name)) for name in COMMANDS},  # type: ignore[misc]
    "first prompt": first_prompt,
    "table": at_table,
}
"""What runs in a process of its own, with one action or several."""


def environment(folder: Path) -> dict[str, str]:
    """The environment of a process that is counted: nothing in it is this machine's."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    homes = dict.fromkeys(
        ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"), str(folder)
    )
    fixed = {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", "GPIOZERO_PIN_FACTORY": "mock"}
    return {**kept, **homes, **fixed, "TZ": "UTC", "COLUMNS": "80"}


def count(group: str) -> dict[str, Cost]:
    """Counts the actions of a group in a new process."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, str(Path(__file__)), "--group", group],
            env=environment(Path(folder)),
            cwd=folder,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
    return {name: Cost(**cost) for name, cost in json.loads(done.stdout).items()}


def count_all() -> dict[str, Cost]:
    """Counts all actions, one group after the other."""
    # What is compiled first takes more memory.
    rooms = [str(path.parent) for path in ROOT.glob("*/__init__.py")]
    subprocess.run([sys.executable, "-m", "compileall", "-q", *rooms], check=True)
    return {name: cost for group in GROUPS for name, cost in count(group).items()}


def count_instructions(name: str) -> int:
    """The instructions of a command, in millions, with those that start Python."""
    start = "import sys; from appliance.cli.main import main; sys.exit(main(sys.argv[1:]))"
    tool = ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [*tool, sys.executable, "-c", start, *COMMANDS[name]],
            env=environment(Path(folder)),
            cwd=folder,
            check=False,
            capture_output=True,
            text=True,
        )
    found = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    if found is None:
        raise SystemExit(f"count_costs: expected counts from valgrind, found {done.stderr[-500:]}")
    return int(found[1].replace(",", "")) // 1_000_000


def write_release(release: str, costs: Mapping[str, Cost], millions: Mapping[str, int]) -> None:
    """Keeps the counts as those of a release; what had grown before is forgotten."""
    head = COSTS_FILE.read_text("utf-8").partition("\n[release]")[0].rstrip()
    lines = [
        head,
        "",
        "[release]",
        f'version = "{release}"',
        f"python = {list(sys.version_info[:2])}",
    ]
    for name, cost in costs.items():
        lines += ["", f'[cost."{name}"]', *(f"{key} = {n}" for key, n in asdict(cost).items())]
        lines += [f"million_instructions = {millions[name]}"] if name in millions else []
    COSTS_FILE.write_text("\n".join((*lines, "")), "utf-8")


@dataclass(frozen=True, slots=True)
class Growth:
    """A count that has grown, or is said to have.

    Attributes:
        old: in the last release.
        new: now, or as it was said.
        why: what people get for it; empty where nothing is said.
    """

    old: int
    new: int
    why: str = ""

    def is_more_than(self, percent: int, slack: int) -> bool:
        """Whether it has grown by more than this, and by more than the slack."""
        more = 100 * self.new > (100 + percent) * self.old
        return more and self.new - self.old > slack


@dataclass(frozen=True, slots=True)
class Release:
    """What the last release cost, and what has grown since then for a reason.

    Attributes:
        python: the version of Python that counted.
        costs: by action and measure.
        grown: what is said to have grown, by action and measure.
    """

    python: tuple[int, int]
    costs: Mapping[str, Mapping[str, int]]
    grown: Mapping[tuple[str, str], Growth]

    @classmethod
    def read(cls, text: str) -> Self:
        """The release of a file such as `tests/costs.toml`."""
        table = tomllib.loads(text)
        grown = {
            (name, what): Growth(**growth)
            for name, measures in table.get("grown", {}).items()
            for what, growth in measures.items()
        }
        major, minor = table["release"]["python"]
        return cls((major, minor), table["cost"], grown)

    def faults(self, now: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
        """What must not stay as it is: counts that have grown, and lines that are not true."""
        for name, measures in now.items():
            for what, count in measures.items():
                old = self.costs.get(name, {}).get(what)
                if old is None:
                    yield f"{name}: expected {what} in the last release, found none"
                    continue
                fault = _fault(Growth(old, count), self.grown.get((name, what)), SLACK[what])
                if fault:
                    yield f"{name}, {what}: {fault}"


def _fault(found: Growth, told: Growth | None, slack: int) -> str:
    """What is wrong with a count, given the line on it; empty for nothing."""
    if found.is_more_than(MOST_GROWTH_PERCENT, slack):
        return f"expected {MOST_GROWTH_PERCENT} % more than {found.old} at most, found {found.new}"
    has_grown = found.is_more_than(SMALL_GROWTH_PERCENT, slack)
    if told is None:
        line = f"why it has grown from {found.old} to {found.new}"
        return f"expected a line on {line}, found none" if has_grown else ""
    if not has_grown:
        return f"expected no line on its growth any more, found {told}; it is {found.new}"
    if told.old != found.old or not told.why:
        return f"expected a line with old = {found.old} and a reason, found {told}"
    if Growth(told.new, found.new).is_more_than(SMALL_GROWTH_PERCENT, slack):
        return f"expected a line with new = {found.new}, found {told}"
    return ""


def print_table(costs: Mapping[str, Mapping[str, int]]) -> None:
    """Prints each count beside that of the last release."""
    before = Release.read(COSTS_FILE.read_text("utf-8")).costs
    print("| action | what | last release | now | ratio |\n|---|---|---:|---:|---:|")
    for name, measures in costs.items():
        for what, now in measures.items():
            then = before.get(name, {}).get(what)
            ratio = f"{now / then:.2f}" if then else ""
            print(f"| {name} | {what.replace('_', ' ')} | {then or ''} | {now} | {ratio} |")


def main() -> int:
    """Counts, and prints or keeps the counts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--group", choices=GROUPS, help="count these in this process, as JSON")
    parser.add_argument("--instructions", action="store_true", help="instructions too, by valgrind")
    parser.add_argument("--release", help="keep the counts as those of this release")
    args = parser.parse_args()
    if args.group:
        counting = Counting()
        GROUPS[args.group](counting)
        print(json.dumps({name: asdict(cost) for name, cost in counting.costs.items()}))
        return 0
    if (args.instructions or args.release) and shutil.which("valgrind") is None:
        parser.error("expected valgrind, found none: apt-get install valgrind")
    costs = count_all()
    names = COMMANDS if args.instructions or args.release else ()
    millions = {name: count_instructions(name) for name in names}
    if args.release:
        write_release(args.release, costs, millions)
        return 0
    rows = {name: asdict(cost) for name, cost in costs.items()}
    for name, value in millions.items():
        rows[name]["million_instructions"] = value
    print_table(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
