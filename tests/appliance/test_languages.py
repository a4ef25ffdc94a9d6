"""Every language has all the texts people read and no others, and all of them fit on the board."""

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from appliance import words
from appliance.aiming import Advice
from appliance.alerts import Alert
from appliance.cli.play import UNKNOWN_KEY_SENTENCE, WHAT_TO_PLAY
from appliance.cli.shared.simulated_game import SAVED_SENTENCE
from appliance.devices.camera.phone import Away
from appliance.guidance import BUTTON_BY_KEY, KEY_BY_NAME, LABEL_BY_KEY_TEXT
from appliance.inputs import Key
from appliance.screens.calibrating import wizard_pages
from appliance.screens.draw import pages
from appliance.screens.drawing.canvas import Canvas
from appliance.screens.drawing.font import SMALL, TALL, Font
from appliance.screens.drawing.layout import two_lines
from appliance.screens.modules import MODULE_NAMES
from appliance.service.phase import Phase
from appliance.simulator import commentary
from appliance.simulator.people import person
from appliance.simulator.people.at_keys import PRESSED_TOO_LATE, TRAY_IS_BUSY, TRAY_IS_NOT_DRAWN
from appliance.simulator.people.tutorial import FINISHED_LINE, TUTORIAL_STEPS
from appliance.table.names import PLAIN_LETTERS
from appliance.table.prompts import wording
from appliance.table.prompts.looking import PlacePrompt, SheetPrompt, UndoPrompt
from appliance.table.prompts.turn import ChoicePrompt
from appliance.table.session.hinting import CHOICES_WITHOUT_VERB
from appliance.terminal.keyboard import KEY_HELP
from appliance.terminal.screen import KEYS_ALWAYS, KEYS_AS_BUTTONS, KEYS_WHILE_TYPING
from appliance.words import ENGLISH, Label, Language, languages, read_language, say
from calibration.markers.printed import MARKER_NAMES
from calibration.own_dice import WHY_ON_BOARD
from calibration.problems import Problem, Verdict
from calibration.wizard.pages import Page
from calibration.wizard.prompts import wizard_prompt as prompt_of
from calibration.wizard.state import Seen, Wizard
from games.chance import random_event
from games.computers import COMPUTER_NAMES
from games.game import Game
from games.registry import GAMES
from games.strategy.solver import WORDS_OF_REASONS
from games.values import DieKind, Measure, Points
from tests.appliance.screens.golden import assert_golden
from tests.appliance.screens.test_fit import (
    DICE,
    HIGHEST,
    LABELS,
    MOST_CHIPS,
    REASONS,
    WIDE,
    spots,
)
from tests.paths import ROOT
from tests.rigs.gallery import SITUATIONS, pictures
from tests.rigs.gallery.calibrating import SCREENS
from tests.rigs.spoken import spoken
from tests.rigs.strict_drawing import strict_drawing
from vision.body_colours import ColourName
from vision.reading import POWER_FACES

OTHERS = tuple(code for code in languages() if code != ENGLISH)
SCENES = [scene for situation in SITUATIONS for scene in situation.scenes]
GOLDEN = Path(__file__).with_name("golden_german.txt")

PAGE_BUTTONS = {*Key} - {Key.ARROWS, Key.NUMBERS, Key.LETTERS}
"""Keys that do one thing, for which a page has a button."""

SPEAKERS = {"say", "guidance"}
"""Functions whose texts are keys, called directly or passed to `map`."""

ROOMS = (
    *("appliance/alerts.py", "appliance/cli/stick.py", "appliance/devices/stick.py"),
    *("appliance/diagnostics/about.py", "appliance/journal/library.py"),
    *("appliance/journal/mending.py", "appliance/journal/taking_in.py", "appliance/service"),
    *("appliance/table", "appliance/screens", "appliance/simulator/people/at_keys.py"),
    *("calibration/accuracy.py", "calibration/difference.py", "calibration/problems.py"),
    "calibration/wizard",
)
"""Where texts for the board are made that are translated elsewhere: constants in capitals."""

