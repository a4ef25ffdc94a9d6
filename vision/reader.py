"""The reader: pictures of one moment in, one reading out. It keeps nothing between moments."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import repeat

import numpy as np
from numpy.typing import ArrayLike

from vision.classify.colours import checked_kind, face_colours
from vision.classify.face import COVERED, KINDS, LEANING, SYMBOL, Pyramid
from vision.decide.acceptance import lies_flat, lying_risk, state_of
from vision.decide.evidence import TrayPlace
from vision.detect.detection import Detection
from vision.detect.detector import detect_dice, inside_mm
from vision.detect.region import Region, calibrated_view, whole_view
from vision.detect.second_look import looked_at_again
from vision.errors import ProfileError, TooManySpots
from vision.exposures import combined
from vision.frame import Image
from vision.geometry.axes import top_edges
from vision.geometry.profile import DIE_EDGE_MM, Profile
from vision.image.arrays import FloatArray
from vision.image.memory import memory_watched
from vision.power_die.faces import CLAIM, LearnedFaces, Match, match_at
from vision.reading import (
    POWER_FACES,
    Candidate,
    DieReading,
    DieState,
    Face,
    Kind,
    TrayReading,
    TrayState,
)

NEAR_DIE = 1.7
NEAR_WALL = 1.1
"""Nearer than this to the middle of another die or to a wall a die may lean on it, edges."""
BESIDE = 0.8
"""Farther than so many edges beside the floor a die lies beyond the walls."""

PLAIN, MATES, USUAL_SIZE = 0.01, 3, (0.8, 1.2)
"""What the face classifier may give no die for one to count, and how many it takes, to say how
large dice seem in this picture, in their edges: between these two."""

POWER_SEEN = 0.5
"""What the posture classifier must give a symbol then."""
POWER_DREAMT = 0.02
"""What a network must give a symbol for a die in doubt to be compared with the learnt faces."""

LEAST_UPRIGHT = 0.1
"""Where the face classifier is surer than the rest of this that a die leans, it gives no value."""
ODD_SIZE = float(np.log(1.7))
"""Without geometry, by how much the logarithm of an edge may differ from that of other dice."""


class Reader:
    """Reads still pictures.

    Args:
        profile: of the installation; None for any picture.
    """

    def __init__(self, profile: Profile | None = None) -> None:
        self.profile = profile
        self._view = None if profile is None else calibrated_view(profile)
        self._edge_mm = DIE_EDGE_MM if profile is None else profile.die_edge_mm
        self._faces = LearnedFaces.of(() if profile is None else profile.power_faces)

    def read(self, image: Image, darker: Sequence[Image] = ()) -> TrayReading:
        """Reads one picture, (height, width, 3), BGR.

        Args:
            image: the picture.
            darker: pictures of the same scene, each with less exposure than the one before, in
                which dice can be seen that a lamp outshines here.

        Raises:
            ProfileError: the profile is for pictures of another size.
            Unreadable: too much in view may be dice, or the memory is too small.
        """
        with memory_watched():
            reading = self._read(image, image)
        return self.read_again(image, reading, darker) if darker else reading

    def read_again(
        self, image: Image, reading: TrayReading, darker: Sequence[Image]
    ) -> TrayReading:
        """The reading of a picture with what darker ones show, as `read` makes it of them all."""
        seen = [(image, reading)]
        with memory_watched():
            for one in darker:
                # Of one that drowns in noise nothing is known but what the others show.
                with suppress(TooManySpots):
                    seen.append((one, self._read(one, image)))
        return combined(seen)

    def _read(self, image: Image, lit: Image) -> TrayReading:
        """Reads a picture of a scene that `lit` shows at the exposure of the empty tray."""
        height, width = image.shape[:2]
        if self.profile is not None and self.profile.size != (width, height):
            raise ProfileError(
                f"the profile is for pictures of {self.profile.size[0]}x{self.profile.size[1]}, "
                f"this one is {width}x{height}; calibrate with this camera's pictures"
            )
        view = self._view or whole_view(width, height)
        work = view.work(image)
        found = detect_dice(work, view, None if lit is image else view.work(lit))
        places = self._places(found, view)
        edges = [one.edge for one in found]
        alone = _apart([d.center for d in found], edges) if places is None else self._alone(places)
        where = repeat(None) if places is None else places
        spots = zip(found, alone, where, strict=False)
        pyramid = Pyramid(work)
        dice = [self._reading(pyramid, one, view, far, place) for one, far, place in spots]
        if self.profile is None:
            dice = _of_one_size(dice, edges)
        elif self.profile.holders is None:
            # Beside the tray a cup, a marker or a thumb may seem a die, but none for sure.
            dice = [die for die in dice if die.sure or not die.held]
        dice.sort(key=lambda d: d.center)
        return TrayReading(TrayState.STILL if dice else TrayState.EMPTY, tuple(dice))

    def _places(self, found: list[Detection], view: Region) -> list[TrayPlace] | None:
        """Where dice lie; None without geometry."""
        profile, part = self.profile, view.profile
        if profile is None or part is None:
            return None
        centers = np.array([one.center for one in found]).reshape(-1, 2)
        ground = profile.to_mm(view.to_picture(centers), profile.die_edge_mm)
        tops = top_edges(part.axes(view.to_part(centers))) * view.scale
        sizes = np.array([one.edge for one in found]) / tops
        inside = [inside_mm(profile, mm) for mm in ground]
        in_tray = [
            far >= 0 and one.faces[0] < PLAIN for far, one in zip(inside, found, strict=True)
        ]
        if sum(in_tray) >= MATES:
            sizes /= np.clip(np.median(sizes[in_tray]), *USUAL_SIZE)
        beyond = [far < -BESIDE * self._edge_mm for far in inside]
        # Where no holder is known, but the empty tray, dice laid beside it stand in some holder.
        unknown = profile.holders is None and profile.empty is not None
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

    def _alone(self, places: list[TrayPlace]) -> list[bool]:
        """Whether dice have no other die near them, nor a wall."""
        edge = self._edge_mm
        apart = _apart([place.mm for place in places], [edge] * len(places))
        inside = (place.inside > NEAR_WALL * edge for place in places)
        return [far and free for far, free in zip(apart, inside, strict=True)]

    def _reading(
        self, pyramid: Pyramid, one: Detection, view: Region, alone: bool, place: TrayPlace | None
    ) -> DieReading:
        work = pyramid.level(0)
        # How it lies is the posture classifier's matter: a face seen aslant is that face.
        value_p = _values(one)
        total = float(value_p.sum() + one.faces[SYMBOL] + one.faces[COVERED])
        symbol = float(one.faces[SYMBOL])
        kind = KINDS[int(one.kinds.argmax())]
        order = np.argsort(-value_p)
        number: int | None = int(order[0]) + 1
        confidence = float(value_p[order[0]])
        if symbol > confidence:
            number, kind, confidence = None, Kind.POWER, 0.0
        elif kind is Kind.POWER:
            kind = Kind.OTHER
        else:
            body, pip = face_colours(work, one.center, one.turned_axes)
            kind = checked_kind(kind, body, pip)
        lying = lying_risk(one, number, alone, place)
        flat = lies_flat(lying, place)
        state = state_of(one, number, confidence, lying, place)
        if place is None and number is not None and flat and state is DieState.UNSURE:
            again = looked_at_again(pyramid, one)
            second = 0.0 if again is None else float(_values(again)[number - 1])
            if again and state_of(again, number, second, lying, None) is DieState.OK:
                state, confidence = DieState.OK, second
        value: Face | None = number
        if state in (DieState.LEANING, DieState.STACKED, DieState.COVERED):
            value, confidence = None, 0.0
        shown = None
        dreamt = max(symbol, float(one.values[SYMBOL])) > POWER_DREAMT
        if kind is Kind.POWER or (state is DieState.UNSURE and dreamt):
            shown = self._power_face(work, one, view)
        if shown is not None and (kind is Kind.POWER or shown.faces[0][1] >= CLAIM):
            kind, (value, confidence) = Kind.POWER, shown.faces[0]
            seen = state is DieState.UNSURE and one.values[SYMBOL] >= POWER_SEEN
            state = DieState.OK if flat and seen and confidence >= CLAIM else state
            candidates = tuple(Candidate(*face) for face in shown.faces if face[1] > 0.01)
        elif kind is Kind.POWER:
            # Its faces are printed anew by every maker: unlearnt, each is as likely.
            candidates = tuple(Candidate(face, 1 / len(POWER_FACES)) for face in POWER_FACES)
        else:
            candidates = tuple(
                Candidate(int(k) + 1, float(value_p[k]) / max(total, 1e-9))
                for k in order[:3]
                if value_p[k] > 0.01 * total
            )
        x, y = view.to_picture(one.center).tolist()
        corners = view.to_picture(one.outline()).tolist()
        return DieReading(
            kind=kind,
            value=value,
            state=state,
            candidates=candidates,
            confidence=confidence,
            center=(x, y),
            outline=tuple((right, down) for right, down in corners),
            mm=None if place is None else place.mm,
            aside=place is not None and not place.held and place.inside < 0,
            held=place is not None and place.held,
        )

    def _power_face(self, work: Image, one: Detection, view: Region) -> Match | None:
        """Which learnt face of the Power die a top shows; None where none was learnt."""
        if not self._faces.prints or view.profile is None:
            return None
        center = view.to_part(one.center)
        axes = view.profile.axes(center[None])[0] * view.scale
        return match_at(work, one.center, axes, self._faces)


def _values(one: Detection) -> FloatArray:
    """What the face classifier gives the values from 1, (6,), for a die that faces up."""
    return one.faces[1:7] / max(1 - float(one.faces[LEANING]), LEAST_UPRIGHT)


def _apart(places: Sequence[ArrayLike], edges: list[float]) -> list[bool]:
    """Whether each of places (2,) is farther than `NEAR_DIE` edges from all others."""
    middles = np.array(places).reshape(-1, 2)
    gaps = np.hypot(*np.moveaxis(middles[:, None] - middles[None], 2, 0))
    np.fill_diagonal(gaps, np.inf)
    far: list[bool] = np.all(gaps > NEAR_DIE * np.array(edges)[:, None], axis=1).tolist()
    return far


def _of_one_size(dice: list[DieReading], edges: list[float]) -> list[DieReading]:
    """Claims nothing of what has another size than most of what would be claimed."""
    claimed = [np.log(edge) for die, edge in zip(dice, edges, strict=True) if die.sure]
    if not claimed:
        return dice
    usual = float(np.median(claimed))
    odd = [abs(np.log(edge) - usual) > ODD_SIZE for edge in edges]
    return [
        replace(die, state=DieState.UNSURE) if die.sure and far else die
        for die, far in zip(dice, odd, strict=True)
    ]
