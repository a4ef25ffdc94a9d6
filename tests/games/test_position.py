"""Positions of all games: written as ever, read in any order, set up by keywords, refused."""

import itertools
from random import Random
from typing import Any

import pytest

from games.chance import random_event
from games.game import Game
from games.notation.positions import BadPosition, Field, read_slots, slots_word
from games.notation.words import RecordError, Words, quote
from games.record import position_from_text, position_to_text
from games.registry import GAMES
from games.values import BadOptions, RulesError
from tests.rigs.examples import examples

EVERY = examples(4, 1)
"""One in so many states of a game is looked at."""
NAMES = ['An "n', "Bób|", "C;#[]", "D", "seat 1", "out"]
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "free-for-all": [
        {"deck": "table", "cards": "5*chance:4 6*five-alike:10"},
        {"bank": "when-full", "first": 1},
    ],
    "holdem": [{"stack": 50, "dealer": "roll-off"}, {"stack": 100, "flop_again": "once"}],
    "showdown": [{"first": 1}, {"showdown_raise_continues": True}],
}
BLANK, DASHES = " -" * 13, " -" * 19
SHOWDOWN = "showdown turns 4 first 2 step roll red 2 from 1 roll 2 dice 33126 hold 12"
LINES = {
    "classic": f'classic seat 1 first 1 roll 2 dice 35512 hold 23 | "Ann"{BLANK} bonuses 0',
    "power": f'power seat 1 first 1 turns 2 roll 2 dice 35512 x3 hold 236 | "Ann" 3x2 X{DASHES}',
    "double": 'power seat 2 first 2 turns 0 off 1 6 roll 1 dice 44446 double half fours | "A"'
    f'{" -" * 21} | "B" - - - 16x2{" -" * 17}',
    "showdown": f'{SHOWDOWN} | "Ann" 9 | "Bob" 3 | threes 3 1 2 chance 5 2 6',
    "start": 'showdown turns 0 first 1 step move | "Ann" 0 | "Bob" 4 |',
    "free-for-all": "free-for-all first 2 turns 5 virtual roll roll 1 dice 14461 hold 23"
    " | deck 2*ones:1 1*chance:4 | apart 6*five-alike:10 | centre ones:1+2 fours:4+0 chance:4+1"
    ' | "Ann" chips 3 home - banked 1*ones:1 | "Bob" chips 0 home fours:4@44123 banked'
    ' | "Cid" chips 0 home - banked | "Dee" chips 0 home - banked',
    "holdem": "holdem flop hand 2 dealer 1 high 10 checked 1 thrown 1 queue 3 1"
    ' dice red 4 yellow 4 black 2 | "Ann" 270 paid 10 bet 0 in'
    ' | "Bob" 280 paid 20 bet 10 in | "Cy" 310 paid 10 bet 0 in',
}


def shuffled(game: Game[Any], state: Any, random: Random) -> str:
    """The line of a state with all that has a name in another order."""
    codec = game.position_codec

    def words(fields: tuple[Field, ...], of: Any) -> str:
        found = [
            (one.begins, f"{one.name} {one.form.write(value)}".strip())
            for one in fields
            if one.when is None or one.when(state)
            if (value := of(one.get(state))) != one.absent
        ]
        named = [text for begins, text in found if begins]
        random.shuffle(named)
        return " ".join([*(text for begins, text in found if not begins), *named])

    rows = [words((one,), lambda value: value) for one in codec.rows]
    seats = [
        f"{quote(name)} {words(codec.seat, lambda values, seat=seat: values[seat])}"
        for seat, name in enumerate(state.players)
    ]
    parts = [*seats, *rows] if codec.rows_last else random.sample(rows, len(rows)) + seats
    return f"{game.name} {words(codec.table, lambda value: value)} | {' | '.join(parts)}"


def set_up_again(game: Game[Any], state: Any) -> Any:
    """The state, set up by keywords."""
    codec = game.position_codec
    fields = {one.key: one.get(state) for one in (*codec.table, *codec.rows, *codec.seat)}
    return game.position(players=list(state.players), **fields)


