"""Verdicts on whole pictures."""

from collections.abc import Mapping
from dataclasses import dataclass

from calibration.errors import RefusedError
from calibration.markers.aruco import Marker, all_four, expected_place_of_missing, find_markers
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
    markers = find_markers(image)
    size = (image.shape[1], image.shape[0])
    try:
        four = all_four(markers, size)
    except RefusedError as error:
        return SetupView(
            combined_verdict([_verdict_on_missing_markers(image, markers, error)]), None
        )
    verdicts = (
        first,
        light.paper(four),
        focus.sharpness(four),
        focus.nearness(four),
        light.glare(image, four),
    )
    return SetupView(combined_verdict(verdicts), four)


def _verdict_on_missing_markers(
    image: Image, markers: Mapping[int, Marker], error: RefusedError
) -> Verdict:
    """Why markers are not found: light or focus may be the cause."""
    seen = quality_between(len(markers), 0, 4) * 0.4
    exposed = light.paper(tuple(markers.values())) if markers else Verdict(1.0)
    if exposed.problem in (Problem.TOO_BRIGHT, Problem.TOO_DARK):
        return Verdict(min(seen, exposed.quality), exposed.problem, exposed.detail)
    if error.problem in (Problem.HIDDEN, Problem.NO_MARKERS):
        soft = focus.whole_picture(image)
        if not soft.good:
            return Verdict(seen, Problem.BLURRED, soft.detail)
    if error.problem is Problem.HIDDEN:
        reach = max(m.side for m in markers.values()) / 2
        drowned = light.shining_at(image, expected_place_of_missing(markers), reach)
        if drowned:
            x, y = ((-1, -1), (1, -1), (1, 1), (-1, 1))[min(drowned)]
            return Verdict(seen, light.side_of(x * 1.01, y), "a marker is drowned in light")
    return Verdict(seen, error.problem, error.detail)


def judge_emptiness(reading: TrayReading) -> Verdict:
    """Checks that a tray that should be empty is, by what the reader finds in it."""
    if not reading.dice:
        return Verdict(1.0)
    return Verdict(
        0.0,
        Problem.NOT_EMPTY,
        f"expected an empty tray, found {len(reading.dice)} dice or the like; take everything out",
    )