NOT_SHOWN = {
    *("ABC", "AB", "NFD", "NFKC", "OFF", "SS", "TOML", "DAMAGED-", "SELECT", "FROM", "LIMIT 0"),
    *(
        PLAIN_LETTERS,
        MODULE_NAMES,
        "HUWY",
        "HOUWY",
        "THROW",
    ),
    *("HTTP://", ".LOCAL:", "BACKSPACE"),
}
"""Constants in capitals that no board shows, and columns of a record as text."""

SENTENCES = (
    *(person.NOTHING_TO_THROW, person.NOTHING_TO_SHOW, person.NO_CUP, person.ALL_HELD),
    *(person.NO_DICE, person.NO_THROW_LEFT),
)
_NAMED = re.compile(r"[^\s|\"(][^\n|]*\|[^\n|]+|[^\n\"]*\{[a-z]+\}[^\n\"]*")
"""A key and what it does, or a text with placeholders."""
_OTHER_PLACE = re.compile("(C[12]|[1-5][ABC]|6[AB]|[AB]) ")
"""A card in a place as wide as another of its kind, which is tested instead."""
_CAPITALS = re.compile(r"[-A-Z0-9 <>:?!.,'/+]*[A-Z]{2}[-A-Z0-9 <>:?!.,'/+]*")


def modules(*rooms: str, having: str = "") -> Iterator[tuple[Path, ast.Module]]:
    """The parsed sources of rooms in which a pattern is found."""
    for path in (ROOT / room for room in rooms):
        for file in [path] if path.is_file() else sorted(path.rglob("*.py")):
            if re.search(having, text := file.read_text()):
                yield file, ast.parse(text)


def strings(tree: ast.AST, *beside: type[ast.AST]) -> Iterator[str]:
    """The texts in a piece of source, except those in nodes of these types."""
    if isinstance(tree, ast.Constant) and isinstance(tree.value, str):
        yield tree.value
    elif not isinstance(tree, beside):
        for child in ast.iter_child_nodes(tree):
            yield from strings(child, *beside)


def said() -> set[str]:
    """The texts that are keys as they stand, placeholders included."""
    found: set[str] = set()
    for file, tree in modules("appliance", having=r"\b(say|guidance)\b"):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and SPEAKERS & {
                getattr(name, "id", "") for name in (node.func, *node.args[:1])
            }:
                for given in node.args:
                    found |= set(strings(given, ast.JoinedStr, ast.Call))
        if file.parent.name == "prompts" or file.name in (
            *("guidance.py", "guide.py", "pointing.py", "screen.py", "appliance.py", "at_keys.py"),
            *("prompting.py", "turn.py"),
        ):
            # Texts that are given a name before they are said.
            found |= {t for t in strings(tree, ast.JoinedStr) if _NAMED.fullmatch(t)}
    for page in (ROOT / "appliance/web/pages").glob("*/*.js"):
        if "/shared/words.js" not in page.read_text():
            continue
        pattern = r'"([^"\n]*)"' if page.name == "texts.js" else r'say\("([^"\n]*)"'
        quoted = set(re.findall(pattern, page.read_text()))
        found |= {text for text in quoted if re.search("[A-Z ].", text) or text in {"held", "kept"}}
    found |= {*LABEL_BY_KEY_TEXT.values()}
    found = {text for text in found if re.search("[A-Za-z]", re.sub("{.*?}", "", text))}
    return found | {words.WITH_TENTHS}


