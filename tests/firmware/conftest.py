"""The firmware's own modules under CPython, with a clock driven by the test."""

import importlib
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from appliance.picture import Picture
from firmware import framing
from simulator.pico.max7219 import ChipChain
from tests.paths import ROOT
from tests.rigs.wiring import Wiring

FIRMWARE = ROOT / "firmware"
STUBS = ROOT / "simulator" / "micropython_stubs" / "cpython"
MODULES = (
    "board",
    "boots",
    "config",
    "font",
    "framing",
    "max7219",
    "mounting",
    "screens",
    "version",
)


class Clock:
    """Milliseconds as MicroPython counts them, wrapping at 2**30."""

    PERIOD = 1 << 30

    def __init__(self) -> None:
        # Near the wrap, so that a comparison without ticks_diff would fail.
        self.now = self.PERIOD - 700

    def ticks_ms(self) -> int:
        return self.now

    def ticks_diff(self, a: int, b: int) -> int:
        return (a - b + self.PERIOD // 2) % self.PERIOD - self.PERIOD // 2

    def pass_ms(self, ms: int) -> None:
        self.now = (self.now + ms) % self.PERIOD


class FakeLine:
    """Bytes for the firmware, and the bytes it sent."""

    def __init__(self) -> None:
        self.data = bytearray(420)
        self.incoming = bytearray()
        self.said = bytearray()
        self.ended = False

    def take(self, wait_ms: int) -> int:
        if self.ended and not self.incoming:
            return -1
        count = min(len(self.data), len(self.incoming))
        self.data[:count] = self.incoming[:count]
        del self.incoming[:count]
        return count

    def write(self, data: bytearray) -> None:
        self.said += data

    def messages(self) -> list[tuple[int, int, bytes]]:
        """The messages sent since the last call: type, sequence, payload."""
        parser = framing.Parser()
        found = []
        at = 0
        while at := parser.feed(self.said, at, len(self.said)):
            payload = bytes(parser.payload[: parser.length])
            found.append((parser.kind, parser.sequence, payload))
        assert parser.bad == 0
        self.said.clear()
        return found


class FakeBus:
    """SPI and chip select in front of simulated chips."""

    def __init__(self, wiring: Wiring | None = None) -> None:
        self.chain = ChipChain((wiring or Wiring()).light)
        self.latched = 0

    def write(self, data: bytes) -> None:
        self.chain.shift(bytes(data))

    def select(self, level: int) -> None:
        if level:
            self.latched += 1
            self.chain.latch()

    @property
    def picture(self) -> Picture:
        return Picture(self.chain.lights().data)


class FakeDog:
    def __init__(self) -> None:
        self.fed = 0

    def feed(self) -> None:
        self.fed += 1


class Bench:
    """A board on the bench: the firmware's modules, simulated chips, a clock."""

    def __init__(self, modules: dict[str, ModuleType], clock: Clock) -> None:
        self.modules = modules
        self.clock = clock
        self.line = FakeLine()
        self.bus = FakeBus()
        self.dog = FakeDog()
        self.config = SimpleNamespace(
            **{k: v for k, v in vars(modules["config"]).items() if k.isupper()}
        )
        self.board: Any = None

    def start(self, boot: int = 1, **settings: object) -> None:
        vars(self.config).update(settings)
        chain = self.modules["max7219"].Chain(self.bus, self.bus.select, self.config)
        self.board = self.modules["board"].Board(
            self.line, chain, self.dog, self.config, boot, bytes(range(8))
        )

    def turn(self, data: bytes = b"") -> None:
        """Feeds the board these bytes and lets it do what is due."""
        self.line.incoming += data
        for _ in range(len(data) // len(self.line.data) + 1):
            self.board.turn(0)

    def pass_ms(self, ms: int, step: int = 5) -> None:
        for _ in range(0, ms, step):
            self.clock.pass_ms(step)
            self.turn()

    def send(self, kind: int, sequence: int, payload: bytes = b"") -> None:
        self.turn(framing.encode(kind, sequence, payload))

    def greet(self) -> None:
        self.send(framing.HELLO_REQUEST, 0, bytes((framing.PROTOCOL_MAJOR, 0)))


def install(clock: Clock, patch: pytest.MonkeyPatch) -> None:
    """Makes this the clock of modules that are imported from then on."""
    patch.setattr(time, "ticks_ms", clock.ticks_ms, raising=False)
    patch.setattr(time, "ticks_diff", clock.ticks_diff, raising=False)


@contextmanager
def imported_flat(patch: pytest.MonkeyPatch, folder: Path) -> Iterator[dict[str, ModuleType]]:
    """The firmware's modules, imported as on the Pico; what they store is in `folder`."""
    patch.chdir(folder)
    patch.syspath_prepend(str(folder))
    patch.syspath_prepend(str(STUBS))
    patch.syspath_prepend(str(FIRMWARE))
    before = {name: sys.modules.pop(name, None) for name in MODULES}
    try:
        yield {name: importlib.import_module(name) for name in MODULES}
    finally:
        for name in ("layout", "local_config"):
            sys.modules.pop(name, None)
        for name, module in before.items():
            sys.modules.pop(name, None)
            if module is not None:
                sys.modules[name] = module


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    install(clock, monkeypatch)
    return clock


@pytest.fixture
def modules(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, tmp_path: Path
) -> Iterator[dict[str, ModuleType]]:
    with imported_flat(monkeypatch, tmp_path) as modules:
        yield modules


@pytest.fixture
def bus_type() -> type[FakeBus]:
    return FakeBus


@pytest.fixture
def bench(modules: dict[str, ModuleType], clock: Clock) -> Bench:
    return Bench(modules, clock)
