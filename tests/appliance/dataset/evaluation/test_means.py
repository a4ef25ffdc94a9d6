"""Measurements of the bench besides single pictures: installations."""

from pathlib import Path

import numpy as np
import pytest

from appliance.dataset.evaluation.sites import LEARNT, learn_site, with_learning
from appliance.dataset.evaluation.vision import Case
from vision.errors import PictureError
from vision.frame import Image


def case(file: str, truth: Path | None = None) -> Case:
    def load() -> Image:
        return np.zeros((90, 160, 3), np.uint8)

    return Case(str(Path(file).parent), file, None, (), False, truth, load)


def test_installations_are_read_with_what_they_teach(tmp_path: Path) -> None:
    truth = tmp_path / "truth.json"
    names = ("empty", "set", "power_1_0", "power_freeze_0", "throw_000", "throw_001")
    site = [case(f"rendered/site_a/{name}.jpg", truth) for name in names]
    other = [case("stills/a.jpg", truth), case("rendered/site_b/empty.jpg", truth)]
    found = with_learning([*site, *other])
    assert [Path(one.file).stem for one in found] == ["set", "throw_000", "throw_001"]
    assert all(one.site and one.geometry and one.group.endswith(f"({LEARNT})") for one in found)


def test_an_installation_without_its_set_is_refused(tmp_path: Path) -> None:
    only = [case("site/empty.jpg", tmp_path / "truth.json")]
    with pytest.raises(PictureError, match="expected pictures of the empty tray and the set"):
        learn_site(only[0], only)
