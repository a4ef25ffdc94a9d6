"""The meaning of typed bytes, and what signals leave behind."""

import math
import os
import select
import signal
import sys
import termios
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.cli.shared.stopping import HURRY_AFTER_S, StopRequests, Told, status_when_told
from appliance.inputs import HOLD_BUTTONS, Button, Pressed
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.service.steady import SteadyButtons
from appliance.table.session.modes import Browsing
from appliance.table.session.presses import pressed
from appliance.table.session.session import Played, Setup, resume
from appliance.terminal.keyboard import (
    ACTION_OF_KEY,
    COLLECT_ACTION,
    DOWN_ACTION,
    KEY_HELP,
    PEEK_ACTION,
    QUIT_ACTION,
    SHOW_ACTION,
    THROW_ACTION,
    UNKNOWN_ACTION,
    UP_ACTION,
    Keyboard,
    KeyboardButtons,
    Repeats,
    decode,
    press_of,
)
from appliance.terminal.screen import in_columns
from games.chance import random_game
from games.registry import GAMES
from tests.appliance.service.test_menu import Bench
from tests.builders import die, roll, throw
from vision.events import Roll


@pytest.mark.parametrize(
    ("typed", "actions", "rest"),
    [
        (b" psc", [THROW_ACTION, PEEK_ACTION, SHOW_ACTION, COLLECT_ACTION], b""),
        (b"\x1b[C\x1bOD", [Button.RIGHT, Button.LEFT], b""),
        (b"x\x00", [UNKNOWN_ACTION, UNKNOWN_ACTION], b""),
        (b"\x1b[1;5C ", [UNKNOWN_ACTION, THROW_ACTION], b""),
        (b"\x1b[200~", [UNKNOWN_ACTION], b""),
        (b" \x1b[", [THROW_ACTION], b"\x1b["),
        (b"\x1b", [], b"\x1b"),
        (b"\x1b\x1b[C", [UNKNOWN_ACTION, Button.RIGHT], b""),
    ],
)
def test_keys(typed: bytes, actions: list[str], rest: bytes) -> None:
    assert decode(typed) == (actions, rest)


@given(st.binary(max_size=60), st.integers(0, 60))
def test_sequences_may_come_in_two_pieces(typed: bytes, cut: int) -> None:
    first, rest = decode(typed[:cut])
    assert len(rest) < 16, "nobody waits for ever for the end of a sequence"
    second, left = decode(rest + typed[cut:])
    assert (first + second, left) == decode(typed)


def test_the_help_names_every_key() -> None:
    lines = KEY_HELP.values()
    text = " ".join(line.split()[0] for line in lines) + " ".join(lines)
    names = {b" ": "SPACE", b"\r": "ENTER", b"\x1b[C": "→", b"\x1b[D": "←", b"6": "1-6"}
    others = {b"\n", b"\x7f", b"\x08", b"t", b"\x03", b"\x1bOC", b"\x1bOD", *b"2345".split()}
    for key, action in ACTION_OF_KEY.items():
        # Up and down are for a tray's corners, whose own line names them.
        if key not in others and not key.isdigit() and action not in (UP_ACTION, DOWN_ACTION):
            assert names.get(key, key.decode()) in text, key


@given(st.integers(20, 200))
def test_help_stands_in_columns(columns: int) -> None:
    items = tuple(KEY_HELP.values())
    lines = in_columns(items, columns)
    assert sorted(" ".join(lines).split()) == sorted(" ".join(items).split())
    assert max(map(len, lines)) <= max(columns, *map(len, items))


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now_s = 5.0

    def __call__(self) -> float:
        return self.now_s


def counted_at(key: str, typed_s: Sequence[float], looks_s: float) -> list[float]:
    """When a key typed at these times counted, if the keys are read every `looks_s` seconds."""
    clock = Clock()
    repeats, counted = Repeats(clock), list[float]()
    seen = Counter(math.ceil(at_s / looks_s - 1e-6) for at_s in typed_s)
    for look in range(max(seen) + 10):
        clock.now_s = 5.0 + look * looks_s
        counted += [look * looks_s for _ in repeats.drop_repeats([key] * seen[look])]
    return counted


def held_down(seconds: float, delay_s: float = 0.5, rate: float = 30.0) -> list[float]:
    """The times at which a key held down types its character."""
    return [1.0, *(1.0 + delay_s + k / rate for k in range(round((seconds - delay_s) * rate)))]


