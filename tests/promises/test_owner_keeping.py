"""What docs/owner.md promises of starts, dice, copies and old games: each test is a sentence."""

import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from appliance.cli.main import main
from appliance.cli.shared.starting import environment_from
from appliance.config import Config
from appliance.devices.stick import (
    ANSWER_FILE,
    OFFER_FILE,
    OTHERS_WORD,
    REQUEST_FILE,
    SAVE_WORD,
)
from appliance.inputs import Pressed
from appliance.journal.journal import Journal
from appliance.journal.origin import FILES, Origin, written_by
from appliance.service.installation import CalibratedTray
from appliance.table.menu.prompting import ListPrompt, QuestionPrompt
from calibration import store
from games.chance import random_game
from games.notation.events import event_to_text
from games.registry import GAMES
from tests.appliance.cli.test_stick import Plugged
from tests.appliance.service.test_menu import MENU, OK, RIGHT, SPECIAL, Bench, FakeActivity
from tests.appliance.service.test_modules import Board, desk
from tests.appliance.service.test_own_dice import BLUE, FACES, tray_at
from tests.appliance.service.test_own_dice import Table as LearningTable
from tests.appliance.service.test_stick import Table as TableWithDesk
from tests.appliance.table.menu.test_own_die import Owner
from tests.builders import reading
from tests.calibration.own_dice.test_learning import confirmed
from tests.calibration.self_calibration.test_dice import calibration
from tests.paths import ROOT
from tests.promises.conftest import Table, rolled, settle, texts
from vision.reading import Candidate, DieState


def test_the_first_start_shows_new_game(tmp_path: Path) -> None:
    """shows NEW GAME: press OK."""
    with Journal(tmp_path / "games") as journal:
        bench = Bench(journal, None, environment_from(Config()))
        shown = bench.shows()
        assert isinstance(shown, ListPrompt)
        assert (shown.lines, shown.ok) == (("NEW GAME",), "OK")
        bench.press(OK)
        asked = bench.shows()
        assert isinstance(asked, ListPrompt)
        assert asked.title == "WHICH GAME?"


def test_other_dice_are_asked_about(table: Table, tmp_path: Path) -> None:
    """If you change dice, it asks NEW DICE?"""
    path = tmp_path / "tray.profile"
    known = replace(calibration(), size_known=True)
    store.save(path, known)
    tray = CalibratedTray(path)
    size_mm = known.profile.die_edge_mm
    # What the camera measures at a throw: the same dice, then others.
    for seen_mm, asks in ((size_mm, False), (size_mm + 3, True)):
        if seen_mm != size_mm:
            tray.new_dice.note_size(seen_mm)
        tray.new_dice.ask_about_size(table.appliance.ask_about_dice)
        shown = table.shows()
        assert (isinstance(shown, QuestionPrompt) and shown.question == "NEW DICE?") is asks
    assert {word for page in texts(table) for word in page} >= {"NEW DICE?"}


def test_my_dice_says_which_side_cannot_be_read_and_why() -> None:
    """open MY DICE in the menu and show it all six sides of one die: the page says which can't be
    read, and why."""
    owner = Owner(why="PIPS TOO PALE")
    likely = (Candidate(3, 0.6), Candidate(2, 0.4))
    for value in (1, 2, 4, 5, 6):
        owner.show(reading(value))
        owner.press(OK)
    owner.show(reading(None, state=DieState.UNSURE, candidates=likely))
    owner.press(OK)
    assert owner.said == (("5 OF 6", "FACES READ"), ("3 NOT READ", "PIPS TOO PALE"))


