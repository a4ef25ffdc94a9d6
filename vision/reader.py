"""The reader: one picture in, one reading out. It keeps nothing between pictures."""

from dataclasses import dataclass, replace

import numpy as np

from vision import facenet
from vision.errors import ProfileError
from vision.finding import Found, find_dice, inside_mm
from vision.frame import Image
from vision.judge import COVERED, FLAT, STACKED
from vision.kinds import checked_kind, face_colours
from vision.pips import FloatArray
from vision.power import LearnedFaces, Match, match_at
from vision.profile import DIE_EDGE_MM, Profile
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
from vision.view import View, known_view, whole_view

SQUARE = (4, 5)
"""Values whose pips make a square on every die; the rows of a 6 are closer on some."""
SQUARE_KNOWN = 0.935
SQUARE_GUESSED = 0.9
"""Least ratio of the sides of that square on a flat die, with and without geometry."""
FLAT_KNOWN = 0.7
FLAT_GUESSED = 0.6
"""What the judge must give a die that lies flat for a claim, with and without geometry."""
FLAT_STRANGE = 0.95
"""The same with geometry for a die of no kind of ours: haze and odd light deceive the judge."""
FLAT_ALONE = 0.4
FLAT_ANYHOW = 0.3
"""The same for a die that nothing is near which it could lean on."""
FLAT_LEAST = 0.01
"""Without geometry, what such a die must have even if the camera is where it mostly is."""
FLAT_PLAINLY = 0.9
FLAT_RATHER = 0.15
"""Without geometry, what is asked from any side and from the usual one where either may do."""
LEAN_KNOWN = 0.09
LEAN_ALONE = 0.15
LEAN_NEAR = 0.11
"""Sines of angles up to which a top may seem to lean: with geometry, without for a die that lies
alone, and for others."""
FLAT_LEVEL, LEAN_LEVEL, STACK_LEVEL = 0.5, 0.03, 0.3
"""With geometry, what is asked where the top seems to be as good as level."""
BESIDE = 0.8
FLAT_BESIDE = 0.01
LEAN_BESIDE = 0.2
"""Farther than so many edges beside the floor, beyond the walls, a die was laid by hand, in a
holder mostly, whose sides and step deceive the judge: what is asked there of flatness and lean."""
NEAR_DIE = 1.7
NEAR_WALL = 1.1
"""Nearer than this to the middle of another die or to a wall a die may lean on it, edges."""
UNLIKELY = 0.1
"""What the judge may give a stack where nothing else is near."""
PLAIN = 0.9
"""What the judge must give another posture to say so."""
POSTURES_SEEN = (DieState.OK, DieState.LEANING, DieState.STACKED, DieState.COVERED)

POWER_CLAIM = 0.93
"""What a learnt face of the Power die needs to be claimed."""
POWER_SEEN = 0.5
"""What the judge must give a symbol then."""
POWER_DREAMT = 0.02
"""What a network must give a symbol for a die in doubt to be compared with the learnt faces."""

LEAST_UPRIGHT = 0.1
"""Where the face network is surer than the rest of this that a die leans, it tells no value."""
MANY = 4
ENOUGH_MANY, ENOUGH_FEW = 0.8, 0.95
"""What the face network must give a value whose pips were found one by one: of `MANY` and more,
which nothing else looks like, and of fewer."""
JUDGED_COUNTED = 0.9
"""What the judge must give it if they make no pattern."""
ENOUGH_ALONE, JUDGED_ALONE = 0.98, 0.6
"""What both must give a value whose pips were not found."""
AGREED, AGREED_PLAINLY = 0.85, 0.95
"""What both must give a value on a die of our kinds, more than half of its pips found or not."""
AGREED_PATTERN = 0.8
"""The same where the pips make the pattern of the value."""
AGREED_STRANGE = 0.9
"""The same for dice of other kinds."""
JUDGED_FEW, AGREED_FEW = 0.85, 0.9
"""What the judge must give fewer than `MANY` in these two cases: the half of a 5 or a 6 that a
hand leaves to be seen looks like a 2 or a 3."""