@pytest.mark.parametrize("looks_s", [0.01, 1 / 30, 1 / 15, 0.1, 0.25])
@pytest.mark.parametrize(("delay_s", "rate"), [(0.5, 30.0), (0.25, 25.0), (0.66, 25.0)])
def test_a_key_held_down_counts_once(looks_s: float, delay_s: float, rate: float) -> None:
    assert len(counted_at(Button.HOLD1, held_down(4.0, delay_s, rate), looks_s)) == 1


@pytest.mark.parametrize("looks_s", [0.01, 1 / 30, 1 / 15])
@pytest.mark.parametrize("every_s", [0.2, 0.25, 0.5, 1.1])
def test_every_press_of_a_finger_counts(looks_s: float, every_s: float) -> None:
    presses = [1.0 + every_s * k for k in range(8)]
    assert len(counted_at(Button.HOLD1, presses, looks_s)) == 8
    assert len(counted_at(Button.RIGHT, presses, looks_s)) == 8


@pytest.mark.parametrize("looks_s", [0.01, 1 / 30, 1 / 15, 0.2])
def test_an_arrow_held_down_goes_on_and_is_no_stuck_button(looks_s: float) -> None:
    counted = counted_at(Button.RIGHT, held_down(10.0), looks_s)
    assert len(counted) > 30
    # On a slow machine one look at the keys takes one frame of simulated time.
    for frame_s in (looks_s, min(looks_s, 1 / 15)):
        steady = SteadyButtons()
        seen = Counter(round(at_s / looks_s) for at_s in counted)
        for look in range(max(seen) + 1):
            steady.debounce([Pressed(Button.RIGHT)] * seen[look], look * frame_s)
            assert not steady.stuck


@pytest.fixture
def in_foreground() -> Iterator[None]:
    """Ctrl-C counts; a shell that starts the tests in the background has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("in_foreground")
def test_a_signal_leaves_a_mark_and_one_long_after_it_insists() -> None:
    before, now_s = signal.getsignal(signal.SIGINT), 0.0
    with StopRequests(lambda: now_s).caught() as requests:
        os.kill(os.getpid(), signal.SIGTSTP)
        assert (requests.pause, requests.stop) == (True, False)
        os.kill(os.getpid(), signal.SIGTERM)
        assert requests.stop
        # Whoever hammers Ctrl-C does not hurt what is being put away.
        os.kill(os.getpid(), signal.SIGINT)
        now_s = HURRY_AFTER_S
        with pytest.raises(Told):
            os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_signal_ends_what_is_being_set_up_even_where_its_error_is_lost() -> None:
    requests = StopRequests()
    with requests.caught(), pytest.raises(Told) as told, requests.raising(), suppress(Told):
        os.kill(os.getpid(), signal.SIGTERM)
    assert status_when_told(told.value) == 143
    # Nothing else is set up from then on.
    with pytest.raises(Told), requests.raising():
        pass


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT])
def test_a_signal_that_was_ignored_at_the_start_stays_so(number: signal.Signals) -> None:
    before = signal.signal(number, signal.SIG_IGN)
    try:
        with StopRequests.all_raise(), StopRequests().caught() as requests:
            os.kill(os.getpid(), number)
            assert not requests.stop
    finally:
        signal.signal(number, before)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The end of a terminal at which somebody types; its other end is standard input."""
    typing, slave = os.openpty()
    with open(slave) as stdin:  # noqa: PTH123
        monkeypatch.setattr(sys, "stdin", stdin)
        yield typing
        os.close(typing)


