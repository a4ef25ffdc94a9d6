"""Computer players at the table: whole games alone, undo, restarts, and what people may press."""

from dataclasses import replace
from pathlib import Path

import pytest

from appliance.cli.main import main
from appliance.cli.replay import replay_lines
from appliance.inputs import Button
from appliance.journal.files import folder_of
from appliance.journal.library import Library
from appliance.journal.summary import count_game, record_of
from appliance.journal.totals import Group
from appliance.stats.tally import standings
from appliance.table.menu.prompting import NoticePrompt
from appliance.table.prompts.turn import DicePrompt, OverPrompt, ThinkingPrompt, ThrowPrompt
from appliance.table.session.session import (
    Holding,
    Played,
    Setup,
    Undone,
    is_computers_turn,
    resume,
)
from games.computers import (
    COMPUTER_NAMES,
    Strength,
    computer_name,
    deciding_computer,
    strength_of,
)
from games.holdem.course import computer_pocket
from games.record import drawn_fairly, read_record, write_record
from games.values import Choose, Keep, Reveal
from tests.rigs.at_table import AtTable
from tests.rigs.examples import FULL

GAMES = {
    "classic": (("first", 0),),
    "power": (),
    "showdown": (),
    "free-for-all": (),
    "holdem": (("stack", 50),),
}
SLOW = {("yatzy", Strength.WELL), ("showdown", Strength.BEST), ("free-for-all", Strength.FUN)}
QUICK = {("classic", Strength.BEST), ("power", Strength.FUN), ("holdem", Strength.WELL)}
ALONE = [
    pytest.param(game, strength, marks=() if (game, strength) in QUICK else pytest.mark.slow)
    for game in GAMES
    for strength in Strength
    if FULL or (game, strength) in {*QUICK, *SLOW}
]


def table(
    game: str, strength: Strength = Strength.BEST, path: Path | str = ":memory:", chance: int = 3
) -> AtTable:
    return AtTable(path, Setup(game, ("ANNA", computer_name(strength, ())), GAMES[game]), chance)


def until_it_thinks(made: AtTable) -> AtTable:
    """Plays until a computer looks at its dice."""
    while not isinstance(made.appliance.prompt, DicePrompt) or not is_computers_turn(made.session):
        made.go_on()
    return made


def until_it_holds(made: AtTable) -> None:
    """Plays until a computer has decided which dice to hold."""
    for _ in range(400):
        prompt = made.appliance.prompt
        if isinstance(prompt, DicePrompt) and prompt.decided:
            return
        made.go_on()
    raise AssertionError("expected that it holds dice")


@pytest.mark.parametrize(("game", "strength"), ALONE)
def test_every_game_can_be_played_alone(game: str, strength: Strength) -> None:
    made = table(game, strength)
    made.play()
    assert isinstance(made.appliance.prompt, OverPrompt)
    session = made.session
    assert resume(session.record.setup, session.record.log).record.state == session.record.state
    saved = made.journal.last()
    assert saved is not None
    assert saved.ended
    record = record_of(saved)
    assert read_record(write_record(record)) == record
    assert drawn_fairly(record) is (True if record.seed else None)
    says = [
        line
        for line in replay_lines(session.record.rules, record, session.record.state)
        if "the seed" in line
    ]
    hidden = "every hidden die of a computer follows from the seed"
    drawn = "every card that was drawn follows from the seed"
    assert says == {"holdem": [hidden], "free-for-all": [drawn]}.get(game, [])
    if record.seed:
        assert not drawn_fairly(replace(record, seed=16 * "0"))
    played = Group()
    played.count(count_game(saved, 1))
    assert [made_by.player for made_by in standings(played.players)] == list(record.players)


def test_a_restart_in_mid_turn_goes_on_with_the_same_decision(tmp_path: Path) -> None:
    made = table("power", Strength.FUN, tmp_path / "games")
    until_it_holds(made)
    log, holds = made.session.record.log, made.session.record.holds
    made.journal.close()
    again = AtTable(tmp_path / "games", None)
    again.wait(12)
    assert (again.session.record.log, again.session.record.holds) == (log, holds)
    assert isinstance(again.appliance.prompt, DicePrompt)
    assert again.appliance.prompt.decided
    again.throw()
    assert len(again.session.record.log) == len(log) + 2


def test_a_power_cut_before_it_has_decided_changes_nothing(tmp_path: Path) -> None:
    made = table("power", Strength.FUN, tmp_path / "games")
    until_it_holds(made)
    made.journal.close()
    for file in folder_of(tmp_path / "games").rglob("*.game"):
        file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:-1]))
    again = AtTable(tmp_path / "games", None)
    assert not again.session.record.holds
    again.wait(12)
    assert again.session.record.log == made.session.record.log