def made() -> set[str]:
    """The texts that are composed of phrases: constants of the rooms, and all labels."""
    found = {text.strip() for _, tree in modules(*ROOMS) for text in strings(tree)}
    found = {text for text in found - NOT_SHOWN if _CAPITALS.fullmatch(text)}
    found |= {*(line for alert in Alert for line in alert.lines)}
    found |= {line for problem in Problem for line in problem.lines if line}
    found |= {
        *KEY_HELP.values(),
        KEYS_ALWAYS,
        KEYS_AS_BUTTONS,
        KEYS_WHILE_TYPING,
        *MARKER_NAMES,
        FINISHED_LINE,
        WHAT_TO_PLAY,
        SAVED_SENTENCE,
        UNKNOWN_KEY_SENTENCE,
    }
    found |= {step.line for step in TUTORIAL_STEPS} | {*SENTENCES}
    found |= {PRESSED_TOO_LATE, TRAY_IS_BUSY, TRAY_IS_NOT_DRAWN}
    found |= {*commentary.SENTENCES, *(advice.value for advice in Advice)}
    found |= {why.value for why in Away} - {Away.NOBODY.value}
    found |= {*wording.ONE_DIE, *wording.SEVERAL_DICE, *wording.COUNTS} - {""}
    for kind in DieKind:
        found |= {kind, kind.upper(), f"{kind} DIE".upper(), f"the {kind} die"} - {"the black die"}
        if kind is not DieKind.BLACK:
            found |= {f"{verb} {kind} DIE".upper() for verb in ("THROW", "THROWS")}
    found |= {str(face) for face in POWER_FACES} | {f"THROWS {n} DICE" for n in range(2, 8)}
    # What the network script writes for ABOUT.
    script = (ROOT / "systemd/network.sh").read_text()
    for text in re.findall(r'"((?:NETWORK|NUMBER|WHY)[^"$]*)', script):
        found.add(text.strip())
    # What an upgrade from a stick answers.
    for line in (ROOT / "systemd/upgrade.sh").read_text().splitlines():
        if re.search(r"\b(note|answer) ", line):
            found.update(re.findall(r'"([A-Z][A-Z ]+)"', line))
    found |= {"60 DICE 0 WRONG", "SPACE 3"}
    # A box or card of a number beside other words.
    found |= {f"{number} 4" for number in ("ACES", "ONES")}
    # What ABOUT says of the owner's dice.
    found |= {*WHY_ON_BOARD.values(), *(name.upper() for name in ColourName)}
    found |= {"ASKED 4 OF 6", "2 WRONG OF 9"}
    found |= {name for key in BUTTON_BY_KEY.items() for name in key if name.isupper()}
    for game in GAMES.values():
        found |= {line for page in game.telling for line in page}
        for options in game.option_words.values():
            found |= {f"NOW {Label(key)}" for key in options.values.values()}
    return found


def keys() -> set[str]:
    """The keys of the rules that the board has labels for."""
    found = {
        *REASONS,
        *(label.key for label in LABELS),
        *(verb.lower() for verb in CHOICES_WITHOUT_VERB),
    }
    found |= json.loads((ROOT / "games/strategy/holdem/holdem_open.json").read_text()).keys()
    found |= {*Measure} - {Measure.GAME}
    # Rare in games at random: in Showdown, and what runs out in Free for All.
    found |= {"full", "showdown-round"}
    found |= {"1 card-left", "no-cards-left", "1 chip-left", "no-chips-left"}
    found |= {*WORDS_OF_REASONS, "pot-needs", "check-is-free"}
    for game in GAMES.values():
        found |= {game.name, *(key for key, _ in game.dice_keys)}
        rows = {row.key for row in game.sheet(game.start(("A", "B"), {}), 0).rows}
        # What hints keep dice for.
        found |= {*rows, *(f"for {key}" for key in rows)}
        for name, options in game.option_words.items():
            found |= {options.title, *options.values.values(), *filter(None, [options.other])}
            values = game.options[name] if not options.values and not options.seat else ()
            found |= {str(value) for value in values if isinstance(value, str)}
        found |= met_in(game)
    return found


def met_in(game: Game[Any]) -> set[str]:
    """The keys of what is asked and of what lies on the table in a few games at random."""
    found: set[str] = set()
    for seed in range(2):
        random, state = Random(seed), game.start(["A", "B", "C"], {})
        while (event := random_event(game, state, random)) is not None and random.random() < 0.998:
            view, ask = game.table_view(state), game.ask(state)
            found |= {item.key for item in (*view.places, *view.beside)}
            found |= {item.note for item in (*view.places, *view.beside)}
            found |= {goal.key for goal in game.goals(state, 0)} | {ask.purpose if ask else ""}
            found |= {game.closing(state, seat) for seat in range(3)}
            found |= {row.key for row in game.sheet(state, 0).rows}
            for choice in game.choices(state):
                worth = game.preview(state, choice)
                found |= {choice.key, "" if worth is None else worth.reason}
            state = game.apply(state, event)
    return found - {""}


