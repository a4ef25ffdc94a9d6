"""Breaks the line between the host and a simulated board on purpose, and watches every light.

The injector adds frames that nobody sent, newer than any real one, each damaged inside in one place
or several: were one of them ever taken for good, its lights would be seen.
"""

import os
import random
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from types import TracebackType
from typing import Self

from appliance.picture import Picture
from appliance.scoreboard import SerialScoreboard
from appliance.simulator.board import SimulatedBoard
from appliance.simulator.max7219 import CHIPS, COLUMNS, Chain
from appliance.simulator.micropython import Interpreter
from firmware import framing

Random = random.Random

_REFRESH = 13  # words of a refresh: eight lines, five control registers
_CONTROL = {0x09: (0,), 0x0B: (7,), 0x0C: (1,), 0x0F: (0,), 0x0A: tuple(range(11))}


def flip(data: bytearray, at: int, chance: Random) -> None:
    """Turns one bit over."""
    data[at] ^= 1 << chance.randrange(8)


def drop(data: bytearray, at: int, chance: Random) -> None:
    """Leaves a byte out."""
    del data[at]


def double(data: bytearray, at: int, chance: Random) -> None:
    """Sends a byte twice."""
    data.insert(at, data[at])


def cut(data: bytearray, at: int, chance: Random) -> None:
    """Ends in the middle."""
    del data[at:]


BYTE_FAULTS: Mapping[str, Callable[[bytearray, int, Random], None]] = {
    "bit flipped": flip,
    "byte dropped": drop,
    "byte doubled": double,
    "frame cut": cut,
}


def damaged(frame: bytes, kind: str, count: int, chance: Random) -> bytes:
    """A frame with this many faults between its two zeros; other bytes than it in any case."""
    inner = bytearray(frame[1:-1])
    for _ in range(count):
        if inner:
            BYTE_FAULTS[kind](inner, chance.randrange(len(inner)), chance)
    if bytes(inner) == frame[1:-1]:
        inner[0] ^= 0x80
    return b"\0" + bytes(inner) + b"\0"


class Injector:
    """What happens to the bytes on their way; `kind` says what, and nothing happens without.

    Attributes:
        kind: one of BYTE_FAULTS or "delay", "flood", "half frame", "other version".
        counts: injected faults by kind.
    """

    def __init__(self, seed: int) -> None:
        """Takes the seed of its chance."""
        self._chance = Random(seed)
        self._delayed = b""
        self.kind = ""
        self.counts: dict[str, int] = {}
        self.cut_after: int | None = None

    def count(self, kind: str, faults: int = 1) -> None:
        """Counts faults."""
        self.counts[kind] = self.counts.get(kind, 0) + faults

    def to_board(self, data: bytes) -> bytes:
        """What arrives at the board."""
        data = self._stopped(data)
        kind, chance = self.kind, self._chance
        if kind in BYTE_FAULTS:
            return self._spoil(data, kind)
        if kind == "delay":
            self.count(kind)
            data, self._delayed = self._delayed, data
            return data
        data, self._delayed = self._delayed + data, b""
        if kind == "flood":
            noise = chance.randbytes(chance.randrange(1, 3000))
            self.count(kind)
            return noise + data + noise[::-1]
        if kind == "half frame":
            frame = self._frame(framing.FRAME)
            self.count(kind)
            return data[: chance.randrange(len(data) + 1)] + frame[: chance.randrange(1, 137)]
        return data

    def to_host(self, data: bytes) -> bytes:
        """What arrives at the host."""
        if self.kind in BYTE_FAULTS:
            poison, faults = self.poison(self.kind, framing.HELLO, 2)
            self.count(self.kind, faults)
            return poison + self._spoil(data, self.kind)
        if self.kind == "other version":
            self.count(self.kind)
            payload = bytes((framing.PROTOCOL_MAJOR + 8, 0)) + bytes(framing.HELLO_BYTES)
            return framing.encode(framing.HELLO, 1, payload)
        return data

    def _stopped(self, data: bytes) -> bytes:
        """Nothing more after so many bytes: whoever sends or hears them is gone."""
        if self.cut_after is None:
            return data
        data = data[: self.cut_after]
        self.cut_after -= len(data)
        return data

    def _spoil(self, data: bytes, kind: str) -> bytes:
        if not data or self._chance.random() < 0.5:
            return data
        self.count(kind)
        out = bytearray(data)
        BYTE_FAULTS[kind](out, self._chance.randrange(len(out)), self._chance)
        return bytes(out)

    def _frame(self, message: int) -> bytes:
        size = framing.FRAME_BYTES if message == framing.FRAME else framing.HELLO_BYTES
        sequence = self._chance.randrange(0x10000)
        return framing.encode(message, sequence, self._chance.randbytes(size))

    def poison(self, kind: str, message: int, frames: int) -> tuple[bytes, int]:
        """Damaged frames with content that nobody sent, and how many faults are in them."""
        chance = self._chance
        out = []
        faults = 0
        for _ in range(frames):
            count = 1 if kind == "frame cut" else chance.choice((1, 1, 1, 2, 3, 8))
            out.append(damaged(self._frame(message), kind, count, chance))
            faults += count
        return b"".join(out), faults