ACROSS = (2, 3)
"""Values whose pips lie across the face and make a pattern where all are found; of 2,400 rendered
threes 10 did not, of which two were halves of a 6."""

WHOLE = 0.78
"""With geometry, least edge of a top with fewer than `MANY` pips, in edges: what a hand or a card
leaves to be seen of a die, with one of its pips, is taken for a smaller one."""

ODD_SIZE = float(np.log(1.7))
"""Without geometry, by how much the logarithm of an edge may differ from that of other dice."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a die lies, if the geometry is known.

    Attributes:
        mm: its middle in the tray's frame, millimetres.
        inside: how far inside the edge of the floor, millimetres; less than 0 beside it.
        held: whether in the zone where held dice stand.
    """

    mm: tuple[float, float]
    inside: float
    held: bool


class Reader:
    """Reads still pictures.

    Args:
        profile: what is known of the installation; None for any picture.
    """

    def __init__(self, profile: Profile | None = None) -> None:
        self.profile = profile
        self._view = None if profile is None else known_view(profile)
        self._edge_mm = DIE_EDGE_MM if profile is None else profile.die_edge_mm
        self._faces = LearnedFaces(()) if profile is None else profile.learned_faces()

    def read(self, image: Image) -> TrayReading:
        """Reads one picture, (height, width, 3), BGR.

        Raises:
            ProfileError: the profile is for pictures of another size.
        """
        height, width = image.shape[:2]
        if self.profile is not None and self.profile.size != (width, height):
            raise ProfileError(
                f"the profile is for pictures of {self.profile.size[0]}x{self.profile.size[1]}, "
                f"this one is {width}x{height}; calibrate with this camera's pictures"
            )
        view = self._view or whole_view(width, height)
        work = view.work(image)
        found = find_dice(work, view.profile, view.scale, view.changes(work))
        places = self._places(found, view)
        alone = _apart_in_picture(found) if places is None else self._alone(places)
        dice = [
            self._reading(work, one, view, alone[i], None if places is None else places[i])
            for i, one in enumerate(found)
        ]
        if self.profile is None:
            dice = _of_one_size(dice, [one.edge for one in found])
        dice.sort(key=lambda d: d.center)
        return TrayReading(TrayState.STILL if dice else TrayState.EMPTY, tuple(dice))

    def _places(self, found: list[Found], view: View) -> list[_Place] | None:
        """Where dice lie; None without geometry."""
        profile = self.profile
        if profile is None:
            return None
        centers = np.array([one.center for one in found]).reshape(-1, 2)
        return [
            _Place((float(mm[0]), float(mm[1])), inside_mm(profile, mm), profile.held(mm))
            for mm in profile.to_mm(view.to_picture(centers), profile.die_edge_mm)
        ]

    def _alone(self, places: list[_Place]) -> list[bool]:
        """Whether dice have no other die near them, nor a wall."""
        edge = self._edge_mm
        middles = np.array([place.mm for place in places]).reshape(-1, 2)
        apart = _apart(middles, np.full(len(places), edge))
        return [
            far and place.inside > NEAR_WALL * edge
            for far, place in zip(apart, places, strict=True)
        ]

    def _reading(
        self, work: Image, one: Found, view: View, alone: bool, place: _Place | None
    ) -> DieReading:
        # How it lies is the judge's matter: a face seen aslant is that face.
        value_p = one.faces[1:7] / max(1 - float(one.faces[facenet.LEANING]), LEAST_UPRIGHT)
        total = float(value_p.sum() + one.faces[facenet.SYMBOL] + one.faces[facenet.COVERED])
        symbol = float(one.faces[facenet.SYMBOL])
        kind = facenet.KINDS[int(one.kinds.argmax())]
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
        if place is not None and place.inside < -BESIDE * self._edge_mm:
            flat = _lies_flat_beside(one)
        else:
            flat = _lies_flat(one, kind, alone, place is not None)
        state = _state(one, kind, number, confidence, flat)
        if state is DieState.OK and _looks_cut_off(one, number, view):
            state = DieState.UNSURE
        value: Face | None = number
        if state in (DieState.LEANING, DieState.STACKED, DieState.COVERED):
            value, confidence = None, 0.0
        shown = None
        if kind is Kind.POWER or (state is DieState.UNSURE and _perhaps_symbol(one)):
            shown = self._power_face(work, one, view)
        if shown is not None and (kind is Kind.POWER or shown.faces[0][1] >= POWER_CLAIM):
            kind, (value, confidence) = Kind.POWER, shown.faces[0]
            flat = flat and state is DieState.UNSURE and one.judged[facenet.SYMBOL] >= POWER_SEEN
            state = DieState.OK if flat and confidence >= POWER_CLAIM else state
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
        center = view.to_picture(one.center)
        corners = view.to_picture(one.outline())
        return DieReading(
            kind=kind,
            value=value,
            state=state,
            candidates=candidates,
            confidence=confidence,
            center=(float(center[0]), float(center[1])),
            outline=tuple((float(x), float(y)) for x, y in corners),
            mm=None if place is None else place.mm,
            aside=place is not None and not place.held and place.inside < 0,
            held=place is not None and place.held,
        )

    def _power_face(self, work: Image, one: Found, view: View) -> Match | None:
        """Which learnt face of the Power die a top shows; None where none was learnt."""
        if not self._faces.prints or view.profile is None:
            return None
        center = view.to_part(one.center)
        axes = view.profile.axes(center[None])[0] * view.scale
        return match_at(work, one.center, axes, self._faces)


