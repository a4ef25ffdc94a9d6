"""Every fact that a picture is drawn of is said: what looks different sounds different.

Whole games of all six are gone through, with their lists, sheets, tables, hints and undos. In each
prompt that was met one value after another is exchanged for another that was met in its place.
Where that changes the pictures, it must change what is said, at once or when HINT is held down.
"""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from random import Random
from typing import Any

import pytest

from appliance.devices.speech_time import speech_s
from appliance.inputs import HOLD_BUTTONS, Button, Pressed
from appliance.screens.draw import film
from appliance.service.voice_announcer import SAID_AT_ONCE_S, everything
from appliance.table.menu.options import seat_option
from appliance.table.prompts.betting import ColourPrompt
from appliance.table.prompts.looking import SheetPrompt, StripPrompt
from appliance.table.prompts.prompt import Prompt
from appliance.table.prompts.trouble import FacePrompt
from appliance.table.prompts.turn import ChoicePrompt, DicePrompt, OverPrompt, ThrowPrompt
from appliance.table.session import prompting
from appliance.table.session.session import Setup
from appliance.table.session.step import step
from games.registry import GAMES
from games.values import Reveal, Throw
from tests.rigs.at_table import AtTable
from tests.rigs.spoken import spoken
from tests.rigs.wanderer import Wander, wander
from vision.reading import DieState

NAMES = ("ANNA", "BENJAMIN SEP", "ROBO **")
MANY_NAMES = (*("ANNA", "BENJAMIN SEP", "CHRISTOPHER", "DOROTHEA", "ELISABETH MA", "FRIEDERIKE"),)
STEPS = 150
PER_VALUE = 2
"""How many values are tried in the place of each."""
NOT_TOLD = {
    "tray": "dice that roll, and hands that gather them, can be heard",
    "here": "a pawn is told by whose it is, as in `pawns`",
    "mine": "a card is told by whose it is, as in `owner`",
    "chips": "chips under a card are in its `note`",
    "aim": "on a ring it is where the pawn stands",
}
"""Values that a picture is drawn of and nobody needs to be told, with the reason."""
NEVER = {
    ("ThrowPrompt", "kind"): "several dice to throw are black ones, or of several kinds",
    ("ThrowPrompt", "pays"): "dice that are still to be thrown make nothing",
}
"""Values that never change alone as they are changed here."""

Path = tuple[str | int, ...]


def values_in(value: Any, path: Path = ()) -> Iterator[tuple[Path, tuple[str, str], Any]]:
    """The single values in a prompt: where each is, what it is called, and what it is."""
    for field in fields(value):
        inner, at = getattr(value, field.name), (*path, field.name)
        key = type(value).__name__, field.name
        if is_dataclass(inner) and field.name != "choice":
            yield from values_in(inner, at)
        elif isinstance(inner, tuple) and inner and all(map(is_dataclass, inner)):
            for number, each in enumerate(inner):
                yield from values_in(each, (*at, number))
        yield at, key, inner


def exchanged(value: Any, path: Path, new: Any) -> Any:
    """The same with another value in one place."""
    if not path:
        return new
    first, *rest = path
    if isinstance(first, int):
        return (*value[:first], exchanged(value[first], tuple(rest), new), *value[first + 1 :])
    return replace(value, **{first: exchanged(getattr(value, first), tuple(rest), new)})


def pictures_of(prompt: Prompt) -> frozenset[Any]:
    """All pictures of a prompt."""
    return frozenset(film(prompt).pictures)


def is_told_otherwise(prompt: Prompt, path: Path, value: Any) -> bool:
    """Whether a value need not be told, or another one tells it."""
    name = str(path[-1])
    # What a card takes is said by its `needs`.
    needs = name == "note" and str(value).startswith(("NEED", "BEAT"))
    return needs or name in NOT_TOLD or (type(prompt).__name__, name) in NEVER


def silent_values(met: Wander, random: Random) -> list[tuple[str, str, Any, Any]]:
    """The values that change a picture and nothing that is said."""
    pool: dict[tuple[str, str], list[Any]] = {}
    for prompt in met.shown:
        for _, key, value in values_in(prompt):
            if value not in (known := pool.setdefault(key, [])):
                known.append(value)
    found = []
    for prompt in met.shown:
        pictures, said = pictures_of(prompt), everything(prompt)
        for path, key, value in values_in(prompt):
            others = [other for other in pool[key] if other != value]
            for other in random.sample(others, min(PER_VALUE, len(others))):
                if is_told_otherwise(prompt, path, value):
                    continue
                try:
                    changed = exchanged(prompt, path, other)
                    shown, told = pictures_of(changed), everything(changed)
                except (ValueError, IndexError, AssertionError):
                    # No such prompt can be.
                    continue
                if shown != pictures and told == said:
                    found.append((type(prompt).__name__, ".".join(map(str, path)), value, other))
    return found


MET: dict[tuple[str, str], Wander] = {}