class Watcher:
    """Sees every word that the chips take; knows which lines of lights somebody asked for."""

    def __init__(self) -> None:
        self._allowed: set[bytes] = set()
        self.learning = True
        self.looked = 0
        self.wrong: list[str] = []

    def allow(self, picture: Picture) -> None:
        """The lines of this picture may be seen, in the default wiring."""
        for line in range(8):
            words = bytearray()
            for chip in reversed(range(CHIPS)):
                row, column = divmod(chip, COLUMNS)
                words += bytes((line + 1, picture.data[(8 * row + line) * COLUMNS + column]))
            self._allowed.add(bytes(words))

    def __call__(self, chain: Chain) -> None:
        """Looks at what was latched."""
        words = chain.shifted
        self.looked += 1
        if self.learning:
            self._allowed.add(words)
        elif words not in self._allowed:
            register, value = words[0], words[1]
            if words != bytes((register, value)) * CHIPS or value not in _CONTROL.get(register, ()):
                self.wrong.append(f"nobody asked for {words.hex()}")


@dataclass(frozen=True, slots=True)
class Result:
    """What a trial has found.

    Attributes:
        kinds: number of faults and the longest way back to the right picture, in seconds, by kind.
        looked: how many words for the chips were looked at.
        wrong: those that nobody asked for.
    """

    kinds: dict[str, tuple[int, float]] = field(default_factory=dict)
    looked: int = 0
    wrong: tuple[str, ...] = ()


