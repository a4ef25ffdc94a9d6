"""How the modules are mounted: said over the link, tried, stored, and used at the next start."""

import importlib
import struct
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from appliance.picture import Picture
from firmware import framing, mounting
from firmware.max7219 import chain_places
from simulator.pico.max7219 import ChipChain
from tests.rigs.wiring import Wiring

if TYPE_CHECKING:
    from tests.firmware.conftest import Bench

A = Picture(bytes(range(128)))
STARTS = ("top-left", "top-right", "bottom-left", "bottom-right")
FC16 = bytes((1, 3, 0, 0))
GENERIC = bytes((1, 0, 0, 1))
per_board = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None
)

codes = st.tuples(
    st.integers(0, 3), st.integers(0, 7), st.sampled_from([0, 1, 2, 4, 8]), st.integers(0, 3)
).map(bytes)
any_code = st.one_of(
    codes,
    st.tuples(st.integers(0, 5), st.integers(0, 9), st.integers(0, 17), st.integers(0, 5)).map(
        bytes
    ),
    st.binary(max_size=6),
)


def wiring_of(code: bytes) -> Wiring:
    """The board that a code is for."""
    start, flags, strip, turns = code
    return Wiring(
        snake=bool(flags & 1),
        start=STARTS[start],
        strip=strip or 8,
        rotation=90 * turns,
        snake_turns=bool(flags & 2),
        mirrored=bool(flags & 4),
    )


def is_layout(code: bytes) -> bool:
    if len(code) != 4:
        return False
    start, flags, strip, turns = code
    return start < 4 and flags < 8 and strip in (0, 1, 2, 4, 8) and turns < 4


def answer(bench: "Bench", what: int, code: bytes, sequence: int = 1) -> int:
    """Sends a LAYOUT; the flags of its ACK."""
    bench.line.messages()
    bench.send(framing.LAYOUT, sequence, bytes((what,)) + code)
    [flags] = [
        struct.unpack(framing.ACK_FORMAT, payload)[1]
        for kind, _, payload in bench.line.messages()
        if kind == framing.ACK
    ]
    return int(flags)


def said(bench: "Bench") -> bytes:
    """The layout's part of a fresh HELLO."""
    bench.line.messages()
    bench.greet()
    [payload] = [p for kind, _, p in bench.line.messages() if kind == framing.HELLO]
    assert len(payload) == framing.HELLO_BYTES + framing.HELLO_FREE + framing.HELLO_LAYOUT
    return payload[-framing.HELLO_LAYOUT :]


def restarted(bench: "Bench", wiring: Wiring) -> "Bench":
    """The board at its next start, with the files that are on its flash."""
    for name in ("layout", "local_config", "config"):
        sys.modules.pop(name, None)
    importlib.invalidate_caches()
    config = importlib.import_module("config")
    bench.modules["config"] = config
    vars(bench.config).update({k: v for k, v in vars(config).items() if k.isupper()})
    bench.line.said.clear()
    bench.bus.chain = ChipChain(wiring.light)
    bench.start()
    return bench


