"""Positions of Hold'em that no game can reach, its choices as text, and records cut off."""

import re
from random import Random

import pytest

from appliance.words import Label
from games import holdem
from games.chance import random_game
from games.holdem.evaluator import Rank
from games.notation.events import event_to_text
from games.notation.words import RecordError
from games.record import (
    position_from_text,
    position_to_text,
    read_record,
    write_record,
)
from games.values import RulesError
from tests.builders import record_for
from tests.paths import ROOT
from tests.rigs.event_texts import event_from_text, events_from_text

PAGE = ROOT / "docs" / "rules" / "holdem.md"
POSITION = (
    "holdem flop hand 2 dealer 1 high 10 checked 1 thrown 1 queue 3 1 "
    'dice red 4 yellow 4 black 2 | "Ann" 270 paid 10 bet 0 in | "Bob" 280 paid 20 bet 10 in '
    '| "Cy" 310 paid 10 bet 0 in'
)
PAY = (
    "holdem pay hand 1 dealer 1 thrown 1 dice red 4 yellow 4 black 2 white 1 white 6 "
    '| "A" 80 paid 20 bet 0 in shows red 1 red 3 | "B" 80 paid 20 bet 0 in shows black 1 black 3'
)


def test_the_position_reads_as_the_page_says() -> None:
    game, state = position_from_text(POSITION)
    assert game is holdem.GAME
    assert position_to_text(holdem.GAME, state) == POSITION
    assert [c.key for c in holdem.GAME.choices(state)] == ["call 10", "raise 10", "fold"]
    assert (state.hand, state.dealer, holdem.GAME.scores(state)) == (2, 0, (270, 280, 310))
    page = PAGE.read_text(encoding="utf-8")
    assert f"    {POSITION}\n" in page


def test_the_page_names_every_hand_and_option() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for rank in Rank:
        assert bool(re.search(rf"^\d\. {Label(rank.word)}\b", page, re.M)) == (
            rank >= Rank.TWO_PAIRS
        )
    for option in holdem.GAME.options:
        assert f"`{option}`" in page
    for verb in holdem.GAME.verbs:
        assert f"`{verb.word}" in page


@pytest.mark.parametrize(
    ("text", "change", "words"),
    [
        (POSITION, ("hand 2 ", ""), "a hand that is played"),
        (POSITION, ("dealer 1", "dealer 5"), "the seat of a player for 'dealer'"),
        (POSITION, ("high 10", "high 20"), "high 10"),
        (POSITION, ("thrown 1 ", ""), "throws of the Flop"),
        (POSITION, ("queue 3 1 ", ""), "seats to speak"),
        (POSITION, ("queue 3 1", "queue 3 3"), "seats that can bet"),
        (POSITION, ("queue 3 1", "queue 3 4"), "the seat of a player for 'queue'"),
        (POSITION, ('"Cy" 310', '"Cy" 0'), "seats that can bet"),
        (POSITION, ("black 2", "black 2 red 1"), "dice for the flop"),
        (POSITION, (" yellow 4 black 2", ""), "dice for the flop"),
        (POSITION, ("thrown 1", "due 2 thrown 1"), "dice due"),
        (POSITION, ("dice red 4", "order 1 dice red 4"), "nobody to show"),
        (POSITION, ("dice red 4", "won 1 dice red 4"), "a hand that is played"),
        (POSITION, ("bet 0 in", "bet 0 in shows red 1 red 2"), "the pockets of"),
        (POSITION, ("bet 10 in", "bet 30 in"), "a bet that was put in"),
        (POSITION, ("paid 10 bet 0 in |", "paid 0 bet 0 in |"), "an ante"),
        (POSITION, ("dice red", "off 2 2 2 dice red"), "a roll-off that fits"),
        (POSITION, ('"Ann"', '" "'), "a name"),
        (POSITION, (' | "Bob" 280 paid 20 bet 10 in | "Cy" 310 paid 10 bet 0 in', ""), "2 to 6"),
        (PAY, (" white 1 white 6", ""), "all community dice"),
        (PAY, (" shows red 1 red 3", ""), "the pockets of"),
        (PAY, ("shows red 1 red 3", "shows white 1 white 3"), None),
        (PAY, ("red 4 yellow 4 black 2", "red 4 red 4 red 2"), None),
        (PAY, ("red 4 yellow 4 black 2 white 1", "red 4 red 4 red 2 red 1"), "five red dice"),
        (POSITION, ("270", "275"), "chips in tens"),
        (PAY, ("pay", "over"), "empty pots"),
        (PAY, ("pay", "over won 6"), "the seat of a player for 'won'"),
        (PAY, ("pay", "showdown"), "pockets shown in order"),
        (PAY, ("pay", "roll-off"), "no hand before"),
    ],
)
def test_positions_that_cannot_be(text: str, change: tuple[str, str], words: str | None) -> None:
    position_from_text(text)
    assert change[0] in text
    wrong = text.replace(*change, 1)
    if words is None:
        assert position_to_text(*position_from_text(wrong)) == wrong
        return
    with pytest.raises(RulesError, match=words):
        position_from_text(wrong)


@pytest.mark.parametrize(
    "text",
    ["check", "bet 10", "call 30", "raise 20", "all-in", "fold", "declare five-flush", "take-pot"],
)
def test_a_choice_and_its_text(text: str) -> None:
    assert event_to_text(holdem.GAME, event_from_text(holdem.GAME, text)) == text


@pytest.mark.parametrize("text", ["bet", "bet 15", "bet ten", "declare best", "fold 10", "all in"])
def test_what_is_no_choice(text: str) -> None:
    with pytest.raises(RecordError):
        event_from_text(holdem.GAME, text)


def test_a_record_that_was_cut_off_is_read_as_far_as_it_is_certain() -> None:
    players = ["A", "B", "C"]
    options: dict[str, int | str] = {"stack": 50, "dealer": "roll-off"}
    events, _ = random_game(holdem.GAME, players, options, Random(3))
    text = write_record(record_for(holdem.GAME, players, options, events, "1"))
    start = text.index("\n\n") + 2
    for end in range(start, len(text), len(text) // 30):
        found = read_record(text[:end]).events
        assert found == tuple(events[: len(found)])
        assert len(found) >= text[start:end].count("\n")


def test_a_record_says_where_an_event_is_illegal() -> None:
    players = ["A", "B"]
    events = events_from_text(holdem.GAME, "check; check; show red 1 red 2 red 3; bet 10; fold")
    text = write_record(record_for(holdem.GAME, players, {}, events, "1"))
    assert (
        "1.2: check\n1.1: check; show red 1 red 2 red 3\n1.2: bet 10  # 290 280\n1.1: fold" in text
    )
    with pytest.raises(RecordError, match="check, bet 10, fold") as caught:
        read_record(text.replace("bet 10", "bet 20"))
    assert (caught.value.line, caught.value.column) == (8, 6)
