"""The size of the dice is learnt from throws."""

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from appliance.service.installation import CalibratedTray
from calibration import store
from calibration.calibration import Calibration
from calibration.readers import CalibratedReader
from calibration.self_calibration import (
    CONFIRMING_THROWS,
    Size,
    ThrownDice,
    calibration_from_frames,
)
from calibration.self_calibration.dice import outlined_edge
from simulator.render.dice_model import STANDARD_STYLES, DieStyle, flat_die
from simulator.render.scene import Scene
from simulator.scenes.installations import INSTALLATION_QUALITY
from tests.appliance.service.test_finding import Room, empty_tray
from tests.builders import reading
from tests.rigs.rendering.pictures import drawn
from vision.events import Found, Roll
from vision.frame import Frame, Image
from vision.reading import DieReading, DieState, Kind


def of_size(style: DieStyle, edge: float) -> DieStyle:
    """A make of dice, larger or smaller."""
    scale = edge / 16.0
    return replace(
        style,
        edge_radius=style.edge_radius * scale,
        pip_radius=style.pip_radius * scale,
        pip_depth=style.pip_depth * scale,
        pip_spread=style.pip_spread * scale,
    )


def with_dice_of(edge: float, kind: Kind = Kind.WHITE, count: int = 5) -> Scene:
    style = of_size(STANDARD_STYLES[kind], edge)
    dice = []
    for k in range(count):
        body = flat_die(kind, k + 1, (30.0 * k - 60.0, 8.0 * k - 16.0), 0.3 * k, style, edge)
        dice.append(body)
    return replace(empty_tray(), dice=tuple(dice))


def picture(scene: Scene) -> Image:
    return drawn(scene, np.random.default_rng(1), INSTALLATION_QUALITY)


@lru_cache(maxsize=1)
def calibration() -> Calibration:
    return calibration_from_frames([Frame(picture(empty_tray()), 0.0, 0)])


def seen(
    size: ThrownDice, scene: Scene, known: Calibration | None = None
) -> Calibration | float | Size:
    known = known or calibration()
    image = picture(scene)
    return size.see(known, image, CalibratedReader(known).read(image).dice)


def test_dice_of_the_size_that_is_believed_agree_whatever_their_colour() -> None:
    for kind in (Kind.WHITE, Kind.OTHER):
        assert seen(ThrownDice(learns_rim=False), with_dice_of(16.0, kind)) is Size.AGREES


def test_dice_that_are_all_asked_about_for_their_size_are_learnt_from_one_throw() -> None:
    for edge in (10.0, 20.0):
        found = seen(ThrownDice(learns_rim=False), with_dice_of(edge))
        assert found == edge
        known = calibration().with_dice_of(edge)
        assert seen(ThrownDice(learns_rim=False), with_dice_of(edge), known) is Size.AGREES


def test_a_size_that_reads_no_better_is_believed_after_two_throws_that_agree() -> None:
    size = ThrownDice(learns_rim=False)
    other = with_dice_of(14.0)
    assert seen(size, other) is Size.UNCLEAR
    assert seen(size, with_dice_of(16.0)) is Size.AGREES
    assert seen(size, other) is Size.UNCLEAR
    assert seen(size, other) == 14.0


def test_two_dice_say_nothing() -> None:
    assert seen(ThrownDice(learns_rim=False), with_dice_of(20.0, count=2)) is Size.UNCLEAR


def test_squares_of_a_checked_floor_are_no_dice_of_their_size() -> None:
    """The size learnt on squares of 18 mm was 18 mm: more of them are outlined than dice."""
    profile = calibration().profile

    def outlined(mm: float, count: int, state: DieState) -> list[DieReading]:
        found = []
        for k in range(count):
            (place,) = profile.to_pixels(np.array([(20.0 * k - 80.0, mm - 16.0, -16.0)])).tolist()
            edge = 0.955 * mm / 16.0 * profile.edge_pixels((place[0], place[1]))
            found.append(reading(5, (place[0], place[1]), state=state, edge=edge))
        return found

    squares = outlined(18.0, 8, DieState.UNSURE)
    on_squares = outlined_edge(profile, [*outlined(16.0, 5, DieState.OK), *squares])
    assert on_squares == pytest.approx(16.0, abs=0.3)
    # Dice of another size are in doubt, too, all of them.
    all_in_doubt = outlined_edge(profile, [*outlined(16.0, 1, DieState.OK), *squares])
    assert all_in_doubt == pytest.approx(18.0, abs=0.3)


def test_a_tray_learns_large_dice_in_silence_and_asks_about_others_later(tmp_path: Path) -> None:
    path = tmp_path / "tray.profile"
    tray, room = CalibratedTray(path), Room(1.0)
    asked: list[tuple[float, float]] = []

    def sure() -> int:
        """How many of five dice are claimed when they are thrown into the empty tray."""
        dice, room.scene = room.scene, empty_tray()
        room.show(watcher, 1.5)
        room.scene = dice
        rolls = [one for one in room.show(watcher, 2.0) if isinstance(one, Roll | Found)]
        tray.new_dice.ask_about_size(lambda *sizes: asked.append(sizes))
        return sum(die.reading.sure for die in rolls[-1].dice)

    watcher = tray.guard.watcher()
    room.show(watcher, 4.0)
    room.scene = with_dice_of(20.0)
    first = sure()
    assert first < 5, "as dice of 16 mm they are asked about"
    assert store.load(path).profile.die_edge_mm == 20.0
    assert [sure() for _ in range(CONFIRMING_THROWS)] == [5] * CONFIRMING_THROWS
    assert store.load(path).size_known
    assert asked == []
    room.scene = with_dice_of(12.0)
    for _ in range(2):
        sure()
    assert asked == [(20.0, 12.0)]
    assert tray.calibration is not None
    assert tray.calibration.profile.die_edge_mm == 20.0, "until it is answered"
    tray.new_dice.answer(new=True)
    assert sure() == 5
    assert CalibratedTray(path).about()[2] == ("DICE", "12 MM")
