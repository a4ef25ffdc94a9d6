import json
import math
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calibration import store
from calibration.accuracy import Check
from calibration.calibration import Calibration, Look
from calibration.errors import StoreError
from calibration.markers.lens import Lens, LensDoubt, MeasuredLens
from calibration.store import DamagedError
from vision.errors import ProfileError
from vision.geometry.profile import FACE_SIDE, PowerFace, Profile
from vision.geometry.profile_file import profile_data, save_profile
from vision.geometry.sight import webcam_sight

numbers = st.floats(-1e6, 1e6)


def profile() -> Profile:
    return Profile(
        size=(640, 360),
        camera=np.array(((500.0, 0, 319.5), (0, 500.0, 179.5), (0, 0, 1))),
        distortion=np.array((-0.05, 0.01, 0.0, 0.0)),
        rotation=np.eye(3),
        translation=np.array((1.0, 2.0, 380.0)),
        tray=np.array(((-100.0, -70.0), (100, -70), (100, 70), (-100, 70))),
    )


def calibration() -> Calibration:
    return Calibration(
        profile(),
        layout=np.arange(48, dtype=np.float64).reshape(4, 4, 3),
        look=Look((200.0, 201.0, 202.0, 203.0), (40.0, 41.0, 42.0, 43.0), (0.3, 0.3, 0.3, 0.4)),
        rim_mm=22.25,
        doubt_mm=0.2,
        lens_source="default",
        controls={"ExposureTime": 8000.0, "LensPosition": 2.7},
        holders=np.array(((0.0, 0.0), (10, 0), (10, 10))),
        holder_learnt=True,
        check=Check(60, 1),
    )


def measured_lens() -> MeasuredLens:
    sight = webcam_sight("1234:5678", (640, 360))
    matrix = np.array(((510.0, 0, 318.0), (0, 510.0, 181.0), (0, 0, 1)))
    lens = Lens((640, 360), matrix, np.array((-0.1, 0.02, 0.0, 0.0)), "measured", sight=sight)
    return MeasuredLens(lens, LensDoubt(0.005, 0.002, 0.01, 0.02))


def test_a_measured_lens_is_kept_and_older_profiles_have_none(tmp_path: Path) -> None:
    measured = measured_lens()
    sight, matrix = measured.lens.sight, measured.lens.matrix
    path = tmp_path / "tray.profile"
    store.save(path, replace(calibration(), lens=measured))
    again = store.load(path).lens
    assert again is not None
    np.testing.assert_array_equal(again.lens.matrix, matrix)
    assert (again.doubt, again.lens.sight) == (measured.doubt, sight)
    assert again.serves((640, 360), sight)
    assert again.serves((640, 360), None)
    assert not again.serves((1280, 720), sight)
    assert not again.serves((640, 360), webcam_sight("046d:082d", (640, 360)))
    older = json.loads(store.encode(calibration()).partition(b"\n")[2])
    del older["lens"]
    body = json.dumps(older).encode()
    head = f"dicetray-profile 2 sha256={store._checksum(2, body)} bytes={len(body)}\n"
    assert store.decode(head.encode() + body).lens is None


