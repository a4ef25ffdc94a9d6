"""Records what each file of tests costs and starts, as a plugin of pytest.

    RECORD_COSTS=FOLDER .venv/bin/python -m pytest -p tests.record_costs ...

Each process writes a JSON file to the folder; `scripts/list_costs.py` makes one table of them.
Processor time counts children that have been waited for; a file's fixtures count where they are
first used, and its collection by itself.
"""

import json
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pytest


@dataclass(slots=True)
class Cost:
    """The cost of a file's tests.

    Attributes:
        tests: their number.
        wall_s: seconds by the clock.
        cpu_s: processor seconds of this process.
        children_cpu_s: processor seconds of its children.
        started: names of the programs started, with how often.
        seconds: wall seconds of each test that took at least 0.1 s, by its name without parameters.
    """

    tests: int = 0
    wall_s: float = 0.0
    cpu_s: float = 0.0
    children_cpu_s: float = 0.0
    started: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)


class Recorder:
    """Records the costs of the tests that this process runs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._costs: dict[str, Cost] = {}
        self._now = Cost()
        sys.addaudithook(self._hear)

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        if event in ("subprocess.Popen", "os.posix_spawn", "pty.spawn", "os.exec"):
            name = os.fspath(args[0])
            name = name.decode() if isinstance(name, bytes) else str(name)
            name = name.rsplit("/", 1)[-1]
            self._now.started[name] = self._now.started.get(name, 0) + 1

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Measures a test with its fixtures."""
        file, _, name = item.nodeid.partition("::")
        cost = self._now = self._costs.setdefault(file, Cost())
        before, begun = os.times(), time.monotonic()
        try:
            return (yield)
        finally:
            after, took = os.times(), time.monotonic() - begun
            cost.tests += 1
            cost.wall_s += took
            cost.cpu_s += after.user + after.system - before.user - before.system
            cost.children_cpu_s += (
                after.children_user
                + after.children_system
                - before.children_user
                - before.children_system
            )
            name = name.partition("[")[0]
            if took >= 0.1:
                cost.seconds[name] = max(took, cost.seconds.get(name, 0.0))

    def pytest_sessionfinish(self) -> None:
        """Writes the costs, and those of this whole process as the file ''."""
        whole = os.times()
        total = Cost(cpu_s=whole.user + whole.system)
        costs = {"": total, **self._costs}
        path = self._folder / f"{os.getpid()}.json"
        path.write_text(json.dumps({file: asdict(cost) for file, cost in costs.items()}))


def pytest_configure(config: pytest.Config) -> None:
    """Records, if a folder is named."""
    folder = os.environ.get("RECORD_COSTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        config.pluginmanager.register(Recorder(Path(folder)), "record_costs")
