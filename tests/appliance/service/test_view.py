"""Views for screens, made from a running appliance."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from appliance.inputs import SHUT_DOWN, Button, Pressed
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.service import seen_table
from appliance.service.appliance import Appliance
from appliance.service.devices import Devices, Tray
from appliance.service.ports import Happened
from appliance.service.view import DIE_PICTURE_PX, View, Viewer, die_picture
from appliance.table.menu.preferences import VoicePage
from appliance.table.menu.prompting import TellingPrompt
from appliance.table.prompts.hints import WaitPrompt
from appliance.table.prompts.trouble import FacePrompt
from appliance.table.session.session import Session, Setup
from tests.appliance.table.scripted import ScriptedKeys, ScriptedWatcher
from tests.builders import dice_picked_up, die, reading, roll, throw
from tests.profiles import make_profile
from tests.rigs.memory_scoreboard import MemoryScoreboard
from vision.events import Cleared, TrayChanged, TrayEvent
from vision.frame import Frame
from vision.geometry.profile import Profile
from vision.reading import DieState, TrayState

PAIR = Setup("classic", ("ANNA", "BOB"), (("first", 0),))


class Watched:
    """An appliance, and the views of it."""

    def __init__(self, journal: Journal, *events: TrayEvent, profile: Profile | None = None):
        self.keys = ScriptedKeys()
        self.board = MemoryScoreboard()
        self.watcher = ScriptedWatcher()
        self.events = list(events)
        self.appliance = Appliance(
            Devices(self.board, self.keys),
            Tray(self.watcher),
            journal,
            session=load_session(journal, PAIR),
            listen=self.hear,
        )
        self.viewer = Viewer(lambda: profile, hands=True)
        self.appliance.start()
        self.count = 0

    def hear(self, happened: Happened) -> None:
        self.viewer.hear(happened)

    def view(self, secret: str = "") -> View:
        return self.viewer.view(self.appliance, secret=secret)

    def feed(self, *presses: Button) -> None:
        self.watcher.events = [self.events.pop(0)] if self.events else []
        self.keys.presses = [Pressed(button) for button in presses]
        image = np.full((120, 200, 3), 10 * self.count % 256, np.uint8)
        frame = Frame(image, self.count / 30, self.count)
        self.count += 1
        self.viewer.look(frame)
        self.appliance.feed(frame)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "games") as made:
        yield made


def test_a_turn_is_told_in_one_value(journal: Journal) -> None:
    with journal:
        watched = Watched(journal, throw(1, 2, 3, 4, 6))
        view = watched.view()
        assert (view.tray, view.dice) == (None, ())
        assert view.line == "ANNA: SPACE throws 5 dice"
        watched.feed()
        watched.feed(Button.HOLD2)
        view = watched.view()
        assert view.line == "ANNA: 1-5 hold (now 2), SPACE rolls again, ENTER scores"
        assert [key.name for key in view.guidance.keys] == ["1-5", "SPACE", "ENTER"]
        assert [(d.number, d.face, d.sure) for d in view.dice] == [
            (k + 1, str(face), True) for k, face in enumerate((1, 2, 3, 4, 6))
        ]
        assert [d.number for d in view.dice if d.kept] == [2]
        assert view.board == watched.board.picture
        watched.feed(Button.OK)
        watched.feed(Button.OK)
        view = watched.view()
        assert [(s.player, s.total > 0, s.turn) for s in view.sheets] == [
            ("ANNA", True, False),
            ("BOB", False, True),
        ]
        assert any(text != "-" for _, text in view.sheets[0].rows)


def test_dice_are_those_that_lie_there_as_they_were_read(journal: Journal) -> None:
    doubtful = roll(*(die(slot, 3, state=DieState.UNSURE) for slot in range(5)))
    with journal:
        watched = Watched(
            journal, doubtful, dice_picked_up(0, 0.0, (1, 2)), throw(1, 1, 1, 1, 1), Cleared(0, 0.0)
        )
        watched.feed()
        seen = watched.view().dice
        assert [(d.face, d.sure) for d in seen] == [("3?", False)] * 5
        cut = [d.picture for d in seen]
        watched.feed()
        seen = watched.view().dice
        assert len(seen) == 3
        assert all(d.picture is not None and any(d.picture is c for c in cut) for d in seen)
        watched.feed()
        assert {int(d.picture.max()) for d in watched.view().dice} == {20}
        watched.feed()
        assert watched.view().dice == ()


def test_dice_of_a_throw_in_question_are_labelled_as_they_were_read(journal: Journal) -> None:
    with journal:
        first, second = throw(1, 2, 3, 4, 6), throw(5, 5, 3, 4, 6, new={0, 1})
        unsure = replace(
            second,
            dice=tuple(
                replace(d, reading=replace(d.reading, state=DieState.UNSURE)) if d.thrown else d
                for d in second.dice
            ),
        )
        watched = Watched(journal, first, unsure)
        watched.feed()
        watched.feed()
        assert isinstance(watched.appliance.prompt, FacePrompt)
        seen = [(d.number, d.face, d.sure) for d in watched.view().dice]
        lying = [(3, "3", True), (4, "4", True), (5, "6", True)]
        assert seen == [(1, "5?", False), (2, "5?", False), *lying]
        watched.feed(Button.RIGHT)
        watched.feed(Button.OK)
        assert isinstance(shown := watched.appliance.prompt, FacePrompt)
        assert [(d.face, d.sure) for d in watched.view().dice[:2]] == [
            (str(shown.dice[0]), True),
            ("5?", False),
        ]


def test_dice_that_lie_still_are_shown_as_they_were_read_sharp(journal: Journal) -> None:
    events = (
        throw(1, 2, 3, 4, 6),
        TrayChanged(0, 0.0, TrayState.STILL),
        TrayChanged(0, 0.0, TrayState.HAND),
        TrayChanged(0, 0.0, TrayState.STILL),
        dice_picked_up(0, 0.0, (1,)),
    )
    with journal:
        watched = Watched(journal, *events)
        shown = []
        for _ in events:
            watched.feed()
            view = watched.view()
            assert view.tray is not None
            shown.append((int(view.tray[0, 0, 0]), view.still))
        assert shown == [(0, False), (0, True), (20, False), (0, True), (40, True)]


def test_a_die_is_cut_out_upright() -> None:
    image = np.zeros((200, 200, 3), np.uint8)
    image[80:120, 80:120] = 200
    image[80:90, 80:90] = 90
    straight = die_picture(image, reading(5, (100.0, 100.0), edge=40.0))
    assert straight.shape == (DIE_PICTURE_PX, DIE_PICTURE_PX, 3)
    assert straight[0, 0, 0] == 0
    assert straight[8, 8, 0] == 90
    assert straight[-8, -8, 0] == 200
    lost = reading(None, (100.0, 100.0), edge=40.0)
    without = die_picture(image, replace(lost, outline=()))
    assert without.shape == straight.shape
    assert without.max() == 200


def test_the_picture_is_cropped_to_the_tray_and_dice_keep_their_places(journal: Journal) -> None:
    with journal:
        profile = make_profile()
        watched = Watched(journal, throw(1, 2, 3, 4, 6), profile=profile)
        image = np.zeros((864, 1536, 3), np.uint8)
        corners = np.array(profile.tray_pixels())
        for x, y in corners.astype(int):
            image[y - 5 : y + 5, x - 5 : x + 5] = 255
        watched.watcher.events = watched.events
        frame = Frame(image, 0.0, 0)
        watched.viewer.look(frame)
        watched.appliance.feed(frame)
        view = watched.view()
        assert view.tray is not None
        height, width = view.tray.shape[:2]
        assert (width, height) < (1536, 864)
        low, high = corners.min(axis=0), corners.max(axis=0)
        assert width < 1.1 * (high - low)[0]
        assert view.tray.max() == 255
        scale = (high - low) / (width, height)
        left = np.array(view.dice[0].outline) * (width, height)
        right = np.array(view.dice[1].outline) * (width, height)
        assert np.allclose((right - left)[:, 0], 30, atol=1), scale


def test_under_a_notice_dice_can_be_thrown_and_a_button_takes_it_away(journal: Journal) -> None:
    with journal:
        watched = Watched(journal, throw(1, 2, 3, 4, 6))
        watched.feed()
        watched.appliance.say(("ANNA", "LOOKS"))
        view = watched.view()
        assert view.line == "ANNA: SPACE rolls again, ENTER continues"
        assert view.board == watched.board.picture
        secret = watched.view(secret="For ANNA alone: red 3")
        assert secret.line == "For ANNA alone: red 3"
        assert secret.guidance == view.guidance


def test_what_is_waited_for_can_be_done_while_it_is_read(journal: Journal) -> None:
    with journal:
        watched = Watched(journal)
        # Before a player's first throw HINT tells the game.
        watched.feed(Button.HINT)
        told = watched.appliance.prompt
        assert isinstance(told, TellingPrompt)
        turns = "← → turn pages, ENTER next, b goes back"
        assert watched.view().line == f"Three rolls, then one box: {turns}"
        watched.feed(Button.BACK)
        for faces in ((1, 2, 3, 4, 6), (1, 1, 2, 3, 5)):
            watched.events = [throw(*faces)]
            watched.feed()
            watched.feed(Button.OK)
            watched.feed(Button.OK)
            watched.events = [Cleared(0, 0.0)]
            watched.feed()
        watched.feed(Button.HINT)
        awaited = watched.appliance.prompt
        assert isinstance(awaited, WaitPrompt)
        assert watched.view().line == "ANNA: SPACE throws 5 dice, ENTER continues"


def test_nothing_is_chosen_under_a_menu(journal: Journal) -> None:
    watched = Watched(journal, throw(2, 3, 4, 5, 5))
    for presses in ((), (Button.OK,), (Button.RIGHT,)):
        watched.feed(*presses)
    table = watched.view().table
    assert table is not None
    assert table.chosen == 1
    watched.appliance.console = watched.appliance.console.push(VoicePage())
    table = watched.view().table
    assert table is not None
    assert (table.offers, table.chosen, table.confirm) == ((), None, False)


def test_nothing_is_offered_while_it_is_switched_off(journal: Journal) -> None:
    watched = Watched(journal, throw(2, 3, 4, 5, 5))
    for presses in ((), (Button.OK,), (Button.OK,)):
        watched.feed(*presses)
    before = watched.view().table
    assert before is not None
    assert before.undo
    watched.appliance.happen(SHUT_DOWN)
    # The news of the choice have to be over before the question can be answered.
    for _ in range(300):
        watched.feed()
    watched.feed(Button.OK)
    view = watched.view()
    assert watched.appliance.ended
    assert view.guidance.keys == ()
    assert view.table is not None
    assert (view.table.offers, view.table.undo) == ((), None)


@pytest.mark.parametrize("name", ["seen_undo", "last_thrower"])
def test_what_takes_long_is_found_out_once_for_each_line_of_a_game(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    asked: list[int] = []
    find: Callable[[Session], object] = getattr(seen_table, name)

    def counted(session: Session) -> object:
        asked.append(len(session.record.log))
        return find(session)

    monkeypatch.setattr(f"appliance.service.view.{name}", counted)
    watched = Watched(journal, throw(2, 3, 4, 5, 5))
    for presses in ((), (Button.HOLD1,), (Button.HOLD2,), (Button.OK,), (Button.OK,), (), ()):
        watched.feed(*presses)
        watched.view()
    assert len(asked) >= (2 if name == "seen_undo" else 1)
    assert asked == sorted(set(asked))


def test_a_die_without_a_face_is_cut_out_as_it_lies() -> None:
    image = np.zeros((80, 80, 3), np.uint8)
    # Four quarters of their own grey around its middle.
    for n, (rows, columns) in enumerate(((0, 0), (0, 40), (40, 0), (40, 40))):
        image[rows : rows + 40, columns : columns + 40] = 50 * (n + 1)
    seen = replace(reading(None, (40.0, 40.0)), outline=((30.0, 30.0), (50.0, 50.0)))
    cut = die_picture(image, seen)
    height, width = cut.shape[:2]
    quarters = [
        cut[height * row // 4, width * column // 4, 0] for row in (1, 3) for column in (1, 3)
    ]
    assert quarters == [50, 100, 150, 200]
