"""Verdicts on whole pictures."""

from collections.abc import Sequence
from dataclasses import dataclass

from calibration.errors import RefusedError
from calibration.markers.aruco import Marker, by_corner, find_all
from calibration.markers.rim import all_four, expected_place_of_missing
from calibration.problems import Problem, Verdict, combined_verdict, quality_between
from calibration.quality import focus, light
from vision.frame import Image
from vision.reading import TrayReading


@dataclass(frozen=True, slots=True, eq=False)
class SetupView:
    """The set-up as one picture shows it.

    Attributes:
        verdict: whether it is good enough.
        markers: the four markers where all are found.
    """

    verdict: Verdict
    markers: tuple[Marker, ...] | None


def judge_picture(image: Image) -> SetupView:
    """Checks light, focus and the markers in one picture of the empty tray."""
    first = light.whole_picture(image)
    if not first.good:
        return SetupView(combined_verdict([first]), None)
    found = find_all(image)
    try:
        four = all_four(found, (image.shape[1], image.shape[0]))
    except RefusedError as error:
        why = cause_of(image, found, error)
        seen = quality_between(len(by_corner(found)), 0, 4) * 0.4
        return SetupView(Verdict(seen, why.problem, why.detail), None)
    verdicts = (
        first,
        light.paper(four),
        focus.sharpness(four),
        focus.nearness(four),
        light.glare(image, four),
    )
    return SetupView(combined_verdict(verdicts), four)


def cause_of(image: Image, found: Sequence[Marker], refused: RefusedError) -> RefusedError:
    """The refusal, or one that names the light or the focus where markers are missing for that.

    Args:
        image: the picture.
        found: the markers that are seen in it.
        refused: why they cannot be used.
    """
    markers = by_corner(found)
    if refused.problem not in (Problem.HIDDEN, Problem.CUT_OFF, Problem.NO_MARKERS):
        return refused
    if len(markers) == 1:
        # In light that shows more of them, it is not that which hides the others.
        exposed = light.paper(tuple(markers.values()))
        if exposed.problem in (Problem.TOO_BRIGHT, Problem.TOO_DARK):
            return RefusedError(exposed.problem, exposed.detail)
    # Three that are sharp show that no blur hides the fourth; the glow of a lamp is soft itself.
    sharp = len(markers) == 3 and focus.sharpness(tuple(markers.values())).good
    if refused.problem in (Problem.HIDDEN, Problem.NO_MARKERS) and not sharp:
        soft = focus.whole_picture(image)
        if soft.problem is not None:
            return RefusedError(soft.problem, soft.detail)
    if refused.problem is Problem.HIDDEN:
        reach = max(m.side for m in markers.values()) / 2
        drowned = light.shining_at(image, expected_place_of_missing(markers), reach)
        if drowned:
            x, y = ((-1, -1), (1, -1), (1, 1), (-1, 1))[min(drowned)]
            return RefusedError(light.side_of(x * 1.01, y), "a marker is drowned in light")
    return refused


def judge_emptiness(reading: TrayReading) -> Verdict:
    """Checks that a tray that should be empty is, by what the reader finds in it."""
    if not reading.dice:
        return Verdict(1.0)
    return Verdict(
        0.0,
        Problem.NOT_EMPTY,
        f"expected an empty tray, found {len(reading.dice)} dice or the like; take everything out",
    )