def _apart_in_picture(found: list[Found]) -> list[bool]:
    """Whether dice have no other die near them, without geometry."""
    centers = np.array([one.center for one in found]).reshape(-1, 2)
    return _apart(centers, np.array([one.edge for one in found]))


def _apart(centers: FloatArray, edges: FloatArray) -> list[bool]:
    """Whether each of places (n, 2) is farther than `NEAR_DIE` edges (n,) from all others."""
    gaps = np.hypot(*np.moveaxis(centers[:, None] - centers[None], 2, 0))
    np.fill_diagonal(gaps, np.inf)
    return [bool(far) for far in (gaps > NEAR_DIE * edges[:, None]).all(axis=1)]


def _of_one_size(dice: list[DieReading], edges: list[float]) -> list[DieReading]:
    """Claims nothing of what has another size than most of what would be claimed."""
    claimed = [np.log(edge) for die, edge in zip(dice, edges, strict=True) if die.sure]
    if not claimed:
        return dice
    usual = float(np.median(claimed))
    return [
        replace(die, state=DieState.UNSURE)
        if die.sure and abs(np.log(edge) - usual) > ODD_SIZE
        else die
        for die, edge in zip(dice, edges, strict=True)
    ]


def _state(one: Found, kind: Kind, value: int | None, confidence: float, flat: bool) -> DieState:
    if one.faces[facenet.COVERED] > max(confidence, float(one.faces[facenet.SYMBOL])):
        return DieState.COVERED
    if not flat:
        lies = int(one.postures.argmax())
        plain = lies != FLAT and one.postures[lies] > PLAIN
        return POSTURES_SEEN[lies] if plain else DieState.UNSURE
    if value is None or int(one.judged.argmax()) != value:
        return DieState.UNSURE
    return DieState.OK if _agreed(one, kind, value, confidence) else DieState.UNSURE


def _looks_cut_off(one: Found, value: int | None, view: View) -> bool:
    """With geometry, whether a top with few pips may be what is left to be seen of a larger one."""
    if value is None or value >= MANY or view.profile is None:
        return False
    x, y = view.to_part(one.center).tolist()
    return one.edge < WHOLE * view.profile.edge_pixels((x, y)) * view.scale


