"""`dicetray doctor` names faces that are not read well, with a picture."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from appliance.cli import doctor
from appliance.config import Config
from appliance.diagnostics import Level
from appliance.diagnostics.own_dice import (
    DRAWING_SIZE,
    WHY_AND_ADVICE,
    check_own_dice,
    in_letters,
)
from calibration import store
from calibration.own_dice import WHY_ON_BOARD, FaceRecord, OwnDice, WhyUnread
from tests.calibration.wizard.test_wizard import draft
from vision.geometry.profile import DieColour
from vision.reading import Kind


def a_one() -> np.ndarray:
    face = np.full((48, 48, 3), (160, 70, 30), np.uint8)
    cv2.circle(face, (24, 24), 6, (240, 240, 240), -1)
    return face


def test_a_face_in_trouble_is_named_with_reason_advice_and_picture(tmp_path: Path) -> None:
    path = tmp_path / "tray.profile"
    own = OwnDice(
        (
            FaceRecord("blue", 1, 2, 4, 0, a_one(), WhyUnread.LIKE_POWER),
            FaceRecord("blue", 6, 9, 0, 2),
            FaceRecord("blue", 4, 20, 1, 0),
        ),
        0.19,
        0.5,
    )
    known = draft()
    blue = DieColour(Kind.OTHER, (160.0, 70.0, 30.0), (240.0, 240.0, 240.0), 9)
    profile = replace(known.profile, confirmed=(blue,))
    store.save(path, replace(known, profile=profile, own_dice=own))
    first, six, one = check_own_dice(path, store.load)
    assert (first.subject, first.level) == ("dice", Level.OK)
    assert first.text == (
        "16 mm, blue; pips 19% of the edge, rows of the 6 50% as far apart as long; "
        "lately 31 of 38 were read right without a question"
    )
    assert six.text == "blue 6 was read wrong 2 times of 11; no single reason was found"
    assert (six.level, six.drawing) == (Level.NOTE, ())
    assert one.text == "blue 1 was asked about 4 times of 6; it looks like a Power die"
    assert one.drawing == in_letters(a_one())
    lines = list(one.lines())
    assert lines[1].endswith("-> answer its questions")
    assert len(lines) == 2 + DRAWING_SIZE[1]


def test_a_picture_in_letters_shows_the_pip() -> None:
    drawn = in_letters(a_one())
    assert [len(row) for row in drawn] == [DRAWING_SIZE[0]] * DRAWING_SIZE[1]
    assert len(drawn[0]) == 2 * len(drawn), "a face is square, a letter twice as high as wide"
    assert drawn[8][16] == "@"
    assert drawn[0] == " " * DRAWING_SIZE[0]
    assert set("".join(in_letters(np.full((48, 48, 3), 9, np.uint8)))) == {" "}


def test_without_a_profile_or_with_a_damaged_one_nothing_is_said_here(tmp_path: Path) -> None:
    path = tmp_path / "tray.profile"
    assert list(check_own_dice(path, store.load)) == []
    path.write_bytes(b"nothing")
    assert list(check_own_dice(path, store.load)) == []
    store.save(path, draft())
    (only,) = check_own_dice(path, store.load)
    assert only.text == "16 mm, colours not learnt yet"


@pytest.mark.parametrize("why", WhyUnread)
def test_each_reason_has_words(why: WhyUnread) -> None:
    assert all(WHY_AND_ADVICE[why])
    assert WHY_ON_BOARD[why]


def test_doctor_has_the_check() -> None:
    assert "dice" in doctor.CHECK_SUBJECTS
    assert "dice" in doctor.checks(Config(), "")
