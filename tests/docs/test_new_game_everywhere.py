"""A game of another package is told, spoken, shown and counted like those of the house."""

import json
from pathlib import Path
from typing import Any

import pytest

from appliance.cli.main import main
from appliance.inputs import Button, Pressed
from appliance.screens.draw import film, pages
from appliance.service.seen_table import seen_table
from appliance.service.snapshot import Snapshot, snapshot
from appliance.service.view import Viewer
from appliance.table.menu.asking import console_prompt
from appliance.table.menu.console import Console, Equipment
from appliance.table.menu.prompting import ListPrompt, TellingPrompt
from appliance.table.prompts.looking import SheetPrompt, StripPrompt
from appliance.table.prompts.turn import ChoicePrompt, OverPrompt, Standing, ThrowPrompt
from appliance.table.session.prompting import prompt
from appliance.table.session.session import Session, Setup, new_session
from appliance.table.session.step import step
from appliance.words import Label, by_english, languages, read_language, say
from games.values import Points
from games.wording import Wording
from tests.appliance.service.test_voice import play_by_ear
from tests.appliance.table.menu.fake_service import FakeService
from tests.appliance.test_languages import met_in, strict
from tests.docs.test_new_game import dice
from tests.rigs.at_table import AtTable
from tests.rigs.spoken import spoken
from tests.rigs.strict_drawing import strict_drawing
from vision.reading import TrayState

WIDE = "MMMMMMMMMMMM"


def play_turns(registered: Any, count: int, face: int = 5) -> Session:
    """A game in which every throw so far was banked at once."""
    session = new_session(Setup(registered.name, ("ANNA", "BEN")))
    for _ in range(count):
        session = step(session, dice([face] * 6))
        for _ in range(2):
            session = step(session, Pressed(Button.OK))
    return session


def test_german_has_all_its_words_and_they_fit(registered: Any) -> None:
    keys = met_in(registered) | {registered.name, *registered.rarest}
    for words in registered.option_words.values():
        keys |= {words.title, *words.values.values()}
    language, texts, _ = strict("de")
    for key in sorted(keys):
        assert language.label(key)
    told = registered.wording["de"].telling
    assert [texts[line] for page in registered.telling for line in page] == [
        line for page in told for line in page
    ]
    for code in languages():
        with spoken(code), strict_drawing():
            for key in ("bank", "hold 123456"):
                pages(ChoicePrompt(WIDE, Label(key), Points(42, "all-sixes"), 39, 40, (1,) * 5))
            for row in registered.sheet(registered.start((WIDE,) * 2, {}), 0).rows:
                pages(SheetPrompt(WIDE, 0, ((Label(row.key), "42"),) * 2, 23, 24))


def test_it_does_not_change_what_games_of_the_house_are_called(
    registered: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = {"bank": "KASSE", "full-house": "VOLLES HAUS", "round": "RUNDE"}
    monkeypatch.setitem(registered.wording, "de", Wording(taken))
    labels = read_language(Path("appliance/languages/de.toml")).labels
    assert (labels["bank"], labels["full-house"]) == ("EINSACKEN", "FULL HOUSE")
    assert labels["round"] == by_english({"round": "RUNDE"})["ROUND"]


def test_it_is_told_from_the_menu_and_with_hint(registered: Any) -> None:
    setup = Setup(registered.name, ("ANNA", "BEN"))
    service = FakeService(Console(new_session(setup), equipment=Equipment((registered.name,))))
    first = TellingPrompt(registered.telling[0], 0, 3)
    assert service.happen(Pressed(Button.HINT)) == first
    service.happen(Pressed(Button.BACK), Pressed(Button.OK, long=True))
    assert service.choose("RULES") == first
    with spoken("de"):
        assert say(first.lines[0]) == "FÜNF SCHWARZE,"
        assert pages(first)
    service = FakeService(Console(equipment=Equipment(("classic", registered.name))))
    service.happen(Pressed(Button.OK))
    service.happen(Pressed(Button.RIGHT))
    listed = console_prompt(service.console)
    assert isinstance(listed, ListPrompt)
    assert listed.lines == ("HIGH DICE",)
    assert service.happen(Pressed(Button.HINT)) == first


def test_the_board_tells_standings_and_the_last_round(registered: Any) -> None:
    shown = prompt(play_turns(registered, 2))
    assert isinstance(shown, ThrowPrompt)
    assert shown.standing == Standing((("ANNA", 30), ("BEN", 30)))
    shown = prompt(play_turns(registered, 4))
    assert isinstance(shown, ThrowPrompt)
    assert shown.standing == Standing((("ANNA", 60), ("BEN", 60)), "LAST ROUND")
    assert len(film(shown).pictures) > 1
    with spoken("de"):
        assert "LETZTE RUNDE" in [say(shown.standing.closing)]


def test_the_strip_has_its_rounds(registered: Any) -> None:
    session = step(play_turns(registered, 2), Pressed(Button.RIGHT))
    shown = prompt(session)
    assert isinstance(shown, StripPrompt)
    assert shown.boxes == (("ROUND 1", 30), ("ROUND 2", None), ("ROUND 3", None))
    assert pages(shown)


def test_pages_show_its_sheet_and_what_can_be_chosen(registered: Any) -> None:
    session = step(play_turns(registered, 1), dice([6, 6, 6, 6, 6, 6]))
    table = seen_table(session, TrayState.STILL)
    assert (table.title, table.turn, table.roll, table.rolls) == ("HIGH DICE", 1, 1, 2)
    assert [(o.label, o.points, o.reason, o.row) for o in table.offers] == [
        ("BANK", 36, "ALL SIXES", "ROUND 1")
    ]
    assert table.dice[5].kind == "red"


def test_the_stream_tells_it_to_scores_pages(registered: Any) -> None:
    table = AtTable(":memory:", Setup(registered.name, ("ANNA", "BEN"), (("first", 0),)))
    table.throw()
    now = snapshot(table.appliance, Viewer(lambda: None).view(table.appliance))
    assert isinstance(now, Snapshot)
    assert (now.kind, now.title, now.turn) == (registered.name, "HIGH DICE", 0)
    assert now.sheets[0].rows[0] == ("ROUND 1", "-")
    assert [label for label, _, _ in now.offers] == ["BANK"]


def test_a_whole_game_of_it_is_played_by_ear(registered: Any) -> None:
    table, ear = play_by_ear(registered.name)
    assert isinstance(table.appliance.prompt, OverPrompt)
    totals = registered.scores(table.session.record.state)
    last = next(line for line in reversed(ear.heard) if "Anna" in line and "Ben" in line)
    assert {*last.rstrip(".").split(", ")} == {f"Anna {totals[0]}", f"Ben {totals[1]}"}
    assert "Last round." in ear.heard


@pytest.mark.slow
def test_statistics_and_reviews_count_it(
    registered: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.sqlite3"
    table = AtTable(path, Setup(registered.name, ("ANNA", "BEN"), (("first", 0),)))
    while registered.ask(table.session.record.state) is not None:
        table.throw()
        table.press(Button.OK, Button.OK)
    table.wait(3)
    table.journal.close()
    assert main(["stats", "--journal", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    mine = [row for row in told["players"] if row["game"] == registered.name]
    assert sorted(row["player"] for row in mine) == ["ANNA", "BEN"]
    assert main(["review", "--journal", str(path)]) == 0
    assert "HIGH DICE, played to its end" in capsys.readouterr().out
