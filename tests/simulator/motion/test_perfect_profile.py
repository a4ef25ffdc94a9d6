"""Knowledge of a simulated tray is kept for the next start."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from simulator.motion import perfect_profile
from simulator.motion.perfect_profile import cached_profile
from simulator.motion.simulated_tray import SimulatedTray
from simulator.motion.watched_tray import geometry_of_tray
from simulator.render.scene import Scene
from vision.geometry.profile import Profile

SIZE = (160, 90)


@pytest.fixture
def learnt(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The sizes for which a profile was learnt: the geometry only, which is quick."""
    sizes: list[tuple[int, int]] = []

    def learn(tray: SimulatedTray, size: tuple[int, int]) -> Profile:
        sizes.append(size)
        return geometry_of_tray(tray, size)

    monkeypatch.setattr(perfect_profile, "learn_profile", learn)
    return sizes


def test_a_tray_is_learnt_once(tmp_path: Path, learnt: list[tuple[int, int]]) -> None:
    first = cached_profile(SimulatedTray(1), SIZE, tmp_path)
    again = cached_profile(SimulatedTray(2), SIZE, tmp_path)
    assert learnt == [SIZE]
    assert np.array_equal(first.camera, again.camera)
    assert np.array_equal(first.tray, again.tray)


def test_another_tray_or_size_is_learnt_anew(tmp_path: Path, learnt: list[tuple[int, int]]) -> None:
    cached_profile(SimulatedTray(1), SIZE, tmp_path)
    cached_profile(SimulatedTray(1), (320, 180), tmp_path)
    assert learnt == [SIZE, (320, 180)]
    assert len(list(tmp_path.iterdir())) == 2
    scene = Scene()
    higher = replace(scene, tray=replace(scene.tray, wall_height=scene.tray.wall_height + 3))
    cached_profile(SimulatedTray(1, scene=higher), SIZE, tmp_path)
    assert len(learnt) == 3
    assert len(list(tmp_path.iterdir())) == 2, "the one before is removed"


def test_a_damaged_file_is_learnt_anew(tmp_path: Path, learnt: list[tuple[int, int]]) -> None:
    cached_profile(SimulatedTray(1), SIZE, tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:100])
    cached_profile(SimulatedTray(1), SIZE, tmp_path)
    cached_profile(SimulatedTray(1), SIZE, tmp_path)
    assert len(learnt) == 2


def test_without_a_place_for_it_nothing_is_kept(
    tmp_path: Path, learnt: list[tuple[int, int]]
) -> None:
    for _ in range(2):
        cached_profile(SimulatedTray(1), SIZE, tmp_path / "file" / "none")
        (tmp_path / "file").write_text("no folder", "utf-8")
    assert len(learnt) == 2
