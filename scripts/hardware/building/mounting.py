"""How high the camera hangs: what it sees of the rim, and how many pixels a die gets.

It all follows from a pinhole with the focal length of `calibration.markers.lens.CAMERAS`, and from
what pictures of our size show of the sensor: at a distance d a length w takes f w / d pixels.
Markers are at the height of the rim, the tops of dice 16 mm above the floor.
"""

from dataclasses import dataclass
from math import atan, degrees, hypot

from appliance.devices.camera.sensor_mode import USUAL_SIZE, pictures_of
from calibration.markers.lens import CAMERAS, MODULE_3, KnownCamera, Lens
from calibration.quality.focus import MIN_DIE_EDGE_PX
from scripts.hardware.building import sizes
from vision.geometry.sight import part_of_shape

SIZE = USUAL_SIZE
"""Width and height of the pictures that the appliance takes with most cameras."""
SPARE_AROUND_MARKERS_MM = 8.0
"""Millimetres that should be in the picture outside the markers, for a camera not quite centred."""
BEST_DIE_PX = 45.0
"""Edge of a die's top, pixels: no fewer at the best height, if it can be hung so low."""
TRAYS = ((150.0, 106.0), (180.0, 126.0), sizes.FLOOR, (250.0, 176.0), (280.0, 196.0))
HEIGHTS = (320, 370, 430)


@dataclass(frozen=True, slots=True)
class View:
    """The view of a camera at some height above the floor.

    Attributes:
        seen: width and depth at the height of the rim, millimetres.
        die_px: edge of a die's top in the middle of the tray, pixels.
    """

    seen: tuple[float, float]
    die_px: float


def lens(height: float, camera: KnownCamera = MODULE_3) -> Lens:
    """The lens of a camera at this height above the floor, for its pictures."""
    size = pictures(camera)
    return camera.lens(size, part_of_shape(camera.array, size), height)


def pictures(camera: KnownCamera) -> tuple[int, int]:
    """Width and height of the pictures that the appliance takes with a camera, pixels."""
    return pictures_of(camera.models[0])


def view(height: float, camera: KnownCamera = MODULE_3) -> View:
    """The view of a camera with its lens at this height above the floor."""
    focal = float(lens(height, camera).matrix[0, 0])
    away = height - sizes.RIM
    width, height_px = pictures(camera)
    seen = (width * away / focal, height_px * away / focal)
    return View(seen, focal * sizes.DIE / (height - sizes.DIE))


def field(camera: KnownCamera = MODULE_3) -> tuple[int, int]:
    """A camera's field of view in its pictures, whole degrees across and down."""
    across, down = camera.degrees_of(part_of_shape(camera.array, pictures(camera)))
    return round(across), round(down)


def needed(floor: tuple[float, float], holder: bool = False) -> tuple[float, float]:
    """Width and depth that must be seen at the rim: opening, markers, perhaps a holder.

    The camera hangs over the middle, so a holder at one side counts twice.
    """
    lean = sizes.OPENING[0] - sizes.FLOOR[0]
    width, depth = floor[0] + lean + 2 * sizes.PLATE, floor[1] + lean + 2 * sizes.PLATE
    return (width, max(depth, floor[1] + lean + 2 * sizes.HOLDER) if holder else depth)


def spare(floor: tuple[float, float], height: float, camera: KnownCamera = MODULE_3) -> float:
    """Millimetres left outside the markers at the nearer edge of the picture; below 0: cut off."""
    seen, need = view(height, camera).seen, needed(floor)
    return min((seen[0] - need[0]) / 2, (seen[1] - need[1]) / 2)


def lowest(floor: tuple[float, float], holder: bool = False, camera: KnownCamera = MODULE_3) -> int:
    """The lowest height that sees everything with room to spare, centimetres, rounded up."""
    need = needed(floor, holder)
    cm = 10
    while any(
        s < n + 2 * SPARE_AROUND_MARKERS_MM
        for s, n in zip(view(10 * cm, camera).seen, need, strict=True)
    ):
        cm += 1
    return cm


def slant(floor: tuple[float, float], height: float) -> float:
    """Angle from the vertical at which a die in the corner is seen, degrees."""
    return degrees(atan(hypot(*floor) / 2 / (height - sizes.DIE)))


def height_rows() -> list[list[str]]:
    """The rows for some heights above our tray."""
    rows = []
    for height in HEIGHTS:
        seen = view(height)
        left = spare(sizes.FLOOR, height)
        fits = f"{left:.0f}" if left >= 0 else "cut off"
        rows.append(
            [
                f"**{height}**" if height == sizes.LENS_HEIGHT else str(height),
                f"{seen.seen[0]:.0f} × {seen.seen[1]:.0f}",
                fits,
                f"{seen.die_px:.0f}",
                f"{slant(sizes.FLOOR, height):.0f}°",
            ]
        )
    return rows


def best(camera: KnownCamera) -> int:
    """The best height of a camera above our tray, millimetres.

    All is seen with room to spare, a holder too, pictures are sharp, and a die in the corner is
    seen at no more than at the height that is drawn, as far as its picture stays large enough.
    """
    low = max(10 * lowest(sizes.FLOOR, holder=True, camera=camera), camera.sharp_from_mm)
    drawn = sizes.LENS_HEIGHT
    while drawn > low and view(drawn, camera).die_px < BEST_DIE_PX:
        drawn -= 10
    return round(max(low, drawn))


def camera_rows() -> list[list[str]]:
    """The rows for the cameras whose lens is known, above our tray.

    One that is sharp only from a height on, or sees the markers only from there, which the stand
    that is drawn does not have, needs a taller one.
    """
    rows = []
    for camera in CAMERAS:
        left = spare(sizes.FLOOR, sizes.LENS_HEIGHT, camera)
        height = best(camera)
        if camera.sharp_from_mm > sizes.LENS_HEIGHT:
            use = f"no – it can't focus closer than {camera.sharp_from_mm / 1000:g} m"
        elif left < SPARE_AROUND_MARKERS_MM:
            use = "with a taller stand"
        else:
            use = "yes"
        rows.append(
            [
                camera.name,
                ", ".join(f"`{model}`" for model in camera.models),
                "{} × {}".format(*pictures(camera)),
                "{} × {}".format(*field(camera)),
                str(10 * lowest(sizes.FLOOR, camera=camera)),
                str(height),
                f"{left:.0f}" if left >= 0 else "cut off",
                f"{view(height, camera).die_px:.0f}",
                use,
            ]
        )
    return rows


def tray_list() -> str:
    """The lowest lens height for some sizes of tray, in centimetres, without and with a holder."""
    return "\n".join(
        f"- {floor[0]:g} × {floor[1]:g}: {lowest(floor)} cm, {lowest(floor, holder=True)} cm"
        for floor in TRAYS
    )


def highest() -> int:
    """Height in centimetres above which a die is too small for calibration to continue."""
    cm = 40
    while view(10 * (cm + 1)).die_px >= MIN_DIE_EDGE_PX:
        cm += 1
    return cm
