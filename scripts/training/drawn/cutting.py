"""Patches for the posture classifier, cut from rendered views and drawn."""

from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from scripts.training.drawn.makes import Generator
from scripts.training.drawn.patches import (
    CAMERA_TILT_TANGENT,
    MAX_LABELLED_LEAN_DEGREES,
    NONE,
    Patch,
    make_patch,
)
from scripts.training.drawn.patches import COVERED as DRAWN_COVERED
from scripts.training.drawn.patches import LEANING as DRAWN_LEANING
from vision.classify.face import Pyramid
from vision.classify.posture import (
    COVERED,
    FLAT,
    LEANING,
    POSTURE_PATCH_EDGE_PX,
    POSTURE_PATCH_SIDE_PX,
    SLANT_GUESSED,
    SLANT_KNOWN,
    SLANT_UNKNOWN,
    STACKED,
    Sights,
    sights_of,
    sights_with,
)
from vision.frame import Image
from vision.geometry.profile import Profile
from vision.geometry.view import TableView
from vision.image.arrays import Float32Array, FloatArray

ANY = -1
"""Label to be ignored: the value of a die that leans, the posture where there is no die."""


CUT_OUT = 0.5
"""Share of the lessons without geometry and slant that are cut from a picture of one die."""
SLANT_LOG_ERROR = 0.27
"""Error of a guessed slant, as the logarithm of a factor (standard deviation), besides
`CAMERA_TILT_TANGENT`: the camera's focal length is not known. Trained on better guesses, the
classifier takes a die on a real table for one that leans towards the camera."""
JITTER = 0.14
"""A top is cut for the face classifier off its middle by up to this along each axis, edges."""
GROWN = 0.3
"""Largest logarithm of its true over its nominal edge."""
BESIDE_DIE_SHARE = 0.25
"""Share of the patches for the face classifier that are cut beside a die."""
BESIDE_DISTANCE = (0.36, 1.0)
"""How far beside its middle, nominal edges."""


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """One example for the posture classifier.

    Attributes:
        picture: (SIDE, SIDE, 3), BGR, 8 bits.
        slant: see `vision.classify.posture.Sights`.
        certainty: likewise.
        value: 0 for no face, 1 to 6, 7 for a symbol, or `ANY`.
        posture: one of the posture classifier's four, or `ANY`.
        lean: which way the top faces, as x and y of its normal in the frame of the patch, (2,);
            0 where a die lies flat, NaN where that is unknown.
    """

    picture: Image
    slant: float
    certainty: float
    value: int
    posture: int
    lean: FloatArray = field(default_factory=lambda: np.full(2, np.nan))


