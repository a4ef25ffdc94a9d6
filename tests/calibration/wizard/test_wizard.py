"""The wizard with made-up measurements: the way through, the ways out, and what is kept."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.accuracy import Check
from calibration.calibration import Calibration
from calibration.problems import Problem, Verdict
from calibration.wizard.advance import advance
from calibration.wizard.prompts import CheckPrompt, ResultPrompt, StagePrompt, wizard_prompt
from calibration.wizard.stages import (
    CHECK_THROWS,
    DICE_SETS,
    TAKES_PER_FACE,
    WizardStage,
    WizardStep,
    stage_after,
)
from calibration.wizard.state import (
    CheckedThrow,
    Event,
    Key,
    Lock,
    Locked,
    NotStored,
    Press,
    Refused,
    Rested,
    Restore,
    Seen,
    SeenDie,
    Store,
    TakePictures,
    Took,
    Unlock,
    Wizard,
    begin_wizard,
)
from vision.geometry.profile import PowerFace, Profile
from vision.reading import POWER_FACES, Kind

OK, BACK, LEFT, RIGHT = (Press(key) for key in (Key.OK, Key.BACK, Key.LEFT, Key.RIGHT))
DARK = Verdict(0.2, Problem.TOO_DARK, "too dark")
FIVE = next(n for n, dice in enumerate(DICE_SETS) if dice.title == "5 BLACK")


def draft(name: str = "", faces: Sequence[str] = ()) -> Calibration:
    """What a measurement might have found, with a name to recognise it by."""
    patch = np.zeros((48, 48), np.uint8)
    profile = Profile(
        size=(640, 360),
        camera=np.diag([500.0, 500.0, 1.0]),
        distortion=np.zeros(4),
        rotation=np.eye(3),
        translation=np.array([0.0, 0.0, 400.0]),
        tray=np.array([(-90.0, -60.0), (90.0, -60.0), (90.0, 60.0), (-90.0, 60.0)]),
        power_faces=tuple(PowerFace(value, patch) for value in faces),
    )
    return Calibration(profile, layout=np.zeros((4, 4, 3)), lens_source=name)


def run(wizard: Wizard, *events: Event) -> Wizard:
    for event in events:
        wizard = advance(wizard, event)
    return wizard


def good(wizard: Wizard) -> Wizard:
    return advance(wizard, Seen(wizard.stage, Verdict(0.9)))


def passed(wizard: Wizard, calibration: Calibration | None = None) -> Wizard:
    """One stage done as it should be."""
    wizard = run(good(wizard), OK)
    if wizard.requests == (Lock(),):
        return advance(wizard, Locked({"ExposureTime": 8000.0}))
    assert wizard.requests == (TakePictures(wizard.stage),)
    return advance(wizard, Took(wizard.stage, calibration or draft(wizard.stage.step)))


def up_to(step: WizardStep, wizard: Wizard | None = None) -> Wizard:
    wizard = wizard or begin_wizard()
    while wizard.stage.step is not step:
        wizard = passed(wizard)
    return wizard


def thrown(*values: int | None, doubtful: Sequence[int] = ()) -> Rested:
    return Rested(
        tuple(
            SeenDie(Kind.BLACK, value, value is not None and n not in doubtful)
            for n, value in enumerate(values)
        )
    )


def checked(wizard: Wizard, throws: int = CHECK_THROWS) -> Wizard:
    for _ in range(throws):
        wizard = run(wizard, thrown(1, 2, 3, 4, 5, 6), OK)
    return wizard


def test_the_whole_way_ends_with_a_profile_and_its_statement() -> None:
    wizard = begin_wizard()
    assert wizard.requests == (Unlock(),)
    wizard = checked(up_to(WizardStep.CHECK, wizard))
    assert wizard.stage == WizardStage(WizardStep.RESULT)
    said = wizard_prompt(wizard)
    assert isinstance(said, ResultPrompt)
    assert said.pages == (("60 DICE 0 WRONG", "ERROR < 4.9%"), ("239 MORE", "FOR < 1%"))
    wizard = advance(wizard, OK)
    assert wizard.ended
    (request,) = wizard.requests
    assert isinstance(request, Store)
    assert request.calibration.check == Check(60, 0)
    assert request.calibration.controls == {"ExposureTime": 8000.0}
    assert request.calibration.lens_source == WizardStep.HOLDER


def test_each_face_is_shown_a_few_times_one_after_the_other() -> None:
    stage, seen = WizardStage(WizardStep.POWER, POWER_FACES[0]), []
    while stage.step is WizardStep.POWER:
        seen.append((stage.face, stage.take))
        stage = stage_after(stage, DICE_SETS[0])
    assert seen == [(face, take) for face in POWER_FACES for take in range(TAKES_PER_FACE)]
    assert stage.step is WizardStep.HOLDER


def test_without_a_power_die_nobody_is_asked_for_it() -> None:
    wizard = up_to(WizardStep.DICE)
    while wizard.dice_set != FIVE:
        wizard = advance(wizard, RIGHT)
    assert passed(wizard).stage == WizardStage(WizardStep.HOLDER)


NO_MARKERS = Verdict(0.1, Problem.NO_MARKERS, "none of the four is seen")
LONG_LEFT, LONG_RIGHT = (Press(key, long=True) for key in (Key.LEFT, Key.RIGHT))


def without_markers(floor_mm: tuple[float, float] | None = None) -> Wizard:
    """A wizard that looks for markers and sees none."""
    wizard = passed(begin_wizard(floor_mm=floor_mm))
    return advance(wizard, Seen(wizard.stage, NO_MARKERS))


def stage_prompt(wizard: Wizard) -> StagePrompt:
    said = wizard_prompt(wizard)
    assert isinstance(said, StagePrompt)
    return said


def test_without_markers_the_size_of_the_floor_is_asked_for_with_buttons() -> None:
    wizard = without_markers()
    assert stage_prompt(wizard).problem == "NO MARKERS"
    assert "OK: USE RIM" in stage_prompt(wizard).says
    wizard = advance(wizard, OK)
    assert wizard.stage == WizardStage(WizardStep.WIDTH)
    assert stage_prompt(wizard).beside == "< 216 MM >"
    wizard = run(wizard, LONG_RIGHT, LONG_RIGHT, RIGHT, OK, LONG_LEFT, RIGHT, RIGHT)
    assert wizard.stage == WizardStage(WizardStep.DEPTH)
    assert (stage_prompt(wizard).beside, stage_prompt(wizard).place) == ("< 144 MM >", "2/9")
    wizard = advance(wizard, OK)
    assert (wizard.stage, wizard.by_rim, wizard.floor_mm) == (
        WizardStage(WizardStep.TRAY),
        True,
        (237, 144),
    )
    assert stage_prompt(wizard).says[0] == "237x144 MM"
    seen = Seen(wizard.stage, Verdict(0.8), 1, ((0.1, 0.1),) * 4, 1.4)
    wizard = advance(wizard, seen)
    assert stage_prompt(wizard).says == ("IS THIS IT?", "237x144 MM", "WITHIN 1.4 MM")
    wizard = advance(wizard, OK)
    assert wizard.requests == (TakePictures(WizardStage(WizardStep.TRAY)),)
    found = replace(draft(), layout=None, doubt_mm=1.0)
    wizard = advance(wizard, Took(wizard.stage, found))
    assert wizard.stage == WizardStage(WizardStep.EMPTY)


def test_back_from_the_rim_leads_over_its_size_to_the_markers() -> None:
    wizard = run(without_markers(), OK, RIGHT, OK, RIGHT, OK)
    steps = []
    while not wizard.ended:
        steps.append((wizard.stage.step, wizard.by_rim))
        wizard = advance(wizard, BACK)
    assert steps == [
        (WizardStep.TRAY, True),
        (WizardStep.DEPTH, False),
        (WizardStep.WIDTH, False),
        (WizardStep.TRAY, False),
        (WizardStep.LIGHT, False),
    ]


def test_a_size_that_is_known_is_not_asked_for_again_but_may_be_changed() -> None:
    wizard = advance(without_markers((230.0, 160.0)), OK)
    assert (wizard.stage, wizard.by_rim) == (WizardStage(WizardStep.TRAY), True)
    assert stage_prompt(wizard).beside == "< OTHER SIZE >"
    asked = advance(wizard, LEFT)
    assert (asked.stage, asked.floor) == (WizardStage(WizardStep.WIDTH), (230.0, 160.0))
    again = run(asked, RIGHT, OK, OK)
    assert (again.stage, again.by_rim, again.floor) == (
        WizardStage(WizardStep.TRAY),
        True,
        (231.0, 160.0),
    )
    assert advance(wizard, BACK).stage == advance(asked, BACK).stage == WizardStage(WizardStep.TRAY)
    assert not advance(asked, BACK).by_rim


def test_a_size_given_in_a_terminal_may_be_changed_with_buttons_too() -> None:
    wizard = passed(begin_wizard(floor_mm=(230.0, 160.0), by_rim=True))
    assert (wizard.stage, wizard.by_rim) == (WizardStage(WizardStep.TRAY), True)
    asked = advance(wizard, RIGHT)
    assert asked.stage == WizardStage(WizardStep.WIDTH)
    assert advance(asked, BACK).stage == WizardStage(WizardStep.LIGHT)
    assert run(asked, OK, OK).by_rim


def test_markers_that_are_seen_in_part_are_no_reason_for_the_rim() -> None:
    wizard = passed(begin_wizard())
    for problem in Problem:
        if problem is not Problem.NO_MARKERS:
            seen = Seen(wizard.stage, Verdict(0.2, problem))
            assert run(wizard, seen, OK).stage == WizardStage(WizardStep.TRAY)


def test_no_floor_is_given_that_is_none() -> None:
    wizard = advance(without_markers(), OK)
    for key in (LONG_LEFT, LONG_RIGHT):
        wide = run(wizard, *[key] * 70)
        for deep in (run(wide, OK, *[LONG_LEFT] * 70), run(wide, OK, *[LONG_RIGHT] * 70)):
            width, depth = deep.floor
            assert 60 <= depth <= width <= 600
            assert width <= 2.4 * depth


def test_what_is_not_good_enough_is_refused_and_said() -> None:
    wizard = run(begin_wizard(), Seen(WizardStage(WizardStep.LIGHT), DARK), OK)
    assert wizard.stage == WizardStage(WizardStep.LIGHT)
    assert wizard.requests == ()
    said = wizard_prompt(wizard)
    assert isinstance(said, StagePrompt)
    assert (said.problem, said.quality, said.good) == ("TOO DARK", 0.2, False)


def test_nothing_is_taken_before_anything_was_seen() -> None:
    assert run(begin_wizard(), OK).stage == WizardStage(WizardStep.LIGHT)


def test_a_refusal_stands_until_something_changes() -> None:
    wizard = run(good(up_to(WizardStep.POWER)), OK)
    stage = wizard.stage
    alike = Verdict(0.3, Problem.TOO_ALIKE, "looks like 2")
    wizard = advance(wizard, Refused(stage, alike))
    assert wizard.stage == stage
    assert wizard.verdict == alike
    assert good(wizard).verdict == alike
    gone = advance(wizard, Seen(stage, Verdict(0.0, Problem.NO_DICE)))
    assert gone.verdict is not None
    assert gone.verdict.problem is Problem.NO_DICE
    assert good(gone).verdict == Verdict(0.9)


def test_what_was_measured_for_another_stage_means_nothing() -> None:
    wizard = good(up_to(WizardStep.EMPTY))
    for stale in (
        Seen(WizardStage(WizardStep.TRAY), DARK),
        Took(WizardStage(WizardStep.TRAY), draft()),
        Refused(WizardStage(WizardStep.TRAY), DARK),
        # Nothing was asked for.
        Took(WizardStage(WizardStep.EMPTY), draft()),
    ):
        after_it = advance(wizard, stale)
        assert (after_it.stage, after_it.seen, after_it.draft) == (
            wizard.stage,
            wizard.seen,
            wizard.draft,
        )


def test_the_height_of_the_rim_is_set_with_left_and_right() -> None:
    wizard = up_to(WizardStep.RIM)
    assert run(wizard, RIGHT, RIGHT, LEFT).rim_mm == wizard.rim_mm + 0.5
    assert run(wizard, *[LEFT] * 99).rim_mm == 5
    assert run(wizard, *[RIGHT] * 99).rim_mm == 60


def test_places_that_may_be_wrong_are_mentioned_once() -> None:
    wizard = run(good(up_to(WizardStep.RIM)), OK)
    rough = replace(draft(), doubt_mm=0.45)
    asked = advance(wizard, Took(wizard.stage, rough))
    said = wizard_prompt(asked)
    assert isinstance(said, StagePrompt)
    assert (asked.stage.step, said.problem, said.good) == (WizardStep.RIM, "BOARD IS BETTER", False)
    assert "0.6 mm" in (asked.verdict.detail if asked.verdict else "")
    # With the board it is fine; without it OK continues all the same.
    again = run(good(asked), OK)
    for better in (rough, replace(rough, doubt_mm=0.2)):
        assert advance(again, Took(again.stage, better)).stage == WizardStage(WizardStep.EMPTY)
    fine = advance(wizard, Took(wizard.stage, replace(draft(), doubt_mm=0.3)))
    assert fine.stage == WizardStage(WizardStep.EMPTY)


def test_of_a_lens_that_is_not_known_no_board_is_asked_for() -> None:
    """A board in the tray does not measure it: with one, places are claimed no better."""
    wizard = run(good(replace(up_to(WizardStep.RIM), sight=None)), OK)
    rough = replace(draft(), doubt_mm=1.2)
    asked = advance(wizard, Took(wizard.stage, rough))
    said = wizard_prompt(asked)
    assert isinstance(said, StagePrompt)
    assert (asked.stage.step, said.problem, said.good) == (WizardStep.RIM, "LENS NOT KNOWN", False)
    assert "1.7 mm" in (asked.verdict.detail if asked.verdict else "")
    again = run(good(asked), OK)
    assert advance(again, Took(again.stage, rough)).stage == WizardStage(WizardStep.EMPTY)


def test_the_rim_is_not_asked_for_where_there_are_no_markers() -> None:
    wizard = passed(up_to(WizardStep.TRAY), replace(draft(), layout=None))
    assert wizard.stage == WizardStage(WizardStep.EMPTY)


def test_the_power_die_can_be_left_out_as_a_whole() -> None:
    wizard = passed(up_to(WizardStep.POWER), draft(faces=("1",)))
    assert wizard.draft is not None
    assert wizard.draft.profile.power_faces
    wizard = advance(wizard, RIGHT)
    assert wizard.stage == WizardStage(WizardStep.HOLDER)
    assert wizard.draft is not None
    assert wizard.draft.profile.power_faces == ()


def test_back_leads_through_the_stages_and_forgets_what_they_found() -> None:
    wizard = up_to(WizardStep.DICE)
    assert wizard.draft is not None
    assert wizard.draft.lens_source == WizardStep.EMPTY
    wizard = advance(wizard, BACK)
    assert wizard.stage == WizardStage(WizardStep.EMPTY)
    assert wizard.draft is not None
    assert wizard.draft.lens_source == WizardStep.RIM
    assert not run(wizard, OK).waiting
    wizard = run(wizard, BACK, BACK)
    assert (wizard.stage, wizard.draft) == (WizardStage(WizardStep.TRAY), None)
    wizard = advance(wizard, BACK)
    assert wizard.requests == (Unlock(),)
    wizard = advance(wizard, BACK)
    assert wizard.ended
    assert wizard.requests == (Restore(),)
    assert advance(wizard, OK).ended


def test_what_is_put_right_counts_as_wrong() -> None:
    wizard = up_to(WizardStep.CHECK)
    wizard = run(wizard, thrown(1, 2, 6), Press(Key.HOLD, 2), RIGHT, OK)
    said = wizard_prompt(wizard)
    assert isinstance(said, CheckPrompt)
    assert said.faces == (1, 2, 1)
    assert advance(wizard, OK).check == Check(3, 1)


def test_a_die_that_was_not_claimed_does_not_count() -> None:
    wizard = run(up_to(WizardStep.CHECK), thrown(1, None, 3, 4, doubtful=[3]))
    wizard = run(wizard, Press(Key.HOLD, 1), RIGHT, RIGHT, OK, Press(Key.HOLD, 3), LEFT, OK)
    assert wizard.throw is not None
    assert wizard.throw.faces == (1, 2, 3, 3)
    assert advance(wizard, OK).check == Check(2, 0)


def test_dice_are_chosen_without_hold_buttons_too() -> None:
    wizard = run(up_to(WizardStep.CHECK), thrown(1, 2, 3), LEFT, RIGHT)
    assert wizard.throw is not None
    assert wizard.throw.faces == (1, 2, 4)
    assert run(wizard, BACK).stage.step is WizardStep.CHECK
    assert run(wizard, BACK, BACK).throw is None
    assert run(wizard, BACK, BACK, BACK).stage.step is WizardStep.HOLDER


@pytest.mark.parametrize(
    ("faces", "wrong"),
    [
        ((2, 1, 3), 0),
        ((1, 2, 3), 0),
        ((3, 1, 2), 0),
        ((2, 2, 3), 1),
        ((2, 4, 3), 1),
        ((4, 5, 6), 3),
    ],
)
def test_who_sees_two_dice_in_another_order_calls_none_of_them_wrong(
    faces: tuple[int, ...], wrong: int
) -> None:
    seen = tuple(SeenDie(Kind.BLACK, value, True) for value in (1, 2, 3))
    assert CheckedThrow(seen, faces).claimed_and_wrong == (3, wrong)
    # An unclaimed die cannot be what another was mistaken for; nor can a die of another kind.
    doubtful = (*seen[:1], replace(seen[1], sure=False), seen[2])
    assert CheckedThrow(doubtful, (2, 1, 3)).claimed_and_wrong == (2, 1)
    red = (*seen[:1], replace(seen[1], kind=Kind.RED), seen[2])
    assert CheckedThrow(red, (2, 1, 3)).claimed_and_wrong == (3, 2)


def test_a_throw_that_nobody_confirmed_is_followed_by_the_next() -> None:
    wizard = run(up_to(WizardStep.CHECK), thrown(1, 2), thrown(3, 4), OK)
    assert (wizard.throws, wizard.check) == (1, Check(2, 0))


@pytest.mark.parametrize("count", [0, 8])
def test_throws_that_cannot_be_shown_do_not_count(count: int) -> None:
    assert run(up_to(WizardStep.CHECK), thrown(*[1] * count)).throw is None


def test_checking_again_begins_anew() -> None:
    wizard = advance(checked(up_to(WizardStep.CHECK)), BACK)
    assert wizard.stage == WizardStage(WizardStep.CHECK)
    assert (wizard.throws, wizard.check) == (0, Check())


def test_a_profile_that_cannot_be_written_is_reported_and_tried_again() -> None:
    wizard = run(checked(up_to(WizardStep.CHECK)), OK, NotStored())
    assert not wizard.ended
    said = wizard_prompt(wizard)
    assert isinstance(said, ResultPrompt)
    assert said.problem == "NOT SAVED"
    assert isinstance(advance(wizard, OK).requests[0], Store)


STAGES = [WizardStage(step) for step in WizardStep] + [
    WizardStage(WizardStep.POWER, face, take)
    for face in POWER_FACES
    for take in range(TAKES_PER_FACE)
]
VERDICTS = [Verdict(0.9), *(Verdict(0.3, problem) for problem in Problem)]

presses = st.builds(Press, st.sampled_from(Key), st.integers(0, 5))
seen_dice = st.builds(
    SeenDie, st.sampled_from(Kind), st.sampled_from([None, 1, 6, "double"]), st.booleans()
)
events = st.one_of(
    presses,
    st.just(OK),
    st.just("good"),
    st.just("took"),
    st.just("refused"),
    st.builds(Seen, st.sampled_from(STAGES), st.sampled_from(VERDICTS), st.integers(0, 40)),
    st.builds(Took, st.sampled_from(STAGES), st.just(draft())),
    st.builds(Refused, st.sampled_from(STAGES), st.sampled_from(VERDICTS)),
    st.just(Locked({"AnalogueGain": 2.0})),
    st.just(NotStored()),
    st.builds(Rested, st.lists(seen_dice, max_size=9).map(tuple)),
)


@given(
    st.sampled_from(["begin", "DICE", "POWER", "CHECK", "RESULT"]), st.lists(events, max_size=40)
)
def test_whatever_comes_in_there_is_a_prompt_and_a_way_out(
    start: str, what: list[Event | str]
) -> None:
    wizard = _started(start)
    for each in what:
        event = _meant(wizard, each) if isinstance(each, str) else each
        wizard = advance(wizard, event)
        wizard_prompt(wizard)
        stored = [r for r in wizard.requests if isinstance(r, Store)]
        if stored:
            # Only a complete profile is kept, and only from its last stage.
            assert wizard.stage.step is WizardStep.RESULT
            assert wizard.throws == CHECK_THROWS
    out = replace(wizard, requests=())
    for _ in range(len(STAGES) + 4):
        if not out.ended:
            out = advance(out, BACK)
            assert not any(isinstance(r, Store) for r in out.requests)
    assert out.ended


def _started(start: str) -> Wizard:
    if start == "begin":
        return begin_wizard()
    if start == "RESULT":
        return checked(up_to(WizardStep.CHECK))
    return up_to(WizardStep[start])


def _meant(wizard: Wizard, what: str) -> Event:
    """The answer that the current stage waits for."""
    if what == "good":
        return Seen(wizard.stage, Verdict(0.9))
    if what == "took":
        return Took(wizard.stage, draft())
    return Refused(wizard.stage, DARK)
