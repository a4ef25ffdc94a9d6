"""The whole calibration of one installation: more than vision needs to read."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from calibration.accuracy import Check
from calibration.errors import StoreError
from calibration.markers.lens import MeasuredLens
from calibration.own_dice import OwnDice
from vision.geometry.profile import PowerFace, Profile
from vision.image.arrays import FloatArray

SPREADS_OF_WORST_PLACE = 1.4
"""Standard deviations of the fit within which the worst place lies in nineteen of twenty trays."""


@dataclass(frozen=True, slots=True)
class Look:
    """How the markers looked when all was well: light and sharpness at the tray's corners.

    Attributes:
        white: grey level of each marker's paper.
        black: of its ink.
        width_mm: width of its edges from 10 % to 90 %, millimetres; small is sharp.
    """

    white: tuple[float, ...]
    black: tuple[float, ...]
    width_mm: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Hanging:
    """How a camera hangs over a tray, as seen from the middle of its markers, or of its floor.

    Attributes:
        height_mm: above them.
        lean_deg: from straight down.
        x_mm: to the right of it.
        y_mm: nearer than it.
        width_mm: of what the markers span.
        depth_mm: likewise.
    """

    height_mm: float
    lean_deg: float
    x_mm: float
    y_mm: float
    width_mm: float
    depth_mm: float


@dataclass(frozen=True, slots=True)
class Difference:
    """A calibration less the one before.

    Attributes:
        height_mm: of the camera.
        lean_deg: of the camera, from straight down.
        width_mm: of what the markers span.
        depth_mm: likewise.
        aside_mm: how far the tray lies from where it lay below the camera.
    """

    height_mm: float
    lean_deg: float
    width_mm: float
    depth_mm: float
    aside_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """One installation, as it is stored.

    Attributes:
        profile: what vision needs.
        layout: corners of the four markers, (4, 4, 3) millimetres in the profile's world, each
            from its own top left clockwise; None where the tray has none.
        look: how the markers looked; None where there are none.
        rim_mm: height of the rim above the floor.
        rim_known: whether somebody has entered it, or the printed board has shown it.
        rim_learnt: whether throws of dice have shown it; where it is not known either, it is what
            most trays have.
        print_scale: size of the printed markers; 1 is as it should be.
        print_known: whether the paper's edges or a card have shown it.
        doubt_mm: one standard deviation of places on the tops of dice; None if not known.
        lens_source: where the lens parameters come from.
        controls: the values that the camera was locked to, by control name.
        holders: corners of the holder zone, (n, 2) millimetres; None where there is none.
        holder_learnt: whether it was learnt from where players put dice, and not shown: then dice
            may stand elsewhere, too.
        check: dice that players have checked since this calibration.
        size_known: whether some throws have confirmed the size of the dice.
        sizes_denied: edges that dice seemed to have, millimetres, when people said that they are
            the same dice.
        lens: the camera's, where it was measured with the printed board; it serves again when the
            tray is measured anew.
        answers: faces of the Power die as players have named them, and how they looked, oldest
            first; see `calibration.self_calibration.answers`.
        own_dice: how the owner's dice were read so far.
        hung: how the camera hung when the tray was measured, where it was followed since.
        since: what was different then from the calibration before; None where there was none.
    """

    profile: Profile
    layout: FloatArray | None = None
    look: Look | None = None
    rim_mm: float | None = None
    rim_known: bool = True
    rim_learnt: bool = False
    print_scale: float = 1.0
    print_known: bool = False
    doubt_mm: float | None = None
    lens_source: str = ""
    controls: Mapping[str, float] = field(default_factory=dict)
    holders: FloatArray | None = None
    holder_learnt: bool = False
    check: Check = field(default_factory=Check)
    size_known: bool = False
    sizes_denied: tuple[float, ...] = ()
    lens: MeasuredLens | None = None
    answers: tuple[PowerFace, ...] = ()
    own_dice: OwnDice = field(default_factory=OwnDice)
    hung: Hanging | None = None
    since: Difference | None = None

    def __post_init__(self) -> None:
        if self.layout is not None and (
            self.layout.shape != (4, 4, 3) or not np.isfinite(self.layout).all()
        ):
            raise StoreError("layout: expected four markers of four corners of three numbers")
        if self.holders is not None and (
            self.holders.ndim != 2
            or self.holders.shape[1] != 2
            or len(self.holders) < 3
            or not np.isfinite(self.holders).all()
        ):
            raise StoreError("holders: expected three or more corners of two numbers")

    @property
    def off_mm(self) -> float | None:
        """How far off places may be at the worst corner, millimetres; None if not known.

        In nineteen of twenty trays it is less, measured on rendered ones (`docs/seeing.md`).
        """
        return None if self.doubt_mm is None else SPREADS_OF_WORST_PLACE * self.doubt_mm

    @property
    def floor_mm(self) -> tuple[float, float] | None:
        """Width and depth of the floor as somebody entered them; None where markers gave them."""
        if self.layout is not None:
            return None
        width, depth = np.ptp(self.profile.tray, axis=0)
        return round(float(width), 1), round(float(depth), 1)

    def measured_anew(self, geometry: "Calibration") -> "Calibration":
        """This tray, measured again: what was learnt of its dice is kept."""
        profile = replace(
            geometry.profile,
            die_edge_mm=self.profile.die_edge_mm,
            power_faces=self.profile.power_faces,
            colours=self.profile.colours,
            confirmed=self.profile.confirmed,
        )
        return replace(
            geometry,
            profile=profile,
            controls=geometry.controls or self.controls,
            holders=self.holders,
            holder_learnt=self.holder_learnt,
            check=self.check,
            size_known=self.size_known,
            sizes_denied=self.sizes_denied,
            lens=geometry.lens or self.lens,
            answers=self.answers,
            own_dice=self.own_dice,
        )

    def with_dice_of(self, edge_mm: float) -> "Calibration":
        """This tray with dice of another size: what was learnt of the old ones is forgotten."""
        profile = replace(self.profile, die_edge_mm=edge_mm, colours=(), confirmed=())
        return replace(self, profile=profile, size_known=False, sizes_denied=(), own_dice=OwnDice())

    def with_dice_known_as(self, other: "Calibration") -> "Calibration":
        """This calibration with what another one knows of the look of its dice."""
        profile = replace(self.profile, confirmed=other.profile.confirmed)
        return replace(self, profile=profile, own_dice=other.own_dice)

    def with_check(self, check: Check) -> "Calibration":
        """This calibration with other figures of the check."""
        return replace(self, check=check)
