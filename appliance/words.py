"""The texts people read, in their language: one catalogue each, keyed by the English texts.

What the rules name, such as a box, a choice or the reason for points, has a key of the rules, such
as `full-house` or `joker +100`. Labels for these stand beside the game that has the key, or in a
catalogue if no single one has it: `Label(key)` is the English one, and `say` translates it by its
key.
"""

import logging
import re
import tomllib
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from string import Formatter
from typing import Any, Self

from appliance.errors import ConfigError
from games.registry import GAMES, OWN_GAMES, find_game, games_loaded

log = logging.getLogger(__name__)

ENGLISH = "en"
SHORT_FORM_PREFIX = "... "
"""Precedes the key of the short form of a phrase, for use beside other words."""
CATALOGUES = Path(__file__).with_name("languages")
LABELS_TABLE = "labels"
"""The table of a catalogue that has labels by the keys of the rules."""
ALOUD_TABLE = "aloud"
"""The table of a catalogue that has what a voice says for keys that the board abbreviates."""
WRITTEN_TABLE = "written"
"""The table of a catalogue that has what pages write for keys, where that is not what is said."""
SPELLED = "words"
"""Its text with all words that are not just small letters, such as nouns in German."""


WITH_TENTHS = "{whole}.{tenth}"
"""The text for a number with one decimal."""
_TENTHS = re.compile(r"([+-]?\d+)\.(\d)")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_BEGINNING = re.compile(r"(?:^|[.?!:] )[^\W\d_]")
_PLACE = re.compile("^(?:c[0-9]|[0-9][a-c]) ", re.IGNORECASE)
"""Where a card lies, at the beginning of its key or label: the board alone needs that."""
_OWN_PLACE = re.compile("^([a-c]) ")
_KEPT_LANGUAGES = 2
"""For so many it is kept what follows from their catalogues."""


class Verbatim(str):
    """A text that is the same in every language, such as a player's name."""

    __slots__ = ()


class Label(str):
    """The board's name for something in a game, in English; `say` translates it by its key.

    Args:
        key: as the rules have it: words in small letters and dashes, and numbers.
    """

    __slots__ = ("key",)
    key: str

    def __new__(cls, key: str) -> Self:
        """The label for a key; no key, no label."""
        label = super().__new__(cls, english_label(key))
        label.key = key
        return label

    def __getnewargs__(self) -> tuple[str]:
        return (self.key,)


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """A language.

    Attributes:
        name: its own name in capitals.
        texts: its text for each English one.
        code: such as `de`.
        labels: its label for each key of the rules.
        aloud: what a voice says for each of them, without abbreviations.
        written: what pages write for each of them, in small letters or capitals.
        spelled: words of the board that are not just written small, by their capitals.
    """

    name: str = "ENGLISH"
    texts: Mapping[str, str] = field(default_factory=dict)
    code: str = ENGLISH
    labels: Mapping[str, str] = field(default_factory=dict)
    aloud: Mapping[str, str] = field(default_factory=dict)
    written: Mapping[str, str] = field(default_factory=dict)
    spelled: Mapping[str, str] = field(default_factory=dict)

    def text(self, text: str) -> str:
        """Translates a text whole, or pieces it together from the longest phrases in the catalogue.

        There are so many texts like `POT 40` that only their words are listed.
        """
        if text in self.texts or not self.texts:
            return self.texts.get(text, text)
        if text.endswith(("?", ":")):
            return self.text(text[:-1]) + text[-1]
        return _compose(text, self.texts, self.unknown)

    def label_written(self, key: str) -> str:
        """What pages write for a key, pieced together in the same way; a game has its title."""
        if key in OWN_GAMES:
            return find_game(key).title
        return self.spell(_compose(key, self.written, self.label))

    def spell(self, text: str, known: Container[str] | None = None) -> str:
        """A text of the board in small letters, with capitals where the language has them.

        Args:
            text: what is not in capitals stays as it is.
            known: all words that are written small; others, such as names, stay. None for any.
        """

        def small(found: re.Match[str]) -> str:
            word = found[0]
            if word in self.spelled:
                return self.spelled[word]
            keep = word != word.upper() or len(word) == 1 or not (known is None or word in known)
            return word if keep else word.lower()

        return _WORD.sub(small, text)

    def label(self, key: str) -> str:
        """The label for a key, pieced together in the same way; the English one if it has none."""
        if not self.labels:
            # English; or a catalogue from before there were labels, which has them as texts.
            return self.text(english_label(key))
        return _compose(key, self.labels, lambda phrase: self.unknown(english_label(phrase)))

    def label_aloud(self, key: str) -> str:
        """What a voice says for a key, pieced together in the same way."""
        if not self.aloud:
            return self.text(_english_aloud(key))
        return _compose(key, self.aloud, lambda phrase: self.unknown(_english_aloud(phrase)))

    def unknown(self, word: str) -> str:
        """A word missing from the catalogue: English is better than nothing.

        Numbers stay, with the decimal sign of the language.
        """
        if (found := _TENTHS.fullmatch(word)) is None:
            return word
        return self.texts.get(WITH_TENTHS, WITH_TENTHS).format(whole=found[1], tenth=found[2])