@dataclass(frozen=True, slots=True, eq=False)
class ViewedDie:
    """The truth about a die in a view.

    Attributes:
        value: 1 to 6, 7 for a symbol: the face that points most upwards.
        center: middle of its top in the view, pixels, (2,).
        middle: of its body, likewise.
        edge: of its top, or of a flat top there if it leans, pixels.
        tilt: degrees.
        rise: height of its lowest point, edges.
        hidden: share of its top that is hidden.
    """

    value: int
    center: FloatArray
    middle: FloatArray
    edge: float
    tilt: float
    rise: float
    hidden: float

    @property
    def posture(self) -> int:
        """How it lies, or `ANY` where that is debatable."""
        if self.hidden > 0.5:
            return COVERED
        if self.tilt > 12:
            return LEANING
        if self.rise > 0.25:
            return STACKED
        return FLAT if self.tilt < 4 and self.rise < 0.06 and self.hidden < 0.25 else ANY

    @property
    def readable(self) -> bool:
        """True if its value counts: a top up to half hidden is no excuse for another value."""
        return self.tilt < 4 and self.rise < 0.06 and self.hidden <= 0.5

    def axes(self, profile: Profile) -> FloatArray:
        """Edges along the tray's x and y at the top, pixels, as columns, (2, 2)."""
        return np.asarray(profile.axes(self.center[None])[0], np.float64)

    def lean(self, profile: Profile) -> FloatArray:
        """The horizontal part of the top's normal in the tray's frame, (2,)."""
        edge, tilt = profile.die_edge_mm, np.radians(self.tilt)
        if tilt < 1e-3:
            return np.zeros(2)
        # The height of a die that stands on an edge: on a corner a little more, which shifts both.
        low = edge * (self.rise + (np.cos(tilt) + np.sin(tilt)) / 2)
        top = profile.to_mm(self.center[None], float(low + edge / 2 * np.cos(tilt)))[0]
        way = top - profile.to_mm(self.middle[None], float(low))[0]
        return np.asarray(way * np.sin(tilt) / max(float(np.hypot(*way)), 1e-6), np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A part of a picture, the installation as seen in it, and its dice.

    Attributes:
        picture: the part.
        profile: for pictures of the part's size.
        corner: pixel of the whole picture at its top left.
        whole: width and height of the whole picture.
        dice: those seen.
    """

    picture: Image
    profile: Profile
    corner: tuple[int, int]
    whole: tuple[int, int]
    dice: tuple[ViewedDie, ...]


def cut_lessons(rng: Generator, view: View, known: bool = False) -> list[Lesson]:
    """Cuts a view's lessons: dice and places beside them; unless `known`, also without geometry."""
    pyramid = Pyramid(view.picture)
    lessons: list[Lesson] = []
    for number, die in enumerate(view.dice):
        if die.hidden > 0.95 and rng.random() < 0.8:
            continue
        doubtful = (SLANT_GUESSED, SLANT_GUESSED if rng.random() < 0.6 else SLANT_UNKNOWN)
        for certainty in (SLANT_KNOWN, SLANT_KNOWN, *(() if known else doubtful)):
            if number and not _all_seen(view, die):
                continue
            beside = rng.random() < 0.1
            sights = _sights(rng, view, die, certainty, beside)
            if certainty == SLANT_UNKNOWN and rng.random() < CUT_OUT:
                picture = _cut_out(rng, view, die, sights)
            else:
                picture = pyramid.patch(
                    sights.centers[0], sights.axes[0], POSTURE_PATCH_SIDE_PX, POSTURE_PATCH_EDGE_PX
                )
            posture = ANY if beside else die.posture
            value = NONE if beside else die.value
            if not beside and not die.readable:
                value = ANY
            lean = np.full(2, np.nan)
            if certainty != SLANT_UNKNOWN and not beside and die.hidden < 0.5:
                lean = np.linalg.solve(
                    sights.axes[0], die.axes(view.profile) @ die.lean(view.profile)
                )
            slant = float(sights.slants[0])
            lessons.append(Lesson(spoilt(rng, picture), slant, certainty, value, posture, lean))
    return lessons


def cut_patches(rng: Generator, view: View) -> list[Patch]:
    """Cuts patches for the face classifier from a view, without the kinds and turns of dice."""
    pyramid = Pyramid(view.picture)
    patches: list[Patch] = []
    for number, die in enumerate(view.dice):
        if number and not _all_seen(view, die):
            continue
        for level in (np.eye(2) * die.edge, die.axes(view.profile)):
            label = _seen_face(die)
            shift, grown = rng.uniform(-JITTER, JITTER, 2), float(rng.uniform(-GROWN, GROWN))
            if rng.random() < BESIDE_DIE_SHARE:
                away = rng.uniform(0, 2 * np.pi)
                shift = rng.uniform(*BESIDE_DISTANCE) * np.array((np.cos(away), np.sin(away)))
                label = NONE
            axes = level * np.exp(-grown)
            picture = pyramid.patch(die.center - axes @ shift, axes)
            pose = np.array([*shift, grown, np.nan, np.nan], np.float32)
            patches.append(Patch(spoilt(rng, picture), label, -1, pose))
    return patches


def _seen_face(die: ViewedDie) -> int:
    """The class that the face classifier should output for a die."""
    if die.hidden > 0.2:
        return DRAWN_COVERED if die.hidden < 0.8 else NONE
    return DRAWN_LEANING if die.tilt > MAX_LABELLED_LEAN_DEGREES else die.value


def _cut_out(rng: Generator, view: View, die: ViewedDie, sights: Sights) -> Image:
    """A patch of a picture cropped close round the die, as cut-outs of single dice are."""
    middle = (die.center + die.middle) / 2
    least = np.hypot(*(die.center - middle)) + 0.6 * die.edge
    low = middle - least - rng.uniform(0, 0.5, 2) * die.edge
    high = middle + least + rng.uniform(0, 0.5, 2) * die.edge
    size = np.array(view.picture.shape[1::-1])
    left, top = (int(v) for v in np.clip(low, 0, size - 8))
    right, bottom = (int(v) for v in np.clip(high, (left + 8, top + 8), size))
    part = Pyramid(np.ascontiguousarray(view.picture[top:bottom, left:right]))
    return part.patch(
        sights.centers[0] - (left, top),
        sights.axes[0],
        POSTURE_PATCH_SIDE_PX,
        POSTURE_PATCH_EDGE_PX,
    )


def _all_seen(view: View, die: ViewedDie) -> bool:
    """True if the view holds everything that the patch of a die should show."""
    size = np.array(view.picture.shape[1::-1])
    reach = die.edge * POSTURE_PATCH_SIDE_PX / POSTURE_PATCH_EDGE_PX / 2
    start, end = np.array(view.corner), np.array(view.corner) + size
    low = (die.center > reach) | (start <= 0)
    high = (die.center < size - reach) | (end >= np.array(view.whole))
    return bool((low & high).all())


def _sights(rng: Generator, view: View, die: ViewedDie, certainty: float, beside: bool) -> Sights:
    """How a reader would look at a die: close to its middle, close to its size."""
    spread = 0.035 if rng.random() < 0.75 else 0.09
    center = die.center
    if die.posture == LEANING and rng.random() < 0.2:
        center = die.middle
    center = center + rng.normal(0, spread, 2) * die.edge
    if beside:
        away = rng.uniform(0, 2 * np.pi)
        center = center + rng.uniform(0.42, 1.1) * die.edge * np.array((np.cos(away), np.sin(away)))
    places = center[None]
    if certainty == SLANT_KNOWN:
        sights = sights_with(view.profile, places, 1.0)
        grown = float(np.exp(rng.normal(0, 0.008)))
        turn = float(rng.normal(0, 0.04))
    else:
        doubt = 0.05 if die.posture == FLAT else 0.1
        edges = np.array([die.edge * np.exp(rng.normal(0, doubt))])
        corner = np.array(view.corner)
        above = TableView.from_above(view.whole)
        sights = sights_of(above, places + corner, edges)
        sights = replace(sights, centers=places, slants=_guessed(rng, sights.slants))
        grown = 1.0
        turn = float(
            rng.normal(0, 0.1) if certainty == SLANT_GUESSED else rng.uniform(-np.pi, np.pi)
        )
    c, s = np.cos(turn), np.sin(turn)
    spin = np.array(((c, -s), (s, c)))
    slants = sights.slants if certainty != SLANT_UNKNOWN else np.zeros(1)
    return Sights(sights.centers, sights.axes @ spin * grown, slants, certainty)


def _guessed(rng: Generator, slants: FloatArray) -> FloatArray:
    """Slants as guessed from places in a picture."""
    factor = np.exp(rng.normal(0, SLANT_LOG_ERROR))
    return np.asarray(np.abs(slants * factor + rng.normal(0, CAMERA_TILT_TANGENT)), np.float64)


def draw_lesson(rng: Generator) -> Lesson:
    """Draws a lesson: rougher than a view, but with many more makes of dice and floors."""
    certainty = SLANT_GUESSED if rng.random() < 0.5 else SLANT_UNKNOWN
    drawn = make_patch(
        rng, POSTURE_PATCH_SIDE_PX, POSTURE_PATCH_EDGE_PX, outward=certainty == SLANT_GUESSED
    )
    posture = FLAT
    value = drawn.label
    if drawn.label == NONE:
        posture = ANY
    elif drawn.label == DRAWN_LEANING:
        # Seen from an unknown direction, a die that stands alone may just as well lie flat.
        value, posture = ANY, LEANING if certainty == SLANT_GUESSED else ANY
    elif drawn.label == DRAWN_COVERED:
        value, posture = ANY, COVERED
    slant = float(_guessed(rng, np.array(drawn.lean))) if certainty == SLANT_GUESSED else 0.0
    return Lesson(drawn.picture, slant, certainty, value, posture)


def _lit(rng: Generator, picture: Float32Array) -> Float32Array:
    """A patch with the edge of a shadow or a soft spot of light over it, 0 to 1."""
    side = picture.shape[0]
    axis = np.arange(side, dtype=np.float32) / side - 0.5
    if rng.random() < 0.6:
        angle = rng.uniform(0, 2 * np.pi)
        u = np.cos(angle) * axis[:, None] + np.sin(angle) * axis[None] - rng.normal(0, 0.2)
        dark = 1 / (1 + np.exp(-u * rng.uniform(8, 120)))
        return np.asarray(picture * (1 - rng.uniform(0.15, 0.65) * dark)[..., None], np.float32)
    x, y = rng.uniform(-0.35, 0.35, 2)
    wide = rng.uniform(0.05, 0.25)
    spot = np.exp(-((axis[:, None] - y) ** 2 + (axis[None] - x) ** 2) / (2 * wide**2))
    weight = (spot * rng.uniform(0.1, 0.6))[..., None]
    return np.asarray(picture + (1 - picture) * weight, np.float32)


def spoilt(rng: Generator, picture: Image) -> Image:
    """A patch as other cameras would take it: colour, blur, noise, JPEG."""
    out = picture.astype(np.float32) / np.float32(255)
    if rng.random() < 0.25:
        out = _lit(rng, out)
    gains = np.exp(rng.normal(0, 0.1, 3) + rng.normal(0, 0.2)).astype(np.float32)
    out = np.clip(out * gains, 0, 1) ** np.float32(np.exp(rng.normal(0, 0.2)))
    if rng.random() < 0.3:
        out = cv2.GaussianBlur(out, (0, 0), float(rng.uniform(0.4, 1.3)))
    elif rng.random() < 0.3:
        soft = cv2.GaussianBlur(out, (0, 0), 1.0)
        out = out + (out - soft) * np.float32(rng.uniform(0.2, 1.0))
    noise: Float32Array = rng.standard_normal(out.shape, dtype=np.float32)
    out = out + noise * np.float32(rng.uniform(0, 0.025))
    done = np.asarray(np.clip(out * 255, 0, 255), dtype=np.uint8)
    if rng.random() < 0.25:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(50, 95))]
        done = np.asarray(
            cv2.imdecode(cv2.imencode(".jpg", done, quality)[1], cv2.IMREAD_COLOR), dtype=np.uint8
        )
    return done
