"""The wizard with made-up looks: what goes on by itself, what is refused, and what is kept."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.accuracy import Check
from calibration.calibration import Calibration, Difference
from calibration.problems import Problem, Verdict
from calibration.wizard.advance import advance
from calibration.wizard.pages import ITEMS, LOOKS_TO_TAKE, Page
from calibration.wizard.prompts import CheckPrompt, KeptPrompt, PagePrompt, wizard_prompt
from calibration.wizard.state import (
    MAX_CHECKED_DICE,
    TAKE_CARD,
    Event,
    Key,
    Lock,
    Locked,
    NotStored,
    Passed,
    Press,
    Rested,
    Restore,
    Seen,
    SeenDie,
    Store,
    Stored,
    Unlock,
    Wizard,
    begin_wizard,
)
from vision.frame import Image
from vision.geometry.profile import PowerFace, Profile
from vision.reading import POWER_FACES, Kind

OK, BACK, LEFT, RIGHT = (Press(key) for key in (Key.OK, Key.BACK, Key.LEFT, Key.RIGHT))
HOLDER = np.array([(100.0, -20.0), (120.0, -20.0), (120.0, 20.0), (100.0, 20.0)])


def draft(name: str = "", faces: Sequence[str] = ()) -> Calibration:
    """A draft that a look might have found, with a name to recognise it by."""
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


def stored(wizard: Wizard) -> Wizard:
    """After what it has asked for was carried out."""
    if wizard.requests == (Lock(),):
        wizard = advance(wizard, Locked({"ExposureTime": 8000.0}))
    (request,) = wizard.requests
    assert isinstance(request, Store)
    return advance(wizard, Stored())


def found(page: Page = Page.TRAY, calibration: Calibration | None = None) -> Seen:
    return Seen(page, Verdict(1.0), draft=calibration or draft("found"))


def looked(wizard: Wizard, seen: Seen, count: int) -> Wizard:
    """After some looks that show the same, or fewer if the page goes on by itself."""
    for _ in range(count):
        if wizard.page is not seen.page or wizard.taking is not None:
            break
        wizard = advance(wizard, seen)
    return wizard


def at(item: Page, known: Calibration | None = None) -> Wizard:
    """An item just opened from the list."""
    wizard = begin_wizard(known or draft("known"))
    while wizard.item is not item:
        wizard = advance(wizard, RIGHT)
    return advance(wizard, OK)


def page_prompt(wizard: Wizard) -> PagePrompt:
    said = wizard_prompt(wizard)
    assert isinstance(said, PagePrompt)
    return said


def patch(number: int) -> Image:
    """A face that is like no other one."""
    return np.random.default_rng(number).integers(0, 255, (48, 48, 3)).astype(np.uint8)


def face(wizard: Wizard, number: int, x: float = 0.0) -> Seen:
    """A look at a Power die with a face up, which would be learnt as the one asked for."""
    faces = (*wizard.faces, PowerFace(wizard.face, patch(number)[..., 0]))
    known = wizard.known or draft()
    kept = replace(known, profile=replace(known.profile, power_faces=faces))
    return Seen(Page.POWER, Verdict(1.0), ((x, 0.0),), patch(number), kept)


NOTHING = Seen(Page.POWER, Verdict(0.3, Problem.NO_DICE, "expected one die, found none"))
MOVING = Verdict(0.2, Problem.NOT_STEADY, "the picture changes")


def thrown(*values: int | None, doubtful: Sequence[int] = ()) -> Rested:
    return Rested(
        tuple(
            SeenDie(Kind.BLACK, value, value is not None and n not in doubtful)
            for n, value in enumerate(values)
        )
    )


# The tray.


def test_a_tray_that_is_not_known_is_looked_for_without_a_press() -> None:
    wizard = begin_wizard()
    assert (wizard.page, wizard.requests) == (Page.TRAY, (Unlock(),))
    assert page_prompt(wizard).says[0] == "4 MARKERS"
    # One look shows what has happened; the page can be read before it goes on.
    wizard = advance(wizard, found())
    assert page_prompt(wizard).says == ("MARKERS SEEN",)
    assert wizard.requests == ()
    wizard = looked(wizard, found(), LOOKS_TO_TAKE[Page.TRAY])
    wizard = stored(wizard)
    assert wizard.page is Page.KEPT
    assert wizard.known is not None
    assert wizard.known.controls == {"ExposureTime": 8000.0}
    wizard = advance(wizard, Passed())
    assert (wizard.page, wizard.item) == (Page.LIST, Page.POWER)


def test_how_sure_it_is_is_said_with_what_makes_it_surer() -> None:
    rough = replace(draft(), doubt_mm=2.0)
    seen = replace(found(calibration=rough), advice=Problem.UNEVEN)
    wizard = stored(looked(begin_wizard(), seen, 9))
    said = wizard_prompt(wizard)
    assert said == KeptPrompt(
        (
            ("TRAY FOUND", "WITHIN 2.8 MM"),
            ("SHEET IN TRAY", "IS MORE EXACT"),
            ("BETTER WITHOUT", "LIGHT UNEVEN"),
        )
    )
    bare = replace(rough, layout=None)
    wizard = stored(looked(begin_wizard(), found(calibration=bare), 9))
    said = wizard_prompt(wizard)
    assert isinstance(said, KeptPrompt)
    assert ("4 MARKERS", "ARE MORE EXACT") in said.pages
    wizard = replace(wizard, sight=None)
    said = wizard_prompt(wizard)
    assert isinstance(said, KeptPrompt)
    assert ("LENS NOT KNOWN", "LESS EXACT") in said.pages
    exact = replace(draft(), doubt_mm=0.2)
    wizard = stored(looked(begin_wizard(), found(calibration=exact), 9))
    assert wizard_prompt(wizard) == KeptPrompt((("TRAY FOUND", "WITHIN 0.3 MM"),))


def test_what_has_changed_since_the_calibration_before_is_said() -> None:
    exact = replace(draft(), doubt_mm=0.2, since=Difference(-12.3, 0.4, 0.0, 0.0, 3.0))
    wizard = stored(looked(begin_wizard(), found(calibration=exact), 9))
    pages = (("TRAY FOUND", "WITHIN 0.3 MM"), ("CAMERA SITS", "12 MM LOWER"))
    assert wizard_prompt(wizard) == KeptPrompt(pages)
    same = replace(exact, since=Difference(0.4, 0.4, 0.0, 0.0, 3.0))
    wizard = stored(looked(begin_wizard(), found(calibration=same), 9))
    assert wizard_prompt(wizard) == KeptPrompt((pages[0], ("ALL IS", "AS BEFORE")))


def test_a_tray_found_anew_begins_a_check_of_its_own() -> None:
    before = draft().with_check(Check(60, 0))
    wizard = stored(looked(at(Page.TRAY, before), found(calibration=before), 9))
    assert wizard.known is not None
    assert wizard.known.check == Check()


NO_MARKERS = Seen(Page.TRAY, Verdict(0.1, Problem.NO_MARKERS, "none of the four is seen"))


def test_without_markers_the_size_of_the_floor_is_asked_for_with_buttons() -> None:
    wizard = run(begin_wizard(), NO_MARKERS)
    said = page_prompt(wizard)
    assert (said.says[0], said.problem, said.beside) == ("4 MARKERS", "NO MARKERS", "OK: CORNERS")
    wizard = advance(wizard, OK)
    assert page_prompt(wizard).beside == "< 216 MM >"
    wizard = run(wizard, RIGHT, Press(Key.LEFT, long=True), OK)
    assert (wizard.page, wizard.floor) == (Page.DEPTH, (207.0, 152.0))
    wizard = run(wizard, RIGHT, OK)
    assert (wizard.page, wizard.floor) == (Page.CORNERS, (207.0, 153.0))
    assert wizard.points


def test_a_size_that_is_known_is_where_the_buttons_begin() -> None:
    wizard = run(begin_wizard(floor_mm=(180.0, 120.0)), NO_MARKERS, OK)
    assert page_prompt(wizard).beside == "< 180 MM >"
    wizard = run(wizard, OK, OK)
    assert (wizard.page, wizard.floor) == (Page.CORNERS, (180.0, 120.0))


def test_no_floor_is_given_that_is_none() -> None:
    wizard = run(begin_wizard(), NO_MARKERS, OK, *[Press(Key.LEFT, long=True)] * 99)
    assert wizard.floor == (60.0, 152.0), "a floor may be deeper than it is wide"
    wizard = run(wizard, *[Press(Key.RIGHT, long=True)] * 99, OK, *[LEFT] * 999)
    assert wizard.floor == (600.0, 60.0)


def test_corners_that_were_given_in_pixels_are_shown_like_those_that_were_pointed_at() -> None:
    given = replace(draft("given"), layout=None)
    wizard = begin_wizard(draft("known"), pointed=given, floor_mm=(180.0, 120.0))
    assert (wizard.page, wizard.points, wizard.floor) == (Page.CORNERS, False, given.floor_mm)
    assert page_prompt(wizard).says[0] == "TAKE ALL OUT"
    assert run(wizard, RIGHT).points
    wizard = looked(wizard, Seen(Page.CORNERS, Verdict(1.0), draft=given), 20)
    assert page_prompt(wizard).says[0] == "IS THIS IT? OK"
    assert wizard.requests == ()
    assert stored(advance(wizard, OK)).page is Page.KEPT


# What OK does.


def test_every_ok_that_is_refused_says_why() -> None:
    tray = begin_wizard()
    dark = Seen(Page.TRAY, Verdict(0.2, Problem.TOO_DARK, "too dark"))
    power, holder, check = at(Page.POWER), at(Page.HOLDER), at(Page.CHECK)
    for wizard, why in (
        (tray, Problem.LOOKING),
        (advance(tray, dark), Problem.TOO_DARK),
        (power, Problem.LOOKING),
        (advance(power, NOTHING), Problem.NO_DICE),
        (advance(power, face(power, 1)), Problem.UNCHANGED),
        (holder, Problem.LOOKING),
        (check, Problem.NO_THROW),
        (advance(check, thrown(*[1] * 8)), Problem.NO_THROW),
        (run(begin_wizard(draft()), RIGHT), None),
    ):
        pressed = advance(wizard, OK)
        assert (None if pressed.refusal is None else pressed.refusal.problem) is why
        if why is not None:
            assert why.value in str(wizard_prompt(pressed))
            assert pressed.requests == ()
            assert pressed.known is wizard.known


def test_what_to_do_is_said_before_what_is_wrong_unless_ok_was_refused() -> None:
    dark = Seen(Page.TRAY, Verdict(0.2, Problem.TOO_DARK, "too dark"))
    wizard = advance(begin_wizard(), dark)
    said = page_prompt(wizard)
    assert (said.says[0], said.problem, said.refused) == ("4 MARKERS", "TOO DARK", False)
    assert page_prompt(advance(wizard, OK)).refused
    # It goes when something changes.
    assert not page_prompt(run(wizard, OK, found())).refused


def test_items_that_need_a_tray_say_so() -> None:
    wizard = run(Wizard(), RIGHT, OK)
    assert (wizard.page, wizard.refusal and wizard.refusal.problem) == (
        Page.LIST,
        Problem.TRAY_FIRST,
    )


# The Power die.


def test_faces_are_taken_as_they_are_shown_without_a_press() -> None:
    wizard = at(Page.POWER)
    for number, wanted in enumerate(POWER_FACES):
        assert f"SHOW {wanted.upper()}" in page_prompt(wizard).says
        assert page_prompt(wizard).place == f"{number + 1}/6"
        before = NOTHING if number == 0 else face(wizard, number - 1, 20.0)
        wizard = looked(wizard, before, 20)
        assert len(wizard.faces) == number, "what lay there before is not taken"
        wizard = advance(wizard, Seen(Page.POWER, MOVING))
        wizard = looked(wizard, face(wizard, number, 20.0), LOOKS_TO_TAKE[Page.POWER])
    (request,) = wizard.requests
    assert isinstance(request, Store)
    kept = request.calibration
    assert tuple(one.value for one in kept.profile.power_faces) == POWER_FACES
    wizard = stored(wizard)
    assert run(wizard, Passed()).item is Page.HOLDER


def test_an_impatient_ok_stores_no_face_that_lay_there_before() -> None:
    wizard = at(Page.POWER)
    wizard = looked(wizard, face(wizard, 5), 3)
    wizard = run(wizard, *[OK] * 9)
    assert wizard.faces == ()
    # The same die with another face up is what was asked for: OK need not wait.
    wizard = run(wizard, face(wizard, 0))
    assert run(wizard, OK).faces[0].value == POWER_FACES[0]


def test_a_face_that_was_shown_for_another_can_be_taken_back() -> None:
    wizard = at(Page.POWER)
    wizard = run(wizard, NOTHING, face(wizard, 1), OK)
    assert page_prompt(wizard).beside == f"< {POWER_FACES[0].upper()}"
    alike = Verdict(0.3, Problem.TOO_ALIKE, "like another")
    wizard = run(wizard, Seen(Page.POWER, alike, ((50.0, 0.0),), patch(2)))
    assert page_prompt(wizard).problem == "FACES TOO ALIKE"
    wizard = advance(wizard, LEFT)
    assert (wizard.faces, wizard.face) == ((), POWER_FACES[0])
    assert run(wizard, NOTHING, face(wizard, 1), OK).faces[0].value == POWER_FACES[0]


def test_a_hand_that_is_quicker_than_the_first_look_is_a_change() -> None:
    wizard = at(Page.POWER)
    wizard = run(wizard, Seen(Page.POWER, MOVING))
    assert page_prompt(wizard).problem == "", "a hand is what was asked for"
    assert len(looked(wizard, face(wizard, 0), 3).faces) == 1


def test_half_of_the_faces_are_not_kept() -> None:
    before = draft("known", POWER_FACES)
    wizard = at(Page.POWER, before)
    wizard = run(wizard, NOTHING, face(wizard, 0), OK, BACK)
    assert (wizard.page, wizard.known) == (Page.LIST, before)


# The holder.


def holding(*places: tuple[float, float]) -> Seen:
    kept = replace(draft("known"), holders=HOLDER)
    return Seen(Page.HOLDER, Verdict(1.0), places, draft=kept)


EMPTY_HOLDER = Seen(Page.HOLDER, Verdict(0.0, Problem.NO_DICE, "none"))


def test_the_holder_is_where_dice_are_put() -> None:
    wizard = run(at(Page.HOLDER), EMPTY_HOLDER)
    wizard = looked(wizard, holding((110.0, 0.0)), LOOKS_TO_TAKE[Page.HOLDER] - 1)
    assert wizard.requests == (), "a second die may follow"
    wizard = looked(wizard, holding((110.0, 0.0), (110.0, 60.0)), LOOKS_TO_TAKE[Page.HOLDER])
    wizard = stored(wizard)
    assert wizard.known is not None
    assert wizard.known.holders is HOLDER


def test_dice_that_are_not_found_in_every_look_are_still_there() -> None:
    two = holding((110.0, 0.0), (110.0, 60.0))
    wizard = run(at(Page.HOLDER), EMPTY_HOLDER, Seen(Page.HOLDER, MOVING), two)
    wizard = looked(wizard, holding((110.0, 60.0)), LOOKS_TO_TAKE[Page.HOLDER] - 1)
    assert wizard.seen is two
    (request,) = wizard.requests
    assert isinstance(request, Store)
    # Moving begins anew: a die that is put in is waited for.
    wizard = looked(run(at(Page.HOLDER), EMPTY_HOLDER), two, 4)
    wizard = run(wizard, Seen(Page.HOLDER, MOVING), holding((110.0, 60.0)))
    assert wizard.looks == 1


def test_dice_that_lay_in_the_holder_before_wait_for_an_ok() -> None:
    wizard = looked(at(Page.HOLDER), holding((110.0, 0.0)), 20)
    assert wizard.page is Page.HOLDER
    assert wizard.requests == ()
    assert stored(advance(wizard, OK)).page is Page.KEPT


def test_that_there_is_no_holder_is_kept_too() -> None:
    before = replace(draft(), holders=HOLDER)
    wizard = stored(advance(at(Page.HOLDER, before), RIGHT))
    assert wizard.known is not None
    assert wizard.known.holders is None
    assert wizard_prompt(wizard) == KeptPrompt((("HOLDER", "NONE"),))


# The check.


def counted(wizard: Wizard, *events: Event) -> Wizard:
    wizard = run(wizard, *events, OK)
    return stored(wizard) if wizard.requests else wizard


def test_any_number_of_throws_is_checked_and_each_is_kept_at_once() -> None:
    wizard = at(Page.CHECK)
    for throws in range(1, 13):
        wizard = counted(wizard, thrown(1, 2, 3, 4, 5))
        assert wizard.known is not None
        assert wizard.known.check == Check(5 * throws, 0)
    wizard = run(wizard, BACK)
    said = wizard_prompt(wizard)
    assert isinstance(said, KeptPrompt)
    assert said.pages[0] == ("CHECK PASSED", "60 DICE 0 WRONG")
    assert ("60 DICE 0 WRONG", "ERROR < 4.9%") in said.pages
    assert run(wizard, BACK).page is Page.LIST


def test_dice_that_it_did_not_see_are_counted_and_make_it_fail() -> None:
    wizard = at(Page.CHECK)
    # Seven dice were thrown, and one of them was seen, nine times.
    wizard = run(wizard, thrown(4), *[RIGHT] * 6)
    said = wizard_prompt(wizard)
    assert isinstance(said, CheckPrompt)
    assert (said.faces, said.there) == ((4,), 7)
    wizard = counted(wizard)
    for _ in range(8):
        # How many there are need not be said again.
        wizard = counted(wizard, thrown(4))
    assert wizard.tally == Check(9, 0, 54)
    said = wizard_prompt(run(wizard, BACK))
    assert said == KeptPrompt((("CHECK FAILED", "9 DICE 0 WRONG"), ("54 NOT READ", "OF 63 DICE")))


def test_what_is_put_right_counts_as_wrong_and_makes_it_fail() -> None:
    wizard = run(at(Page.CHECK), thrown(1, 2, 3), Press(Key.HOLD, 1), RIGHT, OK)
    wizard = counted(wizard)
    assert wizard.tally == Check(3, 1)
    assert wizard.tally.failed
    # What was seen though it is not there was read wrong, too.
    assert counted(at(Page.CHECK), thrown(1, 2, 3), LEFT).tally == Check(3, 1)


def test_a_die_that_was_not_claimed_was_not_read() -> None:
    wizard = run(at(Page.CHECK), thrown(1, None, 3, doubtful=(2,)), Press(Key.HOLD, 1), LEFT, OK)
    assert counted(wizard).tally == Check(1, 0, 2)


def test_a_die_of_unknown_kind_can_be_put_right_whatever_it_is() -> None:
    wizard = run(at(Page.CHECK), Rested((SeenDie(Kind.OTHER, None, False),)), Press(Key.HOLD, 0))
    wizard = advance(wizard, LEFT)
    assert wizard.throw is not None
    assert wizard.throw.faces == (POWER_FACES[-1],)
    assert counted(wizard, OK).tally == Check(0, 0, 1)


def test_the_seventh_die_is_reached_with_the_first_button() -> None:
    wizard = run(at(Page.CHECK), thrown(1, 2, 3, 4, 5, 6, 1))
    chosen = []
    for _ in range(3):
        wizard = advance(wizard, Press(Key.HOLD, 0))
        assert wizard.throw is not None
        chosen.append(wizard.throw.chosen)
    assert chosen == [0, 6, None]


@pytest.mark.parametrize("right", [(2, 1, 3), (3, 2, 1), (2, 3, 1)])
def test_who_sees_dice_in_another_order_calls_none_of_them_wrong(right: tuple[int, ...]) -> None:
    wizard = run(at(Page.CHECK), thrown(1, 2, 3))
    for slot, value in enumerate(right):
        wizard = advance(wizard, Press(Key.HOLD, slot))
        while wizard.throw is not None and wizard.throw.faces[slot] != value:
            wizard = advance(wizard, RIGHT)
        wizard = advance(wizard, OK)
    assert counted(wizard).tally == Check(3, 0)


def test_a_throw_that_nobody_confirmed_is_followed_by_the_next() -> None:
    wizard = counted(at(Page.CHECK), thrown(1, 2), thrown(3, 4))
    assert wizard.tally == Check(2, 0)


def test_throws_that_cannot_be_shown_do_not_count_and_it_says_so() -> None:
    wizard = run(at(Page.CHECK), thrown(*[1] * (MAX_CHECKED_DICE + 1)))
    assert wizard.refusal is not None
    assert wizard.refusal.problem is Problem.TOO_MANY_DICE
    assert run(at(Page.CHECK), Rested(())).throw is None


# Leaving, and what cannot be written.


@pytest.mark.parametrize("item", ITEMS)
def test_one_back_leaves_every_item_and_one_the_list(item: Page) -> None:
    wizard = advance(at(item), BACK)
    assert wizard.page is Page.LIST
    assert wizard.requests == ((Restore(),) if item is Page.TRAY else ())
    assert advance(wizard, BACK).ended
    # A throw that is shown is no page of its own.
    if item is Page.CHECK:
        assert run(at(item), thrown(1, 2), BACK).page is Page.LIST


def test_without_a_tray_there_is_nothing_to_go_back_to() -> None:
    wizard = advance(begin_wizard(), BACK)
    assert (wizard.ended, wizard.requests) == (True, (Restore(),))


def test_what_cannot_be_written_is_said_and_tried_again_with_ok() -> None:
    wizard = looked(begin_wizard(), found(), 9)
    wizard = run(wizard, Locked({}), NotStored())
    assert page_prompt(wizard).problem == "NOT SAVED"
    wizard = run(wizard, *[found()] * 20)
    assert wizard.taking is None, "a full disk is not written to again and again"
    assert page_prompt(wizard).problem == "NOT SAVED"
    assert stored(advance(wizard, OK)).page is Page.KEPT


def test_what_was_seen_on_another_page_means_nothing() -> None:
    wizard = at(Page.HOLDER)
    assert advance(wizard, found()).seen is None


presses = st.builds(
    Press, st.sampled_from(Key), st.integers(0, 5), st.booleans().filter(lambda _: True)
)
meant = st.sampled_from(
    ["found", "face", "holding", "empty", "dark", "moving", "throw", "done", "failed"]
)


@given(st.booleans(), st.lists(presses | meant, max_size=40))
def test_whatever_comes_in_there_is_a_prompt_and_a_way_out(
    known: bool, events: list[Press | str]
) -> None:
    wizard = begin_wizard(draft("known") if known else None)
    for number, what in enumerate(events):
        wizard = advance(wizard, what if isinstance(what, Press) else _meant(wizard, what, number))
        assert wizard_prompt(wizard)
    left = run(wizard, BACK, BACK, BACK)
    assert left.ended


def _meant(wizard: Wizard, what: str, number: int) -> Event:
    events: dict[str, Event] = {
        "found": found(),
        "face": face(wizard, number % 5),
        "holding": holding((110.0, float(number))),
        "empty": EMPTY_HOLDER,
        "dark": Seen(wizard.page, Verdict(0.2, Problem.TOO_DARK, "")),
        "moving": Seen(wizard.page, MOVING),
        "throw": thrown(*range(1, 1 + number % 9)),
        "done": Stored() if wizard.taking is not None else Passed(),
        "failed": NotStored(),
    }
    return events[what]


def test_a_card_that_was_measured_keeps_its_page_until_it_is_seen_to_be_gone() -> None:
    card = Seen(Page.CARD, Verdict(1.0), draft=draft("by card"), covered=True)
    wizard = looked(at(Page.CARD), card, LOOKS_TO_TAKE[Page.CARD])
    assert wizard.measured is card.draft
    assert wizard.seen is None, "nobody has looked since"
    wizard = run(wizard, BACK)
    assert (wizard.page, wizard.refusal) == (Page.CARD, TAKE_CARD)
    assert wizard.private
    gone = Seen(Page.CARD, Verdict(1.0), draft=card.draft)
    assert run(wizard, gone, BACK).page is Page.LIST


def test_a_long_press_leaves_where_there_is_no_card_to_take_away() -> None:
    """One that lay there from the beginning, and is gone now, looks like a new one."""
    other = Seen(Page.CARD, Verdict(0.3, Problem.NO_CARD), covered=True)
    wizard = run(at(Page.CARD), other, BACK, other, BACK)
    assert wizard.page is Page.CARD
    said = page_prompt(wizard)
    assert (said.problem, said.cure) == Problem.TAKE_CARD.lines
    assert run(wizard, Press(Key.BACK, long=True)).page is Page.LIST