def _compose(text: str, texts: Mapping[str, str], missing: Callable[[str], str]) -> str:
    """A text made of the longest phrases that are listed, in their short forms beside others."""
    words, said = text.split(" "), list[str]()
    while words:
        lengths = range(len(words), 0, -1)
        length = next((n for n in lengths if " ".join(words[:n]) in texts), 1)
        phrase = " ".join(words[:length])
        beside_others = length < len(words) or said
        short = texts.get(f"{SHORT_FORM_PREFIX}{phrase}") if beside_others else None
        found = texts.get(phrase) if short is None else short
        said.append(missing(phrase) if found is None else found)
        del words[:length]
    return " ".join(filter(None, said))


def english_label(key: str) -> str:
    """The board's name for something that the rules name, in English.

    A key is one of a catalogue, of a game that is loaded, or the name of a game, which is then
    loaded: a start does not wait for games that nobody plays.
    """
    return _english_label(key, _games_loaded_for(key))


def _games_loaded_for(key: str) -> int:
    """How many games are loaded, with those that the key names."""
    for word in key.split():
        if word in OWN_GAMES:
            find_game(word)
    return len(games_loaded())


def _english_aloud(key: str) -> str:
    """What an English voice says for something that the rules name."""
    return _compose(key, _english(_games_loaded_for(key)).aloud, _word_in_capitals)


@lru_cache(maxsize=1024)
def _english_label(key: str, loaded: int) -> str:
    return _compose(key, _english_labels(loaded), _word_in_capitals)


def _english_labels(loaded: int) -> Mapping[str, str]:
    """The English labels while so many games are loaded."""
    return _english(loaded).labels


@cache
def _english(loaded: int) -> Language:
    """The English catalogue while so many games are loaded."""
    return read_language(CATALOGUES / f"{ENGLISH}.toml")


def _word_in_capitals(word: str) -> str:
    return word.replace("-", " ").upper() if word[:1].isalnum() else word


def read_language(path: Path) -> Language:
    """Reads the language in a catalogue; docs/languages.md describes the format.

    Raises:
        ConfigError: it cannot be read, or a text has different `{places}` from its key.
    """
    try:
        table = tomllib.loads(path.read_text("utf-8"))
        labels = dict(_labels_beside_games(path.stem))
        labels |= _checked_texts(table.pop(LABELS_TABLE, {}), silent=True)
        aloud = {key: text for key, text in labels.items() if not key.startswith(SHORT_FORM_PREFIX)}
        aloud |= _checked_texts(table.pop(ALOUD_TABLE, {}), silent=True)
        written = aloud | dict(_checked_texts(table.pop(WRITTEN_TABLE, {})))
        spelled = {word.upper(): word for word in written.pop(SPELLED, "").split()}
        texts = {} if path.stem == ENGLISH else by_english(labels)
        texts |= _told_beside_games(path.stem) | dict(_checked_texts(table))
        name = texts.pop("name")
        return Language(name, texts, path.stem, labels, aloud, written, spelled)
    except (OSError, ValueError, KeyError) as error:
        raise ConfigError(f"{path}: this is not a catalogue of texts: {error}") from error