def test_an_undo_goes_back_to_what_people_decided() -> None:
    made = table("classic")
    made.throw()
    made.press(Button.OK, Button.OK)
    anna = len(made.session.record.events)
    until_it_holds(made)
    while is_computers_turn(made.session) or len(made.session.record.events) < anna + 3:
        made.go_on()
    made.press(Button.BACK, Button.OK)
    assert isinstance(made.session.record.log[-1], Undone)
    assert len(made.session.record.events) == anna - 1
    ask = made.session.record.ask
    assert isinstance(ask, Choose)
    assert ask.seat == 0


def test_what_it_did_first_of_all_can_be_taken_back() -> None:
    setup = Setup("classic", ("ROBO *", "ANNA"), (("first", 0),))
    made = AtTable(":memory:", setup)
    until_it_holds(made)
    while is_computers_turn(made.session) or len(made.session.record.events) < 2:
        made.go_on()
    made.press(Button.BACK, Button.OK)
    assert len(made.session.record.events) == 1
    assert is_computers_turn(made.session)


def test_people_do_not_play_for_it_but_hurry_it() -> None:
    for button in (Button.HOLD1, Button.RIGHT, Button.HINT):
        made = until_it_thinks(table("classic"))
        before = made.session
        made.press(button)
        assert (made.session.record.events, made.session.record.holds) == (
            before.record.events,
            frozenset(),
        )
        shown = [type(made.appliance.prompt)]
        made.press(Button.OK)
        assert made.session == before, "the press takes the notice away, and hurries nobody"
        assert [*shown, type(made.appliance.prompt)] == [NoticePrompt, DicePrompt]
        made.press(Button.OK)
        assert isinstance(made.appliance.prompt, DicePrompt)
        assert len(made.session.record.log) > len(before.record.log)


def test_its_dice_can_be_put_right() -> None:
    made = until_it_thinks(table("classic"))
    face = made.session.record.state.dice[1]
    made.press(Button.HOLD2, long=True)
    made.press(Button.RIGHT, Button.OK)
    assert made.session.record.state.dice[1] != face
    assert is_computers_turn(made.session)


def test_it_decides_by_itself_once_its_dice_were_shown() -> None:
    made = until_it_thinks(table("classic"))
    before = made.session.record.log
    made.wait(4)
    line = made.session.record.log[len(before)]
    assert isinstance(line, Holding) or (
        isinstance(line, Played) and not isinstance(line.event, Keep)
    )


def test_hidden_dice_are_those_of_the_seed_and_stay_hidden() -> None:
    made = table("holdem")
    made.go_on()
    session = made.session
    assert session.record.seed
    own = computer_pocket(session.record.seed, session.record.state, 1)
    assert session.record.state.pockets == (None, None)
    while not isinstance(session.record.ask, Reveal):
        made.go_on()
        session = made.session
        assert own not in session.record.state.pockets
    for _ in range(30):
        if session.record.state.pockets[1] is not None or session.record.state.hand > 1:
            break
        made.go_on()
        session = made.session
    assert session.record.state.hand > 1 or session.record.state.pockets[1] == own


def test_a_computer_of_the_bag_needs_no_dice_of_the_bag() -> None:
    made = table("holdem")
    made.play(40)
    rules, state = made.session.record.rules, made.session.record.state
    if isinstance(rules.ask(state), Choose):
        shown = len(state.community)
        assert len(rules.unseen(state)) == 20 - shown


def test_it_is_thrown_for_and_the_board_says_whose_dice_these_are() -> None:
    made = table("classic")
    while made.session.record.ask.seat == 0:  # type: ignore[union-attr]
        made.go_on()
    prompt = made.appliance.prompt
    assert isinstance(prompt, ThrowPrompt)
    assert prompt.player == "ROBO ***"


def test_a_computer_among_several_has_a_name_of_its_own() -> None:
    names: list[str] = []
    for strength in (*Strength, *Strength):
        names.append(computer_name(strength, names))
        assert strength_of(names[-1]) is strength
    assert [name.split()[0] for name in names] == list(COMPUTER_NAMES)
    assert computer_name(Strength.FUN, ("ROBO",)) == "BEEP *"
    assert strength_of("ROBO") is None
    assert strength_of("ROBO ****") is None
    assert deciding_computer(("ROBO *",), Choose(0, reported=True)) is None


def test_bets_wait_without_dice() -> None:
    made = table("holdem")
    while not isinstance(made.appliance.prompt, ThinkingPrompt):
        made.go_on()
    assert made.appliance.prompt.player == "ROBO ***"


def test_a_game_of_computers_alone_is_watched() -> None:
    made = AtTable(":memory:", Setup("classic", ("ROBO *", "BEEP ***")))
    made.play()
    assert isinstance(made.appliance.prompt, OverPrompt)


def test_records_and_stats_keep_computers_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = table("classic", path=tmp_path / "games")
    made.play()
    console = Library(made.journal).with_records(made.appliance.console, lambda: False)
    assert console.kept.records is not None
    assert {score.player for score in console.kept.records} == {"ANNA"}
    made.journal.close()
    assert main(["stats", "--journal", str(tmp_path / "games")]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines() if "classic" in line]
    assert [line[2] for line in lines] == ["ANNA", "ROBO"]
