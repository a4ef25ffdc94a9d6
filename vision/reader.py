"""The reader: pictures of one moment in, one reading out. It keeps no state between moments."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import repeat

import numpy as np
from numpy.typing import ArrayLike

from vision.body_colours import known_bodies
from vision.classify.face import Pyramid
from vision.decide.acceptance import is_acceptable_risk, lying_risk, may_be_floor, state_of
from vision.decide.claim import (
    Claim,
    as_six,
    confirmed_without_geometry,
    likeliest_face,
    may_show_power_face,
    with_power_face,
    without_hidden_value,
)
from vision.decide.confirmed import without_symbol
from vision.decide.evidence import TrayPlace
from vision.decide.sides import are_sides
from vision.detect.body import has_body
from vision.detect.detection import Detection
from vision.detect.detector import detect_dice
from vision.detect.presence import MAX_SIZE_RATIO
from vision.detect.region import Region, calibrated_view, whole_view
from vision.errors import ProfileError
from vision.exposures import combine_exposures, may_be_in_glare
from vision.frame import Image
from vision.geometry.axes import top_edges
from vision.geometry.profile import DIE_EDGE_MM, Profile
from vision.image.memory import memory_watched
from vision.power_die.faces import LearnedFaces, Match, match_at
from vision.reading import DieReading, DieState, TrayReading, TrayState

NEAR_DIE = 1.7
NEAR_WALL = 1.1
"""Nearer than this to the middle of another die, or to a wall, a die may lean on it, edges."""
BEYOND_WALL = 0.8
"""A die more than this many edges outside the floor lies beyond the walls."""

# How large dice appear in this picture is measured on those that are plainly dice.
MAX_NO_DIE = 0.01
"""Probability of no die of those."""
MIN_MATES = 3
"""How many of them there must be."""
SIZE_RANGE = (0.8, 1.2)
"""The limits of their median size, in edges."""

MAX_SIZE_DIFFERENCE_LOG = float(np.log(MAX_SIZE_RATIO))
"""Without geometry, how much the logarithm of an edge may differ from that of other dice."""

MAX_DOUBTFUL = 12
"""With more places in doubt than this, without geometry, the floor is crowded with lookalikes."""
MAX_SIZE_RATIO_ON_CROWDED_FLOOR = 1.4
"""How much larger or smaller than claimed dice a die in doubt may be there."""


class Reader:
    """Reads still pictures.

    Args:
        profile: of the installation; None to read any picture.
    """

    def __init__(self, profile: Profile | None = None) -> None:
        self.profile = profile
        self._view = None if profile is None else calibrated_view(profile)
        self._edge_mm = DIE_EDGE_MM if profile is None else profile.die_edge_mm
        self._faces = LearnedFaces.of(() if profile is None else profile.power_faces)
        self._bodies = known_bodies(() if profile is None else profile.confirmed)

    def read(self, image: Image, darker: Sequence[Image] = ()) -> TrayReading:
        """Reads one picture, (height, width, 3), BGR.

        Args:
            image: the picture.
            darker: pictures of the same scene, each with less exposure than the one before, which
                show dice that a lamp washes out in `image`.

        Raises:
            ProfileError: the profile is for pictures of another size.
            OutOfMemory: there is too little memory.
        """
        with memory_watched():
            reading = self._read_exposure(image, image)
        return self.read_again(image, reading, darker) if darker else reading

    def read_again(
        self, image: Image, reading: TrayReading, darker: Sequence[Image]
    ) -> TrayReading:
        """Adds what darker pictures show to a picture's reading; the result is as from `read`.

        Where the empty tray is known, dice that one of them shows without glare are not read again.
        """
        seen, plain = [(image, reading)], list[DieReading]()
        with memory_watched():
            for one in darker:
                if self._view is not None and self._view.background is not None:
                    plain = [
                        die
                        for die in combine_exposures(seen).dice
                        if not all(may_be_in_glare(shown, die) for shown, _ in seen)
                    ]
                darker_reading = self._read_exposure(one, image, plain)
                # A picture that drowns in noise adds nothing to the others.
                if not darker_reading.crowded:
                    seen.append((one, darker_reading))
        return combine_exposures(seen)

    def _read_exposure(
        self, image: Image, lit: Image, plain: Sequence[DieReading] = ()
    ) -> TrayReading:
        """Reads a picture of a scene that `lit` shows at the exposure of the empty tray.

        The dice that are plain there are left out.
        """
        height, width = image.shape[:2]
        if self.profile is not None and self.profile.size != (width, height):
            raise ProfileError(
                f"the profile is for pictures of {self.profile.size[0]}x{self.profile.size[1]}, "
                f"this one is {width}x{height}; calibrate with this camera's pictures"
            )
        view = self._view or whole_view(width, height)
        work = view.work(image)
        explained = view.to_work(np.array([die.center for die in plain]).reshape(-1, 2))
        detected = detect_dice(work, view, None if lit is image else view.work(lit), explained)
        found = detected.dice
        places = self._tray_places(found, view)
        edges = [one.edge for one in found]
        if places is None:
            alone = _are_far_apart([one.center for one in found], edges)
        else:
            alone = self._are_alone(places, [die.mm for die in plain if die.mm is not None])
        pyramid = Pyramid(work)
        dice = [
            self._read_die(pyramid, one, view, far, place)
            for one, far, place in zip(found, alone, places or repeat(None), strict=False)
        ]
        dice = [
            _withdraw_if_floor(die, one, detected.crowded)
            for die, one in zip(dice, found, strict=True)
        ]
        if self.profile is None:
            dice = _withdraw_odd_sizes(dice, edges)
            if detected.crowded or sum(not die.sure for die in dice) > MAX_DOUBTFUL:
                dice = _leave_out_specks(dice, edges)
        elif places is not None:
            sides = are_sides(found, places, self.profile)
            dice = [die for die, side in zip(dice, sides, strict=True) if die.sure or not side]
        if self.profile is not None and self.profile.held_anywhere:
            # Beside the tray a cup, a marker or a thumb may pass for a die, but not for a sure one.
            known = self.profile
            dice = [
                die
                for die in dice
                if die.sure or not die.held or (die.mm and known.held(np.array(die.mm)))
            ]
        dice.sort(key=lambda d: d.center)
        state = TrayState.STILL if dice else TrayState.EMPTY
        return TrayReading(state, tuple(dice), detected.crowded)

    def _tray_places(self, found: list[Detection], view: Region) -> list[TrayPlace] | None:
        """Where dice lie; None without geometry."""
        profile, part = self.profile, view.profile
        if profile is None or part is None:
            return None
        centers = np.array([one.center for one in found]).reshape(-1, 2)
        ground = profile.to_mm(view.to_picture(centers), profile.die_edge_mm)
        tops = top_edges(part.axes(view.to_part(centers))) * view.scale
        sizes = np.array([one.edge for one in found]) / tops
        inside = [profile.inside_mm(mm) for mm in ground]
        in_tray = [
            far >= 0 and one.faces[0] < MAX_NO_DIE for far, one in zip(inside, found, strict=True)
        ]
        if sum(in_tray) >= MIN_MATES:
            sizes /= np.clip(np.median(sizes[in_tray]), *SIZE_RANGE)
        beyond = [far < -BEYOND_WALL * self._edge_mm for far in inside]
        # If the empty tray is known but no holder, dice laid beside the tray stand in some holder.
        unknown = profile.held_anywhere and profile.empty is not None
        return [
            TrayPlace(
                mm=(float(mm[0]), float(mm[1])),
                inside=inside[k],
                held=profile.held(mm) or (unknown and beyond[k]),
                beyond=beyond[k],
                size=float(sizes[k]),
            )
            for k, mm in enumerate(ground)
        ]

    def _are_alone(self, places: list[TrayPlace], others: list[tuple[float, float]]) -> list[bool]:
        """True for each die that has no other die, also none of the `others`, and no wall near."""
        edge, all_mm = self._edge_mm, [*(place.mm for place in places), *others]
        apart = _are_far_apart(all_mm, [edge] * len(all_mm))[: len(places)]
        inside = (place.inside > NEAR_WALL * edge for place in places)
        return [far and free for far, free in zip(apart, inside, strict=True)]

    def _read_die(
        self, pyramid: Pyramid, one: Detection, view: Region, alone: bool, place: TrayPlace | None
    ) -> DieReading:
        """The reading of one die found in a picture.

        Args:
            pyramid: of the working picture.
            one: the die.
            view: what of the picture is worked on.
            alone: whether nothing is near that it could lean on.
            place: where it lies, with geometry; None without.
        """
        work = pyramid.level(0)
        one = without_symbol(work, as_six(one), self._bodies)
        face = likeliest_face(work, one, place is not None)
        lying = lying_risk(one, face.number, alone, place)
        flat = is_acceptable_risk(lying, place)
        state = state_of(one, face.number, face.confidence, lying, place)
        claim = Claim(face.kind, face.number, face.confidence, state, face.candidates)
        if place is None and flat and state is DieState.UNSURE:
            claim = confirmed_without_geometry(pyramid, one, claim, lying, alone)
        claimed = claim.value if claim.state is DieState.OK else None
        if place is None and isinstance(claimed, int) and not has_body(pyramid, one, claimed):
            claim = replace(claim, state=DieState.UNSURE)
        claim = without_hidden_value(claim)
        if may_show_power_face(one, claim):
            claim = with_power_face(one, claim, self._match_power_face(work, one, view), flat)
        return _reading_of(one, claim, view, place)

    def _match_power_face(self, work: Image, one: Detection, view: Region) -> Match | None:
        """Which learnt face of the Power die a top shows; None where none was learnt."""
        if not self._faces.prints or view.profile is None:
            return None
        center = view.to_part(one.center)
        axes = view.profile.axes(center[None])[0] * view.scale
        return match_at(work, one.center, axes, self._faces)


def _reading_of(one: Detection, claim: Claim, view: Region, place: TrayPlace | None) -> DieReading:
    """A claim about a die, with where the die is in the picture and in the tray."""
    x, y = view.to_picture(one.center).tolist()
    corners = view.to_picture(one.outline()).tolist()
    return DieReading(
        kind=claim.kind,
        value=claim.value,
        state=claim.state,
        candidates=claim.candidates,
        confidence=claim.confidence,
        center=(x, y),
        outline=tuple((right, down) for right, down in corners),
        mm=None if place is None else place.mm,
        aside=place is not None and not place.held and place.inside < 0,
        held=place is not None and place.held,
    )


def _are_far_apart(places: Sequence[ArrayLike], edges: list[float]) -> list[bool]:
    """True for each place (2,) that is farther than `NEAR_DIE` edges from all others."""
    middles = np.array(places).reshape(-1, 2)
    gaps = np.hypot(*np.moveaxis(middles[:, None] - middles[None], 2, 0))
    np.fill_diagonal(gaps, np.inf)
    far: list[bool] = np.all(gaps > NEAR_DIE * np.array(edges)[:, None], axis=1).tolist()
    return far


def _withdraw_if_floor(die: DieReading, one: Detection, crowded: bool) -> DieReading:
    """The die, withdrawn where it may be some spots of the floor."""
    floor = die.sure and isinstance(die.value, int) and may_be_floor(one, die.value, crowded)
    return replace(die, state=DieState.UNSURE) if floor else die


def _leave_out_specks(dice: list[DieReading], edges: list[float]) -> list[DieReading]:
    """Leaves out what is in doubt and not nearly as large as the dice that are claimed.

    A carpet has dozens of such places, and nobody wants to be asked about them.
    """
    claimed = [edge for die, edge in zip(dice, edges, strict=True) if die.sure]
    if not claimed:
        return dice
    usual = float(np.median(claimed))
    low, high = usual / MAX_SIZE_RATIO_ON_CROWDED_FLOOR, usual * MAX_SIZE_RATIO_ON_CROWDED_FLOOR
    return [die for die, edge in zip(dice, edges, strict=True) if die.sure or low < edge < high]


def _withdraw_odd_sizes(dice: list[DieReading], edges: list[float]) -> list[DieReading]:
    """Withdraws claims about dice whose size differs from that of most claimed dice."""
    claimed = [np.log(edge) for die, edge in zip(dice, edges, strict=True) if die.sure]
    if not claimed:
        return dice
    usual = float(np.median(claimed))
    odd = [abs(np.log(edge) - usual) > MAX_SIZE_DIFFERENCE_LOG for edge in edges]
    return [
        replace(die, state=DieState.UNSURE) if die.sure and far else die
        for die, far in zip(dice, odd, strict=True)
    ]
