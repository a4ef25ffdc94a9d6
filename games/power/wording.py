"""What people read of Power."""

from collections.abc import Mapping

from games.wording import Wording

WORDING: Mapping[str, Wording] = {
    "en": Wording(
        {
            "cross": "X",
            "... two-pairs": "2 PAIRS",
            "first-of-two": "SLOT 1",
            "second-of-two": "SLOT 2",
        },
        telling=(
            ("THREE ROLLS,", "THEN ONE SLOT"),
            ("21 SLOTS, EACH", "FILLED ONCE"),
            ("POWER DIE 1 2 3", "MULTIPLIES"),
            ("DOUBLE: TWO", "SLOTS, EACH X2"),
            ("FREEZE: NO MORE", "POWER: TIMES 3"),
        ),
        pitch="an extra die can double or triple your score – or end your rolling early",
        played="five dice and the Power die, one to six players, doubles, triples, freezes",
    ),
    "de": Wording(
        {
            "choice": "WAHL",
            "... two-pairs": "2 PAARE",
            "cross": "X",
            "first-of-two": "1. FELD",
            "second-of-two": "2. FELD",
            "one-slot-left": "EIN FELD ÜBRIG",
        },
        telling=(
            ("DREI WÜRFE,", "DANN EIN FELD"),
            ("21 FELDER, JEDES", "NUR EINMAL"),
            ("POWER 1, 2, 3", "VERVIELFACHT"),
            ("DOUBLE: ZWEI", "FELDER, JE X2"),
            ("FREEZE: SCHLUSS", "POWER: MAL 3"),
        ),
    ),
}
