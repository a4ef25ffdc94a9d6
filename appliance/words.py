"""The texts people read, in their language: one catalogue each, keyed by the English texts."""

import logging
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

from appliance.errors import ConfigError

log = logging.getLogger(__name__)

ENGLISH = "en"
SHORT_FORM_PREFIX = "... "
"""Precedes the key of the short form of a phrase, for use beside other words."""
CATALOGUES = Path(__file__).with_name("languages")


class Verbatim(str):
    """A text that is the same in every language, such as a player's name."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Language:
    """A language: its own name in capitals, its text for each English one, its code."""

    name: str = "ENGLISH"
    texts: Mapping[str, str] = field(default_factory=dict)
    code: str = ENGLISH

    def text(self, text: str) -> str:
        """Translates a text whole, or pieces it together from the longest phrases in the catalogue.

        There are so many labels like `POT 40` or `C1 FULL H` that only their words are listed.
        """
        if text in self.texts or not self.texts:
            return self.texts.get(text, text)
        if text.endswith(("?", ":")):
            return self.text(text[:-1]) + text[-1]
        words, said = text.split(" "), list[str]()
        while words:
            lengths = range(len(words), 0, -1)
            length = next((n for n in lengths if " ".join(words[:n]) in self.texts), 1)
            phrase = " ".join(words[:length])
            short = (
                self.texts.get(f"{SHORT_FORM_PREFIX}{phrase}")
                if length < len(words) or said
                else None
            )
            said.append(short or self.texts.get(phrase) or self.unknown(phrase))
            del words[:length]
        return " ".join(said)

    def unknown(self, word: str) -> str:
        """A word missing from the catalogue: numbers stay, and English is better than nothing."""
        return word


def read_language(path: Path) -> Language:
    """Reads the language in a catalogue; docs/languages.md describes the format.

    Raises:
        ConfigError: it cannot be read, or a text has different `{places}` from its key.
    """
    try:
        texts = dict(_checked_texts(tomllib.loads(path.read_text("utf-8"))))
        return Language(texts.pop("name"), texts, path.stem)
    except (OSError, ValueError, KeyError) as error:
        raise ConfigError(f"{path}: this is not a catalogue of texts: {error}") from error


def _checked_texts(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _checked_texts(value)
        elif isinstance(value, str) and value and _placeholders(value) == _placeholders(key):
            yield key, value
        else:
            raise ValueError(f"expected a text for {key!r} with its places, found {value!r}")


def _placeholders(text: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(text)} - {None}


@cache
def languages() -> Mapping[str, str]:
    """The available languages: code and own name, English first.

    One whose catalogue cannot be read is logged and left out, so that the others stay available.
    """
    found = {ENGLISH: Language().name}
    for file in sorted(CATALOGUES.glob("*.toml")):
        try:
            found[file.stem] = read_language(file).name
        except ConfigError as error:
            log.warning("%s", error)
    return found


@cache
def in_every_language(text: str) -> frozenset[str]:
    """A text in all languages that can be read."""
    found = {text}
    for code in languages():
        if code != ENGLISH:
            found.add(read_language(CATALOGUES / f"{code}.toml").text(text))
    return frozenset(found)


spoken = Language()


def set_language(language: str | Language) -> None:
    """Sets the language of `say` from now on: a code, or a language that was read."""
    global spoken
    if isinstance(language, str):
        catalogue = CATALOGUES / f"{language}.toml"
        language = Language() if language == ENGLISH else read_language(catalogue)
    spoken = language


def say(text: str, **values: object) -> str:
    """A text in the chosen language, its `{places}` filled with the values."""
    if isinstance(text, Verbatim):
        return text
    if values:
        return spoken.texts.get(text, text).format(**values)
    return spoken.text(text)
