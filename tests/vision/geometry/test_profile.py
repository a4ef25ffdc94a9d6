import base64
import json
import math
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from struct import pack
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.errors import OtherView, ProfileError
from vision.geometry.profile import FACE_SIDE, DieColour, PowerFace, Profile
from vision.geometry.profile_file import encode_picture, load_profile, save_profile
from vision.geometry.sight import Sight
from vision.reading import Kind

MakeProfile = Callable[..., Profile]


@given(x=st.floats(-100, 100), y=st.floats(-70, 70), z=st.floats(0, 20), tilt=st.floats(-0.2, 0.2))
def test_pixels_and_millimetres_are_inverse(
    make_profile: MakeProfile, x: float, y: float, z: float, tilt: float
) -> None:
    profile = make_profile(tilt)
    pixels = profile.to_pixels(np.array([(x, y, -z)]))
    np.testing.assert_allclose(profile.to_mm(pixels, z)[0], (x, y), atol=1e-3)


def test_reading_the_tops_on_the_floors_plane_would_be_wrong(make_profile: MakeProfile) -> None:
    profile = make_profile(0.0)
    pixels = profile.to_pixels(np.array([(90.0, 0.0, -16.0)]))
    assert profile.to_mm(pixels, 16.0)[0, 0] == pytest.approx(90.0, abs=1e-3)
    assert profile.to_mm(pixels, 0.0)[0, 0] > 93.0


def test_edge_in_pixels_follows_from_distance(make_profile: MakeProfile) -> None:
    profile = replace(make_profile(0.0), rotation=np.eye(3))
    middle = profile.to_pixels(np.array([(0.0, 0.0, -16.0)]))[0]
    assert profile.edge_pixels((middle[0], middle[1])) == pytest.approx(
        1150.5 * 16 / (350 - 16), rel=0.01
    )


WHITE, DARK, YELLOW = (240.0, 240.0, 240.0), (30.0, 30.0, 30.0), (40.0, 200.0, 230.0)


@pytest.mark.parametrize(
    ("colours", "dark"),
    [
        ((), True),
        (
            (DieColour(Kind.BLACK, DARK, WHITE, 5), DieColour(Kind.RED, (40, 40, 180), WHITE, 1)),
            False,
        ),
        ((DieColour(Kind.BLACK, DARK, WHITE, 5), DieColour(Kind.YELLOW, YELLOW, DARK, 1)), True),
    ],
)
def test_dark_pips_are_in_play_unless_a_known_set_has_none(
    make_profile: MakeProfile, colours: tuple[DieColour, ...], dark: bool
) -> None:
    assert replace(make_profile(), colours=colours).has_dark_pips is dark


