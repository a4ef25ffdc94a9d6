"""The benchmark of fresh renderings."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scripts import bench_rendered
from scripts.campaign.pictures import Taken, encoded
from scripts.campaign.polished import SET
from scripts.campaign.results import Counts
from scripts.training.close_views import CLOSE
from simulator.render.dice_model import flat_die
from simulator.render.renderer import render
from simulator.render.scene import Scene
from tests.rigs.rendering.dataset import scenes
from tests.rigs.rendering.truth import truth
from vision.errors import TooManySpots
from vision.frame import Image
from vision.reading import Kind


class Refusing:
    def __init__(self, profile: object) -> None:
        pass

    def read(self, image: Image) -> None:
        raise TooManySpots()


def test_a_picture_that_is_refused_counts_as_read_with_nothing_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a pool its error would not come back, and the benchmark would wait for ever."""
    monkeypatch.setattr(bench_rendered, "Reader", Refusing)
    scene = Scene(dice=(flat_die(Kind.BLACK, 4, (0.0, 0.0), 0.0),))
    picture = encoded(np.zeros((864, 1536, 3), np.uint8), 90)
    taken = bench_rendered._taken("0/0", "easy", scene, picture, truth(scene), False)
    counts: Counts = {}
    bench_rendered._count(counts, [], taken, True)
    row = counts["easy, geometry known"]
    assert (row.dice, row.right, row.wrong, row.missed) == (1, 0, 0, 1)


def test_pictures_that_are_kept_are_not_rendered_again(tmp_path: Path) -> None:
    scene = Scene(dice=(flat_die(Kind.BLACK, 4, (0.0, 0.0), 0.0),))
    picture = encoded(np.zeros((864, 1536, 3), np.uint8), 90)
    taken = bench_rendered._taken("0/0", "easy", scene, picture, truth(scene), False)
    rendered = []

    def render() -> Iterator[Taken]:
        rendered.append(1)
        yield taken

    unit = bench_rendered.Unit("easy 0", render, tmp_path / "easy-0.npz", True)
    first, second = list(unit.pictures()), list(unit.pictures())
    assert len(rendered) == 1
    assert [one.name for one in first] == [one.name for one in second] == ["0/0"]


def test_a_campaign_s_pictures_are_the_camera_s(monkeypatch: pytest.MonkeyPatch) -> None:
    """The benchmark does the sensor's last step itself, because it keeps the result."""
    monkeypatch.setattr(bench_rendered, "THROWS_PER_TRAY", 1)
    (one,) = bench_rendered._trays(1, "hard", (320, 180))
    _, scene, rng = next(scenes(1, "hard", (320, 180), 1, 1))
    assert np.array_equal(one.image(), render(scene, rng=rng, quality=CLOSE))


def test_polished_dice_are_seen_at_two_exposures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_rendered, "THROWS_PER_TRAY", 1)
    monkeypatch.setattr("scripts.bench_rendered.SET", SET[:2])

    def render_small(scene: Scene, **how: Any) -> Image:
        return render(scene.with_size((320, 180)), **how)

    monkeypatch.setattr(bench_rendered, "render", render_small)
    lit, darker = bench_rendered._polished(3)
    assert (lit.group, darker.group) == ("polished dice", "polished dice, darker")
    assert lit.name == darker.name == "polished 3/0"
    assert [die["value"] for die in lit.dice] == [die["value"] for die in darker.dice]
    assert len(lit.dice) == 2
    assert lit.image().mean() > 2 * darker.image().mean()