def _labels_beside_games(code: str) -> Mapping[str, str]:
    """The labels that games bring in a language, by their keys.

    What a key is called is the same in all games: a game of another package has no say in a key
    that one of ours has, or a catalogue.
    """
    found: dict[str, str] = {}
    known: set[str] = set()
    for name, game in _games_that_speak(code).items():
        if name not in OWN_GAMES:
            known |= _keys_of_catalogues()
        labels = game.wording[code].labels if code in game.wording else {}
        found |= {key: text for key, text in labels.items() if key not in known}
        known.update(*(words.labels for words in game.wording.values()))
    return found


def _games_that_speak(code: str) -> Mapping[str, Any]:
    """The games whose words a language has.

    In English, where each label is looked up by itself, those that are loaded: a start does not
    wait for the others. All where another package has a game, as ours have the first say in a key.
    """
    loaded = games_loaded()
    return loaded if code == ENGLISH and OWN_GAMES.keys() >= loaded.keys() else GAMES


@cache
def _keys_of_catalogues() -> frozenset[str]:
    """The keys that any catalogue has a label for, whether or not it can be used otherwise."""
    found: set[str] = set()
    for file in CATALOGUES.glob("*.toml"):
        with suppress(OSError, ValueError):
            table = tomllib.loads(file.read_text("utf-8"))
            found |= dict(_checked_texts(table.get(LABELS_TABLE, {}), silent=True)).keys()
    return frozenset(found)


def _told_beside_games(code: str) -> dict[str, str]:
    """How the games go: the lines in a language by the English ones."""
    told: dict[str, str] = {}
    for game in _games_that_speak(code).values():
        pages = game.wording[code].telling if code in game.wording else ()
        for english, page in zip(game.telling, pages, strict=False):
            for line, text in zip(english, page, strict=True):
                told.setdefault(line, text)
    return told


def by_english(labels: Mapping[str, str]) -> dict[str, str]:
    """Labels by the English ones, for pages, and for texts that are made of labels."""
    texts: dict[str, str] = {}
    for key, text in labels.items():
        short = key.startswith(SHORT_FORM_PREFIX)
        english = english_label(key.removeprefix(SHORT_FORM_PREFIX))
        if short:
            labels_now = _english_labels(len(games_loaded()))
            english = labels_now.get(key, f"{SHORT_FORM_PREFIX}{english}")
        texts[english] = text
    return texts


def _checked_texts(table: Mapping[str, Any], *, silent: bool = False) -> Iterator[tuple[str, str]]:
    """The texts by their keys; some words of a label may be `silent`: nothing is said for them."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _checked_texts(value, silent=silent)
        elif (
            isinstance(value, str)
            and (value or silent)
            and _placeholders(value) == _placeholders(key)
        ):
            yield key, value
        else:
            raise ValueError(f"expected a text for {key!r} with its places, found {value!r}")


def _placeholders(text: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(text)} - {None}


def language_codes() -> tuple[str, ...]:
    """The codes of the languages that have a catalogue, English first; none of them is read."""
    others = {file.stem for file in CATALOGUES.glob("*.toml")} - {ENGLISH}
    return (ENGLISH, *sorted(others))


@cache
def languages() -> Mapping[str, str]:
    """The available languages: code and own name, English first.

    One whose catalogue cannot be read is logged and left out, so that the others stay available.
    """
    found = {ENGLISH: Language().name}
    for code in language_codes()[1:]:
        try:
            found[code] = read_language(CATALOGUES / f"{code}.toml").name
        except ConfigError as error:
            log.warning("%s", error)
    return found


def can_be_read(code: str) -> bool:
    """Whether there is a language with this code; for English no catalogue is read."""
    return code == ENGLISH or code in languages()


@cache
def in_every_language(text: str) -> frozenset[str]:
    """A text of the catalogues, which no game brings, in all languages that can be read."""
    return frozenset(Language(texts=texts).text(text) for texts in _own_texts())


@cache
def _own_texts() -> tuple[Mapping[str, str], ...]:
    """The texts of each catalogue that can be read, without what games bring."""
    found: list[Mapping[str, str]] = [{}]
    for code in language_codes()[1:]:
        try:
            table = tomllib.loads((CATALOGUES / f"{code}.toml").read_text("utf-8"))
            for name in (LABELS_TABLE, ALOUD_TABLE, WRITTEN_TABLE):
                table.pop(name, None)
            found.append(dict(_checked_texts(table)))
        except (OSError, ValueError) as error:
            log.warning("%s: %s", code, error)
    return tuple(found)


spoken = Language()


def set_language(language: str | Language) -> None:
    """Sets the language of `say` from now on: a code, or a language that was read."""
    global spoken
    if isinstance(language, str):
        catalogue = CATALOGUES / f"{language}.toml"
        language = Language() if language == ENGLISH else read_language(catalogue)
    spoken = language


def say_aloud(label: str) -> str:
    """A label in the chosen language as a voice says it: whole words; other texts as `say`."""
    return spoken.label_aloud(label.key) if isinstance(label, Label) else say(label)


def write(*texts: str, between: str = " ", begins: bool = True) -> str:
    """Texts of the board as pages write them: in words, and in small letters but for names.

    Args:
        texts: which together are a phrase or a sentence.
        between: what stands between them.
        begins: whether they begin a sentence, or a label.
    """
    said = between.join(filter(None, map(_written, texts)))
    return _BEGINNING.sub(lambda found: found[0].upper(), said) if begins else said


def _written(text: str) -> str:
    if isinstance(text, Verbatim):
        return text
    if not isinstance(text, Label):
        language = _writing("")
        said = _pieced(_PLACE.sub("", text, 1), language)
        return language.spell(said, _words_of_board(language))
    key = _OWN_PLACE.sub(lambda own: f"{own[1].upper()}: ", _PLACE.sub("", text.key, 1))
    place = key[:3] if key[:1].isupper() else ""
    return place + _writing(key).label_written(key[len(place) :])


def _pieced(text: str, language: Language) -> str:
    """A text of the board with no short forms of words."""
    texts = _texts_for_pages(language)
    if text.endswith(("?", ":")) and text not in texts:
        return _pieced(text[:-1], language) + text[-1]
    return texts.get(text) or _compose(text, texts, language.unknown)


def written_labels() -> Mapping[str, str]:
    """What pages write for the board's English labels, without those that are only made small."""
    return _written_labels(_writing(""))