def same(a: Calibration, b: Calibration) -> bool:
    return store.encode(a) == store.encode(b)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(
    values=st.lists(numbers, min_size=48, max_size=48),
    levels=st.tuples(numbers, numbers, numbers, numbers),
    rim=st.none() | numbers,
    controls=st.dictionaries(st.text(max_size=8), numbers, max_size=4),
    dice=st.integers(0, 10_000),
    seed=st.integers(0, 1000),
)
def test_what_is_saved_is_loaded(
    tmp_path: Path,
    values: list[float],
    levels: tuple[float, float, float, float],
    rim: float | None,
    controls: dict[str, float],
    dice: int,
    seed: int,
) -> None:
    rng = np.random.default_rng(seed)
    face = PowerFace("double", rng.integers(0, 256, (FACE_SIDE, FACE_SIDE), dtype=np.uint8))
    empty = rng.integers(0, 256, (9, 16, 3), dtype=np.uint8)
    saved = Calibration(
        replace(profile(), power_faces=(face,), empty=empty),
        layout=np.array(values).reshape(4, 4, 3),
        look=Look(levels, levels, levels),
        rim_mm=rim,
        controls=controls,
        check=Check(dice, dice // 2),
    )
    path = tmp_path / "profile"
    store.save(path, saved)
    again = store.load(path)
    assert same(again, saved)
    assert again.layout is not None and saved.layout is not None
    np.testing.assert_array_equal(again.layout, saved.layout)
    assert again.profile.empty is not None
    np.testing.assert_array_equal(again.profile.empty, empty)
    np.testing.assert_array_equal(again.profile.power_faces[0].patch, face.patch)
    assert again.controls == controls and again.rim_mm == rim and again.check == saved.check


def test_every_flipped_bit_is_refused() -> None:
    data = store.encode(calibration())
    head = data.index(b"\n") + 1
    for place in range(len(data)):
        # All bits of the first line, which the checksum does not cover; one bit of each other byte.
        for bit in range(8) if place < head else (place % 8,):
            bad = bytearray(data)
            bad[place] ^= 1 << bit
            with pytest.raises(StoreError):
                store.decode(bytes(bad))


def test_every_cut_is_refused() -> None:
    data = store.encode(calibration())
    for length in range(len(data)):
        with pytest.raises(StoreError):
            store.decode(data[:length])
    with pytest.raises(StoreError):
        store.decode(data + b"\n")


def test_the_profile_before_is_offered(tmp_path: Path) -> None:
    path = tmp_path / "profile"
    first, second = calibration(), calibration().with_check(Check(120, 1))
    store.save(path, first)
    store.save(path, second)
    assert same(store.load(store.previous_of(path)), first)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(DamagedError, match="the one before it is whole") as caught:
        store.load(path)
    assert caught.value.previous == store.previous_of(path)


def test_a_profile_is_there_while_it_or_the_one_before_is(tmp_path: Path) -> None:
    path = tmp_path / "profile"
    assert not store.profile_exists(path)
    store.save(path, calibration())
    assert store.profile_exists(path)
    store.save(path, calibration())
    path.unlink()
    assert store.profile_exists(path)
    store.previous_of(path).unlink()
    assert not store.profile_exists(path)


def test_a_damaged_profile_does_not_become_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "profile"
    store.save(path, calibration())
    store.save(path, calibration().with_check(Check(90, 0)))
    path.write_bytes(b"dicetray")
    third = calibration().with_check(Check(200, 0))
    store.save(path, third)
    assert same(store.load(path), third)
    assert store.load(store.previous_of(path)).check == Check(60, 1)


def test_with_none_before_it_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(DamagedError, match=r"there is no such profile; calibrate again") as caught:
        store.load(tmp_path / "profile")
    assert caught.value.previous is None


def test_vision_alone_was_version_1(tmp_path: Path) -> None:
    path = tmp_path / "profile.json"
    save_profile(profile(), path)
    saved = store.load(path)
    np.testing.assert_array_equal(saved.profile.camera, profile().camera)
    assert saved.layout is None and saved.check == Check()
    store.save(path, saved)
    assert path.read_bytes().startswith(b"dicetray-profile 2 ")
    assert same(store.load(path), saved)


def _signed(version: int, values: object) -> bytes:
    body = json.dumps(values).encode()
    checksum = store._checksum(version, body)
    return f"dicetray-profile {version} sha256={checksum} bytes={len(body)}\n".encode() + body


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (_signed(3, {}), "version 3; this dicetray reads versions 1 to 2: update dicetray"),
        (_signed(0, {}), "version 0"),
        (_signed(2, []), "expected named values"),
        (_signed(2, {}), "'look' is missing"),
        (b"", "not a profile"),
        (b'{"a": 1}', "not a profile"),
        (b"[" * 100_000, "not a profile"),
        (b"{" * 100_000, "not JSON"),
    ],
)
def test_what_is_no_profile_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(StoreError, match=message):
        store.decode(data)


def test_a_signed_profile_with_nonsense_in_it_is_refused() -> None:
    good = json.loads(store.encode(calibration()).split(b"\n", 1)[1])
    changes: tuple[dict[str, object], ...] = (
        {"layout": [[1, 2]]},
        {"check": {"dice": 1, "wrong": 2}},
        {"rim_mm": "high"},
        {"look": {"white": [1]}},
        {"holders": [[0, 0]]},
        {"controls": [1]},
        {"profile": {}},
        {"print_scale": 0},
        {"print_scale": 0.3},
        {"print_scale": -1},
        {"print_scale": 2},
    )
    for change in changes:
        with pytest.raises(StoreError):
            store.decode(_signed(2, good | change))


