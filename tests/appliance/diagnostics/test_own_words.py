"""Of a text only the own words may leave the house, and numbers where one is asked for."""

import pytest

from appliance.diagnostics.own_words import SET, OwnWords


@pytest.mark.parametrize(
    ("text", "shared"),
    [
        ("Scheduled restart job, restart counter is at 5.", None),
        ("Main process exited, code=exited, status=3/FAILURE", None),
        ("Scheduled restart job, restart counter is at ANNA.", SET),
        # Six digits could be a PIN.
        ("Scheduled restart job, restart counter is at 123456.", SET),
        # Where a name is asked for, a number could be part of one.
        ("Killing process 12 (4711) with signal SIGTERM.", SET),
        ("Killing process 12 (python) with signal SIGTERM.", None),
    ],
)
def test_a_gap_shows_a_number_only_where_one_is_asked_for(text: str, shared: str | None) -> None:
    said = OwnWords().shared(text)
    if shared is None:
        assert said == text
    else:
        assert said != text
        assert shared in said
        assert not {"ANNA", "123456", "4711"} & set(
            said.replace("(", " ").replace(")", " ").split()
        )


def test_a_single_word_is_shared_only_where_the_doctor_calls_something_so() -> None:
    words = OwnWords()
    assert words.label("camera") == "camera"
    # As a text it could be somebody's password, and what only begins like ours could be anything.
    assert words.shared("camera") == SET
    assert words.label("camera of ") == SET
    assert words.label("hunter2") == SET


def test_a_text_of_thousands_of_letters_is_not_looked_through() -> None:
    own = "Scheduled restart job, restart counter is at 5."
    few, many = ("; ".join([own] * count) for count in (2, 60))
    assert OwnWords().shared(few) == few
    assert OwnWords().shared(many) == SET


def test_a_class_of_errors_is_shared_only_where_it_is_ours() -> None:
    words = OwnWords()
    assert words.shared("appliance.errors.CameraError") == "appliance.errors.CameraError"
    assert words.shared("appliance.errors.Hunter") == SET
    assert words.shared("appliance.hunter.CameraError") == SET