def test_about_lists_the_faces_that_are_asked_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ABOUT lists the faces it keeps asking about."""
    tray = tray_at(tmp_path / "tray.profile")
    table = LearningTable(tray, monkeypatch)
    dice = confirmed(BLUE, FACES)
    unsure = replace(dice[0].reading, state=DieState.UNSURE)
    for _ in range(4):
        table.throw([replace(dice[0], reading=unsure), *dice[1:]])
        table.happen(Pressed(OK))
    tray.learning.finish()
    asked = [label for label, text in tray.about() if text.startswith("ASKED ")]
    assert asked == ["BLUE 2"]


def test_one_waits_for_pull_out_the_stick(tmp_path: Path) -> None:
    """Press OK, wait for PULL OUT THE STICK, and keep the stick somewhere safe."""
    plugged = Plugged(tmp_path)
    plugged.play("ANNA")
    offers = plugged.offered()
    folder = tmp_path / "table"
    folder.mkdir()
    with Journal(folder / "games") as journal:
        table = TableWithDesk(folder, journal)
        table.put(OFFER_FILE, *offers)
        table.bench.press(OK)
        assert table.desk.lines(REQUEST_FILE) == (SAVE_WORD,)
        assert not any("PULL OUT" in page for page in table.says())
        table.put(ANSWER_FILE, *plugged.do(SAVE_WORD))
        assert ("PULL OUT", "THE STICK") in table.says()
    # By then it is all there.
    assert [*plugged.stick.rglob("*.pack")]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two games at the tray, one at a keyboard, and one of the demonstration."""
    folder = tmp_path / "dicetray"
    folder.mkdir()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    files = {Origin.APPLIANCE: "games.sqlite3", **FILES}
    for origin, name in files.items():
        with Journal(folder / name, origin=origin) as journal:
            for seed in range(2 if origin is Origin.APPLIANCE else 1):
                game = GAMES["classic"]
                events, _ = random_game(game, ("ANNA", "BOB"), {}, Random(seed))
                written = written_by(origin)
                number = journal.begin("classic", game.edition, ("ANNA", "BOB"), (), written)
                lines = [event_to_text(game, event) for event in events]
                journal.append(number, 0, lines, ended=True)
    return folder


def numbers(text: str) -> list[str]:
    """The numbers of the games of a list."""
    return [line.split()[0] for line in text.splitlines()]


