"""With the voice and the buttons alone somebody who sees nothing plays whole games."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from appliance.alerts import Alert
from appliance.devices.voice import Mute, Voice
from appliance.inputs import HOLD_BUTTONS, Button, Pressed
from appliance.service.environment import Environment
from appliance.service.voice_announcer import news, sentences, warning
from appliance.table.menu.console import Console, Equipment
from appliance.table.menu.options import seat_option
from appliance.table.menu.preferences import VoicePage
from appliance.table.menu.prompting import NoticePrompt
from appliance.table.menu.settings import Settings, from_text
from appliance.table.prompts.betting import BetPrompt
from appliance.table.prompts.turn import ChoicePrompt, OverPrompt
from appliance.table.session.session import Setup
from calibration.problems import Problem
from games.registry import GAMES
from games.values import Choose, Face, OptionValue, Points
from tests.appliance.table.menu.fake_service import FakeService
from tests.builders import die, roll
from tests.rigs.at_table import AtTable
from tests.rigs.gallery import SITUATIONS
from tests.rigs.spoken import spoken
from vision.reading import POWER_FACES, Kind

RECORDS = Path(__file__).parent / "spoken"
MAX_DECISIONS = 1500


@dataclass
class Ear:
    """Keeps all that is said."""

    silent: bool = False
    heard: list[str] = field(default_factory=list)
    fresh: list[str] = field(default_factory=list)

    def speak(self, said: Sequence[str], language: str) -> None:
        assert language == "en"
        self.heard += said
        # What is said last cuts short what was being said.
        self.fresh = list(said)


def heard_as_held(said: Sequence[str]) -> set[int]:
    """The places of the dice that are said to be held."""
    found = re.search("Held: ([^.]*)", " ".join(said))
    return {int(place) - 1 for place in found[1].split(", ")} if found else set()


BETS = re.compile(r"(?:^|\. )((?:Check|Call|Bet|Raise|All in|Fold)\b[^.]*)\.")


@dataclass
class BlindPlayer:
    """Plays with nothing but what is heard: no prompt, no session, no picture is looked at.

    Dice are thrown by hands that feel for the places of those to keep.
    """

    table: AtTable
    ear: Ear

    def go_on(self) -> bool:
        """Does what was asked last; False once the game is over."""
        text = " ".join(self.ear.fresh)
        if "Game over" in text:
            return False
        if bets := BETS.findall(text):
            self.bet(bets[-1])
            return True
        if row := re.search(r"in order: ([^.]*)\. .*Throw the others", text):
            self.hold_and_throw(row[1].split(", "))
        elif "into the tray" in text or "in the tray" in text:
            self.table.throw()
        elif re.search(r"\bOK\b", text):
            self.table.press(Button.OK)
        else:
            # Nothing to be done was said: whatever button, it is told again.
            self.table.press(Button.HINT)
        return True

    def bet(self, offered: str) -> None:
        """Never checks or folds: bets little and calls, until somebody has all the chips."""
        takes = offered.startswith(("Bet", "Call", "All in"))
        self.table.press(Button.OK if takes else Button.RIGHT)

    def hold_and_throw(self, faces: list[str]) -> None:
        """Holds those of which there are most, by their places; with four alike, stops."""
        most, count = Counter(faces).most_common(1)[0]
        if count >= 4:
            self.table.press(Button.OK)
            return
        keep = [place for place, face in enumerate(faces) if face == most and count > 1]
        held = heard_as_held(self.ear.fresh)
        before = len(self.ear.heard)
        for place in sorted({*keep} ^ held):
            self.table.press(HOLD_BUTTONS[place])
        said = [line for line in self.ear.heard[before:] if "eld" in line]
        # Some dice must stay, which is said, too.
        held = heard_as_held(said[-1:]) if said else held
        assert held >= {*keep}, said
        self.throw_others(held)

    def throw_others(self, keep: Collection[int]) -> None:
        """Hands throw all dice but these; what they then show is for the camera."""
        table = self.table
        rules, state = table.session.record.rules, table.session.record.state
        assert isinstance(rules.ask(state), Choose)
        lying = []
        for slot, old in enumerate(rules.dice(state)):
            if old is None:
                continue
            kind = Kind(rules.dice_kinds[slot].value)
            faces: tuple[Face, ...] = POWER_FACES if kind is Kind.POWER else (1, 2, 3, 4, 5, 6)
            new = table.random.choice(faces)
            lying.append(die(slot, old if slot in keep else new, kind, thrown=slot not in keep))
        table.watcher.events = [roll(*lying)]
        table.wait()


@dataclass
class AdvisedPlayer(BlindPlayer):
    """Asks for a hint at every decision, takes it, and throws the dice that are not held."""

    all_thrown: bool = False

    def go_on(self) -> bool:
        """Does what was asked last; False once the game is over."""
        text = " ".join(self.ear.fresh)
        if "the others" not in text:
            self.all_thrown = "Hint: throw all" in text
            return super().go_on()
        held = heard_as_held(self.ear.fresh)
        if "Throw the others" in text and (held or self.all_thrown):
            self.throw_others(held)
            self.all_thrown = False
        else:
            self.table.press(Button.HINT)
        return True


def play_by_ear(
    game: str,
    player_class: type[BlindPlayer] = BlindPlayer,
    rules: tuple[tuple[str, OptionValue], ...] = (),
) -> tuple[AtTable, Ear]:
    ear = Ear()
    environment = Environment(speaks=True)
    stack = (("stack", 50),) if game == "holdem" else ()
    options = tuple(sorted(((seat_option(game), 0), *stack, *rules)))
    setup = Setup(game, ("ANNA", "BEN"), options)
    table = AtTable(":memory:", setup, 7, environment, voice=ear)
    player = player_class(table, ear)
    for _ in range(MAX_DECISIONS):
        table.wait(2)
        if not player.go_on():
            return table, ear
    raise AssertionError(ear.heard[-20:])


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_by_ear(game: str) -> None:
    table, ear = play_by_ear(game)
    session = table.session
    assert isinstance(table.appliance.prompt, OverPrompt)
    totals = session.record.rules.scores(session.record.state)
    last = next(line for line in reversed(ear.heard) if re.match(r"\w+ \d+, ", line))
    assert {*last.rstrip(".").split(", ")} == {f"Anna {totals[0]}", f"Ben {totals[1]}"}
    if game not in ("classic", "showdown", "holdem"):
        return
    record = "".join(f"{line}\n" for line in ear.heard)
    path = RECORDS / f"{game}.txt"
    assert record == path.read_text(), "what is said has changed: look at it, then store it"


def test_nothing_is_said_where_no_voice_is_wanted() -> None:
    ear = Ear()
    setup = Setup("classic", ("ANNA", "BEN"), (("first", 0),))
    table = AtTable(":memory:", setup, 7, Environment(speaks=False), voice=ear)
    table.throw()
    table.press(Button.OK)
    assert ear.heard == []


def test_the_menu_switches_the_voice_on_and_that_is_remembered() -> None:
    ear = Ear()
    setup = Setup("classic", ("ANNA", "BEN"), (("first", 0),))
    table = AtTable(":memory:", setup, 7, Environment(speaks=False), voice=ear)
    console = table.appliance.console
    table.appliance.console = console.push(VoicePage())
    table.wait()
    table.press(Button.OK)
    assert "Voice: switch off." in ear.heard[-1]
    assert table.appliance.console.settings.voice is True
    assert from_text(table.appliance.console.settings.text).voice is True
    table.press(Button.OK)
    before = len(ear.heard)
    table.press(Button.BACK)
    assert len(ear.heard) == before
    assert from_text(Settings().text).voice is None


def test_the_menu_has_no_voice_where_there_is_none() -> None:
    service = FakeService(Console())
    words = set()
    for _ in range(12):
        words.add(str(service.happen(Pressed(Button.RIGHT))))
    assert not any("VOICE" in word for word in words)
    service = FakeService(Console(equipment=Equipment(speaks=False)))
    service.choose("VOICE")
    assert isinstance(service.console.page, VoicePage)


def test_a_press_that_only_uncovers_the_board_is_answered_with_what_it_shows() -> None:
    ear = Ear()
    setup = Setup("classic", ("ANNA",), (("first", 0),))
    table = AtTable(":memory:", setup, 7, Environment(speaks=True), voice=ear)
    table.throw()
    table.press(Button.OK, Button.OK)
    ear.fresh = []
    # The points lie over the request for the next throw.
    table.press(Button.RIGHT)
    assert any("into the tray" in line for line in ear.fresh), ear.fresh


def test_what_is_wrong_is_said() -> None:
    ear = Ear()
    setup = Setup("classic", ("ANNA",), (("first", 0),))
    table = AtTable(":memory:", setup, 7, Environment(speaks=True), voice=ear)
    table.appliance.warn(Alert.CAMERA_GONE, blind=True)
    assert warning(Alert.CAMERA_GONE)[0] in ear.heard


def test_only_what_is_new_is_said() -> None:
    scenes = {scene.name: scene.prompt for situation in SITUATIONS for scene in situation.scenes}
    choice = scenes["choice"]
    assert news(None, choice) == sentences(choice)
    assert news(choice, choice) == ()


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_prompt_has_something_to_say_without_words_in_capitals(language: str) -> None:
    with spoken(language):
        for situation in SITUATIONS:
            for scene in situation.scenes:
                said = sentences(scene.prompt)
                assert said, scene
                loud = re.findall(r"\b[A-ZÄÖÜ]{2,}\b", " ".join(said))
                assert {*loud} <= {"OK", "PIN"}, said


def test_where_there_is_only_one_choice_none_is_said_to_be_beside_it() -> None:
    one = ChoicePrompt("ANNA", "ONES", Points(2), 0, 1, ())
    bet = BetPrompt("BOB", "ALL IN 5", 5, 5, 30, "FLOP", 0, 1, ())
    assert {sentences(alone)[-1] for alone in (one, bet)} == {"OK takes it."}
    among = (replace(one, count=2), replace(bet, count=2))
    assert {sentences(each)[-1] for each in among} == {"OK takes it, left and right show others."}


def test_a_voice_that_nobody_hears_is_missed_while_it_is_wanted() -> None:
    class Voiceless(Mute):
        silent = True

    setup = Setup("classic", ("ANNA",), ())

    def missed(speaks: bool | None, voice: Voice) -> bool:
        table = AtTable(":memory:", setup, 7, Environment(speaks=speaks), voice=voice)
        return table.appliance.misses_voice

    assert missed(True, Voiceless())
    for speaks, voice in ((True, Mute()), (False, Voiceless()), (None, Voiceless())):
        assert not missed(speaks, voice)


def test_markers_that_cannot_be_used_are_spoken_of_in_both_languages() -> None:
    notice = NoticePrompt((Problem.MARKERS_MIXED.lines,))
    assert sentences(notice)[0] == "Markers mixed as on the sheet."
    with spoken("de"):
        assert sentences(notice)[0] == "Marken falsch wie auf blatt."
