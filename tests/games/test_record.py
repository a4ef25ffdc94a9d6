"""Games as text: what is written reads back, and errors are reported by line and column."""

from random import Random

import pytest

from games import classic
from games.boxes import Score
from games.chance import random_game
from games.classic import Box
from games.notation.events import COMMON_VERBS, event_to_text
from games.notation.words import RecordError
from games.record import (
    Record,
    game_states,
    read_record,
    replay,
    write_record,
)
from games.registry import GAMES, UnknownGame, find_game
from games.values import (
    Choice,
    Corrected,
    DieKind,
    Event,
    IllegalEvent,
    Keep,
    Recoloured,
    Rolled,
    RulesError,
    Shown,
    ShownDie,
)
from tests.builders import record_for
from tests.rigs.event_texts import event_from_text, events_from_text, events_to_text
from tests.rigs.examples import examples

NAMES = ["Ann", 'B "b"', "Zoë # ;|[]", "D", "E", "F"]


def random_record(seed: int) -> Record:
    players = NAMES[: seed % 6 + 1]
    options = {"first": seed % len(players)} if seed % 2 else {"first": "roll-off"}
    events, _ = random_game(classic.GAME, players, options, Random(seed))
    return record_for(classic.GAME, players, options, events, "1.2.3")


# Single events.


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (Rolled((3, 5, 5, 1, 2)), "roll 3 5 5 1 2"),
        (Rolled((6,)), "roll 6"),
        (Rolled((1, 2, "1", "2", "3")), "roll 1 2 x1 x2 x3"),
        (Rolled(("double", "freeze", "power")), "roll double freeze power"),
        (Corrected(0, 6), "fix 1 to 6"),
        (Corrected(5, "double"), "fix 6 to double"),
        (Corrected(5, "2"), "fix 6 to x2"),
        (Keep(()), "hold none"),
        (Keep((0, 2, 4)), "hold 1 3 5"),
        (Shown((ShownDie(DieKind.RED, 3),)), "show red 3"),
        (
            Shown((ShownDie(DieKind.BLACK, 6), ShownDie(DieKind.YELLOW, 1))),
            "show black 6 yellow 1",
        ),
        (Recoloured(6, DieKind.WHITE), "recolour 7 to white"),
        (Score(Box.ACES), "score aces"),
        (Score(Box.FIVE_ALIKE), "score five-alike"),
    ],
)
def test_an_event_and_its_text(event: Event, text: str) -> None:
    assert event_to_text(classic.GAME, event) == text
    assert event_from_text(classic.GAME, text) == event
    assert event_from_text(classic.GAME, f"  {text.replace(' ', '   ')} ") == event


def test_every_choice_of_classic_round_trips() -> None:
    state = classic.GAME.apply(classic.GAME.start(["A"], {}), Rolled((1, 2, 3, 4, 6)))
    texts = [event_to_text(classic.GAME, choice) for choice in classic.GAME.choices(state)]
    assert len(set(texts)) == 44 + 7
    assert [event_from_text(classic.GAME, text) for text in texts] == list(
        classic.GAME.choices(state)
    )


def test_numbers_and_power_faces_stay_apart() -> None:
    for event in (Rolled((1,)), Rolled(("1",))):
        faces = event_from_text(classic.GAME, event_to_text(classic.GAME, event))
        assert faces == event
        assert isinstance(faces, Rolled)
        assert type(faces.faces[0]) is type(event.faces[0])


def test_events_in_a_line() -> None:
    events = (Rolled((1, 2, 3, 4, 6)), Keep((0,)), Rolled((1, 1, 1, 1)), Score(Box.ACES))
    text = events_to_text(classic.GAME, events)
    assert text == "roll 1 2 3 4 6; hold 1; roll 1 1 1 1; score aces"
    assert events_from_text(classic.GAME, text) == events
    assert events_from_text(classic.GAME, " ") == ()


@pytest.mark.parametrize(
    ("text", "column", "expected", "found"),
    [
        ("", 1, "a verb (roll, fix, hold, show, recolour, leave, score, zero)", "the end"),
        ("throw 1 2", 1, "a verb", "'throw'"),
        ("roll", 5, "a face", "the end"),
        ("roll 1 7", 8, "a face", "'7'"),
        ("roll 1 2 3, 4", 10, "a face", "'3,'"),
        ("fix 0 to 3", 5, "a die from 1 to 20", "'0'"),
        ("fix 1 = 3", 7, "'to'", "'='"),
        ("fix 1 to", 9, "a face", "the end"),
        ("fix 1 to 3 4", 12, "the end of the event", "'4'"),
        ("hold", 5, "a die or 'none'", "the end"),
        ("hold 3 2", 8, "a later die from 4 to 20", "'2'"),
        ("hold none 1", 11, "the end of the event", "'1'"),
        ("score", 6, "a box (aces", "the end"),
        ("score Aces", 7, "a box (aces", "'Aces'"),
        ("score aces; score twos", 11, "the end of the event", "';'"),
        ("show red", 9, "a face", "the end"),
        ("show 3", 6, "a colour (black, red", "'3'"),
        ("recolour 1 to pink", 15, "a colour", "'pink'"),
        ("roll ²", 6, "a face", "'²'"),
        ("fix ² to 3", 5, "a die from 1 to 20", "'²'"),
    ],
)
def test_errors_of_events(text: str, column: int, expected: str, found: str) -> None:
    with pytest.raises(RecordError) as error:
        event_from_text(classic.GAME, text)
    assert (error.value.line, error.value.column) == (1, column)
    assert error.value.expected.startswith(expected)
    assert error.value.found == found
    assert str(error.value).startswith(f"line 1, column {column}: expected {expected}")


