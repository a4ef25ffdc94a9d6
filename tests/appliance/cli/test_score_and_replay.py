"""`dicetray score` and `dicetray replay`."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from appliance.cli.main import parser
from games import classic, holdem
from games.chance import random_game
from games.game import Game
from games.record import Record, position_from_text, write_record
from games.record import replay as replay_record
from games.registry import GAMES, find_game
from games.strategy import advice
from games.values import Rolled
from tests.builders import record_for
from tests.rigs.event_texts import events_from_text

Output = pytest.CaptureFixture[str]


def main(arguments: list[str]) -> int:
    """The two commands as the program has them."""
    args = parser(("score", "replay")).parse_args(arguments)
    status: int = args.func(args)
    return status


@pytest.fixture
def record() -> Record:
    names = ["Ann", "Zoë the 2nd"]
    events, _ = random_game(classic.GAME, names, {}, Random(8))
    return record_for(classic.GAME, names, {}, events, "1.2.3")


def test_score_lists_the_boxes_with_points(capsys: Output) -> None:
    assert main(["score", "classic", "3", "3", "3", "5", "5"]) == 0
    *boxes, zeros = capsys.readouterr().out.splitlines()
    lines = [line.rsplit(maxsplit=1) for line in boxes]
    assert len(lines) == 13
    assert zeros.count(",") == 2 + 4  # a zero wherever the dice fit
    printed = {label.strip(): int(points) for label, points in lines}
    assert printed["THREES"] == 9
    assert printed["FULL HOUSE"] == 25
    assert printed["3 ALIKE"] == printed["CHANCE"] == 19
    assert printed["SIXES"] == 0


def test_what_gives_most_comes_first_and_names_are_taken_as_people_write_them(
    capsys: Output,
) -> None:
    assert main(["score", "classic", "3", "3", "3", "5", "5"]) == 0
    plain = capsys.readouterr().out
    points = [int(line.split()[-1]) for line in plain.splitlines()[:-1]]
    assert points == sorted(points, reverse=True)
    assert plain.startswith("FULL HOUSE")
    assert main(["score", "Classic", "33355"]) == 0
    assert capsys.readouterr().out == plain
    assert main(["score", "Free for All", "12344"]) == 0


def test_score_as_json_with_holds(capsys: Output) -> None:
    assert main(["score", "classic", "1", "2", "3", "4", "5", "--json", "--holds"]) == 0
    choices = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(choices) == 44 + 8
    large = next(c for c in choices if c["choice"] == "score large-straight")
    assert large == {
        "choice": "score large-straight",
        "label": "LARGE STR",
        "points": 40,
        "reason": "",
    }
    hold = next(c for c in choices if c["choice"] == "hold 1 2")
    expects = hold.pop("expects")
    assert hold == {
        "choice": "hold 1 2",
        "label": "HOLD 12",
        "points": None,
        "reason": "",
        "measure": "TOTAL",
    }
    # The best box is worth more than throwing again, and as much as the hint says.
    assert 240 < expects < 250


def test_holds_come_with_what_they_bring_the_best_first(capsys: Output) -> None:
    assert main(["score", "classic", "33355", "--holds"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "FULL HOUSE   25"
    means = [line.split("  ") for line in lines if line.endswith("final total on average")]
    worth = [float(mean[-2]) for mean in means]
    assert len(worth) == 31
    assert worth == sorted(worth, reverse=True)
    assert next(line for line in lines if line.startswith("HOLD")).startswith("HOLD 123 ")
    state = classic.GAME.apply(classic.GAME.start(["A"], {"first": 0}), Rolled((3, 3, 3, 5, 5)))
    best = advice.hint(find_game("classic"), state)
    assert best is not None
    assert worth[0] <= best.expects


@pytest.mark.parametrize("game", ["power 4 4 4 4 6 x1", "showdown 55522"])
def test_other_games_weigh_their_holds_too(game: str, capsys: Output) -> None:
    assert main(["score", *game.split(), "--holds", "--json"]) == 0
    choices = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    holds = [c["expects"] for c in choices if c["choice"].startswith("hold")]
    assert len(holds) >= 31
    assert holds == sorted(holds, reverse=True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("classic 7 1 1 1 1", "expected a face (1, 2, 3, 4, 5, 6), found '7'"),
        (
            "classic 1 1 1 1 double",
            "expected 5 faces from 1 to 6; found 1 1 1 1 double",
        ),
        ("classic 123", "expected 5 faces from 1 to 6; found 1 2 3"),
        (
            "power 44446",
            "expected 5 faces from 1 to 6 and a face of the Power die "
            "(x1, x2, x3, double, freeze, power); found 4 4 4 4 6",
        ),
    ],
)
def test_wrong_dice_are_named_in_the_words_of_the_game(
    words: str, said: str, capsys: Output
) -> None:
    assert main(["score", *words.split()]) == 2
    assert capsys.readouterr().err == f"dicetray score: {said}\n"


def test_score_takes_the_throws_of_a_turn_one_after_the_other(capsys: Output) -> None:
    # The red die moves the pawn, then come the black dice.
    assert main(["score", "showdown", "3", "5", "5", "5", "2", "2", "--json"]) == 0
    choices = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {"place fives", "place full-house", "pass"} <= {c["choice"] for c in choices}
    assert not any(c["choice"].startswith("hold") for c in choices)


def listed(arguments: list[str], capsys: Output) -> dict[str, int]:
    """Labels and points of the choices that `score` prints."""
    assert main(["score", *arguments]) == 0
    lines = capsys.readouterr().out.splitlines()
    zeros = "or 0 points, on purpose, for "
    found = {line[:10].strip(): int(line[10:].split()[0]) for line in lines if zeros not in line}
    crossed = (line.removeprefix(zeros).split(", ") for line in lines if zeros in line)
    return found | {f"0 {label}": 0 for labels in crossed for label in labels}


def test_score_takes_the_black_dice_alone(capsys: Output) -> None:
    assert listed(["showdown", "5", "5", "5", "2", "2"], capsys) == {
        "TWOS": 20,
        "FIVES": 30,
        "3 ALIKE": 30,
        "FULL HOUSE": 50,
        "PASS": 0,
    }


def test_score_offers_every_card_of_the_deck(capsys: Output) -> None:
    assert listed(["free-for-all", "1", "2", "3", "4", "4"], capsys) == {
        "ONES 1": 1,
        "TWOS 2": 2,
        "THREES 3": 3,
        "FOURS 4": 4,
        "SM STR 5": 5,
        "CHANCE 4": 4,
        "PASS": 0,
    }
    fives = listed(["free-for-all", *"55555"], capsys)
    expected = {"FIVES 5": 5, "3 ALIKE 4": 4, "4 ALIKE 6": 6, "CHANCE 4": 4}
    assert fives == {**expected, "FIVE ALIKE": 10, "PASS": 0}


@pytest.mark.parametrize(
    ("dice", "line"),
    [
        ("r5 b5 w5 y5 r6", "4 ALIKE    r5 b5 w5 y5 r6  2 of a colour"),
        ("r1 b6 w5 y5 r6 b1 w6", "FULL HOUSE b6 r6 w6 w5 y5  2 of a colour"),
        ("r3 r3 r3 r3 r3 b1 b1", "FIVE FLUSH r3 r3 r3 r3 r3  5 of a colour"),
        ("w2 w4 w6 w3 w5", "STR FLUSH  w6 w5 w4 w3 w2  5 of a colour"),
    ],
)
def test_score_names_the_best_hand(dice: str, line: str, capsys: Output) -> None:
    assert main(["score", "holdem", *dice.split()]) == 0
    kinds = capsys.readouterr().out.rstrip("\n")
    assert (kinds[:11], sorted(kinds[11:].split())) == (line[:11], sorted(line[11:].split()))
    faces = [word[1] for word in kinds[11:].split()[:5]]
    assert faces == [word[1] for word in line[11:].split()[:5]]


def test_score_names_the_best_hand_as_json(capsys: Output) -> None:
    assert main(["score", "holdem", "w2", "w4", "w6", "w3", "w5", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "hand": "straight-flush",
        "label": "STR FLUSH",
        "dice": ["w6", "w5", "w4", "w3", "w2"],
        "reason": "5 of a colour",
    }


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_score_takes_the_example_of_every_game(game: Game[Any], capsys: Output) -> None:
    dice, taken_for = game.example.split(": ", 1)
    assert taken_for
    assert main(["score", game.name, *dice.split()]) == 0
    assert capsys.readouterr().out


def test_score_in_a_position(capsys: Output) -> None:
    sheet = '"A" 3 - 9 - - - - - 25 - - - - bonuses 0'
    line = f"classic seat 1 first 1 | {sheet}"
    found = listed(["classic", "3", "3", "3", "5", "5", "--position", line], capsys)
    assert not {"ACES", "THREES", "FULL HOUSE"} & set(found)
    assert (len(found), found["FIVES"]) == (10 + 3, 10)
    assert main(["score", "power", *"33355", "x1", "--position", line]) == 2
    assert "the position is one of classic, not of power" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chess", "1"], "no game 'chess'"),
        (["showdown", "1", "2", "3", "4"], "expected faces from 1 to 6 of 5 black dice"),
        (["holdem", "r1", "r2", "r3", "r4"], "expected 5 to 7 dice, found 4"),
        (["holdem", *["r1"] * 6], "at most 5 dice of a colour, found more red ones"),
        (["holdem", "5", "r2", "r3", "r4", "r5"], "such as r5 (r b w y), found '5'"),
        (["classic", "1", "--position", "x"], "expected a game"),
        (["classic", "1", "2", "3", "4", "7"], "expected a face (1, 2, 3, 4, 5, 6"),
        (["classic", "1", "2", "3", "4"], "expected 5 faces from 1 to 6"),
        (["classic", "1", "2", "3", "4", "5", "6"], "found 1 2 3 4 5 6"),
        (["classic", "1", "2", "3", "4", "double"], "expected 5 faces from 1 to 6"),
        (["classic", "1;", "2", "3", "4", "5"], "found ';'"),
        (["classic", ""], "found the end"),
    ],
)
def test_score_refuses_bad_dice(arguments: list[str], message: str, capsys: Output) -> None:
    assert main(["score", *arguments]) == 2
    output = capsys.readouterr()
    assert message in output.err
    assert output.err.count("\n") == 1
    assert output.out == ""


def test_replay_prints_turns_sheets_and_winner(
    record: Record, tmp_path: Path, capsys: Output
) -> None:
    file = tmp_path / "game.txt"
    file.write_text(write_record(record), encoding="utf-8")
    assert main(["replay", str(file)]) == 0
    out = capsys.readouterr().out
    assert out.startswith(write_record(record))
    state = position_from_text(out.splitlines()[-1])[1]
    outcome = classic.GAME.outcome(state)
    assert outcome is not None
    totals = next(line for line in out.splitlines() if line.startswith("total")).split()[1:]
    assert tuple(map(int, totals)) == outcome.scores
    names = " and ".join(record.players[seat] for seat in outcome.winners)
    assert f"won by {names} with {max(outcome.scores)} points" in out


def test_replay_of_a_game_that_a_flush_won_with_fewer_chips(tmp_path: Path, capsys: Output) -> None:
    names = ["Ann", "Bob", "Cy"]
    text = (
        "fold; fold; take-pot; fold; fold; take-pot; bet 10; fold; fold; take-pot; "
        "fold; fold; take-pot; "
        "check; check; check; show red 4 red 4 red 4; bet 10; call 10; call 10; "
        "show black 1; check; check; check; show black 2; check; check; check; "
        "show red 4 red 4; declare five-flush; show white 1 white 2; declare full-house; "
        "show yellow 1 yellow 2; declare full-house; take-pot"
    )
    record = record_for(holdem.GAME, names, {}, events_from_text(holdem.GAME, text), "1")
    outcome = holdem.GAME.outcome(replay_record(record))
    assert outcome is not None
    assert outcome.winners == (2,)
    assert outcome.scores[2] < outcome.scores[0]
    file = tmp_path / "game.txt"
    file.write_text(write_record(record), encoding="utf-8")
    assert main(["replay", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-3:-1] == [f"won by Cy with {outcome.scores[2]} points", "five flush"]


def test_replay_as_json(record: Record, tmp_path: Path, capsys: Output) -> None:
    file = tmp_path / "game.txt"
    file.write_text("\ufeff" + write_record(record), encoding="utf-8")
    assert main(["replay", str(file), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["players"] == ["Ann", "Zoë the 2nd"]
    assert len(printed["events"]) == len(record.events)
    assert printed["over"] is True
    assert printed["cut"] == ""
    assert printed["scores"] == list(
        classic.GAME.scores(position_from_text(printed["position"])[1])
    )


def test_replay_of_a_cut_off_record(record: Record, tmp_path: Path, capsys: Output) -> None:
    file = tmp_path / "game.txt"
    text = write_record(record)
    file.write_text(text[: text.index("5.1:") + 12], encoding="utf-8")
    assert main(["replay", str(file)]) == 0
    output = capsys.readouterr()
    assert "not over" in output.out
    assert "cut off, left out: 5.1: roll" in output.err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "No such file"),
        (b"\xff\xd8\xff\xe0", "not UTF-8 text"),
        (b"", "line 1, column 1: expected an empty line after the tags, found the end"),
        (b"hello\n", "line 1, column 1: expected '[', found 'hello'"),
    ],
)
def test_replay_refuses_what_is_no_record(
    content: bytes | None, message: str, tmp_path: Path, capsys: Output
) -> None:
    file = tmp_path / "game.txt"
    if content is not None:
        file.write_bytes(content)
    assert main(["replay", str(file)]) == 2
    output = capsys.readouterr()
    assert message in output.err
    assert str(file) in output.err
    assert output.out == ""


def test_replay_refuses_a_folder(tmp_path: Path, capsys: Output) -> None:
    assert main(["replay", str(tmp_path)]) == 2
    assert (
        "cannot be read as a record: expected an ordinary file, found a folder"
        in capsys.readouterr().err
    )


def test_boxes_that_may_be_crossed_out_share_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "classic", "3", "3", "5", "3", "5"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "or 0 points, on purpose, for THREES, FIVES, 3 ALIKE, FULL H, CHANCE"
    assert not [line for line in lines if line.startswith("0 ")]
