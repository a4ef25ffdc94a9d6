"""How the game stands between two turns: all figures fit, and the leader is marked."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from appliance.inputs import Button
from appliance.picture import HEIGHT, WIDTH, Picture
from appliance.screens.draw import film, pages
from appliance.screens.drawing.film import fireworks
from appliance.screens.drawing.font import SMALL
from appliance.screens.drawing.layout import two_lines
from appliance.screens.standing import (
    banked_page,
    closing_page,
    labels,
    shows_figures,
    standing_page,
    totals_page,
)
from appliance.table.names import MAX_NAME_LETTERS
from appliance.table.prompts.betting import BetPrompt
from appliance.table.prompts.turn import OverPrompt, Standing, ThrowPrompt
from appliance.table.session.prompting import prompt
from appliance.table.session.recording import choose, play
from appliance.table.session.session import Scored, Setup, new_session
from appliance.table.session.standing import closing_words
from appliance.words import say
from games.boxes import Score
from games.chance import random_event
from games.classic import Box
from games.registry import GAMES
from games.values import Choice, Keep, Rolled
from tests.rigs.at_table import AtTable
from tests.rigs.spoken import spoken
from tests.rigs.strict_drawing import strict_drawing
from vision.reading import TrayState

WIDE = "M" * MAX_NAME_LETTERS
CLOSING = (
    "LAST ROUND",
    "ONE SLOT LEFT",
    "SHOWDOWN ROUND",
    "1 CARD LEFT",
    "3 CARDS LEFT",
    "5 CHIPS LEFT",
)


def is_crowned(picture: Picture, x: int, y: int) -> bool:
    """True if a crown's lower edge is in this row, from this column on."""
    above = [picture.is_lit(x + n, y - 1) for n in range(3)]
    return above == [True, False, True] and all(picture.is_lit(x + n, y) for n in range(3))


@pytest.mark.parametrize("count", range(2, 7))
@pytest.mark.parametrize("total", [0, 7, 99, 1575])
def test_the_crown_is_above_the_name_of_who_leads(count: int, total: int) -> None:
    with strict_drawing():
        for leader in range(count):
            points = [total] * count
            points[leader] = total + 1
            standing = Standing(tuple((WIDE[seat:], points[seat]) for seat in range(count)))
            assert standing.leaders == (leader,)
            shown = totals_page(standing.totals, standing.leaders)
            # Who leads comes first: a crown in the lower row would be read as a mark under a name.
            assert shown.words[0][0] == WIDE[leader:][0]
            assert shown.words[1] == str(total + 1)
            assert is_crowned(shown, 0, 1), leader
            # Nobody takes it for a letter: below it a row is dark, and then comes the name.
            assert not any(shown.is_lit(x, 2) for x in range(WIDTH))
            if shows_figures(standing):
                below = standing_page("BOB", "THROW 5", standing)
                assert any(is_crowned(below, x, HEIGHT - 7) for x in range(WIDTH - 3))
                # It is nearer to the name below it than to the line above.
                rows = [any(below.is_lit(x, y) for x in range(WIDTH)) for y in range(HEIGHT)]
                assert rows == [True] * 5 + [False] * 3 + [True] * 2 + [False] + [True] * 5


def test_a_leader_with_three_digits_among_six_keeps_the_name() -> None:
    names = ("FRIEDA", "ANNA", "BEN", "CLEO", "DORA", "EMIL")
    totals = tuple((name, 187 - 30 * n) for n, name in enumerate(names))
    shown = totals_page(totals, (0,))
    assert shown.words[:4] == ("FR", "187", "AN", "157")
    assert shown.drawings == 1