def test_the_rules_have_keys_and_no_words_for_the_board() -> None:
    found = {text.strip() for _, tree in modules("games") for text in rule_strings(tree)}
    assert {text for text in found if _CAPITALS.fullmatch(text)} <= {*COMPUTER_NAMES, "TOML"}


def rule_strings(tree: ast.AST) -> Iterator[str]:
    """The texts in a piece of source, without what people read of a game."""
    if isinstance(tree, ast.Call) and getattr(tree.func, "id", "") == "Wording":
        return
    if isinstance(tree, ast.Constant) and isinstance(tree.value, str):
        yield tree.value
    for child in ast.iter_child_nodes(tree):
        yield from rule_strings(child)


OF_ALL_GAMES = {
    *(*DieKind, *map(str, POWER_FACES)),
    # Of every game with boxes, or in which dice are shown.
    *("zero", "show"),
    # Of every game whose dice have places.
    *(f"die {place}" for place in range(1, 6)),
}
"""Keys of what games are played with, whichever do."""


@pytest.mark.parametrize("code", languages())
def test_the_labels_of_a_single_game_stand_beside_it(code: str) -> None:
    catalogue = tomllib.loads((words.CATALOGUES / f"{code}.toml").read_text())
    common = Noting(dict(words._checked_texts(catalogue["labels"], silent=True)))
    asked_in: dict[str, set[str]] = {}
    for game in GAMES.values():
        common.asked.clear()
        for key in {*met_in(game), *(key for key, _ in game.dice_keys)}:
            words._compose(key, common, lambda word: word)
        for key in common.asked:
            asked_in.setdefault(key, set()).add(game.name)
    alone = {key: asked for key, asked in asked_in.items() if len(asked) == 1}
    assert {key: asked for key, asked in alone.items() if key not in OF_ALL_GAMES} == {}
    labels = [(name, key) for name, game in GAMES.items() for key in labels_of(game, code)]
    assert sorted({key for _, key in labels}) == sorted(key for _, key in labels)
    assert not {key for _, key in labels} & common.keys()


def labels_of(game: Game[Any], code: str) -> set[str]:
    """The keys that a game has labels for."""
    return set(game.wording[code].labels) if code in game.wording else set()


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_told_in_every_language(name: str) -> None:
    wording = GAMES[name].wording
    assert {code: len(wording[code].telling) for code in languages()} == dict.fromkeys(
        languages(), 5
    )
    assert wording[ENGLISH].pitch
    assert wording[ENGLISH].played


class Noting(dict[str, str]):
    """Texts that record which of them are looked up."""

    def __init__(self, texts: dict[str, str]) -> None:
        super().__init__(texts)
        self.asked: set[str] = set()

    def get(self, key: str, default: Any = None) -> Any:
        self.asked |= {key} & self.keys()
        return super().get(key, default)


class Strict(Language):
    """A language in which no word may be missing except numbers and single letters."""

    __slots__ = ()

    def unknown(self, word: str) -> str:
        if re.search("[A-Za-z]{2}", word):
            raise LookupError(f"{self.name} has no {word!r}")
        return word


def strict(code: str) -> tuple[Strict, Noting, Noting, Noting]:
    language = read_language(words.CATALOGUES / f"{code}.toml")
    texts, labels = Noting(dict(language.texts)), Noting(dict(language.labels))
    aloud = Noting(dict(language.aloud))
    strict = Strict(
        *(language.name, texts, code, labels, aloud, language.written, language.spelled)
    )
    return strict, texts, labels, aloud


def in_file(code: str) -> set[str]:
    """The English texts of a catalogue, without those that follow from labels."""
    table = tomllib.loads((words.CATALOGUES / f"{code}.toml").read_text())
    return {
        text
        for name, section in table.items()
        if name not in ("name", "labels", "aloud", "written")
        for text in section
    }


