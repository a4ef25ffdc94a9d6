"""The voice says what is new, what can be done once, and all of it on a press."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from appliance.alerts import Alert
from appliance.devices.voice import Mute, Voice
from appliance.inputs import Button, Pressed
from appliance.service.environment import Environment
from appliance.service.voice_announcer import (
    VoiceAnnouncer,
    everything,
    keys,
    sentences,
    warning,
)
from appliance.table.menu.console import Console, Equipment
from appliance.table.menu.preferences import VoicePage
from appliance.table.menu.prompting import NoticePrompt
from appliance.table.menu.settings import Settings, from_text
from appliance.table.prompts.betting import BetPrompt
from appliance.table.prompts.turn import ChoicePrompt, DicePrompt, OverPrompt
from appliance.table.session.modes import Hinting
from appliance.table.session.session import Setup
from appliance.words import Label
from calibration.problems import Problem
from games.values import Points
from tests.appliance.table.menu.fake_service import FakeService
from tests.rigs.at_table import AtTable
from tests.rigs.gallery import SITUATIONS
from tests.rigs.spoken import spoken
from vision.reading import TrayState


@dataclass
class Ear:
    """Keeps all that is said."""

    silent: bool = False
    heard: list[str] = field(default_factory=list)
    fresh: list[str] = field(default_factory=list)
    stops: int = 0

    def speak(self, said: Sequence[str], language: str) -> None:
        assert language == "en"
        self.heard += said
        # What is said last cuts short what was being said.
        self.fresh = list(said)

    def stop(self) -> None:
        self.stops += 1


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
    assert "Voice: Switch off." in ear.fresh
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
    assert any("throw 5 dice" in line for line in ear.fresh), ear.fresh


def test_what_is_wrong_is_said() -> None:
    ear = Ear()
    setup = Setup("classic", ("ANNA",), (("first", 0),))
    table = AtTable(":memory:", setup, 7, Environment(speaks=True), voice=ear)
    table.appliance.warn(Alert.CAMERA_GONE, blind=True)
    assert warning(Alert.CAMERA_GONE)[0] in ear.heard


def test_only_what_is_new_is_said() -> None:
    ear = Ear()
    announcer = VoiceAnnouncer(ear)
    choice = ChoicePrompt("ANNA", Label("fours"), Points(8), 0, 2, ())
    announcer.take_prompt(choice, wanted=True)
    assert ear.fresh == [*sentences(choice), *keys(choice)]
    ear.fresh = []
    announcer.take_prompt(choice, wanted=True)
    assert ear.fresh == []
    announcer.take_prompt(replace(choice, points=Points(12)), wanted=True)
    assert ear.fresh == ["Fours, 12 points."]


def test_what_can_be_done_is_said_once_a_game() -> None:
    ear = Ear()
    announcer = VoiceAnnouncer(ear)
    choice = ChoicePrompt("ANNA", Label("fours"), Points(8), 0, 2, ())
    over = OverPrompt(("ANNA",), (("ANNA", 8), ("BEN", 7)))
    todo = "OK takes it, left and right show others."
    for prompt, said in ((choice, True), (over, False), (choice, True)):
        announcer.take_prompt(prompt, wanted=True)
        assert (todo in ear.fresh) is said
    for index in range(2):
        announcer.take_prompt(
            BetPrompt("BOB", "CHECK", 0, 5, 30, "FLOP", index, 2, ()), wanted=True
        )
        announcer.take_prompt(replace(choice, index=index), wanted=True)
        assert todo not in ear.fresh


@pytest.mark.parametrize(
    ("language", "held", "said"),
    [
        ("en", (2,), "Die 3 held: 5."),
        ("en", (0, 2, 5), "Dice 1 3 6 held: 2 5, double."),
        ("de", (2,), "Würfel 3 gehalten: 5."),
        ("de", (0, 2, 5), "Würfel 1 3 6 gehalten: 2 5, Double."),
    ],
)
def test_what_is_held_is_said_by_place_and_by_face(
    language: str, held: tuple[int, ...], said: str
) -> None:
    dice = (2, 2, 5, 2, 4, "double")
    shown = DicePrompt("ANNA", 1, 3, dice, held, "SCORE", may_roll=True, tray=TrayState.STILL)
    with spoken(language):
        assert said in sentences(shown)


def at_a_roll() -> tuple[AtTable, Ear]:
    """A table at which the first roll of a game lies."""
    ear = Ear()
    setup = Setup("classic", ("ANNA", "BEN"), (("first", 0),))
    table = AtTable(":memory:", setup, 7, Environment(speaks=True), voice=ear)
    table.throw()
    return table, ear


@pytest.mark.parametrize("button", Button)
def test_any_press_ends_what_is_being_said(button: Button) -> None:
    table, ear = at_a_roll()
    before = ear.stops
    table.press(button)
    assert ear.stops == before + 1


def test_holding_hint_says_the_last_words_again_and_all_else_that_is_shown() -> None:
    table, ear = at_a_roll()
    said, shown = ear.fresh, table.appliance.prompt
    assert isinstance(shown, DicePrompt)
    table.press(Button.HOLD2)
    held = ear.fresh
    assert held == [f"Die 2 held: {shown.dice[1]}."]
    table.press(Button.HINT, long=True)
    assert ear.fresh[:1] == held
    assert {*ear.fresh} >= {*everything(table.appliance.prompt)}
    assert said[0] in ear.fresh
    # Nothing else happens.
    assert table.appliance.prompt == replace(shown, held=(1,))


def test_without_a_voice_holding_hint_asks_for_a_hint() -> None:
    setup = Setup("classic", ("ANNA", "BEN"), (("first", 0),))
    table = AtTable(":memory:", setup, 7, Environment(speaks=False), voice=Ear())
    table.throw()
    table.press(Button.HINT, long=True)
    assert isinstance(table.session.mode, Hinting)


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_prompt_has_something_to_say_without_words_in_capitals(language: str) -> None:
    with spoken(language):
        for situation in SITUATIONS:
            for scene in situation.scenes:
                said = everything(scene.prompt)
                assert said, scene
                loud = re.findall(r"\b[A-ZÄÖÜ]{2,}\b", " ".join(said))
                assert {*loud} <= {"OK", "PIN"}, said


def test_where_there_is_only_one_choice_none_is_said_to_be_beside_it() -> None:
    one = ChoicePrompt("ANNA", "ONES", Points(2), 0, 1, ())
    bet = BetPrompt("BOB", "ALL IN 5", 5, 5, 30, "FLOP", 0, 1, ())
    assert {keys(alone) for alone in (one, bet)} == {("OK takes it.",)}
    among = (replace(one, count=2), replace(bet, count=2))
    assert {keys(each) for each in among} == {("OK takes it, left and right show others.",)}


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
