"""What people read of a game, in each language: it stands beside the game, as its rules do.

GAME = BoxGame(
name="yatzy",
wording={
"en": Wording(telling=(("15 BOXES, EACH", "FILLED ONCE"),)),
"de": Wording({"pair": "PAAR"}, telling=(("15 FELDER, JEDES", "NUR EINMAL"),)),
},
...
)
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from games.values import RulesError

ENGLISH = "en"
PAGE_LINES = 2
"""How many lines a page of the board has."""


class BadWording(RulesError):
    """Words of a game that cannot be shown: says what was expected and what was found."""


@dataclass(frozen=True, slots=True)
class Wording:
    """What people read of a game in one language. Docs/languages.md says how labels are written.

    Attributes:
        labels: what the board calls the keys of the game; in English only those that are not just
            the key in capitals. What belongs to no game, such as `full-house`, has a label without.
        telling: how the game goes, in five short pages of two lines; the same number of pages in
            every language.
        pitch: why to play it, for a list of games in English.
        played: what it is played with, for a list of games in English.
    """

    labels: Mapping[str, str] = field(default_factory=dict)
    telling: tuple[tuple[str, str], ...] = ()
    pitch: str = ""
    played: str = ""

    def __post_init__(self) -> None:
        lines = [line for page in self.telling for line in page]
        for text in (*self.labels, *self.labels.values(), *lines):
            if not isinstance(text, str):
                raise BadWording(f"expected texts in a Wording, found {text!r}")
        for page in self.telling:
            if len(page) != PAGE_LINES:
                raise BadWording(f"expected {PAGE_LINES} lines a page to tell it, found {page!r}")


def check_wording(wording: Mapping[str, Wording]) -> None:
    """Makes sure that what people read of a game can be shown in every language that it has.

    Raises:
        BadWording: one is not a `Wording`, or tells the game in another number of pages than
            English does.
    """
    for code, words in wording.items():
        if not isinstance(words, Wording):
            raise BadWording(f"expected a Wording for {code!r}, found {words!r}")
    pages = len(wording[ENGLISH].telling) if ENGLISH in wording else 0
    for code, words in wording.items():
        if len(words.telling) not in (0, pages):
            found = f"{len(words.telling)} for {code!r}"
            raise BadWording(f"expected {pages} pages to tell the game, found {found}")
