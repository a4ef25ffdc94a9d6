"""Renderings in which a die was once read wrongly, by the seeds that `bench_rendered` printed."""

import pytest

from appliance.dataset.evaluation.vision import label_of, match_labels
from scripts.training.close_views import CLOSE
from simulator.render.scene import camera_parameters
from simulator.scenes.random_setup import Difficulty
from tests.rigs.rendering.dataset import index_record, scene_of
from tests.rigs.rendering.pictures import drawn
from tests.rigs.rendering.truth import truth
from vision.reader import Reader

SIZE = (1536, 864)


@pytest.mark.parametrize(
    ("seed", "number", "level"),
    [
        (80044, 4, "normal"),
        (90010, 8, "hard"),
        (95009, 4, "hard"),
        (95040, 1, "hard"),
        (97010, 3, "hard"),
        (97029, 3, "hard"),
        (120009, 0, "hard"),
        (120056, 6, "hard"),
        (120063, 7, "easy"),
        (130101, 3, "hard"),
        (130127, 2, "hard"),
        (140113, 7, "hard"),
        (800294, 0, "hard"),
        (800577, 0, "hard"),
        (900276, 2, "hard"),
        (900596, 6, "hard"),
        (910035, 4, "hard"),
        (910038, 4, "hard"),
        (910224, 9, "hard"),
        (910390, 5, "normal"),
        (910501, 7, "hard"),
    ],
)
def test_no_die_is_silently_wrong(seed: int, number: int, level: Difficulty) -> None:
    scene, rng = scene_of(seed, level, SIZE, number)
    image = drawn(scene, rng, CLOSE)
    labels = [label_of(entry) for entry in index_record(truth(scene), "", "", level)["dice"]]
    reading = Reader(camera_parameters(scene)).read(image)
    found = match_labels(tuple(labels), reading.dice)
    claimed = {i: reading.dice[k].value for i, k in found.items() if reading.dice[k].sure}
    assert claimed
    assert {i: str(value) for i, value in claimed.items()} == {i: labels[i].value for i in claimed}
