"""Pictures that are drawn once are the same as drawn ones, and only those."""

import os
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from simulator.render.pinhole import look_down
from simulator.render.renderer import LIVE_QUALITY, render
from simulator.render.scene import Quality, Scene
from tests.paths import ROOT
from tests.rigs.rendering import pictures
from tests.rigs.rendering.pictures import drawn, name_of, tidy
from vision.frame import Image

SCENE = Scene(camera=look_down((96, 54)))


def noise(seed: int = 5) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.fixture
def renderings(monkeypatch: pytest.MonkeyPatch) -> list[Scene]:
    """The scenes that were really drawn."""
    done: list[Scene] = []

    def noted(scene: Scene, rng: np.random.Generator, quality: Quality) -> Image:
        done.append(scene)
        return render(scene, rng=rng, quality=quality)

    monkeypatch.setattr(pictures, "render", noted)
    return done


def test_a_picture_is_drawn_once(tmp_path: Path, renderings: list[Scene]) -> None:
    folder = tmp_path / "not/yet"
    first, second = (drawn(SCENE, noise(), LIVE_QUALITY, folder) for _ in range(2))
    assert renderings == [SCENE]
    np.testing.assert_array_equal(first, render(SCENE, rng=noise(), quality=LIVE_QUALITY))
    np.testing.assert_array_equal(first, second)
    second[:] = 0  # whoever draws over a picture spoils nobody else's
    np.testing.assert_array_equal(first, drawn(SCENE, noise(), LIVE_QUALITY, folder))
    assert [path.name for path in folder.iterdir()] == [name_of(SCENE, noise(), LIVE_QUALITY)]


def test_all_that_it_depends_on_is_in_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {
        name_of(SCENE, noise(), LIVE_QUALITY),
        name_of(SCENE, noise(6), LIVE_QUALITY),
        name_of(SCENE, noise(), replace(LIVE_QUALITY, shadow_rays=5)),
        name_of(replace(SCENE, camera=look_down((96, 54), 350.1)), noise(), LIVE_QUALITY),
    }
    monkeypatch.setattr(pictures, "source_hash", lambda: b"another source")
    names.add(name_of(SCENE, noise(), LIVE_QUALITY))
    assert len(names) == 5


@pytest.mark.parametrize("room", pictures.DRAWN_BY)
def test_the_source_of_all_that_draws_counts(
    room: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [*(ROOT / room).glob("*.py")]
    monkeypatch.setattr(pictures, "ROOT", tmp_path)
    found = []
    for text in ("one", "two"):
        (tmp_path / room).mkdir(parents=True, exist_ok=True)
        (tmp_path / room / "part.py").write_text(text)
        found.append(pictures.source_hash.__wrapped__())
    monkeypatch.setattr(np, "__version__", "0.1")
    found.append(pictures.source_hash.__wrapped__())
    monkeypatch.setattr(cv2, "__version__", "0.1")
    found.append(pictures.source_hash.__wrapped__())
    assert len(set(found)) == 4


def test_a_part_that_does_not_say_what_it_is_is_refused() -> None:
    for part in (object(), np.zeros(5000)):
        with pytest.raises(ValueError, match="must say what they are"):
            name_of(replace(SCENE, card=part), noise(), LIVE_QUALITY)  # type: ignore[arg-type]


@pytest.mark.parametrize("damage", ["cut off", "empty", "changed"])
def test_a_damaged_picture_is_drawn_anew(
    damage: str, tmp_path: Path, renderings: list[Scene]
) -> None:
    whole = drawn(SCENE, noise(), LIVE_QUALITY, tmp_path)
    (path,) = tmp_path.iterdir()
    data = path.read_bytes()
    middle = len(data) // 2
    changed = data[:middle] + bytes((data[middle] ^ 1,)) + data[middle + 1 :]
    path.write_bytes({"cut off": data[:middle], "empty": b"", "changed": changed}[damage])
    for _ in range(2):
        np.testing.assert_array_equal(whole, drawn(SCENE, noise(), LIVE_QUALITY, tmp_path))
    assert len(renderings) == 2


def test_a_folder_that_cannot_be_written_is_no_reason_to_fail(
    tmp_path: Path, renderings: list[Scene]
) -> None:
    (tmp_path / "file").write_bytes(b"")
    for _ in range(2):
        assert drawn(SCENE, noise(), LIVE_QUALITY, tmp_path / "file").shape == (54, 96, 3)
    assert len(renderings) == 2


def test_a_picture_that_could_not_be_written_whole_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(Path, "replace", refuse)
    drawn(SCENE, noise(), LIVE_QUALITY, tmp_path)
    assert not [*tmp_path.iterdir()]


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path, renderings: list[Scene]) -> None:
    def make(seed: int) -> Path:
        drawn(SCENE, noise(seed), LIVE_QUALITY, tmp_path)
        return tmp_path / name_of(SCENE, noise(seed), LIVE_QUALITY)

    paths = [make(seed) for seed in range(3)]
    for age, path in enumerate(paths):
        os.utime(path, (1000 + age, 1000 + age))
    make(0)  # is used again
    assert len(renderings) == 3
    tidy(tmp_path, 2 * paths[0].stat().st_size)
    assert {*tmp_path.iterdir()} == {paths[0], paths[2]}
