"""`dicetray score` and `dicetray replay`."""

import argparse
import json
from pathlib import Path
from random import Random

import pytest

from appliance.commands import replay, score
from appliance.rules import classic
from appliance.rules.record import Record, position_from_text, write
from appliance.strategy.random_play import random_game

Output = pytest.CaptureFixture[str]


def main(arguments: list[str]) -> int:
    """The two commands as the program has them."""
    parser = argparse.ArgumentParser()
    subparsers = parser.add_subparsers()
    score.add_parser(subparsers)
    replay.add_parser(subparsers)
    args = parser.parse_args(arguments)
    status: int = args.func(args)
    return status


@pytest.fixture
def record() -> Record:
    names = ["Ann", "Zoë the 2nd"]
    events, _ = random_game(classic, names, {}, Random(8))
    return Record.of(classic, names, {}, events, "1.2.3")


def test_score_lists_the_boxes_with_points(capsys: Output) -> None:
    assert main(["score", "classic", "3", "3", "3", "5", "5"]) == 0
    lines = [line.rsplit(maxsplit=1) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == 13
    told = {label.strip(): int(points) for label, points in lines}
    assert told["THREES"] == 9
    assert told["FULL HOUSE"] == 25
    assert told["3 ALIKE"] == told["CHANCE"] == 19
    assert told["SIXES"] == 0


def test_score_as_json_with_holds(capsys: Output) -> None:
    assert main(["score", "classic", "1", "2", "3", "4", "5", "--json", "--holds"]) == 0
    choices = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(choices) == 44
    large = next(c for c in choices if c["choice"] == "score large-straight")
    assert large == {
        "choice": "score large-straight",
        "label": "LARGE STR",
        "points": 40,
        "reason": "",
    }
    assert {"choice": "hold 1 2", "label": "HOLD 12", "points": None, "reason": ""} in choices


def test_score_takes_the_throws_of_a_turn_one_after_the_other(capsys: Output) -> None:
    # The red die moves the pawn, then come the black dice.
    assert main(["score", "showdown", "3", "5", "5", "5", "2", "2", "--json"]) == 0
    choices = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {"place fives", "place full-house", "pass"} <= {c["choice"] for c in choices}
    assert not any(c["choice"].startswith("hold") for c in choices)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chess", "1"], "no game 'chess'"),
        (["classic", "1", "2", "3", "4", "7"], "expected a face (1, 2, 3, 4, 5, 6"),
        (["classic", "1", "2", "3", "4"], "expected 5 faces from 1 to 6"),
        (["classic", "1", "2", "3", "4", "5", "6"], "got Rolled(faces=(6,))"),
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
    file.write_text(write(record), encoding="utf-8")
    assert main(["replay", str(file)]) == 0
    out = capsys.readouterr().out
    assert out.startswith(write(record))
    state = position_from_text(out.splitlines()[-1])[1]
    outcome = classic.outcome(state)
    assert outcome is not None
    totals = next(line for line in out.splitlines() if line.startswith("TOTAL")).split()[1:]
    assert tuple(map(int, totals)) == outcome.scores
    names = " and ".join(record.players[seat] for seat in outcome.winners)
    assert f"won by {names} with {max(outcome.scores)} points" in out


def test_replay_as_json(record: Record, tmp_path: Path, capsys: Output) -> None:
    file = tmp_path / "game.txt"
    file.write_text("\ufeff" + write(record), encoding="utf-8")
    assert main(["replay", str(file), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["players"] == ["Ann", "Zoë the 2nd"]
    assert len(told["events"]) == len(record.events)
    assert told["over"] is True
    assert told["cut"] == ""
    assert told["scores"] == list(classic.scores(position_from_text(told["position"])[1]))


def test_replay_of_a_cut_off_record(record: Record, tmp_path: Path, capsys: Output) -> None:
    file = tmp_path / "game.txt"
    text = write(record)
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
    assert "expected a record" in capsys.readouterr().err
