"""The broken line: every kind of fault against the firmware, and the injector's own honesty."""

import os
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.picture import Picture
from firmware import framing
from simulator.pico import micropython
from simulator.pico.max7219 import CHIP_COUNT, ChipChain
from tests.proofs.link_faults import Trial
from tests.proofs.link_faults.damage import BYTE_FAULTS, damaged
from tests.proofs.link_faults.injector import Injector
from tests.proofs.link_faults.watcher import Watcher
from tests.rigs.wiring import Wiring

FAULTS = int(os.environ.get("DICETRAY_FAULTS", "3000"))


@pytest.mark.micropython
@pytest.mark.slow
def test_after_every_kind_of_fault_the_right_picture_and_never_a_wrong_light() -> None:
    found = micropython.find_interpreter()
    if not found.real:
        pytest.skip(f"skipped: {found.sentence}")
    with Trial(found, 7, round_seconds=0.06) as trial:
        result = trial.run(FAULTS)
        kinds = set(trial.kinds)
    assert result.wrong == ()
    assert sum(count for count, _ in result.kinds.values()) >= FAULTS
    assert {kind for kind, (count, _) in result.kinds.items() if count} == kinds
    assert result.looked > 300


@given(
    st.sampled_from(sorted(BYTE_FAULTS)),
    st.integers(1, 8),
    st.binary(min_size=128, max_size=128),
    st.integers(0, 2**32),
)
def test_no_damaged_frame_is_ever_taken(kind: str, count: int, picture: bytes, seed: int) -> None:
    frame = framing.encode(framing.FRAME, seed & 0xFFFF, picture)
    broken = damaged(frame, kind, count, random.Random(seed))
    assert broken != frame
    parser = framing.Parser()
    assert not parser.feed(broken, 0, len(broken))


def test_a_line_without_faults_changes_nothing() -> None:
    injector = Injector(1)
    assert injector.to_board(b"abc") == b"abc"
    assert injector.to_host(b"abc") == b"abc"
    injector.kind = "delay"
    assert injector.to_board(b"abc") == b""
    injector.kind = ""
    assert injector.to_board(b"def") == b"abcdef"


def latch(watcher: Watcher, words: bytes) -> None:
    chain = ChipChain()
    chain.shift(words)
    chain.latch()
    watcher(chain)


def test_the_watcher_sees_a_single_wrong_light() -> None:
    watcher = Watcher()
    watcher.learning = False
    picture = Picture(bytes(range(128)))
    watcher.allow(picture)
    words = bytearray(Wiring().words(picture, 0))
    latch(watcher, bytes(words))
    assert watcher.wrong == []
    words[5] ^= 0x10
    latch(watcher, bytes(words))
    assert len(watcher.wrong) == 1


@pytest.mark.parametrize(
    ("register", "value", "wrong"),
    [(0x0C, 1, 0), (0x0C, 0, 1), (0x0F, 1, 1), (0x0A, 10, 0), (0x0A, 11, 1), (0x09, 1, 1)],
)
def test_the_watcher_knows_the_control_registers(register: int, value: int, wrong: int) -> None:
    watcher = Watcher()
    watcher.learning = False
    latch(watcher, bytes((register, value)) * CHIP_COUNT)
    assert len(watcher.wrong) == wrong
