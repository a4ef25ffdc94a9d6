from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from simulator.motion.acts import Mishap
from simulator.motion.placing import separation, wall_gap
from simulator.motion.simulated_tray import SimulatedTray
from simulator.motion.throwing import place_of_flat_die
from simulator.motion.watched_tray import geometry_of_tray
from simulator.render.tray_model import TrayModel
from tests.rigs.examples import examples
from tests.rigs.rendering.streaming import StreamingCamera
from tests.rigs.rendering.truth import rests_high, truth_in
from vision.reading import POWER_FACES, DieState, Face, Kind

HALF = TrayModel().half


def finish(tray: SimulatedTray) -> None:
    """Lets everything queued happen."""
    for _ in range(400):
        if not tray.busy:
            return
        tray.advance(0.1)
    raise AssertionError("the tray never came to rest")


def faces(tray: SimulatedTray) -> dict[int, Face]:
    return {slot: die.face for slot, die in truth_in(tray).items()}


def check_rest(tray: SimulatedTray) -> None:
    """All dice lie flat on the floor and overlap neither each other nor a wall."""
    dice = list(truth_in(tray).values())
    places = [place_of_flat_die(d.pose) for d in dice]
    for k, (die, place) in enumerate(zip(dice, places, strict=True)):
        assert die.tilt_deg < 0.01
        assert rests_high(die.pose) == pytest.approx(0.0, abs=1e-3)
        assert wall_gap(place, HALF) >= 0
        assert all(separation(place, other)[0] >= 0 for other in places[:k])


def test_thrown_faces_are_the_asked_ones_over_many_seeds() -> None:
    for seed in range(examples(4, 8)):
        rng = np.random.default_rng(seed)
        asked: dict[int, Face] = {k: int(rng.integers(1, 7)) for k in range(5)}
        asked[5] = POWER_FACES[int(rng.integers(6))]
        tray = SimulatedTray(seed)
        tray.throw(asked)
        finish(tray)
        assert faces(tray) == asked
        check_rest(tray)


def test_held_dice_stay_exactly_where_they_are() -> None:
    for seed in range(examples(2, 4)):
        tray = SimulatedTray(seed)
        tray.throw({0: 1, 1: 2, 2: 3, 3: 4, 4: 5})
        finish(tray)
        before = truth_in(tray)
        tray.throw({1: 6, 4: 6})
        finish(tray)
        after = truth_in(tray)
        for slot in (0, 2, 3):
            assert after[slot].pose == before[slot].pose
        assert faces(tray) == {0: 1, 1: 6, 2: 3, 3: 4, 4: 6}
        check_rest(tray)


def test_poses_move_without_jumps_until_they_rest() -> None:
    tray = SimulatedTray(5)
    tray.throw({0: 1, 1: 2, 2: 3})
    last: Mapping[int, tuple[float, float, float]] = {}
    step = 1 / 240
    while tray.busy:
        scene = tray.scene()
        now = {k: d.position for k, d in enumerate(scene.dice)}
        for slot, place in now.items():
            if slot in last:
                # Nothing here moves faster than about 3 m/s.
                assert np.linalg.norm(np.subtract(place, last[slot])) < 3000 * step
            assert place[2] < -4.0, "no die sinks into the floor"
        last = now
        tray.advance(step)
    assert len(last) == 3


def test_pick_up_hides_dice_before_they_vanish_and_leaves_the_others() -> None:
    for seed in range(examples(1, 2)):
        tray = SimulatedTray(seed)
        tray.throw({k: k + 1 for k in range(5)})
        finish(tray)
        tray.pick_up([0, 3])
        previous = truth_in(tray)
        while tray.busy:
            now = truth_in(tray)
            for slot in previous.keys() - now.keys():
                assert previous[slot].hidden > 0.95, "a die vanished in plain view"
            previous = now
            tray.advance(1 / 30)
        assert sorted(truth_in(tray)) == [1, 2, 4]
        assert tray.scene().hand is None


def test_throwing_a_die_that_lies_there_picks_it_up_first() -> None:
    tray = SimulatedTray(1)
    tray.throw({0: 1, 1: 1})
    finish(tray)
    tray.throw({0: 5})
    counts = set()
    while tray.busy:
        counts.add(len(truth_in(tray)))
        tray.advance(0.05)
    assert counts == {1, 2}
    assert faces(tray) == {0: 5, 1: 1}


def test_clear_empties_and_an_empty_tray_can_be_cleared() -> None:
    tray = SimulatedTray(2)
    tray.clear()
    assert not tray.busy
    tray.throw({0: 4})
    tray.clear()
    finish(tray)
    assert truth_in(tray) == {} and tray.slots == ()


@pytest.mark.parametrize(
    ("mishap", "state"), [(Mishap.LEANING, DieState.LEANING), (Mishap.STACKED, DieState.STACKED)]
)
def test_mishaps(mishap: Mishap, state: DieState) -> None:
    for seed in range(examples(2, 3)):
        tray = SimulatedTray(seed)
        tray.throw({0: 1, 1: 2, 2: 3}, {2: mishap})
        finish(tray)
        found = truth_in(tray)
        assert found[2].state is state and found[2].face == 3
        tray.throw({2: 6})
        finish(tray)
        assert truth_in(tray)[2].state is DieState.OK
        assert faces(tray) == {0: 1, 1: 2, 2: 6}


