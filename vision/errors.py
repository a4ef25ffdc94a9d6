"""Errors of this package. Each says what was expected, what was found and what to do."""


class VisionError(Exception):
    """Base of everything that vision raises on purpose."""


class PictureError(VisionError, ValueError):
    """A picture that cannot be read: not a picture, truncated, empty, too large, wrong shape."""


class ProfileError(VisionError, ValueError):
    """A profile that cannot be used: damaged, or for another version or picture size.

    Attributes:
        found: what was found.
        advice: what to do; empty if there is nothing more to say.
    """

    def __init__(self, found: str, advice: str = "") -> None:
        super().__init__(f"{found}; {advice}" if advice else found)
        self.found, self.advice = found, advice


class Unreadable(VisionError):
    """A picture about which nothing can be claimed: neither dice nor their absence."""


class TooManySpots(Unreadable):
    """More in view may be dice than can be examined, and none is plainly one: a dotted cloth."""

    def __init__(self) -> None:
        super().__init__(
            "expected a plain floor, found more spots than can be looked at and no die among them; "
            "lay the dice on a plain floor"
        )


class OtherView(Unreadable):
    """A picture of another camera, size or part of the sensor than the profile was made with."""

    def __init__(self, wanted: str, found: str) -> None:
        super().__init__(
            f"the profile was made with other pictures ({wanted}) than these ({found}); "
            "calibrate again"
        )


class OutOfMemory(Unreadable):
    """There is too little memory to read a picture."""

    def __init__(self) -> None:
        super().__init__(
            "the memory is too small to read this picture; make it smaller, or end other programs"
        )


class FaceRefused(VisionError):
    """A face of the Power die that cannot be learnt from this picture.

    Attributes:
        value: the face that was to be learnt.
    """

    def __init__(self, value: str, text: str) -> None:
        super().__init__(f"Power face {value}: {text}")
        self.value = value


class NoDie(FaceRefused):
    """No die, or more than one, lies in the picture."""

    def __init__(self, value: str, count: int) -> None:
        super().__init__(
            value, f"expected one die in the tray, found {count or 'none'}; lay the Power die alone"
        )
        self.count = count


ASIDE = (
    "lay the die elsewhere, move the lamp aside, or put a sheet of paper or an opal one before it, "
    "or crossed polarising films before it and the camera"
)
"""The remedies where a lamp is reflected in a die."""


class WhitedOut(FaceRefused):
    """Glare hides the face.

    Attributes:
        share: how much of the face is white, 0 to 1.
    """

    def __init__(self, value: str, share: float) -> None:
        super().__init__(value, f"glare hides {share:.0%} of the face; {ASIDE}")
        self.share = share


class NoPrint(FaceRefused):
    """The face shows nothing recognisable: print and body are nearly indistinguishable."""

    def __init__(self, value: str, contrast: float) -> None:
        text = f"expected a print, found a contrast of {contrast:.0f} grey levels; give more light"
        super().__init__(value, text)


class Blurred(FaceRefused):
    """The face is out of focus, or the die was moving."""

    def __init__(self, value: str) -> None:
        super().__init__(value, "the picture is blurred; focus the camera, let the die lie still")


class TooAlike(FaceRefused):
    """Two faces of different value that cannot be told apart.

    Attributes:
        other: the face learnt before.
        likeness: their correlation, -1 to 1.
    """

    def __init__(self, value: str, other: str, likeness: float) -> None:
        super().__init__(
            value,
            f"looks like {other} (likeness {likeness:.2f}); was the right face up? "
            "If so, mark one of them with a dot",
        )
        self.other, self.likeness = other, likeness
