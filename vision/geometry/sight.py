"""Which part of a camera's sensor its pictures show.

A Pi's camera says it of each frame (`ScalerCrop` in src/libcamera/control_ids_core.yaml): a
rectangle in the sensor's own pixels, even while the sensor merges some of them into one.
"""

from dataclasses import dataclass

Size = tuple[int, int]
Part = tuple[int, int, int, int]

MIN_SHARE_OF_SIDE = 0.97
"""Share of a width or height that counts as all of it: some drivers leave out a few pixels."""
MAX_SHIFT_PX = 1.0
"""How far a place may be from where it would be in pictures of the same sight: libcamera rounds
the edges for one kind of Pi otherwise than for another."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A camera, and the part of its sensor that the pictures show.

    Attributes:
        model: libcamera's name of the camera, such as `imx708_wide`; of a webcam `usb` with the
            numbers of maker and product, such as `usb 046d:0825`, or empty where it has none.
        array: width and height of the whole sensor, its pixels.
        part: left, top, width and height of what is shown, the sensor's pixels.
        degrees: angle of view across the pictures' diagonal, as somebody has given it; None where
            nobody has.
        lens_mm: focal length of the lens that its owner has screwed on, as somebody has given it;
            None where nobody has.
    """

    model: str
    array: Size
    part: Part
    degrees: float | None = None
    lens_mm: float | None = None

    def __str__(self) -> str:
        left, top, width, height = self.part
        shown = f"{width}x{height} of {self.array[0]}x{self.array[1]} pixels"
        lens = "" if self.lens_mm is None else f" with a lens of {self.lens_mm:g} mm"
        return f"{self.model}{lens}, {shown} from {left}, {top}"

    def matches(self, other: "Sight", size: Size) -> bool:
        """True if pictures of this size, of either sight, show every place at the same pixel."""
        if (self.model, self.array) != (other.model, other.array):
            return False
        if None not in (self.lens_mm, other.lens_mm) and self.lens_mm != other.lens_mm:
            return False
        mine, theirs = _edges(self.part), _edges(other.part)
        px = (size[0] / self.part[2], size[1] / self.part[3])
        return all(
            abs(a - b) * px[k % 2] <= MAX_SHIFT_PX
            for k, (a, b) in enumerate(zip(mine, theirs, strict=True))
        )

    def is_cropped(self, size: Size) -> bool:
        """True if pictures of this size could show plainly more of the sensor."""
        whole = part_of_shape(self.array, size)
        shares = (self.part[2] / whole[2], self.part[3] / whole[3])
        return min(shares) < MIN_SHARE_OF_SIDE


def webcam_sight(usb_id: str, size: Size, degrees: float | None = None) -> Sight | None:
    """A webcam's sight as far as its pictures tell it; None if nothing is known.

    Of its sensor nothing is: what the pictures show counts as all of it.

    Args:
        usb_id: maker and product, such as `046d:0825`; empty where they are not known.
        size: width and height of the pictures, pixels.
        degrees: angle of view as somebody has given it.
    """
    if not usb_id and degrees is None:
        return None
    return Sight(f"usb {usb_id}" if usb_id else "", size, (0, 0, *size), degrees)


def _edges(part: Part) -> tuple[int, int, int, int]:
    """Left, top, right and bottom."""
    left, top, width, height = part
    return left, top, left + width, top + height


def part_of_shape(array: Size, size: Size) -> Part:
    """The largest part of a sensor with the shape of pictures of a size, in the middle.

    It is what libcamera cuts from the pixels that the sensor puts out (`boundedToAspectRatio`
    and `centeredTo` in src/libcamera/pipeline/rpi/vc4/vc4.cpp), where these are all of them.
    """
    width = min(array[0], round(array[1] * size[0] / size[1]))
    height = min(array[1], round(array[0] * size[1] / size[0]))
    return (array[0] - width) // 2, (array[1] - height) // 2, width, height
