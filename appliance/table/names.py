"""Players' names as the board can show them: capitals, with the accents of European languages."""

from collections.abc import Sequence
from unicodedata import category, normalize

from appliance.errors import ConfigError
from games.computers import Strength, computer_name

MAX_NAME_LETTERS = 12
"""Characters that fit on the board beside the roll."""

PLAIN_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .-'"
"""Characters that a name may have, in the order in which the buttons offer them."""

_COMMON_ACCENTED_LETTERS = "ÄÅÁÀÂÃÆÇČÉÈÊËÍÌÎÏÑÖØÓÒÔÕŒŠÜÚÙÛÝŽ"
_LETTERS_WITHOUT_ACCENT = {
    "Æ": "A",
    "Œ": "O",
    "Ø": "O",
    "Ł": "L",
    "Đ": "D",
    "Ð": "D",
    "Ħ": "H",
    "Ŧ": "T",
}
_LETTERS_WITHOUT_ACCENT |= {"Ŋ": "N", "Þ": "T", "·": "."}
_RESPELLED_LETTERS = str.maketrans(
    {"ĸ": "K'", "ẞ": "SS", "Ș": "Ş", "Ț": "Ţ", "ʼ": "'", "’": "'", "‘": "'", "‐": "-", "–": "-"}
)
"""Characters that the board writes differently."""


def _plain_letters_of_accented() -> dict[str, str]:
    found = {}
    for letter in (*_COMMON_ACCENTED_LETTERS, "·", *map(chr, range(0xC0, 0x180))):
        base = _LETTERS_WITHOUT_ACCENT.get(letter, normalize("NFD", letter)[0])
        if category(letter) in ("Lu", "Po") and base in PLAIN_LETTERS:
            found[letter] = base
    return found


PLAIN_LETTER_OF = _plain_letters_of_accented()
"""The plain letter of each accented one, the common ones first: Latin-1, Latin Extended-A."""

COMPUTER_PREFIX = "COMPUTER:"
STRENGTH_OF_COMPUTER = {f"{COMPUTER_PREFIX}{s}".upper(): s for s in Strength}
"""How a computer player is named on the command line and in the configuration, in capitals."""

NAME_LETTERS = PLAIN_LETTERS + "".join(PLAIN_LETTER_OF)
"""All characters that a name may have."""


def name_in_capitals(text: str) -> str:
    """A name in capitals, as the board writes it: ß becomes SS, the IJ ligature two letters."""
    shown = normalize("NFKC", text).upper().translate(_RESPELLED_LETTERS)
    return normalize("NFKC", shown)


def check_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names in capitals, without surrounding blanks; a computer is given one of its names.

    ConfigError if a name is empty, too long, given twice, or has letters that the board lacks.
    """
    checked: list[str] = []
    for name in names:
        shown = name_in_capitals(name).strip()
        if strength := STRENGTH_OF_COMPUTER.get(shown):
            shown = computer_name(strength, (*checked, *map(name_in_capitals, names)))
        elif shown.startswith(COMPUTER_PREFIX):
            raise ConfigError(
                f"player {name!r}: expected one of {', '.join(STRENGTH_OF_COMPUTER).lower()}"
            )
        elif not 1 <= len(shown) <= MAX_NAME_LETTERS:
            raise ConfigError(f"player {name!r}: expected 1 to {MAX_NAME_LETTERS} characters")
        elif wrong := sorted(set(shown) - set(NAME_LETTERS)):
            raise ConfigError(
                f"player {name!r}: the board cannot show {''.join(wrong)!r}; "
                "use European letters, digits, space, dot, dash or apostrophe"
            )
        if shown in checked:
            raise ConfigError(f"player {name!r} is named twice; give each a name of their own")
        checked.append(shown)
    return tuple(checked)
