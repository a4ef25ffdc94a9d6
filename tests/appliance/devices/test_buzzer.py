"""Sounds are series of tones that the main loop steps through."""

from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from appliance.devices.buzzer import Buzzer, Silence, Sound


@pytest.fixture
def buzzer() -> Iterator[Buzzer]:
    with Buzzer(10, pin_factory=MockFactory(pin_class=MockPWMPin)) as made:
        yield made


def tone(buzzer: Buzzer) -> float | None:
    heard = buzzer._device.tone
    return None if heard is None else round(heard.frequency)


def test_a_sound_is_heard_for_its_time_and_then_it_is_still(buzzer: Buzzer) -> None:
    buzzer.play(Sound.NEED, 10.0)
    assert tone(buzzer) == 660
    buzzer.tick(10.10)
    assert tone(buzzer) is None
    buzzer.tick(10.16)
    assert tone(buzzer) == 660
    buzzer.tick(10.30)
    assert tone(buzzer) is None
    buzzer.tick(99.0)
    assert tone(buzzer) is None


def test_a_new_sound_takes_the_place_of_the_old_one(buzzer: Buzzer) -> None:
    buzzer.play(Sound.WRONG, 0.0)
    buzzer.play(Sound.READ, 0.1)
    assert tone(buzzer) == 880
    buzzer.tick(0.17)
    assert tone(buzzer) is None


def test_a_loop_that_was_late_does_not_leave_it_sounding(buzzer: Buzzer) -> None:
    buzzer.play(Sound.NEED, 0.0)
    buzzer.tick(5.0)
    assert tone(buzzer) is None


@pytest.mark.parametrize("sound", Sound)
def test_every_sound_is_within_the_buzzers_octaves_and_short(buzzer: Buzzer, sound: Sound) -> None:
    buzzer.play(sound, 0.0)
    assert sum(seconds for _, seconds in sound.value) < 0.5


def test_without_a_buzzer_nothing_happens() -> None:
    Silence().play(Sound.READ, 0.0)
    Silence().tick(1.0)
