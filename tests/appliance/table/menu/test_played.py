"""The games played: best scores, and the sheets of the game."""

from dataclasses import replace

from appliance.table.menu.asking import console_prompt
from appliance.table.menu.console import Console, GamesKept
from appliance.table.menu.final_scores import FinalScore, best_scores
from appliance.table.menu.main_menu import Menu
from appliance.table.menu.played import Records
from appliance.table.menu.prompting import ListPrompt, NoticePrompt
from appliance.table.prompts.looking import SheetPrompt
from tests.appliance.table.menu.fake_service import LEFT, MENU, OK, RIGHT, FakeService


def test_the_sheets_of_all_players_can_be_looked_at() -> None:
    service = FakeService().play()
    service.happen(MENU)
    service.choose("SCORES")
    names = set()
    for _ in range(4):
        shown = console_prompt(service.console)
        assert isinstance(shown, SheetPrompt)
        names.add(shown.player)
        service.press(OK)
    assert names == {"ANNA", "BOB"}


def test_records_are_the_best_of_each_game_and_player() -> None:
    scores = (
        FinalScore("power", "BOB", 300),
        FinalScore("classic", "ANNA", 120),
        FinalScore("classic", "BOB", 200),
        FinalScore("classic", "ANNA", 254),
        FinalScore("classic", "BOB", 9),
    )
    found = best_scores(scores)
    assert [(s.game, s.player, s.points) for s in found] == [
        ("classic", "ANNA", 254),
        ("classic", "BOB", 200),
        ("power", "BOB", 300),
    ]
    service = FakeService(replace(Console(), kept=GamesKept(finished=True)))
    assert service.choose("RECORDS") == NoticePrompt((("STILL", "COUNTING"),), passing=False)
    # There is nothing to turn to yet.
    service.press(RIGHT)
    service.choose("RECORDS")
    service.console = replace(service.console, kept=replace(service.console.kept, records=found))
    assert console_prompt(service.console) == ListPrompt("CLASSIC", ("ANNA",), 0, 3, "254")
    assert service.press(LEFT) == ListPrompt("POWER", ("BOB",), 2, 3, "300")
    assert isinstance(service.press(OK), ListPrompt)
    assert isinstance(service.console.page, Menu)


def test_a_record_takes_turns_where_a_line_has_no_room() -> None:
    console = Console(kept=GamesKept(records=(FinalScore("holdem", "GRÜNDLICHERR", 1800),)))
    assert Records().prompt(console) == ListPrompt("HOLD'EM", ("GRÜNDLICHERR", "1800"), 0, 1, "")
    empty = NoticePrompt((("NO GAME", "FINISHED"),), passing=False)
    assert Records().prompt(Console(kept=GamesKept(records=()))) == empty
