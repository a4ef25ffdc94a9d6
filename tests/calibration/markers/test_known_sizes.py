"""The paper's edges and a card tell how large a print is."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.errors import RefusedError
from calibration.markers.known_sizes import PAPERS_MM
from calibration.problems import Problem
from calibration.self_calibration import calibration_from_frames
from simulator.render.prints import Print
from simulator.render.scene import Scene
from simulator.scenes.installations import INSTALLATION_QUALITY
from tests.rigs.any_set_up import any_set_up
from tests.rigs.known_sizes import uncut_sheet
from tests.rigs.rendering.pictures import drawn
from vision.frame import Frame, Image

NO_CARD = (Problem.NO_CARD, Problem.CARD_LOW)


def picture(scene: Scene) -> Image:
    return drawn(scene, np.random.default_rng(1), INSTALLATION_QUALITY)


TWO_PAGES = 0.707


def sheet_below(
    seed: int, paper: tuple[float, float], scale: float, *, per_sheet: int = 1, higher: float = 1.7
) -> Image:
    """The whole sheet on a tray, seen from farther away."""
    scene = any_set_up(seed).where.scene
    camera = scene.camera
    eye = np.array(camera.position) * (1.2, 1.2, higher)
    away = replace(camera, translation=tuple((-np.array(camera.rotation) @ eye).tolist()))
    sheet = Print(
        uncut_sheet(paper, scale, per_sheet), (0.0, 10.0), 0.1, scene.tray.wall_height + 0.5
    )
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


@pytest.mark.slow
@pytest.mark.parametrize("paper", PAPERS_MM)
@pytest.mark.parametrize(("seed", "higher"), [(301, 1.5), (302, 1.2)])
def test_the_page_on_half_of_a_sheet_is_no_larger_print_on_a_whole_one(
    seed: int, higher: float, paper: tuple[float, float]
) -> None:
    image = sheet_below(seed, paper, TWO_PAGES, per_sheet=2, higher=higher)
    with pytest.raises(RefusedError, match=r"printed at 7[01]%") as refused:
        calibration_from_frames([Frame(image, 0.0, 0)], sight=any_set_up(seed).sight)
    assert refused.value.problem is Problem.PRINT_SMALL
