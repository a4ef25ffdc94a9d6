"""What is learnt about a simulated tray is kept for the next start."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from appliance.simulator.motion import perfect_profile
from appliance.simulator.motion.perfect_profile import kept_profile
from appliance.simulator.motion.simulated_tray import SimulatedTray
from appliance.simulator.motion.watched_tray import profile_of
from appliance.simulator.render.scene import Scene
from vision.geometry.profile import Profile

SIZE = (160, 90)


@pytest.fixture
def learnt(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The sizes for which a profile was learnt: the geometry only, which is quick."""
    sizes: list[tuple[int, int]] = []

    def learn(tray: SimulatedTray, size: tuple[int, int]) -> Profile:
        sizes.append(size)
        return profile_of(tray, size)

    monkeypatch.setattr(perfect_profile, "learnt_profile", learn)
    return sizes


def test_a_tray_is_learnt_once(tmp_path: Path, learnt: list[tuple[int, int]]) -> None:
    first = kept_profile(SimulatedTray(1), SIZE, tmp_path)
    again = kept_profile(SimulatedTray(2), SIZE, tmp_path)
    assert learnt == [SIZE]
    assert np.array_equal(first.camera, again.camera)
    assert np.array_equal(first.tray, again.tray)


def test_another_tray_or_size_is_learnt_anew(tmp_path: Path, learnt: list[tuple[int, int]]) -> None:
    kept_profile(SimulatedTray(1), SIZE, tmp_path)
    kept_profile(SimulatedTray(1), (320, 180), tmp_path)
    assert learnt == [SIZE, (320, 180)]
    assert len(list(tmp_path.iterdir())) == 2
    scene = Scene()
    higher = replace(scene, tray=replace(scene.tray, wall_height=scene.tray.wall_height + 3))
    kept_profile(SimulatedTray(1, scene=higher), SIZE, tmp_path)
    assert len(learnt) == 3
    assert len(list(tmp_path.iterdir())) == 2, "the one before is removed"


def test_a_damaged_file_is_learnt_anew(tmp_path: Path, learnt: list[tuple[int, int]]) -> None:
    kept_profile(SimulatedTray(1), SIZE, tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:100])
    kept_profile(SimulatedTray(1), SIZE, tmp_path)
    kept_profile(SimulatedTray(1), SIZE, tmp_path)
    assert len(learnt) == 2


def test_without_a_place_for_it_nothing_is_kept(
    tmp_path: Path, learnt: list[tuple[int, int]]
) -> None:
    for _ in range(2):
        kept_profile(SimulatedTray(1), SIZE, tmp_path / "file" / "none")
        (tmp_path / "file").write_text("no folder", "utf-8")
    assert len(learnt) == 2
