"""The command line in people's own words, typed and read."""

import json
import re
from pathlib import Path
from random import Random

import pytest

from appliance.cli.commands import COMMANDS
from appliance.cli.main import FIRST_PAGE, main
from appliance.cli.shared.game_names import OTHER_NAMES, game_name
from appliance.journal.journal import Journal
from games.chance import random_game
from games.notation.events import event_to_text
from games.registry import GAMES

PLAYERS = ("ANNA", "BOB")


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal with a finished game of Classic."""
    file = tmp_path / "games.sqlite3"
    game = GAMES["classic"]
    with Journal(file) as kept:
        events, _ = random_game(game, PLAYERS, {}, Random(3))
        number = kept.begin("classic", game.edition, PLAYERS, (), "0.1.0")
        kept.append(number, 0, [event_to_text(game, event) for event in events], ended=True)
    return file


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The message on arguments that are refused."""
    try:
        status: object = main(arguments)
    except SystemExit as ended:
        status = ended.code
    assert status == 2
    return capsys.readouterr().err


def test_the_bare_command_prints_a_page_for_newcomers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert capsys.readouterr().out == FIRST_PAGE
    assert len(FIRST_PAGE.splitlines()) <= 24
    assert all(len(line) <= 100 for line in FIRST_PAGE.splitlines())


@pytest.mark.parametrize("command", ["games", "config"])
def test_a_command_without_its_action_says_which_there_are(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    said = refused(capsys, command).splitlines()[-1]
    with pytest.raises(SystemExit) as ended:
        main([command, "help"])
    assert not ended.value.code
    listed = capsys.readouterr().out.partition("\n\nexamples:")[0]
    assert listed.startswith(f"usage: dicetray {command} ")
    named = said.rpartition("(")[2].rstrip(")").split(", ")
    assert len(named) > 1
    for action in named:
        assert re.search(rf"^    {action}\b", listed, re.MULTILINE)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("paly", "'paly'; did you mean play?"),
        ("help paly", "'paly'; did you mean play?"),
        ("games shwo 1", "'shwo'; did you mean show?"),
        ("doctor --only camra", "'camra'; did you mean camera?"),
        ("games list --jsn", "--jsn; did you mean --json?"),
        ("play --speeed 3", "--speeed 3; did you mean --speed?"),
    ],
)
def test_what_was_nearly_right_is_named(
    typed: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refused(capsys, *typed.split()).endswith(f"{meant}\n")


def test_a_word_that_is_like_none_is_told_them_all(capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, "juggle")
    assert "did you mean" not in said
    assert all(f"'{name}'" in said for name in COMMANDS)


@pytest.mark.parametrize("command", ["play", "games list", "doctor"])
def test_the_usage_is_that_of_the_command_that_was_typed(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(capsys, *command.split(), "--nonsense")
    assert said.startswith(f"usage: dicetray {command} ")
    assert f"dicetray {command}: error: unrecognized arguments: --nonsense" in said


@pytest.mark.parametrize(("typed", "same"), [("help", "--help"), ("help play", "play --help")])
def test_help_is_a_word_too(typed: str, same: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for words in (typed, same):
        with pytest.raises(SystemExit) as ended:
            main(words.split())
        assert ended.value.code == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] != ""


def test_a_file_that_is_not_there_is_said_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--package", "--local-config"):
        said = refused(capsys, "flash", "--dry-run", option, "nofile")
        assert said == "dicetray: nofile: cannot be read: No such file or directory\n"


def test_what_the_system_says_has_no_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    said = refused(capsys, "games", "list")
    assert "the folder for the games cannot be made: " in said
    assert "[Errno" not in said


def test_games_have_the_names_that_people_know(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "Yahtzee", "33355"]) == 0
    assert capsys.readouterr().out.startswith("FULL HOUSE")
    assert set(OTHER_NAMES.values()) <= set(GAMES)
    assert not set(OTHER_NAMES) & set(GAMES)
    assert [game_name(text) for text in ("Free for All", "HOLD'EM", "chess")] == [
        "free-for-all",
        "holdem",
        "chess",
    ]


def test_choices_are_printed_as_they_are_typed(capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, "stats", "--of", "nobody")
    assert "'appliance', 'keyboard', 'demo'" in said
    assert "Origin" not in said


def test_computers_are_named_where_a_name_is_none_of_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = refused(capsys, "play", "--no-view", "--players", "computer:genius")
    assert "expected one of computer:" in said
    assert said.count("computer:") == 4


@pytest.mark.parametrize("command", ["stats", "review"])
def test_a_picture_that_is_no_svg_is_refused(
    command: str, journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "dice.png"
    said = refused(capsys, command, "--journal", str(journal), "--picture", str(picture))
    assert "expected a name that ends in .svg" in said
    assert not picture.exists()


def test_doctor_checks_what_its_report_names(capsys: pytest.CaptureFixture[str]) -> None:
    main(["doctor", "--only", "Configuration"])
    assert "configuration: " in capsys.readouterr().out
    assert "choose from 'config'" in refused(capsys, "doctor", "--only", "everything")


def test_lists_statistics_and_reviews_are_there_for_programs(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = ("--journal", str(journal), "--json")
    assert main(["games", "list", *kept]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    game = json.loads(line)
    assert (game["number"], game["game"], game["finished"]) == ("1", "classic", True)
    points = {each["player"]: each["points"] for each in game["scores"]}
    assert main(["stats", *kept]) == 0
    stats = json.loads(capsys.readouterr().out)
    assert {each["player"]: each["best"] for each in stats["players"]} == points
    assert [each["kind"] for each in stats["dice"]] == ["black"]
    assert main(["review", *kept]) == 0
    review = json.loads(capsys.readouterr().out)
    assert {each["player"]: each["points"] for each in review["players"]} == points
    assert all(decision["best"] for each in review["players"] for decision in each["worst"])


def test_without_games_a_list_for_programs_is_empty(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.sqlite3"
    with Journal(file) as journal:
        journal.delete(journal.begin("classic", "", PLAYERS, (), ""))
    assert main(["games", "list", "--journal", str(file), "--json"]) == 0
    assert capsys.readouterr().out == ""