def met_in(game: str, language: str) -> Wander:
    """A game that was wandered through, once for all tests."""
    if (found := MET.get((game, language))) is None:
        with spoken(language):
            found = MET[game, language] = wander(game, NAMES, STEPS)
    return found


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("game", GAMES)
def test_what_looks_different_sounds_different(game: str, language: str) -> None:
    with spoken(language):
        assert silent_values(met_in(game, language), Random(1)) == []


@pytest.mark.parametrize(
    ("told", "silent"),
    [
        (StripPrompt, "told"),
        (SheetPrompt, "told"),
        (DicePrompt, "told"),
        (ThrowPrompt, "told_besides"),
        (ChoicePrompt, "told_besides"),
    ],
)
def test_a_fact_that_is_not_said_is_missed(
    told: type[Prompt], silent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    met = met_in("classic", "en")
    monkeypatch.setattr(told, silent, lambda _: iter(()))
    assert {name for name, *_ in silent_values(met, Random(1))} == {told.__name__}


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("game", GAMES)
def test_what_one_needs_to_decide_is_said_within_eight_seconds(game: str, language: str) -> None:
    names = MANY_NAMES[: GAMES[game].max_players]
    with spoken(language):
        met = wander(game, names, STEPS)
    for prompt, said in met.said:
        # At the end nothing is to be decided, and what is looked at was asked for.
        if not (prompt.only_looked_at or isinstance(prompt, OverPrompt)):
            assert speech_s(said, language) <= SAID_AT_ONCE_S, said


_ORDINAL = re.compile(r"\b[0-9]+\. (?=[a-zäöü])|\b[0-9]+(st|nd|rd|th)\b")
_ONE_OF_SEVERAL = re.compile(
    r"(?<![0-9/.,+-])1 (points|chips|cards|dice|stars|choices|Punkte|Karten|Sterne)\b",
    re.IGNORECASE,
)
_JOINED = re.compile(r"\b[0-9]+ [0-9]{3}\b")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("game", GAMES)
def test_all_words_can_be_pronounced(game: str, language: str) -> None:
    met = met_in(game, language)
    with spoken(language):
        texts = {text for prompt in met.shown for text in everything(prompt)}
        drawn = {
            word for prompt in met.shown for page in pictures_of(prompt) for word in page.words
        }
    assert not [text for text in (*texts, *drawn) if _ONE_OF_SEVERAL.search(text)]
    texts |= {text for _, said in met.said for text in said}
    for text in texts:
        # An abbreviation has no vowel, or is in capitals.
        words = re.findall(r"[^\W\d_]+", text)
        spelled = [word for word in words if not re.search("[aeiouyäöü]", word, re.I)]
        assert not spelled, text
        assert {word for word in words if word.isupper() and len(word) > 1} <= {"OK", "PIN"}, text
        assert not re.search(r"\bOK ok\b|[*<>]", text), text
        # Espeak-ng has no German ordinals, and takes 12 100 for twelve thousand one hundred.
        assert not _ORDINAL.search(text), text
        assert not _JOINED.search(text), text


def asked_about_dice(game: str, steps: int) -> Iterator[FacePrompt | DicePrompt]:
    """What is asked as each throw is hard to read, and as people say that dice show others."""
    stack = (("stack", 50),) if game == "holdem" else ()
    setup = Setup(game, NAMES[:2], tuple(sorted(((seat_option(game), 0), *stack))))
    table = AtTable(":memory:", setup, 3)
    for _ in range(steps):
        table.wait()
        if isinstance(table.session.record.ask, Throw | Reveal):
            table.throw(DieState.UNSURE)
        while isinstance(shown := table.appliance.prompt, FacePrompt | ColourPrompt):
            if isinstance(shown, FacePrompt):
                yield shown
            table.wait()
            table.press(Button.OK)
        if isinstance(shown, DicePrompt):
            yield shown
            for button in HOLD_BUTTONS:
                corrects = prompting.prompt(step(table.session, Pressed(button, long=True)))
                if isinstance(corrects, FacePrompt):
                    yield corrects
        if not table.go_on():
            return


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("game", GAMES)
def test_of_dice_only_those_that_are_known_are_told(game: str, language: str) -> None:
    """As five black dice are not there yet while the red one decides something."""
    with spoken(language):
        met = dict.fromkeys(asked_about_dice(game, 200))
        for shown in met:
            dice = list(shown.dice)
            if isinstance(shown, FacePrompt):
                dice[shown.index] = shown.face
            said = " ".join(everything(shown))
            known = " ".join(str(face) for face in dice if isinstance(face, int))
            assert known in said, said
            assert not re.search("unknown|unbekannt|none", said.replace("None held", "")), said
    assert {type(shown) for shown in met} >= {FacePrompt}
    if game == "showdown":
        alone = [shown for shown in met if shown.dice.count(None) == len(shown.dice) - 1]
        assert {type(shown) for shown in alone} == {FacePrompt, DicePrompt}
        assert {s.name for s in alone if isinstance(s, FacePrompt)} == {"RED DIE"}
