"""Throws tell how high the rim stands; where they do not, what is stated covers what may be."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from calibration import store
from calibration.calibration import Calibration
from calibration.readers import CalibratedReader
from calibration.self_calibration import Size, ThrownDice
from calibration.self_calibration.dice import THROWS_OF_SCALE
from calibration.self_calibration.scale import (
    at_scale,
    explained,
    explanations_of,
    with_rim_learnt,
)
from calibration.self_calibration.walls import HEIGHTS_MM
from scripts.bench_self_calibration import PLAYED_DICE, calibrated_alone, off_mm, picture
from tests.rigs.unknown_rims import UnknownRim, unknown_rim
from vision.image.arrays import FloatArray

STATED_MM = 4.0
"""What is stated at most where walls are seen: 3.7 mm in the median of the worst kind of set-ups,
cameras that lean (`docs/seeing.md`), and 3.9 mm where a die may be of 18 or of 19 mm."""
NO_WALLS: FloatArray = np.full(len(HEIGHTS_MM), 1 / len(HEIGHTS_MM))


@lru_cache(maxsize=8)
def guessed(seed: int, kind: str) -> tuple[UnknownRim, Calibration, float]:
    drawn = unknown_rim(seed, kind)
    found, gain = calibrated_alone(drawn.set_up)
    assert isinstance(found, Calibration)
    return drawn, found, gain


def walls_of(rim_mm: float) -> FloatArray:
    likely = np.exp(-0.5 * ((HEIGHTS_MM - rim_mm) / 4.0) ** 2)
    return np.asarray(likely / likely.sum(), np.float64)


def share_of(calibration: Calibration, edge: float, rim_mm: float) -> float:
    """The edge of dice by the camera's height above the floor."""
    eye = -float(calibration.profile.pinhole.position[2])
    return edge / (eye - (calibration.rim_mm or 0.0) + rim_mm)


def weight_of(calibration: Calibration, share: float, edge: float) -> float:
    """How likely dice of this edge are."""
    found = explanations_of(calibration, share, 0.004, NO_WALLS)
    assert found is not None
    return float(found.weight[found.edge == edge].sum())


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "kind"), [(20010, "mats"), (20013, "rims")])
def test_three_throws_tell_what_the_markers_do_not(seed: int, kind: str) -> None:
    drawn, found, gain = guessed(seed, kind)
    first_mm = found.off_mm
    thrown, rng = ThrownDice(), np.random.default_rng((seed, 3))
    for k in range(THROWS_OF_SCALE):
        image = picture(drawn.laid(rng, PLAYED_DICE), gain, 100 + k)
        learnt = thrown.see(found, image, CalibratedReader(found).read(image).dice)
        assert isinstance(learnt, Calibration)
        found = learnt
    assert found.rim_learnt
    assert found.profile.die_edge_mm == drawn.edge
    assert found.off_mm is not None
    assert first_mm is not None
    assert found.off_mm < STATED_MM < first_mm
    if drawn.edge == 16.0:
        off = off_mm(drawn.set_up.where.scene, found.profile.pinhole)
        assert np.mean(off <= found.off_mm) >= 0.95
    assert store.decode(store.encode(found)).rim_learnt


def test_the_same_markers_are_seen_at_the_same_places_at_any_scale() -> None:
    _, found, _ = guessed(20011, "rims")
    assert found.layout is not None
    for rim_mm, scale in ((0.0, 1.0), (60.0, 1.0), (30.0, 0.95)):
        other = at_scale(found, rim_mm, scale, 18.0)
        assert other.layout is not None
        before, now = (
            one.profile.to_pixels(layout.reshape(-1, 3))
            for one, layout in ((found, found.layout), (other, other.layout))
        )
        assert now == pytest.approx(before, abs=1e-6)
        assert other.layout[..., 2] == pytest.approx(-rim_mm)


def test_a_tray_that_is_measured_again_keeps_the_rim_that_throws_have_shown() -> None:
    _, found, _ = guessed(20011, "rims")
    learnt = explained(found, share_of(found, 18.0, 15.0), 0.004, walls_of(15.0))
    assert learnt is not None
    again = with_rim_learnt(found, learnt)
    assert again.rim_learnt
    assert again.rim_mm == learnt.rim_mm
    assert again.off_mm == learnt.off_mm
    assert again.profile.translation == pytest.approx(learnt.profile.translation)
    assert with_rim_learnt(found, found) is found
    assert with_rim_learnt(found, None) is found