def test_save_and_load_give_the_same(make_profile: MakeProfile, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    face = rng.integers(0, 256, (FACE_SIDE, FACE_SIDE), dtype=np.uint8)
    empty = rng.integers(0, 256, (54, 96, 3), dtype=np.uint8)
    sight = Sight("imx708", (4608, 2592), (0, 0, 4608, 2592), 78.0)
    profile = replace(make_profile(), power_faces=(PowerFace("double", face),), empty=empty)
    profile = replace(profile, sight=sight)
    path = tmp_path / "profile.json"
    save_profile(profile, path)
    again = load_profile(path)
    for name in ("camera", "distortion", "rotation", "translation", "tray"):
        np.testing.assert_array_equal(getattr(again, name), getattr(profile, name))
    assert again.size == profile.size
    assert again.power_faces[0].value == "double"
    np.testing.assert_array_equal(again.power_faces[0].patch, face)
    assert again.empty is not None
    np.testing.assert_array_equal(again.empty, empty)
    assert again.sight == sight
    assert [p.name for p in tmp_path.iterdir()] == ["profile.json"]


def test_a_profile_from_before_sights_were_kept_has_none(
    make_profile: MakeProfile, tmp_path: Path
) -> None:
    path = tmp_path / "profile.json"
    save_profile(make_profile(), path)
    data = json.loads(path.read_text())
    del data["sight"]
    path.write_text(json.dumps(data))
    assert load_profile(path).sight is None


def test_a_profile_from_before_angles_were_given_has_none(
    make_profile: MakeProfile, tmp_path: Path
) -> None:
    path = tmp_path / "profile.json"
    save_profile(replace(make_profile(), sight=SEEN), path)
    data = json.loads(path.read_text())
    del data["sight"]["degrees"]
    path.write_text(json.dumps(data))
    assert load_profile(path).sight == SEEN


SEEN = Sight("imx708", (4608, 2592), (0, 0, 4608, 2592))


@pytest.mark.parametrize(
    ("sight", "same"),
    [
        (SEEN, True),
        (None, True),
        (replace(SEEN, part=(2, 0, 4604, 2590)), True),
        (replace(SEEN, degrees=70.0), True),
        (replace(SEEN, part=(0, 0, 4596, 2592)), False),
        (replace(SEEN, part=(768, 432, 3072, 1728)), False),
        (replace(SEEN, model="imx708_wide"), False),
        (replace(SEEN, array=(9216, 5184)), False),
    ],
)
def test_pictures_are_as_the_profile_was_made_with_or_not(
    make_profile: MakeProfile, sight: Sight | None, same: bool
) -> None:
    profile = replace(make_profile(), sight=SEEN)
    with nullcontext() if same else pytest.raises(OtherView, match="calibrate again"):
        profile.check_view(profile.size, sight)
    make_profile().check_view(profile.size, sight)
    with pytest.raises(OtherView):
        profile.check_view((profile.size[0], profile.size[1] - 2), sight)


def damage(profile: Profile, tmp_path: Path, **changes: Any) -> Path:
    path = tmp_path / "profile.json"
    save_profile(profile, path)
    data = json.loads(path.read_text())
    for key, value in changes.items():
        if value is None:
            del data[key]
        else:
            data[key] = value
    path.write_text(json.dumps(data))
    return path


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dicetray_profile": 2}, "version 2, expected 1"),
        ({"dicetray_profile": None}, "not a profile"),
        ({"camera": None}, "'camera' is missing"),
        ({"camera": [[1, 2], [3, 4]]}, "camera"),
        ({"rotation": [[2, 0, 0], [0, 1, 0], [0, 0, 1]]}, "not a rotation"),
        ({"translation": [1, 2]}, "translation"),
        ({"translation": ["a", 1, 2]}, "damaged"),
        ({"tray": [[0, 0], [1, 1]]}, "tray"),
        ({"die_edge_mm": 1}, "die_edge_mm"),
        ({"die_edge_mm": "big"}, "damaged"),
        ({"size": [0, 0]}, "size"),
        ({"power_faces": [{"value": "9", "patch": ""}]}, "power_faces"),
        ({"power_faces": [{"value": "1", "patch": "!!"}]}, "damaged"),
        ({"empty": "AAAA"}, "damaged"),
        ({"distortion": [0, 0]}, "distortion"),
        ({"camera": [[0, 0, 0], [0, 0, 0], [0, 0, 1]]}, "in view"),
        ({"camera": [[1e-300, 0, 9], [0, 1e-300, 9], [0, 0, 1]]}, "in view"),
        ({"camera": [[math.nan, 0, 9], [0, 9, 9], [0, 0, 1]]}, "camera"),
        ({"translation": [1e300, 0, 400]}, "in view"),
        ({"translation": [0, 0, 1e-300]}, "in view"),
        ({"distortion": [0, 0, 1e300, 0]}, "in view"),
        ({"die_edge_mm": 10**400}, "damaged"),
        ({"size": [math.inf, 9]}, "damaged"),
        ({"sight": {"model": "imx708"}}, "missing"),
        ({"sight": {"model": "imx708", "array": [9, 9], "part": [0, 0, 0, 9]}}, "sight"),
    ],
)
def test_a_damaged_profile_says_what_is_wrong(
    make_profile: MakeProfile, tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(ProfileError, match=message):
        load_profile(damage(make_profile(), tmp_path, **changes))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '"x"', "[" * 100_000])
def test_what_is_no_profile_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "profile.json"
    path.write_text(text)
    with pytest.raises(ProfileError):
        load_profile(path)


def test_a_missing_profile_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="cannot be read"):
        load_profile(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("at", "claimed"),
    [(16, pack(">II", 4001, 4000)), (16, pack(">II", 2**30, 1)), (33, pack(">I", 2**30))],
)
def test_a_small_picture_that_says_it_is_huge_is_not_decoded(
    at: int,
    claimed: bytes,
    make_profile: MakeProfile,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """OpenCV would take what it says at its word: gigabytes, of which a Pi has half of one."""
    empty = np.zeros((54, 96, 3), np.uint8)
    path = tmp_path / "profile.json"
    save_profile(replace(make_profile(), empty=empty), path)
    assert load_profile(path).empty is not None
    written = path.read_text()
    whole = encode_picture(empty)
    data = base64.b64decode(whole)
    damaged = data[:at] + claimed + data[at + len(claimed) :]
    path.write_text(written.replace(whole, base64.b64encode(damaged).decode()))
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("it is decoded"))
    with pytest.raises(ProfileError, match="damaged"):
        load_profile(path)
