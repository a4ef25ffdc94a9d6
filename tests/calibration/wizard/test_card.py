"""A card on the rim tells how large the print is; what else lies there tells nothing."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.calibration import Calibration
from calibration.errors import RefusedError
from calibration.problems import Problem
from calibration.self_calibration import at_print, calibration_from_frames
from calibration.wizard.advance import advance
from calibration.wizard.card import card_on_rim, something_new
from calibration.wizard.pages import LOOKS_TO_TAKE, Page
from calibration.wizard.seeing import look
from calibration.wizard.state import Wizard, begin_wizard
from simulator.render.dice_model import flat_die
from simulator.render.scene import Scene
from simulator.scenes.installations import INSTALLATION_QUALITY
from tests.calibration.wizard.test_wizard import draft
from tests.rigs.any_set_up import any_set_up
from tests.rigs.known_sizes import CARDS, OTHER_ITEMS, Item, with_card, with_print_of
from tests.rigs.rendering.pictures import drawn
from vision.frame import Frame, Image
from vision.reading import Kind

NO_CARD = (Problem.NO_CARD, Problem.CARD_LOW)


def picture(scene: Scene) -> Image:
    # No two pictures have the same noise.
    return drawn(scene, np.random.default_rng(len(scene.prints)), INSTALLATION_QUALITY)


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


@pytest.mark.slow
@pytest.mark.parametrize(("place", "kind"), [(1, "dark"), (2, "half dark")])
def test_noise_on_the_dark_walls_of_a_deep_tray_is_no_part_of_a_card(place: int, kind: str) -> None:
    found = print_by(CARDS[kind], 501, place, rim_mm=48.0, tilt_deg=29.0)
    assert found == pytest.approx(1.0, rel=0.015)


def print_by(
    item: Item, seed: int, place: int = 0, *, rim_mm: float = 25.0, tilt_deg: float | None = None
) -> float:
    """The size of a print at 100 % by something that was laid on the rim in one of many places."""
    set_up = any_set_up(seed, tilt_deg, rim_mm=rim_mm)
    scene = set_up.where.scene
    before = picture(scene)
    known = calibration_from_frames([Frame(before, 0.0, 0)], sight=set_up.sight)
    image = picture(item.on_rim(scene, np.random.default_rng(place or seed)))
    where = something_new(before, image, known)
    assert where is not None
    return card_on_rim(before, image, known, where)


@pytest.mark.slow
def test_a_card_on_the_floor_cannot_tell_a_small_print_from_a_high_rim() -> None:
    with pytest.raises(RefusedError) as refused:
        print_by_card(310, 1.0, on_rim=False, dark=False)
    assert refused.value.problem in NO_CARD


def looked(wizard: Wizard, image: Image) -> Wizard:
    """The wizard after some looks at a picture."""
    for k in range(2 * LOOKS_TO_TAKE[Page.CARD]):
        wizard = advance(wizard, look(wizard, [Frame(image, float(k), k)]))
    return wizard


@pytest.mark.slow
def test_a_card_is_known_although_dice_were_taken_from_the_holder_before() -> None:
    set_up = any_set_up(310, rim_mm=25.0)
    scene = set_up.where.scene
    x, _ = scene.tray.rim_outer
    die = flat_die(Kind.BLACK, 3, (8.0 - x, 0.0), 0.2)
    with_die, bare = picture(replace(scene, dice=(die,))), picture(scene)
    covered = picture(with_card(scene))
    known = calibration_from_frames([Frame(bare, 0.0, 0)], sight=set_up.sight)
    wizard = replace(begin_wizard(known, sight=set_up.sight), page=Page.CARD)
    wizard = looked(looked(wizard, with_die), covered)
    assert wizard.measured is None, "both in one: it is to be laid anew"
    wizard = looked(looked(wizard, bare), covered)
    assert wizard.measured is not None
    assert wizard.measured.print_scale == pytest.approx(1.0, rel=0.015)
    wizard = looked(wizard, bare)
    assert wizard.taking is wizard.measured


@pytest.mark.slow
def test_a_card_that_lay_there_at_first_is_measured_once_it_is_laid_anew() -> None:
    set_up = any_set_up(310, rim_mm=25.0)
    scene = set_up.where.scene
    bare, covered = picture(scene), picture(with_card(scene))
    known = calibration_from_frames([Frame(bare, 0.0, 0)], sight=set_up.sight)
    wizard = replace(begin_wizard(known, sight=set_up.sight), page=Page.CARD)
    wizard = looked(looked(wizard, covered), bare)
    assert wizard.measured is None
    assert not wizard.covered
    wizard = looked(wizard, covered)
    assert wizard.measured is not None
    assert wizard.measured.print_scale == pytest.approx(1.0, rel=0.015)
    wizard = looked(wizard, bare)
    assert wizard.taking is wizard.measured


def test_pictures_of_another_size_are_not_looked_at_for_a_card() -> None:
    known = replace(draft(), layout=np.zeros((4, 4, 3)))
    wizard = replace(begin_wizard(known), page=Page.CARD)
    width, height = known.profile.size
    seen = look(wizard, [Frame(np.zeros((height // 2, width // 2, 3), np.uint8), 0.0, 0)])
    assert seen.verdict.problem is Problem.BAD_FIT
    assert "pictures" in seen.verdict.detail