@pytest.mark.parametrize(
    "change",
    [
        {"matrix": [[510, 0], [0, 510]]},
        {"matrix": [[0, 0, 318], [0, 510, 181], [0, 0, 1]]},
        {"matrix": [[510, 0, 318], [0, math.inf, 181], [0, 0, 1]]},
        {"distortion": [-0.1, 0.02, 0]},
        {"distortion": [-0.1, 0.02, 0, 0, 0]},
        {"distortion": [-0.1, math.nan, 0, 0]},
        *(
            {"doubt": {"focal": 0.1, "centre": 0.1, "k1": 0.1, "k2": 0.1} | {name: bad}}
            for name in ("focal", "centre", "k1", "k2")
            for bad in (0, -1, math.inf)
        ),
        {"size": [640]},
    ],
)
def test_a_signed_lens_with_nonsense_in_it_is_refused(change: dict[str, object]) -> None:
    good = json.loads(store.encode(replace(calibration(), lens=measured_lens())).split(b"\n", 1)[1])
    assert store.decode(_signed(2, good)).lens is not None
    with pytest.raises(StoreError):
        store.decode(_signed(2, good | {"lens": good["lens"] | change}))


@pytest.mark.parametrize(
    ("name", "kept", "unsaid"),
    [
        ("rim_known", False, True),
        ("rim_learnt", True, False),
        ("print_scale", 0.95, 1.0),
        ("print_known", True, False),
        ("holder_learnt", True, False),
        ("size_known", True, False),
        ("sizes_denied", (12.0, 16.0), ()),
    ],
)
def test_what_an_older_profile_does_not_say_is_as_it_was_then(
    name: str, kept: Any, unsaid: Any
) -> None:
    whole = replace(calibration(), **{name: kept})
    older = json.loads(store.encode(whole).split(b"\n", 1)[1])
    assert getattr(store.decode(_signed(2, older)), name) == kept
    del older[name]
    assert getattr(store.decode(_signed(2, older)), name) == unsaid


def test_no_number_that_is_none_is_written() -> None:
    with pytest.raises(ValueError, match="JSON"):
        store.encode(replace(calibration(), rim_mm=math.nan))


def test_what_cannot_be_read_and_what_is_too_large_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no such profile"):
        store._load_intact(tmp_path / "none")
    with pytest.raises(StoreError, match="cannot be read"):
        store._load_intact(tmp_path)
    large = tmp_path / "large"
    large.touch()
    os.truncate(large, store.MAX_PROFILE_BYTES + 1)
    with pytest.raises(StoreError, match="too large for a profile"):
        store._load_intact(large)


@pytest.mark.parametrize("dies_at", range(8))
def test_a_power_cut_while_saving_leaves_a_whole_profile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dies_at: int
) -> None:
    path = tmp_path / "profile"
    store.save(path, calibration())
    store.save(path, calibration().with_check(Check(70, 1)))
    new = calibration().with_check(Check(80, 1))
    left = [dies_at]

    class PowerCut(BaseException):
        pass

    def dying(real: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **kwargs: object) -> object:
            if left[0] == 0:
                raise PowerCut
            left[0] -= 1
            return real(*args, **kwargs)

        return call

    monkeypatch.setattr(os, "fsync", dying(os.fsync))
    monkeypatch.setattr(os, "link", dying(os.link))
    monkeypatch.setattr(Path, "replace", dying(Path.replace))
    monkeypatch.setattr(Path, "unlink", dying(Path.unlink))
    try:
        store.save(path, new)
        assert dies_at >= 6
    except PowerCut:
        pass
    monkeypatch.undo()
    assert store.load(path).check in (Check(70, 1), Check(80, 1))
    assert store.load(store.previous_of(path)).check in (Check(60, 1), Check(70, 1))
    store.save(path, new)
    assert store.load(path).check == Check(80, 1)


def test_where_links_are_not_to_be_had_it_is_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", none)
    path = tmp_path / "profile"
    store.save(path, calibration())
    store.save(path, calibration().with_check(Check(70, 1)))
    assert store.load(store.previous_of(path)).check == Check(60, 1)


def test_a_first_profile_makes_the_folders_that_it_lies_in(tmp_path: Path) -> None:
    path = tmp_path / "never" / "used" / "tray.profile"
    store.save(path, calibration())
    assert store.load(path).doubt_mm == 0.2


@pytest.mark.parametrize(
    ("error", "said"),
    [(OSError(28, "No space left on device"), "No space left on device"), (OSError("odd"), "odd")],
)
def test_why_it_cannot_be_written_is_said_whatever_the_system_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, said: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(store, "write_atomically", refuse)
    with pytest.raises(StoreError, match=rf"cannot be written: {said}$"):
        store.save(tmp_path / "profile", calibration())


def test_a_folder_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be written"):
        store.save(tmp_path / "file" / "profile", calibration())


def test_readers_get_their_part_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "tray.profile"
    with pytest.raises(ProfileError, match="there is no such profile"):
        store.load_profile(path)
    store.save(path, calibration())
    assert profile_data(store.load_profile(path)) == profile_data(calibration().profile)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ProfileError, match="damaged"):
        store.load_profile(path)
