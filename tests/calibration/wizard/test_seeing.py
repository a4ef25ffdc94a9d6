"""Looks at rendered set-ups: what is taken, how sure it is, and what is only told."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.calibration import Calibration
from calibration.markers.bundle import RimHeight
from calibration.problems import Problem
from calibration.wizard.advance import advance
from calibration.wizard.pages import Page
from calibration.wizard.prompts import PagePrompt, wizard_prompt
from calibration.wizard.seeing import look
from calibration.wizard.state import MAX_OFF_MM, Point, Seen, Wizard, begin_wizard
from simulator.render.dice_model import STANDARD_STYLES, flat_die
from simulator.render.light import Light
from simulator.render.prints import board_in_tray, rim_plates
from simulator.render.scene import Scene
from simulator.scenes.installations import INSTALLATION_QUALITY
from tests.calibration.setups import exposed, grid, installation, picture, ready, true_frame
from tests.rigs.marker_faults import faulty_tray
from tests.rigs.rendering.pictures import drawn
from vision.frame import Frame
from vision.reading import Kind

SIZE = (960, 540)
SEEDS = (101, 105, 112)
"""Trays whose rims are 19, 17 and 26 mm high."""


def seen(scene: Scene, page: Page = Page.TRAY, known: Calibration | None = None) -> Seen:
    return look(Wizard(page, known=known), [Frame(picture(scene), 0.0, 0)])


def taken(scene: Scene) -> Calibration:
    found = seen(scene)
    assert found.draft is not None, found.verdict
    return found.draft


def off_mm(scene: Scene, calibration: Calibration) -> float:
    """How far off the worst place on the tops of dice is."""
    places = grid(scene.tray)
    pixels = scene.camera.project(np.column_stack([places, np.full(len(places), -16.0)]))
    # Without markers the floor itself defines the frame.
    origin, turn = true_frame(scene.prints) if scene.prints else (np.zeros(2), np.eye(2))
    found = calibration.profile.to_mm(pixels, 16.0)
    return float(np.linalg.norm(found - (places - origin) @ turn, axis=1).max())


def test_a_tray_whose_corners_were_pointed_at_is_shown_and_compared_with_when_empty() -> None:
    scene = replace(installation(3, SIZE), prints=())
    (x, y), rng = scene.tray.half, np.random.default_rng(0)
    floor = np.array(((-x, -y, 0.0), (x, -y, 0.0), (x, y, 0.0), (-x, y, 0.0)))
    corners = scene.camera.project(floor)
    frames = [Frame(picture(scene), 0.0, 0)]
    size_mm = (float(round(2 * x)), float(round(2 * y)))
    wizard = begin_wizard(floor_mm=size_mm, by_corners=True)
    wizard = advance(wizard, look(wizard, frames))
    for column, row in corners + rng.normal(0.0, 1.0, corners.shape):
        wizard = advance(wizard, Point(column / SIZE[0], row / SIZE[1]))
    found = look(wizard, frames)
    assert found.verdict.good, found.verdict
    np.testing.assert_allclose(np.array(found.outline) * SIZE, corners, atol=4.0)
    assert found.draft is not None
    assert found.draft.layout is None
    assert found.draft.profile.empty is not None, "what later pictures are compared with"
    assert off_mm(scene, found.draft) < min(2.5, found.draft.off_mm or 0.0)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_rim_that_nobody_has_measured_is_not_claimed_to_be_known(seed: int) -> None:
    scene = ready(seed, SIZE)
    guessed = taken(scene)
    off = off_mm(scene, guessed)
    assert off > 1.0, "these trays are not the usual one"
    assert guessed.off_mm is not None
    assert off < guessed.off_mm


def test_a_sheet_that_lies_in_the_tray_makes_it_exact_without_a_press() -> None:
    scene = ready(105, SIZE)
    laid = replace(scene, prints=(*scene.prints, board_in_tray((5.0, -3.0), 0.1)))
    measured = taken(laid)
    assert measured.off_mm is not None
    assert off_mm(scene, measured) < measured.off_mm < 2.5 * MAX_OFF_MM

    # Without the sheet it is not forgotten how high the rim is; nor what somebody has entered.
    again = seen(scene, known=measured).draft
    rim = RimHeight(scene.tray.wall_height)
    entered = look(Wizard(Page.TRAY, rim=rim), [Frame(picture(scene), 0.0, 0)]).draft
    for calibration in (again, entered):
        assert calibration is not None
        assert calibration.off_mm is not None
        assert off_mm(scene, calibration) < calibration.off_mm < 2.5 * MAX_OFF_MM


@pytest.fixture(scope="module")
def base() -> Scene:
    return ready(3, SIZE)


def lit(scene: Scene, factor: float) -> Scene:
    return replace(scene, sensor=replace(scene.sensor, exposure=scene.sensor.exposure * factor))


WHITE = replace(STANDARD_STYLES[Kind.WHITE])


def white_dice(scene: Scene) -> Scene:
    places = [(x, y) for y in (-30.0, 30.0) for x in (-50.0, 0.0, 50.0)][:5]
    dice = tuple(
        flat_die(Kind.WHITE, 1 + n, place, 0.3 * n, WHITE) for n, place in enumerate(places)
    )
    return replace(scene, dice=dice)


def test_nobody_is_told_to_move_a_lamp_because_of_white_dice(base: Scene) -> None:
    found = seen(exposed(white_dice(base)))
    assert found.verdict.good, found.verdict
    assert (found.draft is not None, found.advice) == (True, None)


def test_what_was_learnt_of_dice_and_holder_is_kept_with_another_tray(base: Scene) -> None:
    first = taken(base)
    holders = np.array([(0.0, 0.0), (9.0, 0.0), (9.0, 9.0)])
    known = replace(first, holders=holders, profile=replace(first.profile, die_edge_mm=14.0))
    again = seen(base, known=known).draft
    assert again is not None
    assert again.holders is holders
    assert again.profile.die_edge_mm == 14.0


def test_the_dark_is_refused(base: Scene) -> None:
    assert seen(lit(base, 1 / 10)).verdict.problem is Problem.TOO_DARK


def test_a_tray_that_can_be_found_is_not_refused_for_glare_or_blur(base: Scene) -> None:
    tray = replace(base.tray, floor=replace(base.tray.floor, roughness=0.25))
    # A lamp at the camera's height is reflected half-way between it and the camera.
    lamp = Light((-120.0, 0.0, float(base.camera.position[2]) - 1), 12.0, (2.5, 2.5, 2.5))
    lighting = replace(base.lighting, lights=(*base.lighting.lights, lamp))
    shining = seen(exposed(replace(base, tray=tray, lighting=lighting)))
    assert (shining.verdict.good, shining.advice) == (True, Problem.GLARE_LEFT)
    soft = seen(replace(base, sensor=replace(base.sensor, defocus=0.8)))
    assert (soft.verdict.good, soft.advice) == (True, Problem.BLURRED)


def test_a_tray_in_the_wrong_place_is_named(base: Scene) -> None:
    hidden = replace(base, prints=rim_plates(base.tray, corners=(0, 1, 3)))
    assert seen(hidden).verdict.problem is Problem.HIDDEN
    x, y = base.camera.centre
    cut = replace(base, camera=replace(base.camera, centre=(x + 260.0, y)))
    assert seen(cut).verdict.problem is Problem.CUT_OFF


def test_only_a_die_that_lies_there_is_learnt(base: Scene) -> None:
    known = taken(base)
    nothing = seen(base, Page.POWER, known)
    assert nothing.verdict.problem is Problem.NO_DICE
    assert nothing.bare is not None
    power = flat_die(Kind.POWER, "freeze", (10.0, 5.0), 0.4, STANDARD_STYLES[Kind.POWER])
    lies = seen(replace(base, dice=(power,)), Page.POWER, known)
    assert lies.verdict.good, lies.verdict
    assert lies.draft is not None
    assert [face.value for face in lies.draft.profile.power_faces] == [Wizard().face]
    assert np.hypot(*np.subtract(lies.places[0], (10.0, 5.0))) < 6.0
    assert lies.differs_from(nothing)
    turned = flat_die(Kind.POWER, "double", (10.0, 5.0), 0.4, STANDARD_STYLES[Kind.POWER])
    assert seen(replace(base, dice=(turned,)), Page.POWER, known).differs_from(lies)
    again = look(
        Wizard(Page.POWER, known=known), [Frame(picture(replace(base, dice=(power,)), 9), 0.0, 0)]
    )
    assert not again.differs_from(lies)


def leaning(scene: Scene, k: int) -> Frame:
    """A picture of the sheet leaning in one of some ways."""
    way = 2.1 * k
    tilt = (0.3 * float(np.cos(way)), 0.3 * float(np.sin(way)))
    board = board_in_tray((4.0, -3.0), 0.1, 30.0, tilt)
    return Frame(picture(replace(scene, prints=(*scene.prints, board))), 0.5 * k, k)


@pytest.mark.slow
def test_a_sheet_that_leans_in_three_ways_makes_an_unknown_lens_known() -> None:
    scene = ready(101, SIZE)
    wizard = Wizard(Page.TRAY, sight=None)
    for k in range(3):
        frames = [leaning(scene, k)]
        for _ in range(2):
            wizard = advance(wizard, look(wizard, frames))
        assert len(wizard.views) == k + 1, "the same way counts once"
        assert wizard.measures_lens is (k < 2)
        if k < 2:
            said = wizard_prompt(wizard)
            assert isinstance(said, PagePrompt)
            assert said.says == ("LEAN THE SHEET", "OTHER SIDE")
            assert said.place == f"{k + 1}/3"
            assert wizard.looks == 0, "it waits for the others"
    assert wizard.lens is not None
    assert wizard.lens.lens.matrix[0, 0] == pytest.approx(scene.camera.focal[0], rel=0.02)
    laid = replace(scene, prints=(*scene.prints, board_in_tray((5.0, -3.0), 0.1)))
    seen = look(wizard, [Frame(picture(laid), 9.0, 9)])
    assert seen.draft is not None
    assert seen.draft.lens is wizard.lens
    assert seen.draft.off_mm is not None
    assert off_mm(laid, seen.draft) < seen.draft.off_mm < 0.8


@pytest.mark.slow
def test_the_lens_over_a_tray_without_markers_is_measured_too() -> None:
    scene = replace(ready(101, SIZE), prints=())
    wizard = Wizard(Page.TRAY, sight=None)
    for k in range(3):
        wizard = advance(wizard, look(wizard, [leaning(scene, k)]))
    assert wizard.lens is not None
    assert wizard.lens.lens.matrix[0, 0] == pytest.approx(scene.camera.focal[0], rel=0.02)


@pytest.mark.slow
def test_another_lens_on_a_camera_that_is_known_is_named_and_measured_by_the_leaning_sheet() -> (
    None
):
    tray = faulty_tray("a lens of 118 degrees", 3)
    scene, wizard = tray.scenes[0], begin_wizard(sight=tray.sight)
    problems = []
    for lean in (None, (0.25, 0.0), (-0.25, 0.0), (0.0, 0.25), (0.0, -0.25)):
        sheet = () if lean is None else (board_in_tray((0.0, 0.0), 0.05, 25.0, lean),)
        image = drawn(replace(scene, prints=(*scene.prints, *sheet)), quality=INSTALLATION_QUALITY)
        frames = [Frame(image, 0.1 * k, k, sight=tray.sight) for k in range(3)]
        for _ in range(2):
            wizard = advance(wizard, look(wizard, frames))
        problems.append(None if wizard.verdict is None else wizard.verdict.problem)
    assert problems[0] is Problem.OTHER_LENS
    assert wizard.lens is not None
    assert wizard.lens.lens.matrix[0, 0] == pytest.approx(scene.camera.focal[0], rel=0.01)
    assert problems[-1] is None, "the tray is found with it"