@pytest.mark.parametrize("name", sorted(GAMES))
@pytest.mark.parametrize("seed", range(examples(2, 12)))
def test_states_of_real_play_come_back(name: str, seed: int) -> None:
    game, random = GAMES[name], Random(seed)
    players = NAMES[: random.randint(game.min_players, game.max_players)]
    state = game.start(players, OPTIONS.get(name, [{}, {"first": 0}])[seed % 2])
    for number in itertools.count():
        event = random_event(game, state, random)
        if event is not None and number % EVERY:
            state = game.apply(state, event)
            continue
        line = position_to_text(game, state)
        assert "\n" not in line
        for again in (
            position_from_text(line)[1],
            position_from_text(shuffled(game, state, random))[1],
            set_up_again(game, state),
        ):
            assert again == state
            assert hash(again) == hash(state)
        assert game.position(state) is state
        if event is None:
            break
        state = game.apply(state, event)


@pytest.mark.parametrize("key", LINES)
def test_a_line_is_written_as_it_was_read(key: str) -> None:
    assert position_to_text(*position_from_text(LINES[key])) == LINES[key]


@pytest.mark.parametrize(
    ("key", "old", "new", "expected"),
    [
        # The place where the error is reported is marked by a caret.
        ("classic", "classic", "^clasic", "a game (classic"),
        ("classic", "seat 1", "seat ^0", "a seat from 1 to 6"),
        ("classic", "seat 1", "seat ^١", "a seat from 1 to 6"),
        ("classic", "seat 1 ", "seat 1 ^seat 1 ", "'first', 'off', 'out', 'roll', 'dice', 'hold' "),
        ("classic", "seat 1 first 1 roll 2 dice 35512 hold 23 ", "^", "'seat'"),
        ("classic", "roll 2", "roll ^4", "a roll from 1 to 3"),
        ("classic", "35512", "^35517", "five faces such as 35512"),
        ("classic", "35512", "^3551", "five faces such as 35512"),
        ("classic", "hold 23", "hold ^32", "dice such as 134"),
        ("classic", "hold 23", "hold ^26", "dice such as 134"),
        ("classic", "hold 23", "off 12345 ^9", "five faces"),
        ("classic", '"Ann"', "^Ann", "a name in double quotes"),
        ("classic", '"Ann" -', '"Ann" ^x', "'-' or the points"),
        ("classic", " bonuses 0", "^", "'bonuses'"),
        ("classic", " bonuses 0", " bonuses 0 ^1", "'|' and a player"),
        ("classic", " bonuses 0", " bonuses 0 |^", "a name in double quotes"),
        ("power", "turns 2", "turns ^x", "turns from 0"),
        ("power", "x3", "^3", "a face of the Power die (x1"),
        ("power", "hold 236", "hold ^237", "dice such as 134"),
        ("power", "3x2 X", "^3x4 X", "'-', 'X', or a base and a power such as 15x2"),
        ("power", "3x2 X", "^0x0 X", "'-', 'X', or a base and a power such as 15x2"),
        ("power", "3x2 X", "^0s3x2 X", "'-', 'X', or a base and a power such as 15x2"),
        ("power", "3x2 X", "3x2 ^x", "'-', 'X'"),
        ("double", "fours", "^forty", "a slot (aces"),
        ("start", "turns 0", "^turn 0", "'turns', 'first', 'end', 'raise-continues'"),
        ("start", "step move", "step ^walk", "a step (move, landed, roll, use, over)"),
        ("start", "move |", "move red ^7 from 0 |", "a face from 1 to 6"),
        ("start", "move |", "move red 3 ^of 0 |", "'end', 'raise-continues', 'out', 'from'"),
        ("start", '"Bob" 4', '"Bob" ^16', "a space from 0 to 15"),
        ("start", '"Bob" 4 |', '"Bob" 4^', "'|' and a card (aces"),
        ("start", "4 |", "4 | ^nines 1 1 1", "a card (aces, twos,"),
        ("start", "4 |", "4 | aces 1 1 ^8", "chips from 1 to 7"),
        ("start", "4 |", "4 | aces 1 1 1 ^aces 2 1 1", "a card (twos, threes,"),
        ("free-for-all", "first 2", "first ^0", "a seat from 1 to 6"),
        ("free-for-all", "virtual", "^paper", "a deck (virtual, table), 'late', a step (turn-up"),
        ("free-for-all", "virtual roll", "virtual ^rolling", "'late', a step (turn-up"),
        ("free-for-all", "2*ones:1 ", "^2*ones ", "cards such as 3*ones:1"),
        ("free-for-all", "2*ones:1 ", "^2*ones:101 ", "cards such as 3*ones:1"),
        ("free-for-all", "ones:1+2", "^ones:1", "'-', or a card and its chips"),
        ("free-for-all", "ones:1+2", "^ones:1+٣", "'-', or a card and its chips"),
        ("free-for-all", "chips 3", "chips ^37", "chips from 0 to 36"),
        ("free-for-all", "fours:4@44123", "^fours:4@4412", "'-', or a card and its dice"),
        ("free-for-all", "| centre", "| ^center", "'centre' or a name in double quotes"),
        ("holdem", "flop", "^flip", "a stage (roll-off, open"),
        ("holdem", "dealer 1 ", "high 10 ^high 10 ", "'dealer', 'raises'"),
        ("holdem", "high 10", "high ^15", "chips in tens"),
        ("holdem", "high 10", "high ^x", "chips in tens"),
        ("holdem", "red 4", "^pink 4", "a colour"),
        ("holdem", "red 4", "red ^7", "a face from 1 to 6"),
        ("holdem", "checked 1", "checked ^2", "a number behind 'checked'"),
        ("holdem", "270 paid 10", "270 ^10", "'paid', 'bet', 'in', 'shows' or '|' and a player"),
        ("holdem", "bet 0 in |", "bet 0 ^out |", "'in', 'shows' or '|' and a player"),
    ],
)
def test_errors_in_a_line_say_where(key: str, old: str, new: str, expected: str) -> None:
    assert old in LINES[key]
    before, caret, after = LINES[key].replace(old, new, 1).partition("^")
    assert caret
    with pytest.raises(RecordError) as error:
        position_from_text(before + after)
    place = len(before) + (after[:1] == " ") if after.strip() else len(before.rstrip())
    assert (error.value.line, error.value.column) == (1, place + 1)
    assert expected in error.value.expected


