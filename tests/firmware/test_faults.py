"""Both ends of the link, over a line that does everything wrong, in simulated time.

The host's protocol and the firmware's board run in one process under a clock driven by the test;
the line between them drops, flips, duplicates, delays and cuts off bytes, floods, falls silent, and
either end may restart at any byte. DICETRAY_FAULTS sets how many faults one run injects.
"""

import os
import random
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from appliance.devices.scoreboard.link import Link
from appliance.picture import Picture

if TYPE_CHECKING:
    from tests.firmware.conftest import Bench

FAULTS = int(os.environ.get("DICETRAY_FAULTS", "1500"))
STEP_MS = 5
Damage = Callable[[bytes, random.Random], tuple[bytes, int]]


def none(data: bytes, chance: random.Random) -> tuple[bytes, int]:
    return data, 0


def flip(data: bytes, chance: random.Random) -> tuple[bytes, int]:
    out = bytearray(data)
    count = 0
    for i in range(len(out)):
        if chance.random() < 0.02:
            out[i] ^= 1 << chance.randrange(8)
            count += 1
    return bytes(out), count


def drop(data: bytes, chance: random.Random) -> tuple[bytes, int]:
    out = bytes(byte for byte in data if chance.random() >= 0.02)
    return out, len(data) - len(out)


def double(data: bytes, chance: random.Random) -> tuple[bytes, int]:
    out = b"".join(bytes([byte]) * (1 + (chance.random() < 0.02)) for byte in data)
    return out, len(out) - len(data)


def repeat(data: bytes, chance: random.Random) -> tuple[bytes, int]:
    if len(data) < 2 or chance.random() < 0.5:
        return data, 0
    start = chance.randrange(len(data))
    return data + data[start:], 1


def cut(data: bytes, chance: random.Random) -> tuple[bytes, int]:
    if not data or chance.random() < 0.5:
        return data, 0
    return data[: chance.randrange(len(data))], 1


def flood(data: bytes, chance: random.Random) -> tuple[bytes, int]:
    noise = chance.randbytes(chance.randrange(60))
    return (noise + data, 1) if chance.random() < 0.5 else (data + noise, 1)


def silence(data: bytes, chance: random.Random) -> tuple[bytes, int]:
    return b"", int(bool(data))


class Line:
    """The line between a host and a board; each direction has its own damage."""

    def __init__(self, bench: "Bench", seed: int) -> None:
        self.bench = bench
        self.chance = random.Random(seed)
        self.link = Link()
        self.seconds = 0.0
        self.closed_until = 0.0
        self.open = False
        self.boots = 0
        self.faults = 0
        self.delayed = b""
        self.damage: tuple[Damage, Damage] = (none, none)
        self.boot()

    def boot(self) -> None:
        self.boots += 1
        self.bench.line.incoming.clear()
        self.bench.start(boot=self.boots)

    def step(self) -> None:
        """Five milliseconds pass."""
        self.bench.clock.pass_ms(STEP_MS)
        self.seconds += STEP_MS / 1000
        if not self.open and self.seconds >= self.closed_until:
            self.link.opened(self.seconds)
            self.open = True
        sent = b""
        while self.open and (data := self.link.outgoing(self.seconds)):
            sent += data
        sent, count = self.damage[0](sent, self.chance)
        self.faults += count
        # Delayed bytes arrive with the next step.
        if self.damage[0] is not none and self.chance.random() < 0.1:
            sent, self.delayed = self.delayed, sent
            self.faults += 1
        else:
            sent, self.delayed = self.delayed + sent, b""
        self.bench.turn(sent)
        said, count = self.damage[1](bytes(self.bench.line.said), self.chance)
        self.bench.line.said.clear()
        self.faults += count
        if self.open:
            self.link.receive(said, self.seconds)
            if trouble := self.link.trouble(self.seconds):
                self.link.closed(trouble)
                self.open = False
                self.closed_until = self.seconds + 0.4

    def restart_host(self, picture: Picture) -> None:
        self.link = Link()
        self.link.show(picture)
        self.open = False
        self.closed_until = self.seconds
        self.faults += 1


def own_screens(bench: "Bench") -> set[bytes]:
    screens = bench.modules["screens"].Screens(8, 2)
    texts = [("DICETRAY", "V1.0.0"), ("NO LINK", ""), ("", "")]
    found = {bytes(screens.two_lines(*text)) for text in texts}
    steps = bench.modules["screens"].SELF_TEST_STEPS
    return found | {bytes(screens.self_test(step)) for step in range(steps)}


DAMAGES = (flip, drop, double, repeat, cut, flood, silence, none)


def run(bench: "Bench", seed: int, faults: int) -> int:
    """Runs rounds of half a second to three seconds of trouble, each with a second to recover."""
    line = Line(bench, seed)
    chance = random.Random(seed + 1)
    screens = own_screens(bench)
    sent: set[bytes] = set()
    while line.faults < faults:
        line.damage = (chance.choice(DAMAGES), chance.choice(DAMAGES))
        for _ in range(chance.randrange(100, 600)):
            event = chance.random()
            if event < 0.1:
                picture = Picture(chance.randbytes(128))
                sent.add(picture.data)
                line.link.show(picture)
            elif event < 0.103:
                line.boot()
                line.faults += 1
            elif event < 0.106 and sent:
                line.restart_host(picture)
            line.step()
            shown = bench.bus.picture.data
            # Never a pixel that nobody sent.
            assert shown in sent or shown in screens
        line.damage = (none, none)
        picture = Picture(chance.randbytes(128))
        sent.add(picture.data)
        line.link.show(picture)
        steps = 0
        while bench.bus.picture != picture:
            line.step()
            steps += 1
            assert steps * STEP_MS <= 1000, f"not back after a second: {line.link.status}"
    return line.faults


@pytest.mark.parametrize("seconds", [1, 3600])
@pytest.mark.parametrize("power", [True, False])
def test_a_port_that_was_gone_gets_the_picture_of_now(
    bench: "Bench", seconds: int, power: bool
) -> None:
    line = Line(bench, 3)
    for n in range(200):
        line.link.show(Picture(bytes([n]) * 128))
        line.step()
    line.link.closed("the port is gone")
    line.open = False
    line.closed_until = line.seconds + seconds
    for _ in range(100):
        line.step()
    # Nothing runs meanwhile: the clocks of both ends jump.
    bench.clock.pass_ms(1000 * seconds - 500)
    line.seconds += seconds - 0.5
    old = Picture(b"\x11" * 128)
    line.link.show(old)
    picture = Picture(bytes(range(128)))
    line.link.show(picture)
    if power:
        line.boot()
    seen = set()
    steps = 0
    while bench.bus.picture != picture:
        line.step()
        seen.add(bench.bus.picture)
        steps += 1
        assert steps * STEP_MS <= 1000, f"not back after a second: {line.link.status}"
    assert old not in seen


@pytest.mark.parametrize("seed", range(4))
def test_after_any_fault_the_right_picture_is_back_within_a_second(
    bench: "Bench", seed: int
) -> None:
    assert run(bench, seed, FAULTS) >= FAULTS
