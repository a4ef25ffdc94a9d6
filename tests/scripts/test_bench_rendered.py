"""The bench of fresh renderings."""

import numpy as np
import pytest

from appliance.simulator.render.dice_model import lying
from appliance.simulator.render.scene import Scene
from scripts import bench_rendered
from scripts.campaign.results import Counts
from tests.rigs.rendering.truth import truth
from vision.errors import TooManySpots
from vision.frame import Image
from vision.reading import Kind


class Refusing:
    def __init__(self, profile: object) -> None:
        pass

    def read(self, image: Image) -> None:
        raise TooManySpots("single spots", 601, 600)


def test_a_picture_that_is_refused_counts_as_read_with_nothing_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a pool its error would not come back, and the bench would wait for ever."""
    monkeypatch.setattr(bench_rendered, "Reader", Refusing)
    scene = Scene(dice=(lying(Kind.BLACK, 4, (0.0, 0.0), 0.0),))
    counts: Counts = {}
    picture = np.zeros((864, 1536, 3), np.uint8)
    bench_rendered._count(counts, [], "easy", "0/0", scene, picture, truth(scene), False, True)
    row = counts["easy, geometry known"]
    assert (row.dice, row.right, row.wrong, row.missed) == (1, 0, 0, 1)
