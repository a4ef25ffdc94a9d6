"""The paper's edges and a card tell how large a print is."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.calibration import Calibration
from calibration.errors import RefusedError
from calibration.markers.known_sizes import PAPERS_MM
from calibration.problems import Problem
from calibration.self_calibration import at_print, calibration_from_frames
from calibration.wizard.card import card_on_rim, something_new
from simulator.render.prints import Print
from simulator.render.scene import Scene
from simulator.scenes.installations import INSTALLATION_QUALITY
from tests.rigs.any_set_up import any_set_up
from tests.rigs.known_sizes import CARDS, OTHER_ITEMS, Item, uncut_sheet, with_card, with_print_of
from tests.rigs.rendering.pictures import drawn
from vision.frame import Frame, Image

NO_CARD = (Problem.NO_CARD, Problem.CARD_LOW)


def picture(scene: Scene) -> Image:
    return drawn(scene, np.random.default_rng(1), INSTALLATION_QUALITY)


def sheet_below(seed: int, paper: tuple[float, float], scale: float) -> Image:
    """The whole sheet on a tray, seen from farther away."""
    scene = any_set_up(seed).where.scene
    camera = scene.camera
    eye = np.array(camera.position) * (1.2, 1.2, 1.7)
    away = replace(camera, translation=tuple((-np.array(camera.rotation) @ eye).tolist()))
    sheet = Print(uncut_sheet(paper, scale), (0.0, 10.0), 0.1, scene.tray.wall_height + 0.5)
    return picture(replace(scene, camera=away, prints=(sheet,)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "paper", "scale", "problem"),
    [
        (300, PAPERS_MM[0], 1.0, Problem.UNCUT),
        (301, PAPERS_MM[0], 0.95, Problem.PRINT_SMALL),
        (302, PAPERS_MM[1], 0.93, Problem.PRINT_SMALL),
        (301, PAPERS_MM[1], 1.04, Problem.PRINT_LARGE),
    ],
)
def test_a_sheet_that_is_not_cut_is_no_tray_and_its_edges_tell_its_size(
    seed: int, paper: tuple[float, float], scale: float, problem: Problem
) -> None:
    image = sheet_below(seed, paper, scale)
    with pytest.raises(RefusedError) as refused:
        calibration_from_frames([Frame(image, 0.0, 0)], sight=any_set_up(seed).sight)
    assert refused.value.problem is problem


def print_by_card(seed: int, scale: float, *, on_rim: bool, dark: bool) -> Calibration:
    """The tray after a card was laid there; a RefusedError if it tells nothing."""
    set_up = any_set_up(seed, rim_mm=25.0)
    scene = with_print_of(set_up.where.scene, scale)
    before = picture(scene)
    known = calibration_from_frames([Frame(before, 0.0, 0)], sight=set_up.sight)
    image = picture(with_card(scene, on_rim=on_rim, dark=dark))
    assert something_new(before, before, known) is None
    where = something_new(before, image, known)
    assert where is not None
    return at_print(known, card_on_rim(before, image, known, where))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "scale", "dark"), [(310, 1.0, False), (311, 0.95, True), (312, 0.71, False)]
)
def test_a_card_across_a_corner_of_the_rim_tells_the_print(
    seed: int, scale: float, dark: bool
) -> None:
    found = print_by_card(seed, scale, on_rim=True, dark=dark)
    assert found.print_known
    assert found.print_scale == pytest.approx(scale, rel=0.015)
    assert found.layout is not None
    assert found.profile.empty is None, "its picture is not kept"


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "kind"), [(320, "framed"), (321, "half dark"), (322, "printed")])
def test_a_card_is_known_by_its_outline_whatever_is_printed_on_it(seed: int, kind: str) -> None:
    assert print_by(CARDS[kind], seed) == pytest.approx(1.0, rel=0.015)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "kind"),
    [
        (320, "bridge card"),
        (320, "small photo"),
        (321, "ratio 1.586, 100 mm"),
        (321, "box as large as a card"),
        (322, "business card"),
        (322, "dark box as large as a card"),
    ],
)
def test_what_is_like_a_card_is_taken_for_none(seed: int, kind: str) -> None:
    with pytest.raises(RefusedError) as refused:
        print_by(OTHER_ITEMS[kind], seed)
    assert refused.value.problem is Problem.NO_CARD


def print_by(item: Item, seed: int) -> float:
    """The size of a print at 100 % by something that was laid on the rim."""
    set_up = any_set_up(seed, rim_mm=25.0)
    scene = set_up.where.scene
    before = picture(scene)
    known = calibration_from_frames([Frame(before, 0.0, 0)], sight=set_up.sight)
    image = picture(item.on_rim(scene, np.random.default_rng(seed)))
    where = something_new(before, image, known)
    assert where is not None
    return card_on_rim(before, image, known, where)


@pytest.mark.slow
def test_a_card_on_the_floor_cannot_tell_a_small_print_from_a_high_rim() -> None:
    with pytest.raises(RefusedError) as refused:
        print_by_card(310, 1.0, on_rim=False, dark=False)
    assert refused.value.problem in NO_CARD
