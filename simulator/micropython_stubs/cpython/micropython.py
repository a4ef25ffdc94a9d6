"""The little of MicroPython's `micropython` module that the firmware uses, for CPython."""


def kbd_intr(char: int) -> None:
    """Nothing to do: a pipe has no interrupt character."""
