"""MY DICE: one die is shown on its six faces, and what is not read is told, with the reason."""

from dataclasses import replace

import pytest

from appliance.inputs import Button, Pressed
from appliance.service.tray_watch import _dice_expected
from appliance.table.menu.asking import console_prompt
from appliance.table.menu.console import Console
from appliance.table.menu.main_menu import Menu
from appliance.table.menu.own_die import OwnDie, ShownFace, with_verdict
from appliance.table.menu.prompting import NoticePrompt
from appliance.table.menu.requests import JudgeFace, Request
from appliance.table.menu.step import Happening, advance
from appliance.table.prompts.trouble import FacePrompt
from appliance.table.session.session import Setup, new_session
from tests.builders import die, reading, roll
from vision.events import Found, Moved
from vision.reading import POWER_FACES, Candidate, DieReading, DieState, Face, Kind


class Owner:
    """Shows a die; the service says why a face is not read."""

    def __init__(self, why: str = "PIPS TOO PALE") -> None:
        self.session = new_session(Setup("classic", ("ANNA",), (("first", 0),)))
        self.console = Console(self.session, (OwnDie(),), judges_dice=True)
        self.why = why
        self.judged: list[tuple[Face | None, Face]] = []

    def happen(self, happened: Happening) -> None:
        self.console, requests = advance(self.console, happened)
        for request in requests:
            self.answer(request)

    def answer(self, request: Request) -> None:
        assert isinstance(request, JudgeFace)
        read, face = request.reading, request.face
        self.judged.append((read.value if read.sure else None, face))
        why = "" if read.sure and read.value == face else self.why
        self.console = with_verdict(self.console, face, why)

    def press(self, *buttons: Button) -> None:
        for button in buttons:
            self.happen(Pressed(button))

    def show(self, *dice: DieReading) -> None:
        tracked = (replace(die(k, 1), reading=one) for k, one in enumerate(dice))
        self.happen(roll(*tracked))

    @property
    def page(self) -> OwnDie:
        assert isinstance(self.console.page, OwnDie)
        return self.console.page

    @property
    def said(self) -> tuple[tuple[str, str], ...]:
        prompt = console_prompt(self.console)
        assert isinstance(prompt, NoticePrompt)
        return prompt.pages


def test_six_faces_of_which_one_is_not_read() -> None:
    owner = Owner()
    assert owner.said == (("SHOW 1 DIE", "ANY FACE UP"), ("TURN IT TO", "ALL 6 FACES"))
    owner.show(reading(4))
    assert owner.said == (("READ AS 4", "OK?"), ("WRONG?", "LEFT OR RIGHT"))
    owner.press(Button.OK)
    assert owner.said == (("4", "READ"), ("TURN THE DIE", "1 OF 6 SEEN"))
    owner.press(Button.OK)
    assert owner.judged == [(4, 4)], "an OK too many says nothing new"
    # Whoever turns the die has left what was read.
    for value in (1, 2, 3, 5):
        owner.show(reading(value))
    doubtful = reading(
        None, state=DieState.UNSURE, candidates=(Candidate(5, 0.6), Candidate(6, 0.4))
    )
    owner.show(doubtful)
    assert console_prompt(owner.console) == FacePrompt("DIE", 0, 5, DieState.UNSURE, (None,))
    owner.press(Button.RIGHT)
    assert owner.page.face == 6
    owner.press(Button.OK)
    assert owner.judged == [(4, 4), (None, 6)]
    assert owner.said == (("5 OF 6", "FACES READ"), ("6 NOT READ", "PIPS TOO PALE"))
    assert owner.console.session == owner.session, "the game beneath has seen nothing"
    owner.press(Button.OK)
    assert owner.console.page is None


def test_what_was_read_wrong_is_put_right() -> None:
    owner = Owner("ROWS TOO CLOSE")
    owner.show(reading(5))
    owner.press(Button.RIGHT, Button.OK)
    assert owner.judged == [(5, 6)]
    assert owner.said[0] == ("6 NOT READ", "ROWS TOO CLOSE")
    # After all it was a 5.
    owner.press(Button.LEFT, Button.OK)
    assert owner.judged[-1] == (5, 5)
    assert owner.page.shown == (ShownFace(6, "ROWS TOO CLOSE"), ShownFace(5))


def test_one_die_alone_counts_and_what_lies_aside_does_not() -> None:
    owner = Owner()
    owner.show(reading(1), reading(2))
    assert owner.said == (("ONE DIE ONLY", "2 DICE"),)
    owner.press(Button.OK, Button.RIGHT)
    assert owner.judged == []
    owner.show(reading(1), replace(reading(2), aside=True), replace(reading(2), held=True))
    assert owner.said[0] == ("READ AS 1", "OK?")
    # A die that is turned where it lies, or lay there before, is seen as well.
    (turned,) = (replace(die(0, 1), reading=reading(3)),)
    owner.happen(Moved(2, 0.2, (turned.track_id,), (turned,)))
    assert owner.said[0] == ("READ AS 3", "OK?")
    owner.happen(Found(3, 0.3, (replace(turned, reading=reading(4)),)))
    assert [one.face for one in owner.page.shown] == [1, 3]
    owner.show()
    assert owner.said == (("TURN THE DIE", "3 OF 6 SEEN"),)


@pytest.mark.parametrize(
    ("kind", "faces"),
    [
        (Kind.POWER, POWER_FACES),
        (Kind.BLACK, (1, 2, 3, 4, 5, 6)),
        (Kind.OTHER, (1, 2, 3, 4, 5, 6, *POWER_FACES)),
    ],
)
def test_each_face_that_the_die_may_have_can_be_entered(
    kind: Kind, faces: tuple[Face, ...]
) -> None:
    owner = Owner()
    owner.show(reading(None, kind=kind, state=DieState.UNSURE))
    assert owner.page.face is None
    owner.press(Button.OK)
    assert owner.page.entering, "there is nothing yet that OK could take"
    seen: list[Face | None] = []
    for _ in faces:
        owner.press(Button.RIGHT)
        seen.append(owner.page.face)
    assert tuple(seen) == faces
    owner.press(Button.RIGHT)
    assert owner.page.face == faces[0]


def test_a_power_die_begins_anew_what_was_entered_as_numbers() -> None:
    owner = Owner()
    owner.show(reading(2))
    owner.press(Button.OK)
    owner.show(reading("freeze", kind=Kind.POWER))
    owner.press(Button.OK)
    assert owner.page.shown == (ShownFace("freeze"),)


def test_another_die_may_follow() -> None:
    owner = Owner()
    for value in range(1, 7):
        owner.show(reading(value))
    owner.press(Button.OK)
    assert owner.said == (("6 OF 6", "FACES READ"),)
    owner.show(reading(2))
    assert owner.page.shown == ()


def test_the_menu_offers_it_where_somebody_judges() -> None:
    words = [row.lines for row in Menu().rows(Console(judges_dice=True))]
    assert ("MY DICE",) in words
    assert ("MY DICE",) not in [row.lines for row in Menu().rows(Console())]
    owner = Owner()
    assert _dice_expected(owner.console) is None, "one die is enough"
    owner.press(Button.BACK)
    assert owner.console.page is None
    assert with_verdict(owner.console, 4, "LEANS") == owner.console
