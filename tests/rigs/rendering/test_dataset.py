import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from appliance.errors import ApplianceError
from simulator.render.dice_model import FACE_NORMALS, rotation_matrix
from simulator.render.renderer import LIVE_QUALITY
from tests.rigs.rendering.dataset import scenes, write_set
from vision.reading import Kind


def test_a_set_says_what_its_pictures_show(tmp_path: Path) -> None:
    paths = list(write_set(tmp_path, 3, "normal", 2, (320, 180), throws=2, quality=LIVE_QUALITY))
    lines = [json.loads(line) for line in (tmp_path / "index.jsonl").read_text().splitlines()]
    assert [tmp_path / line["file"] for line in lines] == paths
    for line in lines:
        picture = cv2.imread(str(tmp_path / line["file"]))
        assert picture is not None and picture.shape == (180, 320, 3)
        record = json.loads((tmp_path / line["truth"]).read_text())
        assert len(record["dice"]) == len(line["dice"])
        camera = record["camera"]
        rotation = np.array(camera["R_world_to_cam"])
        assert np.linalg.det(rotation) == pytest.approx(1, abs=1e-5)
        rvec, _ = cv2.Rodrigues(rotation)
        for die, entry in zip(record["dice"], line["dice"], strict=True):
            pose = rotation_matrix(tuple(die["quat_wxyz"]))
            if die["state"] == "ok" and die["kind"] != "power":
                # In the files' frame z is up.
                up = FACE_NORMALS[die["value"] - 1]
                assert np.allclose(pose @ up, (0, 0, 1), atol=1e-3)
            middle = np.add(die["pos_m"], (0, 0, 0.008))
            if die["state"] == "ok":
                pixel, _ = cv2.projectPoints(
                    middle[None],
                    rvec,
                    -rotation @ np.array(camera["centre_m"]),
                    np.array(camera["K"]),
                    np.array(camera["dist"]),
                )
                assert np.allclose(pixel.ravel(), die["centre_px"], atol=0.1)
                assert np.allclose(pixel.ravel(), (entry["x"], entry["y"]), atol=0.2)


def test_throws_of_one_installation_share_the_camera() -> None:
    drawn = [s for _, s, _ in scenes(1, "easy", (160, 90), 4, throws=2, kinds=[Kind.BLACK] * 3)]
    assert drawn[0].camera == drawn[1].camera and drawn[2].camera == drawn[3].camera
    assert drawn[0].camera != drawn[2].camera and drawn[0].dice != drawn[1].dice
    assert all(len(s.dice) == 3 for s in drawn)


def test_a_folder_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(ApplianceError, match="cannot be written"):
        list(write_set(blocked, 1, "easy", 1, (160, 90), quality=LIVE_QUALITY))