def test_games_are_listed_the_newest_first(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """all games, newest first"""
    assert main(["games", "list", "--of", "appliance"]) == 0
    assert numbers(capsys.readouterr().out) == ["2", "1"]


def test_a_game_is_shown_with_its_record_sheets_and_outcome(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """its record, sheets and outcome"""
    assert main(["games", "show", "2"]) == 0
    shown = capsys.readouterr().out
    assert '[Game "classic"]' in shown
    assert "0.1: roll" in shown
    assert "chance" in shown.partition("\n\n")[2].rpartition("total")[0]
    assert "won by" in shown or "tie" in shown


def test_games_are_exported(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """also --format json or csv"""
    texts_of = dict[str, str]()
    for form in ("text", "json", "csv"):
        assert main(["games", "export", "--format", form, "--of", "appliance"]) == 0
        texts_of[form] = capsys.readouterr().out
    assert texts_of["text"].count('[Game "classic"]') == 2
    exported = json.loads(texts_of["json"])
    assert [game["number"] for game in exported] == ["1", "2"]
    assert texts_of["csv"].splitlines()[0] == "number,game,player,row,points,of"
    assert texts_of["csv"].count(",ANNA,TOTAL,") == 2


def test_games_at_a_keyboard_and_of_the_demonstration_have_letters(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Games played at a keyboard have numbers such as K12, those of the demonstration D12; `--of
    appliance` leaves both out"""
    assert main(["games", "list"]) == 0
    assert sorted(numbers(capsys.readouterr().out)) == ["1", "2", "D1", "K1"]
    assert main(["games", "list", "--of", "appliance"]) == 0
    assert sorted(numbers(capsys.readouterr().out)) == ["1", "2"]


def test_statistics_say_whether_dice_are_fair(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """wins, averages, are the dice fair?"""
    assert main(["stats", "--of", "appliance"]) == 0
    said = capsys.readouterr().out
    head, anna, bob = (line.split() for line in said.splitlines()[:3])
    assert {"wins", "average"} <= {*head}
    columns = dict(zip(head[-4:], zip(anna[-4:], bob[-4:], strict=True), strict=True))
    assert columns["games"] == ("2", "2")
    assert sum(map(int, columns["wins"])) == 2
    assert "fair" in said


def test_still_counting_is_said_while_one_plays(
    table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """STILL COUNTING means that dicetray is going through old games once more, which takes a minute
    for some thousands and an hour for a hundred thousand; you can play meanwhile."""
    path = str(tmp_path / "games")
    rolled(table, 6, 6, 6, 6, 6)
    settle(table)
    table.press(OK)
    assert main(["stats", "--journal", path, "--within", "-1"]) == 75
    assert capsys.readouterr().out.startswith("STILL COUNTING:")
    table.press(OK)
    settle(table)
    assert table.log[-1] == "score five-alike"


def test_games_of_other_trays_count_if_one_asks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """and `--all-trays` also counts games of other trays."""
    plugged = Plugged(tmp_path)
    ended(plugged.journal, "ANNA")
    plugged.do(SAVE_WORD)
    plugged.put_in("another card")
    ended(plugged.journal, "ZOE")
    plugged.do(OTHERS_WORD)
    for words, names in (((), {"ZOE"}), (("--all-trays",), {"ANNA", "ZOE"})):
        assert main(["stats", "--journal", str(plugged.journal), *words]) == 0
        said = capsys.readouterr().out
        assert {name for name in ("ANNA", "ZOE") if name in said} == names


def ended(path: Path, player: str) -> None:
    """Puts a game on the disk that is over."""
    game = GAMES["classic"]
    events, _ = random_game(game, (player,), {}, Random(1))
    with Journal(path) as journal:
        number = journal.begin("classic", game.edition, (player,), (), "0")
        lines = [event_to_text(game, event) for event in events]
        journal.append(number, 0, lines, ended=True)


def test_modules_are_set_up_with_right_and_ok(tmp_path: Path) -> None:
    """Press RIGHT until 1–8 (top) and 9–G (bottom) are upright and in order, then OK."""
    with Journal(tmp_path / "games") as journal:
        board = Board()
        at = desk(journal, board)
        shown = board.picture
        for _ in range(3):
            at.press(RIGHT)
        # The same figures, each time for modules that are built in otherwise.
        assert board.picture == shown
        assert len({*board.tried}) == 4
        at.press(OK)
        assert board.stored == [board.tried[3]]
        # What is stored is asked for no more.
        assert isinstance(desk(journal, board).shows(), ListPrompt)


def test_calibrate_is_in_the_menu(tmp_path: Path) -> None:
    """hold OK for a second, go to CALIBRATE with RIGHT, press OK and follow the scoreboard"""
    activity = FakeActivity()
    table = Table(tmp_path, tray={"calibrate": lambda: activity})
    rolled(table, 6, 6, 2, 3, 4)
    settle(table)
    table.feed(MENU)
    table.choose("CALIBRATE")
    table.feed(count=2)
    assert activity.frames
    assert table.board.picture == SPECIAL
    table.press(OK)
    table.feed(count=2)
    # Then the game goes on.
    assert table.appliance.session.record.dice == (6, 6, 2, 3, 4)
    table.journal.close()


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_sheet_to_print_says_it_in_two_languages(paper: str) -> None:
    """A sheet to print says all of this in English and German"""
    sheet = (ROOT / f"docs/print/buttons-{paper}.svg").read_text("utf-8")
    said = {*re.findall(r">([^<>]+)<", sheet)}
    english = {"OK", "BACK", "HINT", "LEFT  RIGHT", "1 2 3 4 5 P", "menu", "undo"}
    german = {"ZURÜCK", "TIPP", "LINKS  RECHTS", "Menü"}
    assert said >= english
    assert said >= german