@pytest.mark.parametrize("key", LINES)
def test_a_garbled_line_is_read_or_refused(key: str) -> None:
    random = Random(key)
    others = [word for line in LINES.values() for word in line.split()] + ["6", "99", "", "\\", "٣"]
    for _ in range(examples(300, 3000)):
        words = LINES[key].split()
        for _ in range(random.randint(1, 2)):
            at = random.randrange(1, len(words))
            words[at : at + random.randint(0, 2)] = random.sample(others, random.randint(0, 2))
        try:
            game, state = position_from_text(" ".join(words))
        except RulesError:
            continue
        assert position_from_text(position_to_text(game, state)) == (game, state)


def test_a_position_is_set_up_by_keywords() -> None:
    classic = GAMES["classic"]
    state = classic.position(
        players=["ANNA", "BEN"], boxes=[{"aces": 3}, {"aces": 4}], dice=[3, 5, 5, 1, 2], roll=2
    )
    blank = BLANK[2:]
    assert classic.position_to_text(state) == (
        f'seat 1 first 1 roll 2 dice 35512 | "ANNA" 3{blank} bonuses 0 | "BEN" 4{blank} bonuses 0'
    )
    assert [choice.key for choice in classic.choices(state)][:2] == ["twos", "threes"]
    for name, game in GAMES.items():
        chips = {"chips": [300, 300]} if name == "holdem" else {}
        assert game.ask(game.position(players=["A", "B"], **chips))
    with pytest.raises(BadOptions):
        classic.position(players=["A", ""])
    with pytest.raises(BadPosition, match="1 to 6 players, got 0"):
        classic.position(players=[])
    with pytest.raises(BadPosition, match="five faces such as 35512 for 'dice', got"):
        classic.position(players=["A"], roll=1, dice=[1, 2, 3, 4])
    with pytest.raises(BadPosition, match=r"a box \(aces, .*\), got 'ones'"):
        classic.position(players=["A"], boxes=[{"ones": 3}])
    with pytest.raises(TypeError, match="colour"):
        classic.position(players=["A"], colour="red")


@pytest.mark.parametrize("slots", [(), (0,), (0, 2, 3), (4,)])
def test_slots_come_back(slots: tuple[int, ...]) -> None:
    assert read_slots(Words.of(slots_word(slots)), 5) == slots


@pytest.mark.parametrize("text", ["01", "21", "11", "1x", "6", "0", "", "None"])
def test_slots_written_otherwise_are_refused(text: str) -> None:
    with pytest.raises(RecordError, match="134, or none"):
        read_slots(Words.of(text), 5)