def test_of_two_explanations_that_fit_both_are_covered() -> None:
    """A die of 18 mm beside a low rim looks like one of 19 mm beside a higher one."""
    _, found, _ = guessed(20011, "rims")
    share = share_of(found, 18.0, 15.0)
    assert all(weight_of(found, share, edge) > 0.1 for edge in (18.0, 19.0))
    unsure = explained(found, share, 0.004, NO_WALLS)
    sure = explained(found, share, 0.004, walls_of(15.0))
    assert unsure is not None
    assert unsure.off_mm is not None
    assert sure is not None
    assert sure.off_mm is not None
    assert sure.profile.die_edge_mm == 18.0
    assert sure.off_mm < STATED_MM < 2 * sure.off_mm < unsure.off_mm


def test_dice_of_17_mm_are_not_taken_for_16_mm_on_a_small_print_without_doubt() -> None:
    _, found, _ = guessed(20011, "rims")
    unusual = explained(found, share_of(found, 17.0, 25.0), 0.004, walls_of(25.0))
    assert unusual is not None
    assert unusual.off_mm is not None
    exact = at_scale(found, 25.0, 1.0, 17.0)
    tops = np.column_stack([exact.profile.tray, np.full(4, -17.0)])
    pixels = exact.profile.to_pixels(tops)
    read = unusual.profile.to_mm(pixels, unusual.profile.die_edge_mm)
    off = np.linalg.norm(read - exact.profile.tray, axis=1)
    assert off.max() < 1.1 * unusual.off_mm


def test_what_a_throw_has_made_of_a_print_is_no_evidence_for_the_next() -> None:
    _, found, _ = guessed(20011, "rims")
    share = share_of(found, 17.0, 25.0)
    believed = at_scale(found, 25.0, 0.945, 16.0)
    weights = [
        [weight_of(one, share, edge) for edge in (16.0, 17.0, 18.0)] for one in (found, believed)
    ]
    assert weights[1] == pytest.approx(weights[0], rel=0.05)


def test_what_a_throw_has_made_of_a_print_is_taken_back_where_a_rim_is_known() -> None:
    _, found, _ = guessed(20011, "rims")
    known = replace(at_scale(found, 22.0, 1.0, 16.0), rim_known=True, doubt_mm=0.3)
    believed = explained(known, share_of(known, 16.0 / 0.955, 22.0), 0.004, NO_WALLS)
    assert believed is not None
    assert believed.print_scale < 0.97
    later = explained(believed, share_of(known, 16.0, 22.0), 0.004, NO_WALLS)
    assert later is not None
    assert later.print_scale == pytest.approx(1.0, abs=0.015)


def test_dice_that_throws_have_confirmed_before_are_believed() -> None:
    _, found, _ = guessed(20011, "rims")
    share = share_of(found, 18.0, 15.0)
    known = replace(found.with_dice_of(19.0), size_known=True)
    weights = [weight_of(one, share, 19.0) for one in (found, known)]
    assert weights[0] < 0.5 < 0.8 < weights[1]


def test_one_die_tells_nothing() -> None:
    drawn, found, gain = guessed(20010, "mats")
    image = picture(drawn.laid(np.random.default_rng(1), PLAYED_DICE[:1]), gain, 1)
    read = CalibratedReader(found).read(image).dice
    assert ThrownDice().see(found, image, read) is Size.UNCLEAR


def test_a_rim_that_was_measured_stays_unless_the_print_may_be_of_another_size() -> None:
    _, found, _ = guessed(20011, "rims")
    known = replace(at_scale(found, 22.0, 1.0, 16.0), rim_known=True, doubt_mm=0.3)
    for edge in (12.0, 16.0):
        assert explained(known, share_of(known, edge, 22.0), 0.004, NO_WALLS) is None
    # A die of 16 mm on a print of 70 %.
    small = explained(known, share_of(known, 16.0 / 0.7, 22.0), 0.004, NO_WALLS)
    assert small is not None
    assert small.off_mm is not None
    exact = at_scale(found, 22.0, 0.7, 16.0)
    tray = exact.profile.tray
    # Middles of dice in the corners.
    places = tray.mean(axis=0) + (tray - tray.mean(axis=0)) * (1 - 16.0 / np.ptp(tray, axis=0))
    tops = np.column_stack([places, np.full(4, -16.0)])
    read = small.profile.to_mm(exact.profile.to_pixels(tops), small.profile.die_edge_mm)
    off = np.linalg.norm(read - places, axis=1)
    assert off.max() < 1.1 * small.off_mm
    # A card or the paper's edges have shown that it is as it should be.
    right = replace(known, print_known=True)
    assert explained(right, share_of(known, 16.0 / 0.97, 22.0), 0.004, NO_WALLS) is None
