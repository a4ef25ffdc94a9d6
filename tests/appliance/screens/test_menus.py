"""Screens that cover the game: golden pictures, and nothing cut off whatever must be shown."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.journal.mending import what_to_tell
from appliance.journal.untold import Damage
from appliance.screens.draw import pages
from appliance.service.modules import OLD_FIRMWARE_PAGES, OWN_FILE_PAGES
from appliance.table.menu.asking import console_prompt
from appliance.table.menu.board_modules import BoardModules
from appliance.table.menu.console import (
    Aside,
    Console,
    Equipment,
    GamesKept,
    Notice,
    Page,
    resume_notice,
    with_refusal,
)
from appliance.table.menu.draft import Draft
from appliance.table.menu.main_menu import Keeping, Menu
from appliance.table.menu.modules import Modules
from appliance.table.menu.name_entry import LETTER_RING, NAME_END, Entry
from appliance.table.menu.new_game import (
    PickFirst,
    PickGame,
    PickName,
    PickOption,
    PickPlayers,
    Typing,
)
from appliance.table.menu.options import option_value_words, options_offered
from appliance.table.menu.own_die import OwnDie, ShownFace
from appliance.table.menu.played import OldGames, Review
from appliance.table.menu.preferences import HouseRules
from appliance.table.menu.prompting import (
    BrightnessPrompt,
    ListPrompt,
    ModulesPrompt,
    NamePrompt,
    NoticePrompt,
    QuestionPrompt,
    RollOffPrompt,
)
from appliance.table.menu.reviewing import Reviewed
from appliance.table.menu.roll_off import RollOff
from appliance.table.menu.settings import Settings
from appliance.table.menu.upkeep import About, GoodBye, Off
from appliance.table.names import MAX_NAME_LETTERS, NAME_LETTERS
from appliance.table.prompts.prompt import Prompt
from appliance.table.session.session import Setup, new_session
from appliance.table.session.tray import TraySeen
from appliance.words import CATALOGUES, Language, read_language
from games.registry import GAMES
from tests.appliance.screens.golden import assert_golden
from tests.appliance.screens.test_fit import LABELS
from tests.builders import reading
from tests.rigs.spoken import spoken
from vision.reading import DieState, Kind, TrayState

GOLDEN = Path(__file__).with_name("golden_menus.txt")
WIDE = "M" * MAX_NAME_LETTERS
WIDEST = tuple("M" * (MAX_NAME_LETTERS - 1) + letter for letter in "MWNABC")

DOUBTFUL = reading(None, kind=Kind.POWER, state=DieState.UNSURE)
SHOWN = (
    ShownFace("freeze", "PIPS TOO LARGE"),
    ShownFace("double", "NOT LEARNT YET"),
    *(ShownFace(face) for face in ("1", "2", "3", "power")),
)
SCREENS: dict[str, Prompt] = {
    "menu": ListPrompt("MENU", ("GO ON",), 0, 8),
    "game": ListPrompt("WHICH GAME?", ("FREE FOR ALL",), 3, 5),
    "players": ListPrompt("WHO PLAYS?", ("ANNA BOB", "CLEO"), 0, 7),
    "letter": NamePrompt(0, Entry("ANN", "A"), ""),
    "letter-first": NamePrompt(0, Entry(), ""),
    "letter-accent": NamePrompt(0, Entry("JÜR", "Ü"), ""),
    "letter-widest": NamePrompt(5, Entry("M" * (MAX_NAME_LETTERS - 1), "W"), ""),
    "letter-blank": NamePrompt(0, Entry("ANNA", " "), ""),
    "letter-end": NamePrompt(1, Entry("BOB", NAME_END), ""),
    "letter-full": NamePrompt(1, Entry(WIDE, NAME_END), ""),
    "letter-taken": NamePrompt(1, Entry("ANNA", NAME_END), "TAKEN"),
    "rule": ListPrompt("AFTER RAISE", ("NOW STOP", "NEXT MOVE PAWN"), 1, 2),
    "first": ListPrompt("WHO BEGINS?", ("ROLL-OFF",), 0, 3),
    "roll-off": RollOffPrompt("ANNA", False, None, TrayState.EMPTY),
    "roll-off-tie": RollOffPrompt("ANNA", True, ("BOB", 5), TrayState.STILL),
    "brightness": BrightnessPrompt(3),
    "modules": ModulesPrompt(0, 6),
    "about": ListPrompt("CAMERA", ("30 FPS",), 2, 6, ""),
    "record": ListPrompt("CLASSIC", ("GRÜNDLICHERR",), 0, 9, "254"),
    "record-turns": ListPrompt("HOLD'EM", ("GRÜNDLICHERR", "1800"), 8, 9, ""),
    "review": ListPrompt(
        "REVIEW", ("ANNA", "198 POINTS", "PAR 255", "DICE -30", "CHOICES -27"), 0, 8
    ),
    "review-choice": ListPrompt(
        "IN TURN 12", ("ANNA", "SIXES", "BETTER:", "LARGE STR", "COST 22.4"), 1, 8
    ),
    "keep": QuestionPrompt("NEW GAME?", ("THIS GAME", "IS KEPT")),
    "off": QuestionPrompt("SHUT DOWN?"),
    "other-dice": QuestionPrompt("NEW DICE?", ("BLUE", "NOW RED")),
    "own-die": OwnDie().prompt(Console()),
    "own-die-read": OwnDie(reading=reading(4), face=4).prompt(Console()),
    "own-die-asked": OwnDie(reading=DOUBTFUL, face="freeze", entering=True).prompt(Console()),
    "own-die-judged": OwnDie(SHOWN[:3], DOUBTFUL, "freeze", judged=True).prompt(Console()),
    "own-die-complete": OwnDie(SHOWN).prompt(Console()),
    "own-die-two": OwnDie(count=2).prompt(Console()),
    "about-colour": ListPrompt("COLOUR", ("YELLOW",), 4, 9, ""),
    "about-face": ListPrompt("BLUE 1", ("ASKED 4 OF 6",), 5, 9, ""),
    "about-why": ListPrompt("POWER FREEZE", ("LIKE POWER DIE",), 6, 9, ""),
    "good-bye": NoticePrompt((("GOODBYE", "SHUTS DOWN"),), passing=False, last=True),
    "welcome": NoticePrompt((("WELCOME BACK", "CLASSIC"), ("ANNA", "YOUR TURN"))),
}


def test_menus_are_as_the_golden_pictures() -> None:
    assert_golden(GOLDEN, {name: pages(prompt) for name, prompt in SCREENS.items()})


def reviewing(*said: Reviewed) -> Console:
    return Console(pages=(Review(),), kept=GamesKept(review=said))


GERMAN = read_language(CATALOGUES / "de.toml")


@pytest.mark.parametrize("language", [Language(), GERMAN], ids=["en", "de"])
def test_every_choice_that_a_review_names_fits(language: Language) -> None:
    parts = "3550 POINTS", "PAR 1076", "DICE -1234", "CHOICES -1234"
    with spoken(language):
        fits(reviewing(Reviewed("REVIEW", (WIDE, *parts))))
        lines = (WIDE, "BETTER:", "COST 1234.5", *LABELS)
        fits(reviewing(*(Reviewed("IN TURN 250", lines),) * 24))
        for label, held in (*((label, None) for label in LABELS), ("ROLL ALL", ()), ("X", (0, 4))):
            for dice in ((1, 2, 3, 4, 5), (1, 2, 3, 4, 5, "power")):
                said = Reviewed("IN TURN 250", lines, dice, held, held, label, label)
                fits(reviewing(*(said,) * 24))


def items(console: Console) -> tuple[str, ...]:
    return tuple(row.lines[0] for row in Menu().rows(console))


def fits(console: Console) -> None:
    assert pages(console_prompt(console))


def playing(game: str, names: tuple[str, ...] = WIDEST) -> Console:
    """A console whose game has as many players as it allows, its options those of the next game."""
    rules = GAMES[game]
    setup = Setup(game, names[: rules.max_players])
    settings = Settings(names, (setup,))
    return Console(
        new_session(setup),
        settings=settings,
        kept=GamesKept(
            tuple(Aside(n, g, names[: GAMES[g].max_players]) for n, g in enumerate(GAMES))
        ),
        equipment=Equipment(can_calibrate=True),
    )


@pytest.mark.parametrize("game", GAMES)
def test_every_item_and_every_option_of_every_game_fits(game: str) -> None:
    console = playing(game)
    for index in range(len(Menu().rows(console))):
        fits(replace(console, pages=(Menu(index),)))
    for index in range(len(console.kept.aside)):
        fits(replace(console, pages=(OldGames(index),)))
    rules = GAMES[game]
    for name in options_offered(game):
        for index, value in enumerate(rules.options[name]):
            draft = Draft(game, 2, WIDEST[:2])
            fits(replace(console, pages=(PickOption(draft, name, index),)))
            changed = replace(console, settings=console.settings.with_option(game, name, value))
            for row in range(len(HouseRules().rows(changed))):
                fits(replace(changed, pages=(HouseRules(row),)))
    assert console.session is not None
    for greeting in ("WELCOME BACK", "GOES ON"):
        fits(replace(console, notice=resume_notice(console.session, greeting)))


@pytest.mark.parametrize("game", GAMES)
def test_every_step_of_setting_up_fits(game: str) -> None:
    console = playing(game)
    rules = GAMES[game]
    draft = Draft(game, rules.max_players, WIDEST[: rules.max_players])
    seated = replace(draft, players=WIDEST[: rules.max_players - 1])
    steps: list[Page] = [PickGame(n) for n in range(len(GAMES))]
    steps += [PickPlayers(Draft(game), n) for n in range(8)]
    steps += [PickName(seated, n) for n in range(8)]
    steps += [PickFirst(draft, n) for n in range(7)]
    steps += [RollOff(draft, totals) for totals in ((), (1,), (6,) * rules.max_players)]
    steps += [RollOff(draft, (), True, face) for face in (None, *range(1, 7))]
    steps += [RollOff(draft, (), thrown=count) for count in (2, 12)]
    steps += [Typing(seated, Entry(WIDE, NAME_END), remark) for remark in ("", "TAKEN", "NO NAME")]
    steps += [Keeping(), Off(), GoodBye()]
    for page in steps:
        for tray in TrayState:
            fits(replace(console, pages=(page,), tray=TraySeen(tray)))


def test_every_option_of_every_game_has_words_of_its_own() -> None:
    for rules in GAMES.values():
        for name, values in rules.options.items():
            assert name in rules.option_words
            words = [option_value_words(rules.name, name, value) for value in values]
            assert len(set(words)) == len(words)
            assert all("_" not in word and "FALSE" not in word for word in words)


@given(
    st.text(NAME_LETTERS, max_size=MAX_NAME_LETTERS),
    st.sampled_from(LETTER_RING),
    st.integers(0, 5),
    st.sampled_from(["", "TAKEN", "NO NAME"]),
)
def test_every_name_can_be_entered_and_seen(text: str, letter: str, seat: int, remark: str) -> None:
    letter = NAME_END if len(text) == MAX_NAME_LETTERS else letter
    assert len(pages(NamePrompt(seat, Entry(text, letter), remark))) == 1


@given(
    st.text(NAME_LETTERS, min_size=1, max_size=MAX_NAME_LETTERS), st.integers(1, 6), st.booleans()
)
def test_every_name_fits_into_a_notice(name: str, face: int, again: bool) -> None:
    pages(RollOffPrompt(name, again, (name, face), TrayState.STILL))
    pages(RollOffPrompt(name, again, None, TrayState.HAND))
    pages(NoticePrompt(((name, "YOUR TURN"),)))
    pages(ListPrompt("PLAYER 6?", (name,), 23, 25))


def test_every_brightness_is_another_picture() -> None:
    assert len({pages(BrightnessPrompt(level)) for level in range(16)}) == 16


@pytest.mark.parametrize("language", [Language(), GERMAN], ids=["en", "de"])
def test_why_no_layout_can_be_chosen_fits(language: Language) -> None:
    with spoken(language):
        for trouble in (OLD_FIRMWARE_PAGES, OWN_FILE_PAGES):
            fits(
                Console(
                    pages=(Modules(),),
                    equipment=Equipment(modules=BoardModules("1", ("a",), trouble=trouble)),
                )
            )
        fits(with_refusal(Console(), "MODULES", "NOT SAVED"))


ONE, MANY = Damage(99_999), Damage(0, games=99_999)
DAMAGES = (
    *((ONE,), (MANY,), (Damage(0, games=0),), (replace(ONE, gone=True), replace(MANY, gone=True))),
    *((replace(ONE, lost=99_999),), (replace(ONE, lost=99_999), replace(ONE, lost=1))),
    *((Damage(0, lost=1, games=0),), (Damage(0, lost=1, gone=True, games=0),)),
    (Damage(0, gone=True, games=0),),
)


def told(damages: Sequence[Damage]) -> Sequence[tuple[str, str]]:
    mended = what_to_tell(damages)
    assert mended is not None
    return mended.pages


def test_refusals_and_health_fit() -> None:
    console = Console()
    for what, why in (
        ("GAME 99999", "IS DAMAGED"),
        ("CALIBRATE", "NOT POSSIBLE"),
        ("CANNOT", "SHUT DOWN"),
        *(page for damages in DAMAGES for page in told(damages)),
    ):
        fits(with_refusal(console, what, why))
    lines = (
        ("SOFTWARE", "10.20.30"),
        ("FIRMWARE", "10.20.30"),
        ("BUILD", "WWWWWWWW"),
        ("CAMERA", "120 FPS"),
        ("CAMERA", "NO PICTURE"),
        ("DISK", "9999 GB FREE"),
        ("TEMP", "105 C"),
        ("SUPPLY", "TOO WEAK"),
    )
    for index in range(len(lines)):
        fits(Console(pages=(Menu(), About(index)), equipment=Equipment(about=lines)))


def test_the_menu_names_what_can_be_done_only() -> None:
    console = Console()
    settings = ("BRIGHTNESS", "LANGUAGE", "RULES", "TRY A TURN", "ABOUT", "SHUT DOWN")
    assert items(console) == ("NEW GAME", *settings)
    assert "CALIBRATE" in items(Console(equipment=Equipment(can_calibrate=True)))
    assert "MODULES" in items(Console(equipment=Equipment(modules=BoardModules("1", ("fc16",)))))
    assert isinstance(console_prompt(replace(console, notice=Notice((("A", "B"),)))), NoticePrompt)