def test_keys_that_ctrl_z_threw_away_are_not_waited_for(
    terminal: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask: Callable[..., object] = select.select
    answers: list[object] = [([0], [], [])]

    def ready_once(*of: object) -> object:
        # What select saw is gone when it is read: the terminal flushes it on Ctrl-C and Ctrl-Z.
        return answers.pop() if answers else ask(*of)

    with closing(Keyboard()) as keyboard:
        least = termios.tcgetattr(sys.stdin)[6][termios.VMIN]
        assert least in (0, b"\0"), "a read would wait, and this test with it"
        monkeypatch.setattr(select, "select", ready_once)
        assert keyboard.poll() == []
        os.write(terminal, b" ")
        assert keyboard.poll() == [THROW_ACTION]


def test_a_terminal_that_is_gone_ends_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    typing, slave = os.openpty()
    with open(slave) as stdin:  # noqa: PTH123
        monkeypatch.setattr(sys, "stdin", stdin)
        with closing(Keyboard()) as keyboard:
            os.close(typing)
            assert keyboard.poll() == [QUIT_ACTION]


def test_characters_are_letters_while_a_name_is_asked_for() -> None:
    assert decode("q\u00c5se 1".encode(), naming=True) == (["typed:q\u00c5se 1"], b"")
    assert decode(b"ab\r", naming=True) == (["typed:ab", "ok"], b"")
    assert decode(b"a\x7f\x1b[Cb", naming=True) == (["typed:a", "back", "right", "typed:b"], b"")
    assert decode(b"\x03", naming=True) == (["quit"], b"")
    # Half a letter waits for the rest; bytes that are not text are left out.
    assert decode(b"a\xc3", naming=True) == (["typed:a"], b"\xc3")
    assert decode(b"\xc3\x85", naming=True) == (["typed:\u00c5"], b"")
    assert decode(b"a\xffb", naming=True) == (["typed:ab"], b"")
    assert decode(b"q") == (["quit"], b"")


def test_every_letter_of_a_name_counts_however_fast_it_is_typed() -> None:
    repeats = Repeats(lambda: 1.0)
    assert repeats.drop_repeats(["typed:n", "typed:n", "typed:na"]) == [
        "typed:n",
        "typed:n",
        "typed:na",
    ]
    assert (
        "".join(repeats.drop_repeats(["typed:n"]) + repeats.drop_repeats(["typed:n"]))
        == "typed:ntyped:n"
    )


class TypedOnce(Keyboard):
    """A keyboard on which this has been typed."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def poll(self, naming: bool = False) -> list[str]:
        actions, _ = decode(self.data, naming)
        return actions


def test_letters_of_a_name_press_no_buttons() -> None:
    heard: list[str] = []
    buttons = KeyboardButtons(TypedOnce("hq\u00e9\r".encode()).poll)
    buttons.naming, buttons.others = lambda: True, heard.extend
    assert buttons.poll() == (Pressed(Button.OK),)
    assert heard == ["typed:hq\u00e9", "ok"]
    buttons.naming = lambda: False
    with pytest.raises(KeyboardInterrupt):
        buttons.poll()


@pytest.mark.parametrize(("typed", "leaves"), [(b"q", True), (b"w\nq", True), (b"5\n", False)])
def test_of_keys_that_came_too_early_only_q_counts(
    terminal: int, typed: bytes, leaves: bool
) -> None:
    os.write(terminal, typed)
    with closing(Keyboard()) as keyboard:
        assert keyboard.poll() == ([QUIT_ACTION] if leaves else [])


SIX_DICE = {
    "power": roll(*(die(slot, slot + 1) for slot in range(5)), die(5, "double")),
    "showdown": throw(5),
}
"""The first throw of the games that have a sixth die, of which it is the last."""


@pytest.mark.parametrize(("game", "first"), SIX_DICE.items())
def test_the_sixth_die_is_corrected_by_keys(game: str, first: Roll, tmp_path: Path) -> None:
    with Journal(tmp_path / "games") as journal:
        setup = Setup(game, ("ANNA", "BOB"), (("first", 0),))
        table = Bench(journal, load_session(journal, setup))
        table.watcher.events = [first]
        table.feed(count=12)
        for typed in (b"^", b"\x1b[C", b"\r"):
            table.feed(*KeyboardButtons(TypedOnce(typed).poll).poll(), count=60)
        saved = journal.last()
        assert saved is not None
        face = "freeze" if game == "power" else "6"
        assert saved.lines[1:] == (f"fix 6 to {face}",)


@pytest.mark.parametrize("game", GAMES)
def test_every_button_that_does_more_when_held_has_a_key_that_holds_it(game: str) -> None:
    """Whatever a button held for a second does in a game, somebody at the keyboard can do too."""
    setup = Setup(game, ("A", "B"))
    events, _ = random_game(setup.rules, setup.players, {}, Random(1))
    by_key = {press_of(action) for action in ACTION_OF_KEY.values()}
    held = set[Button]()
    for count in range(min(len(events), 30)):
        at_rest = resume(setup, tuple(map(Played, events[:count])))
        for session in (at_rest, replace(at_rest, mode=Browsing(0))):
            for button in Button:
                short, long = Pressed(button), Pressed(button, long=True)
                if pressed(session, long) != pressed(session, short):
                    held.add(button)
                    assert long in by_key, button
    assert held >= {Button.OK, Button.BACK, HOLD_BUTTONS[0]}
    assert Button.HOLDP in held or game not in SIX_DICE
