"""Fixed installations among the pictures: the dice are learnt from their first pictures.

The folder of an installation holds `empty`, `set` and `power_FACE_N` beside its throws; learning
calls the same functions as calibration.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from appliance.dataset.evaluation.truth import profile_of
from appliance.dataset.evaluation.vision import Case
from vision.errors import PictureError
from vision.learning import Learnt, learn_dice
from vision.reading import POWER_FACES

LEARNT = "installation learnt"


def with_learning(cases: Sequence[Case]) -> list[Case]:
    """The throws and sets of installations that can be learnt, as groups of their own."""
    folders: dict[str, dict[str, Case]] = {}
    for case in cases:
        path = Path(case.file)
        folders.setdefault(str(path.parent), {})[path.stem] = case
    found = []
    for pictures in folders.values():
        if "empty" in pictures and "set" in pictures and pictures["empty"].truth is not None:
            found += [
                replace(case, group=f"{case.group} ({LEARNT})", geometry=True, site=True)
                for stem, case in pictures.items()
                if not stem.startswith(("empty", "power_"))
            ]
    return found


def learn_site(case: Case, cases: Sequence[Case]) -> Learnt:
    """Learns the installation that a case belongs to from its other pictures.

    Darker pictures are used as well if the case gives them to the reader.

    Raises:
        PictureError: one of them cannot be read, or there is no geometry.
    """
    folder = Path(case.file).parent
    pictures = {
        Path(one.file).stem: replace(one, darker=case.darker)
        for one in cases
        if Path(one.file).parent == folder
    }
    if case.truth is None or "empty" not in pictures or "set" not in pictures:
        raise PictureError(f"{folder}: expected pictures of the empty tray and the set")
    faces = []
    for stem, one in sorted(pictures.items()):
        kind, _, name = stem.partition("_")
        value = name.partition("_")[0]
        if kind == "power" and value in POWER_FACES:
            faces.append((value, one.pictures()))
    return learn_dice(
        profile_of(case.truth), pictures["empty"].load(), pictures["set"].pictures(), faces
    )