def _writing(key: str) -> Language:
    """The chosen language, with what pages write; English has a catalogue for that, too."""
    return spoken if spoken.written else _english(_games_loaded_for(key))


@lru_cache(_KEPT_LANGUAGES)
def _written_labels(language: Language) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for key in {*language.labels, *language.written, *OWN_GAMES}:
        plain = key.removeprefix(SHORT_FORM_PREFIX)
        board = english_label(plain)
        if key != plain:
            board = _english_labels(len(games_loaded())).get(key, board)
        found[board] = language.label_written(plain)
    for key, short in _english_labels(len(games_loaded())).items():
        if key.startswith(SHORT_FORM_PREFIX):
            found[short] = language.label_written(key.removeprefix(SHORT_FORM_PREFIX))
    return found


@lru_cache(_KEPT_LANGUAGES)
def _texts_for_pages(language: Language) -> Mapping[str, str]:
    """The texts of a language, without short forms, and with its labels as pages write them."""
    texts = {k: v for k, v in spoken.texts.items() if not k.startswith(SHORT_FORM_PREFIX)}
    # A figure is a number there.
    return texts | {k: v for k, v in _written_labels(language).items() if len(k) > 1}


@lru_cache(_KEPT_LANGUAGES)
def _words_of_board(language: Language) -> frozenset[str]:
    """All words of the board's texts, in capitals: whatever else stands there is a name."""
    texts = language.texts.values() if language.code != ENGLISH else chain(*_own_texts())
    games = games_loaded().values()
    told = (line for game in games for page in game.telling for line in page)
    keys = chain(_keys_of_catalogues(), *(w.labels for g in games for w in g.wording.values()))
    all_of_them = chain(texts, told, keys, (game.name for game in games))
    return frozenset(word.upper() for text in all_of_them for word in _WORD.findall(text))


def in_tenths(number: float, sign: str = "") -> str:
    """A number with one decimal, as the chosen language writes it; `sign` is "+" to have one."""
    whole, _, tenth = f"{number:{sign}.1f}".partition(".")
    return say(WITH_TENTHS, whole=whole, tenth=tenth)


def say(text: str, **values: object) -> str:
    """A text in the chosen language, its `{places}` filled with the values."""
    if isinstance(text, Verbatim):
        return text
    if isinstance(text, Label):
        return spoken.label(text.key)
    if values:
        return spoken.texts.get(text, text).format(**values)
    return spoken.text(text)