def only_aloud(code: str) -> set[str]:
    """The keys for which a catalogue says what a voice says."""
    return set(tomllib.loads((words.CATALOGUES / f"{code}.toml").read_text())["aloud"])


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_has_all_texts_and_no_others(code: str) -> None:
    language, texts, labels, aloud = strict(code)
    missing = sorted(text for text in said() if texts.get(text) is None)
    for text in sorted(made()):
        try:
            language.text(text)
        except LookupError as error:
            missing.append(f"{text!r}: {error}")
    for key in sorted(keys()):
        try:
            language.label(key)
            language.label_aloud(key)
        except LookupError as error:
            missing.append(f"{key!r}: {error}")
    assert not missing
    assert sorted(only_aloud(code) - aloud.asked) == []
    with spoken(language):
        for scene in SCENES:
            pictures(scene)
    assert sorted(in_file(code) - texts.asked) == []
    unused = labels.keys() - labels.asked
    # Texts such as "NOW NEXT TURN" are made of labels.
    assert [key for key in unused if not texts.asked & words.by_english({key: ""}).keys()] == []


@pytest.mark.parametrize("code", OTHERS)
def test_keys_are_called_the_same_everywhere(code: str) -> None:
    texts = read_language(words.CATALOGUES / f"{code}.toml").texts
    names: dict[str, set[str]] = {}
    for key, text in texts.items():
        if "|" in key:
            names.setdefault(key.partition("|")[0], set()).add(text.partition("|")[0])
    assert {key: said for key, said in names.items() if len(said) != 1} == {}


def test_every_key_that_a_page_makes_a_button_of_has_words_for_it() -> None:
    keys = {text for text in said() if "|" in text}
    buttons = {text for text in keys if KEY_BY_NAME.get(text.partition("|")[0]) in PAGE_BUTTONS}
    assert buttons == LABEL_BY_KEY_TEXT.keys()


@pytest.mark.parametrize("code", OTHERS)
def test_each_number_has_a_word_of_its_own(code: str) -> None:
    texts = read_language(words.CATALOGUES / f"{code}.toml").texts
    for numbers in (wording.COUNTS, wording.ONE_DIE, wording.SEVERAL_DICE):
        said = [texts[number] for number in numbers if number]
        assert len({*said}) == len(said)


@pytest.mark.parametrize("code", OTHERS)
def test_no_text_is_there_twice(code: str) -> None:
    catalogue = (words.CATALOGUES / f"{code}.toml").read_text()
    for part in re.split(r"\[(?=labels|aloud|written)", catalogue):
        keys = [line.partition(" = ")[0] for line in part.splitlines() if " = " in line]
        assert sorted(keys) == sorted(set(keys))


@pytest.mark.parametrize("code", OTHERS)
def test_the_fonts_have_all_letters_of_a_language(code: str) -> None:
    for key, text in read_language(words.CATALOGUES / f"{code}.toml").texts.items():
        if key.upper() == key and "|" not in key:
            shown = set(re.sub("{.*?}", "", text)) - {"?"}
            assert all(c == c.upper() for c in shown), text
            for font in (TALL, SMALL):
                assert all(font.glyph(c) != font.glyph("?") for c in shown), text


class Masked(dict[str, str]):
    """Any text, with its letters replaced."""

    def __contains__(self, key: object) -> bool:
        return True

    def get(self, key: str, default: Any = None) -> Any:
        return re.sub(r"(\{.*?\})|[A-Za-z]", lambda found: found[1] or "Ø", key)


NAMES = {
    # The lesson's player is called so in the language in which it was begun.
    "YOU",
    "ANNA",
    "BOB",
    "CLEO",
    "DORA",
    "EMIL",
    "FRIDA",
    "JÜR",
    "ŁUKASZ",
    "ÅSE-MARIE",
    "ÇİĞDEM",
    "GRÜNDLICHERR",
}


