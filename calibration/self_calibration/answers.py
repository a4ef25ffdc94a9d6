"""Learns the faces of the Power die from what players answer when the camera is not sure.

One answer proves nothing: an OK that came too soon says 1 of any face. So answers are votes. A
print gets a name once two throws agree on it, more than others do, and as long as no other print
has as good a claim to that name. What somebody has shown in CALIBRATE is never touched.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from calibration.calibration import Calibration
from vision.errors import FaceRefused
from vision.frame import Image
from vision.geometry.profile import FACE_SIDE, PowerFace, Profile
from vision.image.arrays import FloatArray
from vision.power_die.faces import learn, likeness_of_prints
from vision.power_die.print import cut_face

MIN_MORE_VOTES = 2
"""So many more throws must say one name of a print than any other."""
_TAKES = 2
MAX_ANSWERS = 36
"""Older ones make room."""
SAME_PRINT_LIKENESS = 0.88
"""Two answers whose prints are at least as alike are about one face."""


def with_answer(
    calibration: Calibration, value: str, image: Image, center: tuple[float, float]
) -> Calibration:
    """The calibration with what players have said about a face of the Power die.

    Args:
        calibration: of the tray.
        value: the face that they named.
        image: of the throw.
        center: middle of the die's top, pixels.

    Returns:
        The same calibration if the face cannot be learnt from this picture, in glare for example.
    """
    profile = calibration.profile
    middle = np.array(center, np.float64)
    axes: FloatArray = profile.axes(middle[None])[0]
    try:
        (_, patch), *_ = learn([(value, cut_face(image, middle, axes))]).prints
    except FaceRefused:
        return calibration
    answers = [*calibration.answers, PowerFace(value, patch)]
    shown = shown_faces(calibration)
    named = named_faces(answers, shown)
    if len(answers) > MAX_ANSWERS:
        # Those that nothing came of first.
        names = {face.value for face in named}
        vain = (k for k, one in enumerate(answers) if one.value not in names)
        del answers[next(vain, 0)]
        named = named_faces(answers, shown)
    faces = (*shown, *named)
    return replace(calibration, answers=tuple(answers), profile=_with_faces(profile, faces))


def shown_faces(calibration: Calibration) -> tuple[PowerFace, ...]:
    """The faces that were shown to the camera, without those that answers have named."""
    told = {one.patch.tobytes() for one in calibration.answers}
    return tuple(f for f in calibration.profile.power_faces if f.patch.tobytes() not in told)


def named_faces(
    answers: Sequence[PowerFace], shown: Sequence[PowerFace] = ()
) -> tuple[PowerFace, ...]:
    """The faces that answers agree on, two takes of one print each, without those shown."""
    prints = [print_ for print_ in _grouped(answers) if not _is_like_any(print_[0], shown)]
    claims: dict[str, list[list[PowerFace]]] = {}
    for votes in prints:
        count = {value: sum(v.value == value for v in votes) for value in {v.value for v in votes}}
        best = max(sorted(count), key=lambda value: count[value])
        others = max((n for value, n in count.items() if value != best), default=0)
        if count[best] - others >= MIN_MORE_VOTES:
            # The latest pictures are those of the present light.
            takes = [vote for vote in votes if vote.value == best][-_TAKES:]
            claims.setdefault(best, []).append(takes)
    taken = {face.value for face in shown}
    return tuple(
        take
        for value, claim in claims.items()
        if len(claim) == 1 and value not in taken
        for take in claim[0]
    )


def _grouped(answers: Sequence[PowerFace]) -> list[list[PowerFace]]:
    """Answers about one print each."""
    groups: list[list[PowerFace]] = []
    for one in answers:
        group = next((g for g in groups if _are_alike(g[0], one)), None)
        if group is None:
            groups.append([one])
        else:
            group.append(one)
    return groups


def _is_like_any(face: PowerFace, others: Sequence[PowerFace]) -> bool:
    return any(_are_alike(face, other) for other in others)


def _are_alike(one: PowerFace, other: PowerFace) -> bool:
    return _likeness(*(face.patch.tobytes() for face in (one, other))) >= SAME_PRINT_LIKENESS


@lru_cache(maxsize=512)
def _likeness(one: bytes, other: bytes) -> float:
    """Of two prints; a new answer compares all those before once more with one another."""
    a, b = (np.frombuffer(p, np.uint8).reshape(FACE_SIDE, FACE_SIDE) for p in (one, other))
    return likeness_of_prints(a, b)


def _with_faces(profile: Profile, faces: Sequence[PowerFace]) -> Profile:
    same = [f.patch.tobytes() for f in profile.power_faces] == [f.patch.tobytes() for f in faces]
    return profile if same else replace(profile, power_faces=tuple(faces))
