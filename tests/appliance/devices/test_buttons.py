from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from appliance.devices.buttons import DEBOUNCE_S, LOST_EDGE_S, STUCK_S, Buttons, Presses
from appliance.errors import PinsError
from appliance.inputs import HOLD_BUTTONS, SHUT_DOWN, Button, Chord, Pressed

PINS = {Button.HOLD1: 5, Button.OK: 4, Button.BACK: 25}


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    made = MockFactory()
    yield made
    made.reset()


def test_a_press_counts_when_the_button_is_let_go(factory: MockFactory) -> None:
    with Buttons(PINS, pin_factory=factory, bounce_s=None) as buttons:
        factory.pin(4).drive_low()
        assert buttons.poll() == ()
        factory.pin(4).drive_high()
        assert buttons.poll() == (Pressed(Button.OK),)
        assert buttons.poll() == ()


def test_presses_keep_their_order(factory: MockFactory) -> None:
    with Buttons(PINS, pin_factory=factory, bounce_s=None) as buttons:
        for pin in (5, 4, 5):
            factory.pin(pin).drive_low()
            factory.pin(pin).drive_high()
        order = [Button.HOLD1, Button.OK, Button.HOLD1]
        assert buttons.poll() == tuple(Pressed(button) for button in order)


def test_a_long_press_is_reported_once_and_no_short_one_follows(factory: MockFactory) -> None:
    with Buttons(PINS, pin_factory=factory, bounce_s=None) as buttons:
        device = next(d for d in buttons._devices if d.pin.info.name == "GPIO25")
        factory.pin(25).drive_low()
        # What gpiozero's own hold thread calls when the hold time is over.
        device.when_held()
        factory.pin(25).drive_high()
        assert buttons.poll() == (Pressed(Button.BACK, long=True),)
        factory.pin(25).drive_low()
        factory.pin(25).drive_high()
        assert buttons.poll() == (Pressed(Button.BACK),)


