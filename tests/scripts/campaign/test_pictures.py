"""Pictures of a campaign: kept, and read back as they were."""

from pathlib import Path

import numpy as np
import pytest

from scripts.campaign.pictures import Taken, encoded, keep, kept
from scripts.campaign.results import CampaignError
from simulator.render.scene import Scene, camera_parameters


def taken(number: int) -> Taken:
    picture = np.full((40, 60 + number, 3), 50 * number, np.uint8)
    dice = [{"value": number, "box": [1.5, 2, 3, 4]}]
    name = f"7/{number}"
    return Taken(name, "hard", encoded(picture, 90), camera_parameters(Scene()), dice, number > 1)


def test_a_unit_is_read_as_it_was_kept(tmp_path: Path) -> None:
    path = tmp_path / "hard-7.npz"
    pictures = [taken(1), taken(2), taken(3)]
    with path.open("wb") as file:
        keep(file, pictures)
    for before, after in zip(pictures, kept(path), strict=True):
        assert (after.name, after.group, after.dice) == (before.name, before.group, before.dice)
        assert after.partly is before.partly
        assert np.array_equal(after.data, before.data)
        assert np.array_equal(after.image(), before.image())
        assert np.array_equal(after.profile.rotation, before.profile.rotation)


@pytest.mark.parametrize("data", [b"", b"no archive", b"PK\x03\x04 cut off"])
def test_a_damaged_unit_ends_in_a_sentence(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "hard-7.npz"
    path.write_bytes(data)
    with pytest.raises(CampaignError, match="rendered again"):
        kept(path)


def test_a_unit_of_something_else_ends_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "hard-7.npz"
    np.savez(path, x=np.zeros(3))
    with pytest.raises(CampaignError, match="rendered again"):
        kept(path)