def test_a_die_thrown_outside_lies_on_the_table() -> None:
    tray = SimulatedTray(4)
    tray.throw({0: 1, 1: 6}, {1: Mishap.OUTSIDE})
    finish(tray)
    found = truth_in(tray)[1]
    assert abs(found.mm[0]) > TrayModel().rim_outer[0] + 8 and found.face == 6


def test_a_hand_that_rests_changes_nothing() -> None:
    tray = SimulatedTray(6)
    tray.throw({0: 1, 1: 2})
    finish(tray)
    before = {s: d.pose for s, d in truth_in(tray).items()}
    tray.rest_hand(0.5)
    hands = 0
    while tray.busy:
        hands += tray.scene().hand is not None
        tray.advance(0.1)
    assert hands > 5
    assert {s: d.pose for s, d in truth_in(tray).items()} == before


def test_a_knocked_die_moves_and_keeps_its_face() -> None:
    tray = SimulatedTray(7)
    tray.throw({0: 1, 1: 2, 2: 3})
    finish(tray)
    before = truth_in(tray)
    tray.knock(1)
    finish(tray)
    after = truth_in(tray)
    assert np.hypot(*np.subtract(after[1].mm, before[1].mm)) > 5
    assert faces(tray) == {0: 1, 1: 2, 2: 3}
    assert after[0].pose == before[0].pose
    check_rest(tray)


def test_wrong_requests_are_refused() -> None:
    tray = SimulatedTray(0)
    with pytest.raises(ValueError, match="slots"):
        tray.throw({9: 1})
    with pytest.raises(ValueError, match="shows"):
        tray.throw({0: 7})
    with pytest.raises(ValueError, match="lie in the tray"):
        tray.pick_up([0])
    with pytest.raises(ValueError, match="lies in the tray"):
        tray.knock(0)
    with pytest.raises(ValueError, match="time"):
        tray.advance(-0.1)
    assert not tray.busy


def test_dice_of_all_colours() -> None:
    kinds = {0: Kind.RED, 1: Kind.WHITE, 2: Kind.YELLOW, 3: Kind.BLACK}
    tray = SimulatedTray(3, kinds)
    tray.throw({0: 1, 1: 2, 2: 3, 3: 4})
    finish(tray)
    assert {s: d.kind for s, d in truth_in(tray).items()} == kinds


def test_frames_are_the_seeds_and_time_is_simulated() -> None:
    runs = []
    for _ in range(2):
        tray = SimulatedTray(8)
        tray.throw({0: 1, 1: 2})
        camera = StreamingCamera(tray, fps=10, size=(160, 90))
        waits: list[float] = []
        camera = StreamingCamera(tray, fps=10, size=(160, 90), pace=waits.append)
        frames = []
        for frame in camera.frames():
            frames.append(frame)
            if len(frames) == 14:
                camera.close()
        runs.append(frames)
        assert [f.index for f in frames] == list(range(14))
        assert np.allclose([f.time_s for f in frames], np.arange(14) / 10)
        assert waits == [f.time_s for f in frames]
        assert frames[0].image.shape == (90, 160, 3)
    assert all(np.array_equal(a.image, b.image) for a, b in zip(*runs, strict=True))
    assert not np.array_equal(runs[0][0].image, runs[0][12].image)


def test_camera_needs_a_rate() -> None:
    with pytest.raises(ValueError, match="frames a second"):
        StreamingCamera(SimulatedTray(0), fps=0)


def test_rolling_shutter_and_exposure_smear_moving_dice() -> None:
    tray = SimulatedTray(9, exposure_s=0.02)
    tray.throw({0: 1})
    smeared = 0
    while tray.busy:
        scene = tray.scene((160, 90))
        if scene.smear and scene.dice:
            places = [m.dice[0].position for m in scene.smear]
            smeared += int(np.linalg.norm(np.subtract(places[0], places[-1])) > 4)
        tray.advance(1 / 60)
    assert smeared > 3
    assert tray.scene().smear == ()


def test_camera_parameters_follow_the_size() -> None:
    tray = SimulatedTray(0)
    small, big = geometry_of_tray(tray, (320, 180)), geometry_of_tray(tray, (640, 360))
    assert big.camera[0, 0] == pytest.approx(2 * small.camera[0, 0])
    assert np.allclose(
        big.tray, [(-HALF[0], -HALF[1]), (HALF[0], -HALF[1]), HALF, (-HALF[0], HALF[1])]
    )


def test_another_tray_size_is_kept() -> None:
    from simulator.render.scene import Scene

    wide = Scene(tray=replace(TrayModel(), half=(140.0, 100.0)))
    tray = SimulatedTray(0, scene=wide)
    tray.throw(dict.fromkeys(range(5), 1))
    finish(tray)
    for die in truth_in(tray).values():
        assert wall_gap(place_of_flat_die(die.pose), (140.0, 100.0)) >= 0