@given(any_code)
def test_a_code_is_a_layout_or_refused(code: bytes) -> None:
    if not is_layout(code):
        with pytest.raises(ValueError, match=r"layout|STRIP"):
            mounting.Mounting(code, 8, 2)
        return
    made = mounting.Mounting(code, 8, 2)
    assert mounting.encoded(made) == code
    wiring = wiring_of(code)
    for chip, (column, row, turns) in enumerate(chain_places(made)):
        x, y = wiring.light(chip, 0, 0)
        assert (column, row) == (x // 8, y // 8)
        assert turns == wiring._place(chip)[2] % 4
    assert made.MIRRORED is wiring.mirrored


def test_a_list_of_places_has_no_code(modules: dict[str, ModuleType]) -> None:
    config = modules["config"]
    assert mounting.encoded(config) == FC16
    config.ORDER = [(n % 8, n // 8, 0) for n in range(16)]  # type: ignore[attr-defined]
    assert mounting.encoded(config) == mounting.NO_CODE
    with pytest.raises(ValueError, match="no such layout"):
        mounting.Mounting(mounting.NO_CODE, 8, 2)


@per_board
@given(
    what=st.one_of(st.integers(0, 2), st.integers(0, 255)),
    code=any_code,
    own=st.booleans(),
    before=codes,
)
def test_whatever_is_asked_for_is_done_or_refused(
    bench: "Bench", what: int, code: bytes, own: bool, before: bytes
) -> None:
    config = bench.modules["config"]
    file = Path(mounting.LAYOUT_FILE)
    file.unlink(missing_ok=True)
    bench.bus.chain = ChipChain(Wiring().light)
    bench.start(LAYOUT_FROM=config.LAYOUT_OWN if own else config.LAYOUT_DEFAULT)
    bench.line.said.clear()
    assert not answer(bench, framing.LAYOUT_TRY, before) & framing.ACK_REFUSED
    flags = answer(bench, what, code, 2)
    # A payload may grow at its end.
    wanted = code[:4]
    done = (what == framing.LAYOUT_BACK and len(code) >= 4) or (
        is_layout(wanted)
        and (what == framing.LAYOUT_TRY or (what == framing.LAYOUT_STORE and not own))
    )
    assert bool(flags & framing.ACK_REFUSED) is not done
    used = before if not done else FC16 if what == framing.LAYOUT_BACK else wanted
    # The chips of a board that is built like that show the next picture as it is.
    bench.bus.chain = ChipChain(wiring_of(used).light)
    bench.send(framing.FRAME, 3, A.data)
    bench.pass_ms(bench.config.REFRESH_MS + 5)
    assert bench.bus.picture == A
    stored = done and what == framing.LAYOUT_STORE
    assert file.exists() is stored
    source = config.LAYOUT_OWN if own else config.LAYOUT_STORED if stored else config.LAYOUT_DEFAULT
    assert said(bench) == bytes([source]) + (wanted if stored else FC16)


def test_a_stored_layout_is_there_at_every_start(bench: "Bench") -> None:
    bench.start()
    assert said(bench) == bytes([0]) + FC16
    assert not answer(bench, framing.LAYOUT_STORE, GENERIC) & framing.ACK_REFUSED
    assert said(bench) == bytes([1]) + GENERIC
    for _ in range(2):
        restarted(bench, wiring_of(GENERIC))
        assert said(bench) == bytes([1]) + GENERIC
        bench.send(framing.FRAME, 1, A.data)
        assert bench.bus.picture == A
    assert [path.name for path in Path().glob("layout*")] == ["layout.py"]


def test_the_owners_own_file_has_the_last_word(bench: "Bench") -> None:
    Path("local_config.py").write_text("ROTATION = 180\nBRIGHTNESS = 2\n")
    restarted(bench, Wiring(rotation=180))
    assert said(bench) == bytes([2, 1, 3, 0, 2])
    assert answer(bench, framing.LAYOUT_STORE, GENERIC) & framing.ACK_REFUSED
    assert not Path("layout.py").exists()
    Path("local_config.py").write_text("BRIGHTNESS = 2\n")
    assert said(restarted(bench, Wiring())) == bytes([0]) + FC16


def test_a_flash_that_cannot_be_written_is_a_refusal(bench: "Bench") -> None:
    bench.start()
    Path("layout.py.new").mkdir()
    assert answer(bench, framing.LAYOUT_STORE, GENERIC) & framing.ACK_REFUSED
    assert said(bench) == bytes([0]) + FC16
    bench.send(framing.FRAME, 1, A.data)
    assert bench.bus.picture == A


def test_the_same_layout_is_not_written_again(bench: "Bench") -> None:
    bench.start()
    answer(bench, framing.LAYOUT_STORE, GENERIC)
    Path("layout.py.new").mkdir()
    assert not answer(bench, framing.LAYOUT_STORE, GENERIC, 2) & framing.ACK_REFUSED


@pytest.mark.parametrize("end", ["back", "silence", "greeting"])
def test_a_layout_that_was_only_tried_is_forgotten(bench: "Bench", end: str) -> None:
    bench.start()
    bench.send(framing.FRAME, 1, A.data)
    answer(bench, framing.LAYOUT_TRY, GENERIC, 2)
    bench.send(framing.FRAME, 3, A.data)
    assert bench.bus.picture != A
    sequence = 4
    if end == "back":
        answer(bench, framing.LAYOUT_BACK, bytes(4), 4)
        sequence = 5
    elif end == "silence":
        bench.pass_ms(bench.config.LINK_TIMEOUT_MS + 5)
        screens = bench.modules["screens"].Screens(8, 2)
        assert bench.bus.picture.data == bytes(screens.two_lines("NO LINK", ""))
    else:
        bench.greet()
    bench.send(framing.FRAME, sequence, A.data)
    assert bench.bus.picture == A
    assert not Path("layout.py").exists()


def test_a_broken_message_changes_nothing(bench: "Bench") -> None:
    bench.start()
    whole = framing.encode(framing.LAYOUT, 1, bytes((framing.LAYOUT_STORE,)) + GENERIC)
    for place in range(1, len(whole) - 1):
        broken = bytearray(whole)
        broken[place] ^= 0x10
        bench.turn(bytes(broken))
    assert not Path("layout.py").exists()
    bench.send(framing.FRAME, 2, A.data)
    assert bench.bus.picture == A
