"""A small buzzer: a roll was read, somebody is needed, a press did nothing, something is wrong.

gpiozero's `TonalBuzzer` sounds until it is stopped, so a sound is a short list of tones that the
main loop steps through; nothing waits.
"""

from enum import Enum
from typing import Any, Protocol, Self


class Sound(Enum):
    """Tones as (hertz, seconds); 0 hertz is silence."""

    READ = ((880.0, 0.06),)
    NEED = ((660.0, 0.09), (0.0, 0.06), (660.0, 0.09))
    WRONG = ((330.0, 0.3),)
    UNTAKEN = ((220.0, 0.05),)
    NEWS = ((440.0, 0.09), (554.0, 0.09), (660.0, 0.09), (880.0, 0.18))


class Sounds(Protocol):
    """The port for sounds."""

    def play(self, sound: Sound, time_s: float) -> None:
        """Starts a sound, replacing any that is playing; returns at once."""

    def tick(self, time_s: float) -> None:
        """Continues a sound; called by the main loop."""


class Silence:
    """For an appliance without a buzzer."""

    def play(self, sound: Sound, time_s: float) -> None:
        """Does nothing."""

    def tick(self, time_s: float) -> None:
        """Does nothing."""


class Buzzer:
    """A buzzer on a pin with PWM.

    Args:
        pin: its BCM pin.
        pin_factory: gpiozero's pin factory; None takes that of the header.

    Raises:
        PinsInUseError: something else is using the pin.
        PinsError: it cannot be used, or which chip has the header's pins is not known.
    """

    def __init__(self, pin: int, *, pin_factory: Any = None) -> None:
        # Gpiozero takes a while to load, and most appliances have no buzzer.
        import gpiozero

        from appliance.devices.header import pins_error, use_header

        try:
            if pin_factory is None:
                use_header()
            # Two octaves around A4 hold all tones of `Sound`.
            self._device = gpiozero.TonalBuzzer(pin, octaves=2, pin_factory=pin_factory)
        except Exception as error:
            raise pins_error(error, f"GPIO pin {pin} for the buzzer") from error
        self._tones: tuple[tuple[float, float], ...] = ()
        self._since_s = 0.0

    def play(self, sound: Sound, time_s: float) -> None:
        """Starts a sound; returns at once."""
        self._tones, self._since_s = sound.value, time_s
        self._start_tone()

    def tick(self, time_s: float) -> None:
        """Moves on to the next tone when it is due."""
        while self._tones and time_s - self._since_s >= self._tones[0][1]:
            self._since_s, self._tones = self._since_s + self._tones[0][1], self._tones[1:]
            self._start_tone()

    def _start_tone(self) -> None:
        if self._tones and self._tones[0][0]:
            self._device.play(self._tones[0][0])
        else:
            self._device.stop()

    def close(self) -> None:
        """Releases the pin."""
        self._device.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
