"""The base of all prompts."""

from typing import ClassVar


class Prompt:
    """What the board may have to say; `appliance.screens` draws each kind.

    Attributes:
        at_leisure: whether its pages are read at leisure; others come round fast.
    """

    __slots__ = ()
    at_leisure: ClassVar[bool] = False
