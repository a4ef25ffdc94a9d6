"""A button that is pressed more often than anybody can is ignored until it is quiet."""

from appliance.inputs import SHUT_DOWN, Button, Chord, Pressed
from appliance.service.steady import MAX_PRESSES_IN_WINDOW, WINDOW_S, SteadyButtons

HINT, OK = Pressed(Button.HINT), Pressed(Button.OK)


def begun() -> SteadyButtons:
    """At a second 0, at which nothing was pressed."""
    steady = SteadyButtons()
    assert steady.debounce([], 0.0) == []
    return steady


def test_as_many_presses_as_somebody_can_make_all_count() -> None:
    presses = [HINT] * MAX_PRESSES_IN_WINDOW
    steady = begun()
    assert steady.debounce(presses, WINDOW_S / 2) == presses
    assert not steady.stuck


def test_with_one_more_the_button_is_ignored_and_others_are_not() -> None:
    steady = begun()
    presses: list[Pressed | Chord] = [OK, SHUT_DOWN]
    presses += [HINT] * (MAX_PRESSES_IN_WINDOW + 1)
    assert steady.debounce(presses, WINDOW_S / 2) == [OK, SHUT_DOWN]
    assert steady.stuck == {Button.HINT}
    assert steady.debounce([HINT, OK], WINDOW_S / 2 + 0.1) == [OK]


def test_it_counts_again_once_it_has_been_quiet_for_the_window() -> None:
    steady = begun()
    steady.debounce([HINT] * (MAX_PRESSES_IN_WINDOW + 1), 1.0)
    assert steady.debounce([], 1.0 + WINDOW_S - 0.01) == []
    assert steady.stuck
    steady.debounce([], 1.0 + WINDOW_S)
    assert not steady.stuck
    assert steady.debounce([HINT], 1.1 + WINDOW_S) == [HINT]


def test_what_a_slow_round_brings_was_pressed_all_the_while() -> None:
    # Half of them is older than the window.
    presses = [HINT] * (2 * MAX_PRESSES_IN_WINDOW)
    steady = begun()
    assert steady.debounce(presses, 2 * WINDOW_S) == presses
    steady = begun()
    assert steady.debounce([*presses, HINT], 2 * WINDOW_S) == []