def test_an_event_without_a_verb_is_refused() -> None:
    with pytest.raises(RulesError, match="has no verb for"):
        event_to_text(classic.GAME, Choice())


# Whole games.

GAME = """\
[Game "classic"]
[Edition "2009"]
[Version "1.2.3"]
[Option first "roll-off"]
[Players "Ann" "Bob"]

0.1: roll 1 2 3 4 6
0.2: roll 6 6 6 1 1
1.2: roll 5 5 1 5 2; fix 3 to 5; hold 1 2 3 4; roll 5; score five-alike  # 0 50
1.1: roll 1 2 3 4 6; hold none; roll 1 2 2 2 3; score full-house
2.2: roll 1 2 3 4 6; score small-straight  # 0 80
2.1: roll 4 4 4
"""


def test_a_game_as_people_read_it() -> None:
    text = GAME.rpartition("2.1:")[0]
    record = read_record(text)
    assert record.players == ("Ann", "Bob")
    assert dict(record.options) == {"first": "roll-off"}
    assert record.events[-1] == Score(Box.SMALL_STRAIGHT)
    assert write_record(record) == text
    assert classic.GAME.scores(replay(record)) == (0, 80)


@pytest.mark.parametrize("seed", range(24))
def test_written_games_read_back(seed: int) -> None:
    record = random_record(seed)
    text = write_record(record)
    assert text.endswith("\n")
    assert read_record(text) == record
    assert read_record(text).cut == ""
    assert write_record(read_record(text)) == text
    assert replay(read_record(text)) == replay(record)
    turns = [line for line in text.splitlines() if line[:1].isdigit() and line[:2] != "0."]
    assert len(turns) == 13 * len(record.players)


def test_line_ends_of_other_systems_comments_and_blank_lines_are_read() -> None:
    record = random_record(3)
    text = write_record(record)
    assert read_record(text.replace("\n", "\r\n")) == record
    assert read_record("# a game\n" + text.replace("\n1.1:", "\n\n# first turn\n\n1.1:")) == record


@pytest.mark.parametrize(("seed", "step"), [(0, 1), (2, 11)])
def test_a_record_cut_off_anywhere_replays_up_to_there(seed: int, step: int) -> None:
    record = random_record(seed)
    text = write_record(record)
    start = text.index("\n\n") + 2
    for end in range(start, len(text) + 1, step):
        *lines, last = text[start:end].split("\n")
        whole = sum(line.partition("#")[0].count(";") + 1 for line in lines)
        # In the last line only an event that is followed by something is certain.
        events, comment, _ = last.partition("#")
        whole += events.count(";") + len(comment)
        found = read_record(text[:end])
        assert found.events == record.events[:whole]


def test_an_event_counts_once_what_ends_it_is_there() -> None:
    head = '[Game "classic"]\n[Edition "2009"]\n[Version ""]\n[Players "A"]\n\n'
    for tail, events, cut in [
        ("1.1: roll 1 2 3 4 6", 0, "1.1: roll 1 2 3 4 6"),
        ("1.1: roll 1 2 3 4 6;", 1, ""),
        ("1.1: roll 1 2 3 4 6; hold 1", 1, "hold 1"),
        ("1.1: roll 1 2 3 4 6; hold 1 2\n", 2, ""),
        ("1.1: roll 1 2 3 4 6; score chance #", 2, ""),
        ("1.1: roll 1 2 3 4 6; score chance # 16; 3", 2, ""),
        ("1.1: roll 1 2 3 4 6; sc\x00\x00", 1, "sc\x00\x00"),
        ("1", 0, "1"),
    ]:
        record = read_record(head + tail)
        assert (len(record.events), record.cut) == (events, cut), tail


