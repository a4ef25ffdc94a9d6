"""The games played: best scores, and the sheets of the game."""

from dataclasses import replace

import pytest

from appliance.table.menu.asking import console_prompt
from appliance.table.menu.console import Console, GamesKept
from appliance.table.menu.final_scores import FinalScore, best_scores
from appliance.table.menu.main_menu import Menu
from appliance.table.menu.played import Records
from appliance.table.menu.prompting import ListPrompt, NoticePrompt
from appliance.table.prompts.looking import SheetPrompt
from appliance.table.session.recording import choose, last_scored, play
from appliance.table.session.session import Scored, Setup, new_session
from games import holdem
from games.registry import GAMES
from games.values import Keep, Pass, Rolled
from tests.appliance.table.menu.fake_service import KNOWN, LEFT, MENU, OK, RIGHT, FakeService
from tests.rigs.at_table import AtTable


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


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_last_turns_are_those_that_were_told_as_they_happened(game: str) -> None:
    players = ("ANNA", "BOB", "CLEO")[: GAMES[game].max_players]
    options = (("flop_again", "never"),) if game == "holdem" else ()
    table, told = AtTable(":memory:", Setup(game, players, options), 3), list[Scored]()
    for _ in range(120):
        before = table.session.scored
        if not table.go_on():
            break
        scored = table.session.scored
        if scored is not None and scored is not before and notable(scored):
            told.append(scored)
    assert told
    assert last_scored(table.session, 3) == tuple(told[::-1][:3])


def notable(scored: Scored) -> bool:
    bet = isinstance(scored.choice, holdem.state.Check | holdem.state.Bet | holdem.state.Fold)
    declared = isinstance(scored.choice, Keep | holdem.state.Declare)
    if bet or declared or scored.points < 0:
        return False
    brought = scored.points or scored.later or scored.is_zero
    return bool(brought) or isinstance(scored.choice, Pass)


def test_the_last_turns_are_in_the_menu_with_what_they_brought() -> None:
    session = new_session(Setup("yatzy", ("ANNA", "BOB"), (("first", 0),)))
    for faces, box in (((6, 6, 6, 5, 5), "sixes"), ((1, 2, 3, 4, 5), "yatzy")):
        session = play(session, Rolled(faces))
        chosen = next(c for c in session.record.choices if c.key == box)
        session = choose(session, chosen)
    service = FakeService(Console(settings=KNOWN, session=session))
    service.happen(MENU)
    assert service.choose("LAST TURNS") == ListPrompt("BOB", ("YATZY",), 0, 2, "0")
    assert service.press(RIGHT) == ListPrompt("ANNA", ("SIXES",), 1, 2, "+18")
    assert isinstance(service.press(OK), ListPrompt)
    assert isinstance(service.console.page, Menu)


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