class Trial:
    """A host, a board, and everything that may go wrong between them, in random order."""

    def __init__(
        self,
        interpreter: Interpreter,
        seed: int,
        *,
        batch: int = 12,
        settings: Mapping[str, object] | None = None,
        round_seconds: float = 0.4,
    ) -> None:
        """Starts the board and waits until it has shown its own screens.

        Args:
            interpreter: runs the firmware.
            seed: of all chance.
            batch: damaged frames added at a time.
            settings: of the firmware.
            round_seconds: how long a line stays broken.
        """
        self._chance = Random(seed)
        self._round = round_seconds
        self._batch = batch
        self.injector = Injector(seed + 1)
        self._poisoner = Injector(seed + 2)  # its own chance, because it is of this thread
        self.watcher = Watcher()
        self.board = SimulatedBoard(
            interpreter=interpreter,
            settings=settings or {},
            to_board=self.injector.to_board,
            to_host=self.injector.to_host,
            on_latch=self.watcher,
        )
        seen = self.board.wait(lambda lights: "NO LINK" in _known(lights.picture))
        # Once more in whole: the screen is known by its first lines.
        self.board.wait(lambda lights: lights.version >= seen.version + 2 * _REFRESH)
        self.watcher.learning = False
        self._host = SerialScoreboard(self.board.device)
        self._longest: dict[str, float] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._host.close()
        self.board.close()

    @property
    def kinds(self) -> dict[str, Callable[[], None]]:
        """All kinds of faults: each call is one round of it."""
        lines = (*BYTE_FAULTS, "delay", "flood", "half frame", "other version")
        return {kind: partial(self._line, kind) for kind in lines} | {
            "board rebooted": self._reboot,
            "host killed": self._kill_host,
            "port gone": self._unplug,
            "second host": self._second_host,
            "slow reader": self._slow_reader,
            "registers lost": self._lose_registers,
        }

    def run(self, faults: int) -> Result:
        """Rounds of all kinds until so many faults were injected; every kind at least once."""
        self._back("")
        kinds = self.kinds
        for kind, one_round in kinds.items():
            one_round()
            self._back(kind)
        bulk = list(BYTE_FAULTS)
        while sum(self.injector.counts.values()) < faults:
            kind = self._chance.choice(bulk if self._chance.random() < 0.8 else list(kinds))
            kinds[kind]()
            self._back(kind)
        counts = self.injector.counts
        return Result(
            {kind: (counts.get(kind, 0), self._longest[kind]) for kind in kinds},
            self.watcher.looked,
            tuple(self.watcher.wrong),
        )

    def _show(self) -> Picture:
        picture = Picture(self._chance.randbytes(128))
        self.watcher.allow(picture)
        self._host.show(picture)
        return picture

    def _back(self, kind: str) -> None:
        """The line is whole again: waits until the present picture is there."""
        self.injector.kind = ""
        self.injector.cut_after = None
        picture = self._show()
        start = time.monotonic()
        self.board.wait(lambda lights: lights.picture == picture and not lights.dark)
        took = time.monotonic() - start
        self._longest[kind] = max(took, self._longest.get(kind, 0.0))

    def _line(self, kind: str) -> None:
        self.injector.kind = kind
        end = time.monotonic() + self._round
        while time.monotonic() < end:
            self._show()
            for _ in range(8):
                self._add_poison(kind)
                time.sleep(0.001)

    def _add_poison(self, kind: str) -> None:
        if kind not in BYTE_FAULTS:
            return
        poison, faults = self._poisoner.poison(kind, framing.FRAME, self._batch)
        if self.board.hear(poison):
            self.injector.count(kind, faults)

    def _break_off(self) -> None:
        """The bytes to the board end somewhere within the next frames."""
        self.injector.cut_after = self._chance.randrange(300)
        for _ in range(3):
            self._show()
            time.sleep(0.01)

    def _reboot(self) -> None:
        self.injector.count("board rebooted")
        self._break_off()
        self.board.reboot()

    def _kill_host(self) -> None:
        self.injector.count("host killed")
        self._break_off()
        self._host.close()
        self._host = SerialScoreboard(self.board.device)

    def _unplug(self) -> None:
        self.injector.count("port gone")
        self._break_off()
        self.board.unplug(power=self._chance.random() < 0.5)
        self._show()
        time.sleep(self._chance.choice((0.02, 0.2, 1.0)))
        self._show()
        self.board.plug()

    def _second_host(self) -> None:
        """One that keeps to the rules is refused; one that does not writes into the line."""
        self.injector.count("second host")
        with closing(SerialScoreboard(self.board.device)) as other, suppress(TimeoutError):
            other.show(Picture(b"\xa5" * 128))
            other.wait(lambda status: "another program" in status.reason, 2.0)
        with suppress(OSError):
            descriptor = os.open(self.board.device, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
            try:
                frame = framing.encode(framing.FRAME, 1, b"\x5a" * 128)
                os.write(descriptor, damaged(frame, "frame cut", 1, self._chance))
            finally:
                os.close(descriptor)

    def _slow_reader(self) -> None:
        self.injector.count("slow reader")
        self.board.freeze()
        end = time.monotonic() + self._round
        while time.monotonic() < end:
            self._show()
            time.sleep(0.001)
        self.board.thaw()

    def _lose_registers(self) -> None:
        self.injector.count("registers lost")
        chips = self._chance.sample(range(CHIPS), self._chance.randrange(1, CHIPS))
        self.board.lose_registers(*chips)


# A piece of the third row of lights of the screen NO LINK.
_NO_LINK = "#...#..###........#......###..#...#.#...#"


def _known(picture: Picture) -> str:
    return "NO LINK" if any(_NO_LINK in row for row in picture.rows()) else ""