def test_nothing_is_drawn_that_was_not_said(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: set[str] = set()
    text = Canvas.text

    def noted(canvas: Canvas, x: int, y: int, said: str, font: Font = TALL) -> int:
        drawn.add(said)
        return text(canvas, x, y, said, font)

    monkeypatch.setattr(Canvas, "text", noted)
    with spoken(Language("MASKED", Masked(MASKED="MASKED"), labels=Masked(MASKED="MASKED"))):
        for scene in SCENES:
            pictures(scene)
        for prompt in SCREENS.values():
            wizard_pages(prompt)
    found = {word for line in drawn for word in line.split() if re.search("[A-Z]{2}", word)}
    known = NAMES | set(COMPUTER_NAMES) | {"OK", "OK?"}
    assert {
        word
        for word in found
        if not any(name.startswith(word.partition("'")[0].rstrip("…:")) for name in known)
    } == set()


@pytest.mark.parametrize("code", languages())
def test_every_screen_fits_in_every_language(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lights: dict[Canvas, list[set[tuple[int, int]]]] = {}
    touching: list[str] = []
    bitmap, current = Canvas.bitmap, [""]

    def drawn(canvas: Canvas, x: int, y: int, rows: tuple[str, ...]) -> None:
        bitmap(canvas, x, y, rows)
        here = {
            (x + dx, y + dy) for dy, row in enumerate(rows) for dx, c in enumerate(row) if c == "#"
        }
        near = {(px + dx, py + dy) for px, py in here for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
        done = lights.setdefault(canvas, [])
        if any(near & other for other in done):
            touching.append(current[0])
        done.append(here)

    monkeypatch.setattr(Canvas, "bitmap", drawn)
    with spoken(code), strict_drawing():
        for scene in SCENES:
            current[0] = scene.name
            pictures(scene)
            lights.clear()
        for name, prompt in SCREENS.items():
            current[0] = name
            wizard_pages(prompt)
            lights.clear()
        for alert in Alert:
            two_lines(*map(say, alert.lines))
        for phase in Phase:
            for top in ("STARTING...", "START HANGS:", "START FAILED:"):
                two_lines(say(top), say(phase.word))
    assert sorted(set(touching)) == []


@pytest.mark.parametrize("code", OTHERS)
def test_all_labels_reasons_and_rows_fit(code: str) -> None:
    with spoken(code), strict_drawing():
        for label in LABELS:
            if _OTHER_PLACE.match(label):
                continue
            chips = label.split()[0] in ("BET", "CALL", "RAISE", "ALL", "FOLD", "TAKE")
            chips = chips and label != Label("stay")
            for points in (-MOST_CHIPS, MOST_CHIPS) if chips else (0, 750):
                reasons = Points(points, "joker +100 upper +35")
                pages(ChoicePrompt(WIDE, label, reasons, 39, 40, DICE, confirm=points == 0))
            pages(UndoPrompt(WIDE, label, 99))
            pages(UndoPrompt(WIDE, label, 9, (1, 2, 3, 4, 5), (0, 2), again=True))
        for reason in REASONS:
            pages(ChoicePrompt(WIDE, "FULL HOUSE", Points(185, reason), 39, 40, DICE))
        for spot in spots():
            if not _OTHER_PLACE.match(spot.label):
                pages(PlacePrompt(WIDE, spot, 23, 24))
        for game in GAMES.values():
            for row in game.sheet(game.start((WIDE,) * 2, {}), 0).rows:
                pages(SheetPrompt(WIDE, 0, ((Label(row.key), str(HIGHEST)),) * 2, 23, 24))
        for problem in Problem:
            seen = Seen(Page.TRAY, Verdict(0.2, problem))
            wizard_pages(prompt_of(Wizard(Page.TRAY, seen=seen)))


def test_some_german_screens_are_as_the_golden_pictures() -> None:
    names = (
        *("throw", "who-begins", "dice", "remark", "joker", "zero", "chips", "scored", "over"),
        *("leaning", "too-few", "entry-again", "undo", "total", "hint-hold", "hint-choice"),
        *("menu", "has-left", "question", "bet-opens", "cards"),
    )
    shown = {scene.name: scene for scene in SCENES}
    with spoken("de"):
        assert_golden(GOLDEN, {name: pictures(shown[name]) for name in names})
