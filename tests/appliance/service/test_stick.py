"""A stick on the board: offered, used, answered; and missed where there never was one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.devices.stick import ANSWER_FILE, OFFER_FILE, REQUEST_FILE, StickFolder
from appliance.inputs import Button, Pressed
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.table.menu.console import Console
from appliance.table.menu.prompting import ListPrompt, NoticePrompt
from appliance.words import Verbatim
from tests.appliance.service.test_disk_trouble import SETUP
from tests.appliance.service.test_menu import Bench

DAY_S = 86400.0
LOOKS = 21
"""Frames until the next look at the desk."""


class Table:
    """An appliance with a game of ANNA's, and a desk for sticks."""

    def __init__(self, folder: Path, journal: Journal) -> None:
        self.folder = folder
        self.now_s = 1e9
        self.desk = StickFolder(folder, folder, lambda: self.now_s)
        session = load_session(journal, SETUP)
        self.bench = Bench(journal, session, stick=self.desk)
        self.bench.feed(count=40)

    def put(self, name: str, *lines: str) -> None:
        self.desk.put(name, *lines)
        self.bench.feed(count=LOOKS)

    def says(self) -> tuple[tuple[str, ...], ...]:
        shown = self.bench.shows()
        if isinstance(shown, ListPrompt):
            return ((shown.title, *shown.lines),)
        return shown.pages if isinstance(shown, NoticePrompt) else ()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Journal(tmp_path / "games") as journal:
        yield Table(tmp_path, journal)


def test_a_stick_is_offered_over_the_game_and_goes_with_it(table: Table) -> None:
    assert table.says() == ()
    table.put(OFFER_FILE, "SAVE GAMES", "UPDATE")
    assert table.says() == (("STICK", "SAVE GAMES"),)
    table.bench.press(Button.RIGHT)
    assert table.says() == (("STICK", "UPDATE"),)
    table.put(OFFER_FILE)
    assert table.says() == ()


def test_what_is_chosen_is_asked_for_and_answered(table: Table) -> None:
    table.put(OFFER_FILE, "SAVE GAMES")
    table.bench.press(Button.OK)
    assert table.desk.lines(REQUEST_FILE) == ("SAVE GAMES",)
    assert table.says() == (("SAVE GAMES", "PLEASE WAIT"), ("LEAVE THE", "STICK IN"))
    table.put(ANSWER_FILE, "SAVED", "3 GAMES", "PULL OUT", "THE STICK")
    assert table.says() == (("SAVED", "3 GAMES"), ("PULL OUT", "THE STICK"))
    table.bench.feed(count=200)
    assert table.says() == (), "the game goes on"


def test_what_is_lacking_and_whose_it_is_is_said_in_turn(table: Table) -> None:
    table.put(OFFER_FILE, "RESTORE\tRESTORE\t5 GAMES\tOF THIS TRAY", "SAVE GAMES")
    assert table.says() == (("RESTORE", "5 GAMES", "OF THIS TRAY"),)
    table.bench.press(Button.OK)
    assert table.desk.lines(REQUEST_FILE) == ("RESTORE",)


def test_a_tray_is_chosen_by_the_names_of_its_players(table: Table) -> None:
    offers = ("RESTORE 1\tWHICH TRAY?\tANNA\tEND\t5 GAMES", "RESTORE 2\tWHICH TRAY?\t1 GAME")
    table.put(OFFER_FILE, *offers)
    assert table.says() == (("WHICH TRAY?", "ANNA", "END", "5 GAMES"),)
    shown = table.bench.shows()
    assert isinstance(shown, ListPrompt)
    assert [type(line) for line in shown.lines] == [Verbatim, Verbatim, str], "END is a name here"
    table.bench.press(Button.RIGHT)
    assert table.says() == (("WHICH TRAY?", "1 GAME"),)
    table.bench.press(Button.OK)
    assert table.desk.lines(REQUEST_FILE) == ("RESTORE 2",)


def test_who_goes_on_finds_it_in_the_menu(table: Table) -> None:
    table.put(OFFER_FILE, "UPDATE")
    table.bench.press(Button.BACK)
    table.bench.feed(count=LOOKS)
    assert table.says() == (), "it is offered once"
    table.bench.feed(Pressed(Button.OK, long=True))
    table.bench.choose("STICK")
    assert table.says() == (("STICK", "UPDATE"),)
    table.bench.press(Button.OK)
    assert (table.folder / "update").exists()


def test_a_stick_that_was_there_first_waits_until_the_welcome_is_read(table: Table) -> None:
    table.bench.appliance.say(("WELCOME", "BACK"))
    table.desk.put(OFFER_FILE, "SAVE GAMES")
    table.bench.feed(count=LOOKS)
    assert table.says() == (("WELCOME", "BACK"),)
    table.bench.feed(count=100)
    assert table.says() == (("STICK", "SAVE GAMES"),)


def test_a_stick_does_not_cover_what_people_are_in(table: Table) -> None:
    table.bench.feed(Pressed(Button.OK, long=True))
    before = table.says()
    table.put(OFFER_FILE, "SAVE GAMES")
    assert table.says() == before


def test_restored_games_are_among_the_old_games_at_once(table: Table) -> None:
    with Journal(table.folder / "games") as other:
        other.append(other.begin("power", "2009", ("BOB",), (), "0"), 0, ["roll 1 2 3 4 5 power"])
    assert not table.bench.appliance.console.kept.aside
    table.put(ANSWER_FILE, "RESTORED", "1 GAMES")
    assert [aside.players for aside in table.bench.appliance.console.kept.aside] == [("BOB",)]


def test_nobody_to_ask_is_said(table: Table, tmp_path: Path) -> None:
    table.put(OFFER_FILE, "SAVE GAMES")
    (tmp_path / "ask.new").mkdir()
    table.bench.press(Button.OK)
    assert table.says() == (("SAVE GAMES", "NOT DONE"),)


def test_after_a_game_owners_are_reminded_once_a_week(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = []
    for day in range(20):
        table.now_s += DAY_S
        # Games end on some days only.
        monkeypatch.setattr(Console, "over", day in (0, 5, 9, 10, 18))
        table.bench.feed(count=LOOKS)
        if table.says():
            said.append(day)
            assert table.says() == (("NO COPY OF", "THE GAMES"), ("PLUG IN A", "USB STICK"))
            table.bench.feed(count=200)
    assert said == [9, 18]
