"""What people read of Free for All."""

from collections.abc import Mapping

from games.wording import Wording

WORDING: Mapping[str, Wording] = {
    "en": Wording(
        {
            "kind": "",
        },
        telling=(
            ("3 CARDS LIE IN", "THE CENTRE"),
            ("THREE ROLLS TO", "TAKE ONE HOME"),
            ("IN YOUR NEXT", "TURN IT COUNTS"),
            ("UNTIL THEN IT", "CAN BE STOLEN"),
            ("CHIPS UNDER IT", "COUNT AT ONCE"),
        ),
        pitch="win cards, and bank them before somebody steals them",
        played="five dice, two to six players, cards to take, steal and bank",
    ),
    "de": Wording(
        {
            "free-for-all": "FREE FOR ALL",
            "kind three-alike": "DREIERPASCH",
            "kind four-alike": "VIERERPASCH",
            "kind": "",
            "steal": "KLAUEN",
            "cards": "KARTEN",
            "dealt-here": "VON HIER",
            "printed": "GEDRUCKT",
            "deck": "STAPEL",
            "standard": "STANDARD",
            "own": "EIGENE",
            "bank": "EINSACKEN",
            "next-turn": "NÄCHSTER ZUG",
            "... next-turn": "SPÄTER",
            "when-full": "WENN VOLL",
            "new-card": "NEUE KARTE",
            "ends-game": "SPIELENDE",
            "bust": "PECH",
            "chips-left": "CHIPS ÜBRIG",
            "card-left": "KARTE ÜBRIG",
            "cards-left": "KARTEN ÜBRIG",
            "no-cards-left": "KEINE KARTEN MEHR",
            "chip-left": "CHIP ÜBRIG",
            "no-chips-left": "KEINE CHIPS MEHR",
        },
        telling=(
            ("3 KARTEN LIEGEN", "IN DER MITTE"),
            ("DREI WÜRFE: HOL", "EINE ZU DIR"),
            ("IM NÄCHSTEN ZUG", "ZÄHLT SIE"),
            ("BIS DAHIN KANN", "MAN SIE KLAUEN"),
            ("CHIPS DARUNTER", "ZÄHLEN SOFORT"),
        ),
    ),
}
