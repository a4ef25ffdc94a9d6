"""A small buzzer: a roll was read, the appliance needs somebody, something is wrong.

gpiozero's `TonalBuzzer` sounds until it is stopped, so a sound is a short list of tones that the
main loop goes through; nothing waits.
"""

from enum import Enum
from typing import Any, Protocol, Self


class Sound(Enum):
    """Tones as (hertz, seconds); 0 hertz is silence."""

    READ = ((880.0, 0.06),)
    NEED = ((660.0, 0.09), (0.0, 0.06), (660.0, 0.09))
    WRONG = ((330.0, 0.3),)


class Sounds(Protocol):
    """The port for sounds."""

    def play(self, sound: Sound, time_s: float) -> None:
        """Begins a sound, in place of one that is heard; returns at once."""

    def tick(self, time_s: float) -> None:
        """Goes on with a sound; called by the main loop."""


class Silence:
    """Where there is no buzzer."""

    def play(self, sound: Sound, time_s: float) -> None:
        """Nothing is heard."""

    def tick(self, time_s: float) -> None:
        """Nothing is heard."""


class Buzzer:
    """A buzzer on a pin with PWM.

    Args:
        pin: its BCM pin.
        pin_factory: gpiozero's pin factory; None takes gpiozero's default.
    """

    def __init__(self, pin: int, *, pin_factory: Any = None) -> None:
        import gpiozero  # which takes a while to load, and most appliances have no buzzer

        # Two octaves around A4 hold all tones of `Sound`.
        self._device = gpiozero.TonalBuzzer(pin, octaves=2, pin_factory=pin_factory)
        self._tones: tuple[tuple[float, float], ...] = ()
        self._since_s = 0.0

    def play(self, sound: Sound, time_s: float) -> None:
        """Begins a sound; returns at once."""
        self._tones, self._since_s = sound.value, time_s
        self._start()

    def tick(self, time_s: float) -> None:
        """Goes on to the next tone when its time has come."""
        while self._tones and time_s - self._since_s >= self._tones[0][1]:
            self._since_s, self._tones = self._since_s + self._tones[0][1], self._tones[1:]
            self._start()

    def _start(self) -> None:
        if self._tones and self._tones[0][0]:
            self._device.play(self._tones[0][0])
        else:
            self._device.stop()

    def close(self) -> None:
        """Gives the pin back."""
        self._device.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
