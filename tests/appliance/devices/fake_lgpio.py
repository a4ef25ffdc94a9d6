"""A fake lgpio whose lines a test pulls, so that gpiozero's own LGPIOFactory can run anywhere.

Functions and arguments are those of lgpio 0.2.2.0 (https://abyz.me.uk/lg/py_lgpio.html), which
`test_real_parts.py` compares with an installed one.
"""

from collections.abc import Callable, Mapping
from types import ModuleType

RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3
SET_PULL_UP, SET_PULL_DOWN, SET_PULL_NONE = 32, 64, 128
_OUT = 1 << 1

Callback = Callable[[int, int, int, int], None]


class error(Exception):  # noqa: N801  # as lgpio calls it
    pass


class Chip:
    """The lines of a gpiochip: what they are claimed for, and their levels.

    Args:
        number: its device's.
        labels: of all chips of the machine by their numbers; None where one cannot be opened.
    """

    def __init__(self, number: int = 0, labels: Mapping[int, str | None] | None = None) -> None:
        self.number = number
        self.labels = labels or {0: "pinctrl-bcm2711", 1: "raspberrypi-exp-gpio"}
        self.levels: dict[int, int] = {}
        self.flags: dict[int, int] = {}
        self.debounce: dict[int, int] = {}
        self.callbacks: dict[int, tuple[int, Callback]] = {}
        self.opened: list[int] = []

    @property
    def open(self) -> bool:
        """True while any chip is open."""
        return bool(self.opened)

    def pull(self, gpio: int, level: int) -> None:
        """Does what a finger does: the line changes, and callbacks for such an edge are called."""
        self.levels[gpio] = level
        if gpio in self.callbacks:
            edges, callback = self.callbacks[gpio]
            if edges & (RISING_EDGE if level else FALLING_EDGE):
                callback(0, gpio, level, 1_000_000)


class _Callback:
    def __init__(self, chip: Chip, gpio: int) -> None:
        self._chip, self._gpio = chip, gpio

    def cancel(self) -> None:
        self._chip.callbacks.pop(self._gpio, None)


class _Library:
    """The functions of lgpio that gpiozero calls, as methods."""

    def __init__(self, chip: Chip) -> None:
        self._chip = chip

    def gpiochip_open(self, gpiochip: int) -> int:
        if self._chip.labels.get(gpiochip) is None:
            raise error("can not open gpiochip")
        self._chip.opened.append(gpiochip)
        # As lgpio makes handles, so that one from elsewhere is noticed.
        return (gpiochip << 16) | 7

    def gpiochip_close(self, handle: int) -> int:
        self._chip.opened.remove(handle >> 16)
        return 0

    def gpio_get_chip_info(self, handle: int) -> list[object]:
        return [0, 54, f"gpiochip{handle >> 16}", self._chip.labels[handle >> 16]]

    def gpio_claim_input(self, handle: int, gpio: int, lFlags: int = 0) -> int:  # noqa: N803
        assert handle >> 16 == self._chip.number, "lines of another chip may switch off the machine"
        self._chip.flags[gpio] = lFlags
        # A line with a pull-up that nothing pulls down is high.
        self._chip.levels[gpio] = int(lFlags == SET_PULL_UP)
        return 0

    def gpio_claim_output(self, handle: int, gpio: int, level: int = 0, lFlags: int = 0) -> int:  # noqa: N803
        self._chip.flags[gpio], self._chip.levels[gpio] = _OUT, level
        return 0

    def gpio_claim_alert(
        self,
        handle: int,
        gpio: int,
        eFlags: int,  # noqa: N803
        lFlags: int = 0,  # noqa: N803
        notify_handle: int | None = None,
    ) -> int:
        assert handle >> 16 == self._chip.number, "lines of another chip may switch off the machine"
        self._chip.flags[gpio] = lFlags
        return 0

    def gpio_read(self, handle: int, gpio: int) -> int:
        return self._chip.levels[gpio]

    def gpio_write(self, handle: int, gpio: int, level: int) -> int:
        if not self._chip.flags[gpio] & _OUT:
            raise error("GPIO not set as an output")
        self._chip.levels[gpio] = int(level)
        return 0

    def gpio_set_debounce_micros(self, handle: int, gpio: int, debounce_micros: int) -> int:
        self._chip.debounce[gpio] = debounce_micros
        return 0

    def gpio_get_mode(self, handle: int, gpio: int) -> int:
        return self._chip.flags.get(gpio, 0)

    def gpio_free(self, handle: int, gpio: int) -> int:
        self._chip.flags.pop(gpio, None)
        return 0

    def callback(
        self, handle: int, gpio: int, edge: int = 1, func: Callback | None = None
    ) -> _Callback:
        assert func is not None
        self._chip.callbacks[gpio] = (edge, func)
        return _Callback(self._chip, gpio)

    def tx_pwm(
        self,
        handle: int,
        gpio: int,
        pwm_frequency: float,
        pwm_duty_cycle: float,
        pulse_offset: int = 0,
        pulse_cycles: int = 0,
    ) -> int:
        self._chip.levels[gpio] = int(pwm_frequency)
        return 0


def functions(chip: Chip) -> dict[str, Callable[..., object]]:
    """The functions of lgpio that gpiozero calls, by name."""
    library = _Library(chip)
    return {name: getattr(library, name) for name in vars(_Library) if not name.startswith("_")}


def module(chip: Chip) -> ModuleType:
    """A module to install under the name `lgpio`."""
    made = ModuleType("lgpio")
    constants: tuple[str, ...] = ("RISING_EDGE", "FALLING_EDGE", "BOTH_EDGES")
    constants += ("SET_PULL_UP", "SET_PULL_DOWN", "SET_PULL_NONE")
    for name in constants:
        setattr(made, name, globals()[name])
    made.error = error  # type: ignore[attr-defined]
    for name, function in functions(chip).items():
        setattr(made, name, function)
    return made