class Clock:
    """Seconds that a test lets pass."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def move_unreported(factory: MockFactory, pin: int, *, high: bool) -> None:
    """The line changes, and nobody is told (https://github.com/joan2937/lg/issues/18)."""
    factory.pin(pin)._state = high


def test_contacts_are_looked_at_twenty_times_a_second_and_presses_at_every_poll(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, looks = Clock(), list[float]()
    with Buttons(PINS, pin_factory=factory, bounce_s=None, clock=clock) as buttons:
        down = buttons.down

        def looked() -> frozenset[Button]:
            looks.append(clock.now_s)
            return down()

        monkeypatch.setattr(buttons, "down", looked)
        for _ in range(100):
            factory.pin(4).drive_low()
            factory.pin(4).drive_high()
            assert buttons.poll() == (Pressed(Button.OK),)
            clock.now_s += 0.01
    assert len(looks) == 20


def test_a_lost_release_is_a_short_press_and_the_next_one_counts(factory: MockFactory) -> None:
    clock = Clock()
    with Buttons(PINS, pin_factory=factory, bounce_s=None, clock=clock) as buttons:
        factory.pin(4).drive_low()
        move_unreported(factory, 4, high=True)
        assert buttons.poll() == ()
        clock.now_s += LOST_EDGE_S
        assert buttons.poll() == (Pressed(Button.OK),)
        factory.pin(4).drive_low()
        factory.pin(4).drive_high()
        assert buttons.poll() == (Pressed(Button.OK),)


def test_a_lost_release_is_no_long_press_even_if_nobody_polls(factory: MockFactory) -> None:
    clock = Clock()
    with Buttons(PINS, pin_factory=factory, bounce_s=None, clock=clock) as buttons:
        device = next(d for d in buttons._devices if d.pin.info.name == "GPIO4")
        factory.pin(4).drive_low()
        move_unreported(factory, 4, high=True)
        # What gpiozero's own hold thread calls when the hold time is over.
        device.when_held()
        buttons.poll()
        clock.now_s += LOST_EDGE_S
        assert buttons.poll() == (Pressed(Button.OK),)


def test_a_lost_press_counts_when_the_button_is_let_go(factory: MockFactory) -> None:
    clock = Clock()
    with Buttons(PINS, pin_factory=factory, bounce_s=None, clock=clock) as buttons:
        move_unreported(factory, 4, high=False)
        buttons.poll()
        clock.now_s += LOST_EDGE_S
        assert buttons.poll() == ()
        factory.pin(4).drive_high()
        assert buttons.poll() == (Pressed(Button.OK),)


class ClosedPin(MockPin):  # type: ignore[misc]
    """A pin that is connected to ground from the start: a pull-up does not raise it."""

    def _set_pull(self, value: str) -> None:
        self._pull = value
        self._state = False


@pytest.fixture
def closed_factory() -> Iterator[MockFactory]:
    """Pin 4 is closed from the start."""
    made = MockFactory()
    made.pin(4, pin_class=ClosedPin)
    yield made
    made.reset()


def test_a_contact_that_is_closed_from_the_start_is_no_press(
    closed_factory: MockFactory, caplog: pytest.LogCaptureFixture
) -> None:
    clock = Clock()
    with (
        caplog.at_level("INFO"),
        Buttons(PINS, pin_factory=closed_factory, bounce_s=None, clock=clock) as buttons,
    ):
        assert buttons.down() == {Button.OK}
        for _ in range(5):
            assert buttons.poll() == ()
            clock.now_s += LOST_EDGE_S
        closed_factory.pin(4).drive_high()
        assert buttons.poll() == ()
        closed_factory.pin(4).drive_low()
        closed_factory.pin(4).drive_high()
        assert buttons.poll() == (Pressed(Button.OK),)
    assert not caplog.records


def test_a_contact_that_stays_closed_from_the_start_is_stuck_until_it_opens(
    closed_factory: MockFactory, caplog: pytest.LogCaptureFixture
) -> None:
    clock = Clock()
    with (
        caplog.at_level("INFO"),
        Buttons(PINS, pin_factory=closed_factory, bounce_s=None, clock=clock) as buttons,
    ):
        buttons.poll()
        clock.now_s += STUCK_S - 0.1
        buttons.poll()
        assert not buttons.stuck()
        clock.now_s += 0.2
        buttons.poll()
        assert buttons.stuck() == {Button.OK}
        closed_factory.pin(4).drive_high()
        buttons.poll()
        assert not buttons.stuck()
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]


def test_a_button_that_is_pressed_again_and_again_is_not_stuck(factory: MockFactory) -> None:
    clock = Clock()
    with Buttons(PINS, pin_factory=factory, bounce_s=None, clock=clock) as buttons:
        for _ in range(5):
            factory.pin(4).drive_low()
            buttons.poll()
            clock.now_s += STUCK_S / 2
            buttons.poll()
            factory.pin(4).drive_high()
            buttons.poll()
            assert not buttons.stuck()


def test_a_contact_may_bounce_without_being_taken_for_a_lost_edge(factory: MockFactory) -> None:
    clock = Clock()
    with Buttons(PINS, pin_factory=factory, bounce_s=None, clock=clock) as buttons:
        factory.pin(4).drive_low()
        for _ in range(20):
            move_unreported(factory, 4, high=True)
            assert buttons.poll() == ()
            clock.now_s += DEBOUNCE_S
            move_unreported(factory, 4, high=False)
            assert buttons.poll() == ()
            clock.now_s += DEBOUNCE_S
        factory.pin(4).drive_high()
        assert buttons.poll() == (Pressed(Button.OK),)


def test_closed_buttons_report_nothing(factory: MockFactory) -> None:
    buttons = Buttons(PINS, pin_factory=factory, bounce_s=None)
    buttons.close()
    assert buttons.poll() == ()
    assert buttons.down() == frozenset()


def test_where_no_thread_can_be_made_the_pins_are_given_back_all_the_same(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    taken = Buttons(PINS, (12, 16), pin_factory=factory, bounce_s=None)
    with monkeypatch.context() as patched, pytest.raises(LookupError, match="the true error"):
        patched.setattr(ThreadPoolExecutor, "submit", refuse)
        with taken:
            raise LookupError("the true error")
    # None of them is in use.
    Buttons(PINS, (12, 16), pin_factory=factory, bounce_s=None).close()


def test_lamps_show_the_held_slots(factory: MockFactory) -> None:
    with Buttons(PINS, (12, 16, 20), pin_factory=factory) as buttons:
        buttons.light({0, 2, 5})
        assert [factory.pin(p).state for p in (12, 16, 20)] == [True, False, True]
        buttons.light(())
        assert not any(factory.pin(p).state for p in (12, 16, 20))


def test_pins_are_given_back(factory: MockFactory) -> None:
    for _ in range(2):
        Buttons(PINS, (12,), pin_factory=factory).close()
    with pytest.raises(PinsError, match="in use"):
        Buttons({Button.OK: 4, Button.BACK: 4}, pin_factory=factory)
    Buttons(PINS, pin_factory=factory).close()


def test_there_is_a_hold_button_for_every_slot() -> None:
    assert len(HOLD_BUTTONS) == 6


LEFT, RIGHT, OK = Button.LEFT, Button.RIGHT, Button.OK
LONG_LEFT, LONG_RIGHT = Pressed(LEFT, long=True), Pressed(RIGHT, long=True)


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("L+ R+ L! R! L- R-", [SHUT_DOWN]),
        ("L+ R+ R! L! R- L-", [SHUT_DOWN]),
        ("L+ L! R+ R! L- R-", [LONG_LEFT, LONG_RIGHT]),
        ("L+ R+ L! R- L-", [Pressed(RIGHT), LONG_LEFT]),
        ("L+ R+ L! L- R! R-", [LONG_LEFT, LONG_RIGHT]),
        ("L+ R+ R- L-", [Pressed(RIGHT), Pressed(LEFT)]),
        ("L+ L! L-", [LONG_LEFT]),
        ("O+ L+ O! L-", [Pressed(OK, long=True), Pressed(LEFT)]),
        ("L+ R+ L! R! L- R- L+ L- R+ R! R-", [SHUT_DOWN, Pressed(LEFT), LONG_RIGHT]),
        ("L- R! L+ L-", [Pressed(LEFT)]),
    ],
)
def test_chords_and_presses_are_told_apart(script: str, expected: list[Pressed | Chord]) -> None:
    heard: list[Pressed | Chord] = []
    presses = Presses(heard.append)
    for word in script.split():
        button = {"L": LEFT, "R": RIGHT, "O": OK}[word[0]]
        {"+": presses.down, "!": presses.held, "-": presses.up}[word[1]](button)
    assert heard == expected


def test_two_pins_held_together_are_a_chord(factory: MockFactory) -> None:
    with Buttons({LEFT: 17, RIGHT: 27}, pin_factory=factory, bounce_s=None) as buttons:
        for pin in (17, 27):
            factory.pin(pin).drive_low()
        for device in buttons._devices:
            device.when_held()
        for pin in (27, 17):
            factory.pin(pin).drive_high()
        assert buttons.poll() == (SHUT_DOWN,)


def test_pins_that_cannot_be_used_are_named(factory: MockFactory) -> None:
    with (
        Buttons({Button.OK: 4}, pin_factory=factory, bounce_s=None),
        pytest.raises(PinsError, match="dicetray doctor --only buttons"),
    ):
        Buttons({Button.OK: 4}, pin_factory=factory, bounce_s=None)
