"""A camera as a text names it, with its options."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spec:
    """A camera as named on the command line and in the configuration.

    Attributes:
        kind: the name of its kind, such as `v4l2`; see `kinds`.
        where: path, device or whole address; empty for kinds that stand alone.
        fps: frames a second, None for the camera's own.
        hold: frames for which a single picture is shown, None for the camera's own.
        size: width and height, pixels, None for the camera's own.
        view: angle of view across the diagonal of its pictures, degrees; None if it is not given.
        lens_mm: focal length of a bought lens, millimetres; None if it is not given.
        camera: which of a Pi's own cameras, a number or a sensor's name; empty for the first.
    """

    kind: str
    where: str
    fps: float | None = None
    hold: int | None = None
    size: tuple[int, int] | None = None
    view: float | None = None
    lens_mm: float | None = None
    camera: str = ""
