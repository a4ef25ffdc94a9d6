"""A host, a board, and everything that may go wrong between them, in random order."""

import os
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from random import Random
from types import TracebackType
from typing import Self

from appliance.devices.scoreboard import SerialScoreboard
from appliance.picture import Picture
from firmware import framing
from simulator.pico.max7219 import CHIP_COUNT, Lights
from simulator.pico.micropython import Interpreter
from tests.proofs.link_faults.damage import BYTE_FAULTS, damaged
from tests.proofs.link_faults.injector import LINE_FAULTS, Injector
from tests.proofs.link_faults.watcher import Watcher
from tests.rigs.faulty_board import FaultyBoard

_REFRESH = 13  # words of a refresh: eight lines, five control registers
_HOUR = 3600.0
# How many outdated pictures may still be shown when a board that stood still resumes: those already
# on their way, one every quarter of a second, and the screen NO LINK.
_OLD_PICTURES = 4
# Pieces of the third and second rows of lights in the board's own screens.
_NO_LINK = "#...#..###........#......###..#...#.#...#"
_UPDATE = "#...#.#...#.#...#.#...#...#...#"


@dataclass(frozen=True, slots=True)
class Result:
    """The findings of a trial.

    Attributes:
        kinds: number of faults and longest time until the right picture was back, seconds, by kind.
        looked: number of words for the chips that were checked.
        wrong: what nobody asked for, and old pictures that had been kept.
        longest_show: longest time that a call of `show` took, seconds.
    """

    kinds: dict[str, tuple[int, float]] = field(default_factory=dict)
    looked: int = 0
    wrong: tuple[str, ...] = ()
    longest_show: float = 0.0


class Trial:
    """Rounds of faults: each breaks something, heals it, and waits for the right picture.

    Attributes:
        injector: breaks the line.
        watcher: sees the lights.
        board: runs the firmware.
    """

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
            seed: random seed.
            batch: number of damaged frames added at a time.
            settings: the firmware's settings.
            round_seconds: how long a line stays broken.
        """
        self._chance = Random(seed)
        self._round = round_seconds
        self._batch = batch
        self._passed = 0.0
        self._longest: dict[str, float] = {}
        self._longest_show = 0.0
        self._old: list[str] = []
        self.injector = Injector(seed + 1)
        self._poisoner = Injector(seed + 2)  # its own randomness, because it runs in this thread
        self.watcher = Watcher()
        self.board = FaultyBoard(
            interpreter=interpreter,
            settings=settings or {},
            to_board=self.injector.to_board,
            to_host=self.injector.to_host,
            on_latch=self.watcher,
            turned_clock=True,
        )
        self._learn()
        self._host = self._new_host()

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
        """All kinds of faults: each call is one round of one kind."""
        return {kind: partial(self._line, kind) for kind in LINE_FAULTS} | {
            "board rebooted": self._reboot,
            "host killed": self._kill_host,
            "port gone for up to 1 s": self._unplug,
            "port gone for 1 h": partial(self._unplug, _HOUR),
            "second host": self._second_host,
            "board stopped reading": self._slow_reader,
            "MAX7219 registers lost": self._lose_registers,
        }

    def run(self, faults: int, rounds: int = 1) -> Result:
        """Runs rounds in random order, until this many faults have been injected in all.

        Args:
            faults: how many; nearly all are damaged bytes, which come fastest.
            rounds: rounds of every other kind.
        """
        self._back("")
        kinds = self.kinds
        plan = [kind for kind in kinds for _ in range(1 if kind in BYTE_FAULTS else rounds)]
        self._chance.shuffle(plan)
        while plan or sum(self.injector.counts.values()) < faults:
            bulk = not plan or self._chance.random() < 0.3
            kind = self._chance.choice(list(BYTE_FAULTS)) if bulk else plan.pop()
            kinds[kind]()
            self._back(kind)
        counts = self.injector.counts
        return Result(
            {kind: (counts.get(kind, 0), self._longest[kind]) for kind in kinds},
            self.watcher.looked,
            (*self.watcher.wrong, *self._old),
            self._longest_show,
        )

    def _clock(self) -> float:
        return time.monotonic() + self._passed

    def _new_host(self) -> SerialScoreboard:
        return SerialScoreboard(self.board.device, clock=self._clock)

    def _learn(self) -> None:
        """Has the board show all its own screens, so that the watcher knows them."""
        versions = bytes((framing.PROTOCOL_MAJOR, framing.PROTOCOL_MINOR))
        self._whole(_NO_LINK)
        self.board.hear(framing.encode(framing.HELLO_REQUEST, 0, bytes((0, 0))))
        self._whole(_UPDATE)
        self.board.hear(framing.encode(framing.HELLO_REQUEST, 0, versions))
        self._whole(_NO_LINK)
        self.watcher.learning = False

    def _whole(self, part: str) -> None:
        def shown(lights: Lights) -> bool:
            return any(part in row for row in lights.rows())

        seen = self.board.wait(shown)
        # Once more in full: the screen is recognised by its first lines.
        self.board.wait(lambda lights: lights.version >= seen.version + 2 * _REFRESH)

    def _show(self) -> Picture:
        picture = Picture(self._chance.randbytes(128))
        self.watcher.allow(picture)
        start = time.monotonic()
        self._host.show(picture)
        self._longest_show = max(self._longest_show, time.monotonic() - start)
        return picture

    def _back(self, kind: str) -> None:
        """Makes the line whole again and waits until the current picture is shown."""
        self.injector.heal()
        picture = self._show()
        start = time.monotonic()
        self.board.wait(lambda lights: lights.data == picture.data and not lights.dark)
        took = time.monotonic() - start
        self._longest[kind] = max(took, self._longest.get(kind, 0.0))

    # Rounds.

    def _line(self, kind: str) -> None:
        before = self.injector.counts.get(kind, 0)
        self.injector.kind = kind
        end = time.monotonic() + self._round
        # A busy machine may send nothing for a whole round: go on until something was broken.
        while time.monotonic() < end or self.injector.counts.get(kind, 0) == before:
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
        """Cuts off the bytes somewhere within the next frames, in both directions."""
        self.injector.end_after(self._chance.randrange(300), self._chance.randrange(60))
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
        self._host = self._new_host()

    def _unplug(self, passes: float = 0.0) -> None:
        self.injector.count("port gone for 1 h" if passes else "port gone for up to 1 s")
        self._break_off()
        self.board.unplug(power=self._chance.random() < 0.5)
        self._show()
        time.sleep(self._chance.choice((0.02, 0.2, 1.0)))
        self._passed += passes
        self.board.pass_time(passes)
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
        self.injector.count("board stopped reading")
        self.board.freeze()
        end = time.monotonic() + self._round
        while time.monotonic() < end:
            self._show()
            time.sleep(0.001)
        before = self.watcher.changes
        self.board.thaw()
        self._back("board stopped reading")
        old = self.watcher.changes - before
        if old > _OLD_PICTURES:
            self._old.append(f"{old} pictures came after a board had stood still")

    def _lose_registers(self) -> None:
        self.injector.count("MAX7219 registers lost")
        chips = self._chance.sample(range(CHIP_COUNT), self._chance.randrange(1, CHIP_COUNT))
        self.board.lose_registers(*chips)