def _perhaps_symbol(one: Found) -> bool:
    """Whether one of the networks holds it possible that a top shows no pips but a symbol."""
    return max(float(one.faces[facenet.SYMBOL]), float(one.judged[facenet.SYMBOL])) > POWER_DREAMT


def _agreed(one: Found, kind: Kind, value: int, confidence: float) -> bool:
    """Whether both networks and the pips found one by one say enough for a claim."""
    judged = float(one.judged[value])
    both = min(confidence, judged)
    pattern = one.lattice.value if one.lattice is not None else 0
    if max(one.count, pattern) > value:
        # Letters and reflections may lie round the pip of a 1, two of them like the pips of a 2.
        alone = pattern == 0 or (pattern == 2 and one.count == 1)
        return value == 1 and alone and both >= AGREED_PLAINLY
    if one.count == value != pattern and value in ACROSS:
        # Two or three pips in a row are what a hand or glare leaves of a 4 or a 6.
        return False
    enough = ENOUGH_MANY if value >= MANY else ENOUGH_FEW
    if pattern == value and (confidence >= enough or both >= AGREED_PATTERN):
        return value >= MANY or judged >= JUDGED_FEW
    if one.count == value and confidence >= enough and judged >= JUDGED_COUNTED:
        return True
    if confidence >= ENOUGH_ALONE and judged >= (JUDGED_ALONE if value >= MANY else JUDGED_FEW):
        return True
    if value < MANY and judged < AGREED_FEW:
        return False
    if kind is Kind.OTHER:
        return both >= AGREED_STRANGE
    half = value < 2 * one.count
    return both >= (AGREED if half else AGREED_PLAINLY)


def _lies_flat(one: Found, kind: Kind, alone: bool, known: bool) -> bool:
    """Whether a die is held to lie flat: by the judge, by what is near, by its pips' pattern."""
    flat = one.postures[FLAT]
    if known:
        # What it stands on may be hidden by it.
        lone = alone and one.postures[STACKED] < UNLIKELY
        usual = FLAT_STRANGE if kind is Kind.OTHER else FLAT_KNOWN
        level = flat >= FLAT_LEVEL and one.lean < LEAN_LEVEL and one.postures[STACKED] < STACK_LEVEL
        good = flat >= (FLAT_ALONE if lone else usual) and one.lean < LEAN_KNOWN
        good = good or (level and kind is not Kind.OTHER)
    else:
        good = flat >= FLAT_GUESSED or _lies_flat_anyhow(one, alone)
    face = one.lattice
    if not good or face is None or face.value not in SQUARE:
        return bool(good)
    # Seen in the plane of the tops, the pips of a flat die make a square; of one that leans
    # they do not. Without geometry the camera may be at a slant as well.
    scales = np.linalg.svd(np.linalg.inv(one.axes) @ face.axes, compute_uv=False)
    return bool(scales[1] / scales[0] >= (SQUARE_KNOWN if known else SQUARE_GUESSED))


def _lies_flat_beside(one: Found) -> bool:
    """Whether a die beside the tray is held to lie flat."""
    # The floor of a holder may be higher than the tray's.
    level = one.postures[FLAT] + one.postures[STACKED]
    return bool(level >= FLAT_BESIDE and one.lean < LEAN_BESIDE and one.postures[COVERED] < PLAIN)


def _lies_flat_anyhow(one: Found, alone: bool) -> bool:
    """Whether a die may be held to lie flat by a camera that looks from an unusual side."""
    flat = one.postures[FLAT]
    if alone and flat >= FLAT_LEAST and one.flat_anyhow >= FLAT_ANYHOW and one.lean < LEAN_ALONE:
        return True
    return bool(flat >= FLAT_RATHER and one.flat_anyhow >= FLAT_PLAINLY and one.lean < LEAN_NEAR)