def test_points_have_a_page_of_their_own_where_names_could_not_be_told_apart() -> None:
    names = ("ANNA", "BOB", "CLEO", "DORA", "EMIL", "FRIDA")
    few = Standing(tuple((name, 187) for name in names[:3]))
    many = Standing(tuple((name, 187 - 30 * n) for n, name in enumerate(names)))
    assert shows_figures(few)
    assert not shows_figures(many)
    alike = Standing((("ANNA", 999), ("ANTON", 99), ("BEN", 99), ("CLEO", 99)))
    assert not shows_figures(alike), "A and A"


def test_nobody_leads_before_there_are_points() -> None:
    assert Standing((("ANNA", 0), ("BOB", 0))).leaders == ()
    assert Standing((("ANNA", 9), ("BOB", 9))).leaders == (0, 1)


@pytest.mark.parametrize("code", ["en", "de"])
def test_the_end_is_announced_in_words_that_fit(code: str) -> None:
    with spoken(code), strict_drawing():
        for words in CLOSING:
            assert closing_page(Standing((), words))
            assert code == "en" or say(words) != words


def said_of(shown: ThrowPrompt) -> tuple[str, Standing]:
    """The request on the page with everybody's points, and the points."""
    assert shown.standing is not None
    todo = "RED DIE" if shown.purpose == "RED DIE" else f"THROW {len(shown.slots)}"
    return todo, shown.standing


def turns_begun(setup: Setup, chance: Random) -> Iterator[tuple[ThrowPrompt, tuple[int, ...]]]:
    """The board's prompts as each turn of a random game begins, and everybody's points."""
    session = new_session(setup)
    while (event := random_event(session.record.rules, session.record.state, chance)) is not None:
        if isinstance(event, Choice) and not isinstance(event, Keep):
            session = choose(session, event)
        else:
            session = play(session, event)
        shown = prompt(session)
        if isinstance(shown, ThrowPrompt) and shown.standing is not None:
            yield shown, session.record.rules.scores(session.record.state)


@pytest.mark.parametrize("game", ["classic", "power", "showdown", "free-for-all"])
def test_totals_are_shown_as_a_turn_begins_and_the_end_announces_itself(game: str) -> None:
    names = ("ANNA", "BOB")
    said = set[str]()
    begun = 0
    for seed in range(2):
        for shown, points in turns_begun(Setup(game, names), Random(seed)):
            assert shown.standing is not None
            begun += 1
            assert shown.roll == 1
            assert shown.standing.totals == tuple(zip(names, points, strict=True))
            assert pages(shown)[0] == standing_page(shown.player, *said_of(shown)), shown
            said.add(shown.standing.closing)
            if begun >= 8 and said > {""}:
                break
    assert begun >= 8
    expected = {
        "classic": {"LAST ROUND"},
        "power": {"ONE SLOT LEFT"},
        "showdown": {"SHOWDOWN ROUND"},
        "free-for-all": {"NO CHIPS LEFT", "1 CHIP LEFT", *(f"{n} CHIPS LEFT" for n in range(2, 6))},
    }[game]
    assert said & expected
    assert said <= {"", *expected}


def test_news_of_a_turn_come_before_who_is_next_with_everybodys_points() -> None:
    totals = Standing((("ANNA", 40), ("BOB", 12)), "LAST ROUND", 5)
    shown = ThrowPrompt(
        "BOB", 1, 3, "ROLL", (0, 1, 2, 3, 4), None, TrayState.STILL, True,
        Scored(0, Score(Box.FIVES), 15, ""), "ANNA", standing=totals,
    )  # fmt: skip
    drawn = film(shown)
    opening = [still.picture for still in drawn.opening]
    announced = two_lines("LAST", "ROUND")
    assert opening[0] == two_lines("ANNA", "FIVES", "+15")
    assert opening[1] == banked_page("BOB", 5) == two_lines("BOB", "BANKED", "", "+5")
    assert opening[-1] == announced == closing_page(totals)
    assert opening.count(announced) > 2, "it flashes first"
    assert drawn.loop[0].picture == standing_page("BOB", "CLEAR TRAY", totals)


