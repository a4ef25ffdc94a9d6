"""The reader's knowledge of each die that it found, and the ground truth, kept in arrays.

Another rule for what is claimed can then be tried without rendering and reading again.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from appliance.dataset.evaluation.vision import label_of, match_labels
from vision import reader
from vision.classify.face import KINDS
from vision.decide import claim
from vision.decide.acceptance import lying_risk, state_of
from vision.decide.evidence import TrayPlace
from vision.detect.detection import Detection
from vision.detect.patterns import EDGE_OVER_STEP, Face
from vision.errors import Unreadable
from vision.frame import Image
from vision.geometry.axes import top_edge
from vision.geometry.profile import Profile
from vision.image.arrays import FloatArray
from vision.reading import DieReading, DieState, Kind, TrayReading, TrayState

PHANTOM = "phantom"
_NOWHERE = TrayPlace((0.0, 0.0), 0.0, False, False, 0.0)
_DETECTED = (
    *("faces", "kinds", "values", "postures", "lean"),
    *("center", "axes", "turn", "count", "across"),
)
_MOST_PIPS = 16
"""Plain pips kept of a die."""
_PLACED = ("mm", "inside", "held", "beyond", "size")


@dataclass(frozen=True, slots=True)
class Seen:
    """The facts that a claim is decided on; see `vision.decide.acceptance.state_of`."""

    one: Detection
    value: int | None
    confidence: float
    alone: bool
    place: TrayPlace | None


@dataclass(frozen=True, slots=True)
class Known:
    """A die that was found, and what it really is.

    Attributes:
        seen: what was known about it.
        group: the one that its picture is counted in.
        state: how it lies; `PHANTOM` where there is no die.
        true_kind: what it is.
        true_value: what it shows.
        readable: whether a person could read it.
    """

    seen: Seen
    group: str
    state: str
    true_kind: Kind | None
    true_value: str
    readable: bool


@dataclass(slots=True)
class Evidence:
    """Pictures that were read: rows of dice found, of dice that were there, and of pictures."""

    found: list[dict[str, Any]] = field(default_factory=list)
    labels: list[dict[str, Any]] = field(default_factory=list)
    pictures: list[dict[str, Any]] = field(default_factory=list)

    def add(
        self, image: Image, profile: Profile | None, raw: list[dict[str, Any]], group: str
    ) -> None:
        """Reads a picture and adds it.

        Args:
            image: the picture.
            profile: of the installation; None to read it without.
            raw: the truth, as in an index.
            group: the one that it is counted in.
        """
        reading, seen = watched(image, profile)
        labels = [label_of(one) for one in raw]
        picture, first = len(self.pictures), len(self.labels)
        pairs = {j: first + i for i, j in match_labels(labels, reading.dice).items()}
        for j, one in enumerate(seen):
            self.found.append({**_row(one), "label": pairs.get(j, -1), "picture": picture})
        for label, entry in zip(labels, raw, strict=True):
            self.labels.append(
                {
                    "label_picture": picture,
                    "label_value": label.value,
                    "label_kind": KINDS.index(label.kind),
                    "label_readable": label.readable,
                    "label_state": str(entry.get("state", "ok")),
                }
            )
        self.pictures.append({"picture_group": group, "picture_known": profile is not None})

    def arrays(self) -> dict[str, Any]:
        """Everything, one array per column."""
        out: dict[str, Any] = {}
        for rows in (self.found, self.labels, self.pictures):
            for name in rows[0] if rows else ():
                column = np.array([row[name] for row in rows])
                out[name] = column.astype(np.float32) if column.dtype == np.float64 else column
        return out


def watched(image: Image, profile: Profile | None) -> tuple[TrayReading, list[Seen]]:
    """Reads a picture; also returns what each die of the reading was decided on."""
    seen: list[Seen] = []
    made: list[DieReading] = []
    alone: list[bool] = []

    def lies(one: Detection, value: int | None, far: bool, place: TrayPlace | None) -> float:
        alone.append(far)
        return lying_risk(one, value, far, place)

    def decide(
        one: Detection, value: int | None, confidence: float, lying: float, place: TrayPlace | None
    ) -> DieState:
        seen.append(Seen(one, value, confidence, alone[-1], place))
        return state_of(one, value, confidence, lying, place)

    def make(**given: Any) -> DieReading:
        made.append(DieReading(**given))
        return made[-1]

    with (
        mock.patch.object(reader, "lying_risk", lies),
        mock.patch.object(reader, "state_of", decide),
        mock.patch.object(reader, "DieReading", make),
        # A second look would be decided by the same functions, so it is switched off.
        mock.patch.object(claim, "take_second_look", lambda *_: None),
    ):
        try:
            reading = reader.Reader(profile).read(image)
        except Unreadable:
            return TrayReading(TrayState.STILL, ()), []
    centers = [die.center for die in made]
    return reading, [seen[centers.index(die.center)] for die in reading.dice]


def _row(seen: Seen) -> dict[str, Any]:
    one, face, place = seen.one, seen.one.lattice, seen.place or _NOWHERE
    return {
        **{name: getattr(one, name) for name in _DETECTED},
        **{name: getattr(place, name) for name in _PLACED},
        "plain_pips": _padded(one.plain_pips),
        "fits": one.fits,
        "lattice_value": 0 if face is None else face.value,
        "lattice_center": (0.0, 0.0) if face is None else face.center,
        "lattice_axes": np.eye(2) if face is None else face.axes,
        "lattice_residual": 0.0 if face is None else face.residual,
        "checked_value": seen.value or 0,
        "sure": seen.confidence,
        "alone": seen.alone,
    }


def _padded(places: FloatArray) -> FloatArray:
    """At most `_MOST_PIPS` places as a table of that many, the rest of it NaN."""
    out = np.full((_MOST_PIPS, 2), np.nan)
    out[: len(places)] = places[:_MOST_PIPS]
    return out


def load(paths: list[Path]) -> Iterator[Known]:
    """The dice found, file by file."""
    for path in paths:
        with np.load(path) as file:
            columns = dict(file)
        # Where nothing was found in any picture, these columns are missing.
        found = len(columns["label"]) if "faces" in columns else 0
        yield from (_known(columns, k) for k in range(found))


def _known(columns: dict[str, Any], k: int) -> Known:
    picture, label = int(columns["picture"][k]), int(columns["label"][k])
    place = TrayPlace(**{name: _plain(columns[name][k]) for name in _PLACED})
    one = Detection(
        **{name: _plain(columns[name][k]) for name in _DETECTED},
        lattice=Face(
            int(columns["lattice_value"][k]),
            tuple(columns["lattice_center"][k].tolist()),
            columns["lattice_axes"][k].astype(np.float64),
            (),
            float(columns["lattice_residual"][k]),
            EDGE_OVER_STEP * top_edge(columns["lattice_axes"][k]),
        )
        if columns["lattice_value"][k]
        else None,
    )
    if "plain_pips" in columns:
        places = columns["plain_pips"][k].astype(np.float64)
        one = replace(one, plain_pips=places[~np.isnan(places[:, 0])])
    if "fits" in columns:
        one = replace(one, fits=columns["fits"][k].astype(np.float64))
    there = label >= 0
    value = int(columns["checked_value"][k]) or None
    return Known(
        seen=Seen(
            one,
            value,
            float(columns["sure"][k]),
            bool(columns["alone"][k]),
            place if columns["picture_known"][picture] else None,
        ),
        group=str(columns["picture_group"][picture]),
        state=str(columns["label_state"][label]) if there else PHANTOM,
        true_kind=KINDS[int(columns["label_kind"][label])] if there else None,
        true_value=str(columns["label_value"][label]) if there else "",
        readable=there and bool(columns["label_readable"][label]),
    )


def _plain(value: Any) -> Any:
    """A value in the reader's types: arrays of doubles, plain numbers."""
    if value.ndim:
        return value.astype(np.float64)
    return value.item()
