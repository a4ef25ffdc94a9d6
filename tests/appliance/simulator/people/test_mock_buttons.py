"""Buttons on mock pins: presses arrive, and leave nothing behind."""

from gpiozero.pins.mock import MockFactory

from appliance.config import Config
from appliance.devices.buttons import LONG_PRESS_S, Buttons
from appliance.inputs import SHUT_DOWN, Button, Pressed
from appliance.simulator.people.mock_buttons import MockButtons


def test_pins_do_not_remember_a_long_evening() -> None:
    config = Config().buttons
    pins = dict(config.pins)
    factory = MockFactory()
    with Buttons(pins, config.lights, pin_factory=factory, bounce_s=None) as buttons:
        mock = MockButtons(factory, pins)
        for press in range(200):
            mock.press(Button.OK)
            buttons.light([press % 5])
            assert buttons.poll() == (Pressed(Button.OK),)
        assert max(len(pin.states) for pin in factory.pins.values()) <= 4
    factory.reset()


def test_a_held_button_stays_down_until_it_was_long_enough() -> None:
    now = [0.0]
    config = Config().buttons
    pins = dict(config.pins)
    factory = MockFactory()
    with Buttons(pins, config.lights, pin_factory=factory, bounce_s=None):
        mock = MockButtons(factory, pins, lambda: now[0])
        mock.hold(Button.OK)
        mock.release_held()
        early = mock.busy
        now[0] = 2 * LONG_PRESS_S
        mock.release_held()
        assert (early, mock.busy) == (True, False)
    factory.reset()


def test_one_long_press_after_another_is_no_chord() -> None:
    now = [0.0]
    config = Config().buttons
    pins = dict(config.pins)
    factory = MockFactory()
    with Buttons(pins, config.lights, pin_factory=factory, bounce_s=None) as buttons:
        mock = MockButtons(factory, pins, lambda: now[0])
        mock.hold(Button.LEFT)
        mock.hold(Button.RIGHT)
        down = [buttons.down()]
        for _ in range(2):
            now[0] += 2 * LONG_PRESS_S
            mock.release_held()
            down.append(buttons.down())
        assert down == [{Button.LEFT}, {Button.RIGHT}, frozenset()]
        assert not mock.busy
        mock.hold(*SHUT_DOWN.buttons)
        assert buttons.down() == SHUT_DOWN.buttons
    factory.reset()
