"""What people read of Showdown."""

from collections.abc import Mapping

from games.wording import Wording

WORDING: Mapping[str, Wording] = {
    "en": Wording(
        {"own-card": "CHOOSE", "move-on": "MOVE PAWN", "stay": "RAISE CARD"},
        telling=(
            ("RED DIE: MOVE", "ON THE RING"),
            ("EMPTY SPACE?", "PLACE A CARD"),
            ("ON THEIR CARD?", "MEET IT, TAKE IT"),
            ("ON A CORNER?", "ANY CARD"),
            ("ALL 12 PLACED?", "ONE LAST TURN"),
        ),
        pitch="move around a ring of cards, and take them from each other",
        played="five dice and a red one, two to four players; "
        "you move around a ring of cards and take them from each other",
    ),
    "de": Wording(
        {
            "showdown": "SHOWDOWN",
            "red-die": "ROTER",
            "wild": "JOKER",
            "empty": "LEER",
            "full": "VOLL",
            "need": "BRAUCHT",
            "own-card": "WÄHLEN",
            "place": "LEGEN",
            "raise": "ERHÖHEN",
            "move-on": "FIGUR ZIEHEN",
            "stay": "KARTE ERHÖHEN",
            "meets": "ERREICHT",
            "after-raise": "NACH ERHÖHEN",
            "stop": "SCHLUSS",
            "showdown-round": "SHOWDOWN-RUNDE",
        },
        telling=(
            ("ROTER: ZIEHE", "AUF DEM RING"),
            ("LEERES FELD?", "LEG EINE KARTE"),
            ("FREMDE KARTE?", "TRIFF SIE: DEINE"),
            ("AUF DER ECKE?", "JEDE KARTE"),
            ("ALLE 12 GELEGT?", "JEDER NOCH 1 ZUG"),
        ),
    ),
}
