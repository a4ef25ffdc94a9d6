"""What typed bytes mean, and what signals leave behind."""

import os
import select
import signal
import sys
import termios
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.cli.play import in_lines
from appliance.cli.stopping import StopRequests
from appliance.inputs import Button
from appliance.terminal.keyboard import (
    COLLECT,
    HELP,
    KEYS,
    PEEK,
    QUIT,
    SHOW,
    THROW,
    UNKNOWN,
    Keyboard,
    decode,
)


@pytest.mark.parametrize(
    ("typed", "actions", "rest"),
    [
        (b" psc", [THROW, PEEK, SHOW, COLLECT], b""),
        (b"\x1b[C\x1bOD", [Button.RIGHT, Button.LEFT], b""),
        (b"x\x00", [UNKNOWN, UNKNOWN], b""),
        (b"\x1b[1;5C ", [UNKNOWN, THROW], b""),
        (b"\x1b[200~", [UNKNOWN], b""),
        (b" \x1b[", [THROW], b"\x1b["),
        (b"\x1b", [], b"\x1b"),
        (b"\x1b\x1b[C", [UNKNOWN, Button.RIGHT], b""),
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
    text = " ".join(HELP)
    names = {b" ": "space", b"\r": "Enter", b"\x1b[C": "→", b"\x1b[D": "←", b"6": "1-6"}
    others = {b"\n", b"\x7f", b"\x08", b"t", b"\x03", b"\x1bOC", b"\x1bOD", *b"2345".split()}
    for key in KEYS:
        if key not in others and not key.isdigit():
            assert names.get(key, key.decode()) in text, key


@given(st.integers(1, 200))
def test_help_is_broken_between_keys(columns: int) -> None:
    lines = in_lines(HELP, columns)
    assert "  ".join(lines) == "  ".join(HELP)
    assert all(len(line) <= columns or line in HELP for line in lines)


def test_a_signal_leaves_a_mark_and_a_second_ctrl_c_insists() -> None:
    before = signal.getsignal(signal.SIGINT)
    with StopRequests().heard() as requests:
        os.kill(os.getpid(), signal.SIGTSTP)
        assert (requests.pause, requests.stop) == (True, False)
        os.kill(os.getpid(), signal.SIGTERM)
        assert requests.stop
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


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
        # What select saw is gone when it is read: the terminal flushes it with Ctrl-C and Ctrl-Z.
        return answers.pop() if answers else ask(*of)

    with Keyboard() as keyboard:
        least = termios.tcgetattr(sys.stdin)[6][termios.VMIN]
        assert least in (0, b"\0"), "a read would wait, and this test with it"
        monkeypatch.setattr(select, "select", ready_once)
        assert keyboard.poll() == []
        os.write(terminal, b" ")
        assert keyboard.poll() == [THROW]


def test_a_terminal_that_is_gone_ends_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    typing, slave = os.openpty()
    with open(slave) as stdin:  # noqa: PTH123
        monkeypatch.setattr(sys, "stdin", stdin)
        with Keyboard() as keyboard:
            os.close(typing)
            assert keyboard.poll() == [QUIT]