def test_a_record_cut_off_in_its_tags_is_no_game() -> None:
    text = write_record(random_record(1))
    for end in range(text.index("\n\n") + 1):
        with pytest.raises(RecordError, match="an empty line after the tags, found the end"):
            read_record(text[:end])


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "expected"),
    [
        ('Game "classic"', 'Game "chess"', 1, 2, "a game (classic"),
        ('Game "classic"', "Game classic", 1, 7, "a text in double quotes"),
        ('Game "classic"', 'Game "classic', 1, 7, "a text in double quotes"),
        ('[Game "classic"]', 'Game "classic"', 1, 1, "'['"),
        ('[Game "classic"]', '[Game "classic"', 1, 16, "']'"),
        ('[Game "classic"]', '[Game "classic"] x', 1, 18, "the end of the line"),
        ('[Game "classic"]', '[Game "classic"]\n[Game "classic"]', 2, 2, "each tag once"),
        ('[Game "classic"]\n', "", 5, 1, "a tag Game"),
        ("Edition", "Editon", 2, 2, "a tag (Game, Edition"),
        ("2009", "1996", 2, 2, "edition '2009' of classic"),
        ('first "roll-off"', "first roll-off", 4, 15, "a value"),
        ('first "roll-off"', "first 1.5", 4, 15, "a value"),
        ('first "roll-off"', "first 2", 5, 2, "players and options to start with"),
        ('"roll-off"]', '"roll-off"]\n[Option first 1]', 5, 9, "each option once"),
        ('"Ann" "Bob"', "Ann Bob", 5, 10, "a name in double quotes"),
        ('"Ann" "Bob"', '"Ann" "\\n"', 5, 2, "players and options to start with"),
        ("0.2: roll", "0.1: roll", 8, 1, "'0.2:'"),
        ("1.2: roll", "roll", 9, 1, "'1.2:'"),
        ("hold 1 2 3 4;", "hold 1 2 3 4 5;", 9, 34, "a legal event"),
        ("roll 5;", "roll 5 5;", 9, 48, "a legal event"),
        ("score full-house", "score fullhouse", 10, 55, "a box"),
        ("hold none; roll", "hold none roll", 10, 32, "the end of the event"),
        ("hold none; roll", "hold none;; roll", 10, 32, "a verb"),
        ("score small-straight", "score five-alike", 11, 22, "a legal event"),
        ("roll 4 4 4\n", "roll 4 4 4;\n", 12, 6, "a legal event"),
    ],
)
def test_errors_say_where(old: str, new: str, line: int, column: int, expected: str) -> None:
    text = GAME.replace("roll 4 4 4\n", "roll 4 4 4 4 4\n") if "4 4 4" not in old else GAME
    assert text.count(old) >= 1
    with pytest.raises(RecordError) as error:
        read_record(text.replace(old, new, 1))
    assert (error.value.line, error.value.column) == (line, column)
    assert error.value.expected.startswith(expected)


def test_an_illegal_event_says_what_was_expected() -> None:
    with pytest.raises(RecordError, match=r"5 faces from 1 to 6, thrown by Ann") as error:
        read_record(GAME)
    assert isinstance(error.value.__cause__, IllegalEvent)


def test_nothing_may_follow_the_end() -> None:
    text = write_record(random_record(0))
    with pytest.raises(RecordError, match="the game is over"):
        read_record(text + "14.1: roll 1 2 3 4 5\n")


@pytest.mark.parametrize("text", ["", "\n", "\n\n\n", "# nothing\n", "\x00\n", "[\n", "]\n", '"\n'])
def test_what_is_no_record_at_all(text: str) -> None:
    with pytest.raises(RecordError):
        read_record(text)


def test_random_damage_gives_a_record_error_or_a_record() -> None:
    random = Random(5)
    text = write_record(random_record(5))
    for _ in range(examples(100, 500)):
        at = random.randrange(len(text))
        damage = random.choice(['"', "[", "]", ";", "#", "\n", "|", "x", "0", "6", "", "\x00", "é"])
        damaged = text[:at] + damage + text[at + random.randint(0, 2) :]
        try:
            replay(read_record(damaged))
        except RecordError as error:
            lines = damaged.split("\n")
            assert 1 <= error.line <= len(lines)
            assert 1 <= error.column <= len(lines[error.line - 1]) + 1


def test_states_are_those_of_live_play() -> None:
    record = random_record(4)
    state = classic.GAME.start(record.players, dict(record.options))
    for event, after in zip(record.events, list(game_states(record))[1:], strict=True):
        state = classic.GAME.apply(state, event)
        assert after == state


def test_a_record_with_an_illegal_event_cannot_be_written_or_replayed() -> None:
    record = record_for(classic.GAME, ["A"], {}, [Keep(())])
    for action in (write_record, replay):
        with pytest.raises(IllegalEvent):
            action(record)


# The registry.


def test_games_are_found_by_name() -> None:
    assert find_game("classic") is classic.GAME
    assert all(name == game.name for name, game in GAMES.items())
    with pytest.raises(UnknownGame, match=r"no game 'chess'; there are: .*classic"):
        find_game("chess")


@pytest.mark.parametrize("name", sorted(GAMES))
def test_verbs_of_a_game_differ(name: str) -> None:
    words = [verb.word for verb in GAMES[name].verbs]
    assert len(set(words)) == len(words)
    assert not {verb.word for verb in COMMON_VERBS} & set(words)