def test_who_plays_alone_or_draws_lots_sees_none() -> None:
    for game in GAMES:
        first = prompt(new_session(Setup(game, ("ANNA", "BOB"))))
        assert getattr(first, "standing", None) is None


def test_cards_that_run_out_are_counted() -> None:
    session = new_session(Setup("free-for-all", ("ANNA", "BOB"), (("first", 0),)))
    full = session.record.state
    for left, said in ((4, ""), (3, "3 CARDS LEFT"), (1, "1 CARD LEFT"), (0, "NO CARDS LEFT")):
        state = replace(full, deck=full.deck[:left])
        assert (
            closing_words(replace(session, record=replace(session.record, state=state)), 0) == said
        )


def test_names_that_begin_alike_are_told_apart() -> None:
    players = labels([f"PLAYER {number}" for number in range(1, 7)])
    assert [label.short for label in players] == ["P1", "P2", "P3", "P4", "P5", "P6"]
    assert [label.letter for label in players] == list("123456")
    assert [label.short for label in labels(["ANNA", "ANTON", "BEN"])] == ["AN", "AT", "B"]
    narrow = SMALL.width("P1")
    assert {label.cut_to(narrow, SMALL) for label in players} == {f"P{n}" for n in range(1, 7)}
    assert players[2].cut_to(SMALL.width("3"), SMALL) == "3"
    assert players[2].cut_to(WIDTH, SMALL) == "PLAYER 3"


@pytest.mark.parametrize("count", [4, 6])
def test_the_totals_of_players_without_names_differ_in_more_than_their_points(count: int) -> None:
    standing = Standing(tuple((f"PLAYER {n}", 100) for n in range(1, count + 1)))
    columns = (WIDTH + 2) // (2 if count == 4 else 3)
    rows = totals_page(standing.totals).rows()
    top = {tuple(row[n * columns : n * columns + 16] for row in rows[:8]) for n in range(2)}
    assert len(top) == 2


@pytest.mark.parametrize("game", ["classic", "yatzy"])
def test_the_round_of_how_many_is_on_a_page_as_a_turn_begins(game: str) -> None:
    rounds = {"classic": 13, "yatzy": 15}[game]
    session = new_session(Setup(game, ("ANNA", "BOB"), (("first", 0),)))
    for number in range(1, 4):
        if number > 1:
            for _ in range(2):
                session = play(session, Rolled((1, 2, 3, 5, 6)))
                session = choose(
                    session, next(c for c in session.record.choices if not isinstance(c, Keep))
                )
        shown = pages(prompt(session))
        if number > 1:
            assert ("ROUND", f"{number}/{rounds}") in [page.words for page in shown]
    assert session.record.rules.rounds(session.record.state) == rounds


def test_the_last_move_of_a_game_is_shown_and_said_before_the_fireworks() -> None:
    zero = Scored(1, Score(Box.LARGE_STRAIGHT), 0, "")
    over = OverPrompt(("ANNA",), (("ANNA", 200), ("OMA", 150)), zero, ("ANNA", "OMA"))
    first, *others = film(over).opening
    assert first.picture == two_lines("OMA", "LARGE STR", "0")
    assert len(others) == len(fireworks())
    assert next(over.told()).startswith("Oma: ")


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_game_ends_with_its_last_move(game: str) -> None:
    random, count = Random(5), max(2, GAMES[game].min_players)
    options = (("stack", 50),) if game == "holdem" else ()
    table = AtTable(":memory:", Setup(game, ("ANNA", "BOB")[:count], options), 5)
    for _ in range(3000):
        shown = table.appliance.prompt
        if isinstance(shown, BetPrompt):
            table.press(*[Button.RIGHT] * random.randrange(3))
        if not table.go_on():
            break
    shown = table.appliance.prompt
    assert isinstance(shown, OverPrompt)
    assert shown.scored is not None
    assert film(shown).opening[0].picture.words
