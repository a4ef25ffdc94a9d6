"""German as one person says it: one address, one name for a thing, and the machine is "ich"."""

import re
from functools import cache

import pytest

from appliance.words import CATALOGUES, read_language
from tests.paths import ROOT

GERMAN = read_language(CATALOGUES / "de.toml")
TEXTS = sorted({*GERMAN.labels.items(), *GERMAN.texts.items()})
"""All German texts by the English ones, those of the games' words among them."""

NOT_NAMED = {
    "CLEAR TRAY",
    "TRAY CUT OFF",
    "TRAY NOT EMPTY",
    "SHEET IN TRAY",
    "NO UNDO YET",
    "q      quit; the game is saved",
    "SAVE GAMES",
    "FLOOR WIDTH",
    "FLOOR DEPTH",
    "PLAIN FLOOR?",
    "The game so far",
    "left the game",
}
"""Where German leaves out what English names."""
OTHERWISE = {
    # The sheet with the pattern for the lens, which English calls a board, too.
    "NO BOARD SEEN": "blatt",
    "Save the name": "übernehmen",
    "Save as CSV": "speichern",
    "Save as JSON": "speichern",
}
"""Texts in which the English word means something else."""

IHR_FORMS = (
    "bringt|dreht|drückt|gebt|haltet|holt|hängt|klickt|ladet|lasst|legt|lest|macht|nehmt|"
    "prüft|putzt|sagt|schaltet|schaut|schließt|seht|spielt|steckt|stellt|sucht|tippt|wartet|"
    "werft|wischt|wählt|zeigt|zieht|öffnet"
)
"""Imperatives to several people; many are what he or she does, as well."""
MACHINE_DOES = "fragt|liest|lädt|rechnet|schaut|sieht|startet|sucht|wartet|weiß|zählt"


@cache
def terms() -> dict[str, tuple[list[str], list[str]]]:
    """The English words of a thing and how German words for it begin, as the document says."""
    text = (ROOT / "docs/languages.md").read_text("utf-8")
    table = text.partition("<!-- terms -->")[2].partition("<!-- end of terms -->")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.split("\n")]
    found = [row for row in rows if len(row) == 2][2:]
    return {english: (english.split(", "), german.split(", ")) for english, german in found}


def faults(english: str, german: str) -> list[str]:
    """What is wrong with a German text, by the English one; empty where nothing is."""
    return [*other_names(english, german), *other_addresses(english, german)]


def other_names(english: str, german: str) -> list[str]:
    """The things that a text calls otherwise than the document."""
    plain = re.sub(r"{\w+}", "", english)
    if english in NOT_NAMED or not re.sub(r"{\w+}", "", german).strip():
        return []
    if english in OTHERWISE:
        return [] if OTHERWISE[english] in german.casefold() else [english]
    return [
        thing
        for thing, (words, stems) in terms().items()
        if re.search(rf"(?<![\w-])({'|'.join(words)})(?![\w-])", plain, re.IGNORECASE)
        and not re.search(rf"({'|'.join(stems)})(?!t\b)", german, re.IGNORECASE)
    ]


def other_addresses(english: str, german: str) -> list[str]:
    """Where a text says `ihr` or `Sie` to people, or does not say `ich` for the machine."""
    found = list[str]()
    if re.search(r"\b(euch|euer|eure[mnrs]?)\b|\bihr (?!nicht)\w+t\b", german, re.IGNORECASE):
        found.append("ihr")
    if re.search(r"\b(Ihnen|Ihre?[mnrs]?)\b|\b\w+en Sie\b", german):
        found.append("Sie")
    for said, told in zip(sentences(english), sentences(german), strict=False):
        first = re.match(r"\w+", told)
        does = re.match(r"\w+", said)
        others_do = does is not None and does[0].casefold().endswith("s")
        if first and re.fullmatch(IHR_FORMS, first[0], re.IGNORECASE) and not others_do:
            found.append(f"{first[0]}, to several people")
        going = re.match(r"(still )?\w+ing\b|it (asks|reads|looks)|i see", said, re.IGNORECASE)
        if going and first and re.fullmatch(MACHINE_DOES, first[0], re.IGNORECASE):
            found.append(f"{first[0]}, without ich")
    # What a camera or a phone sees, it sees itself.
    if re.search(rf"\b(sie|es) ({MACHINE_DOES})\b", german, re.IGNORECASE) and not re.search(
        "camera|webcam", english
    ):
        found.append("the machine in the third person")
    if re.search(r"\d\.\d", german):
        found.append("a point for a comma")
    return found


def sentences(text: str) -> list[str]:
    """The sentences of a text, and what a key does."""
    return [part.strip() for part in re.split(r"[.:|?!](?:\s|$)|\|", text) if part.strip()]


def test_german_has_one_address_and_one_name_for_a_thing() -> None:
    found = {text: wrong for text in TEXTS if (wrong := faults(*text))}
    assert not found
    assert len(TEXTS) > 1000


def test_each_exception_is_of_a_text_that_there_is() -> None:
    english = {text for text, _ in TEXTS}
    assert NOT_NAMED | OTHERWISE.keys() <= english


@pytest.mark.parametrize(
    ("english", "german", "fault"),
    [
        ("HOLDER", "HALTER", "holder"),
        ("PLAIN FLOOR", "GLATTER BODEN", "plain"),
        ("UNDO 2?", "2 LÖSCHEN?", "undo, undoes, undone, undid"),
        ("BANKED", "GEBUCHT", "bank, banks, banked"),
        ("CAN BE STOLEN", "SIE STEHLBAR", "steal, stolen"),
        ("The pot", "Der Topf", "pot, pots"),
        ("The pot", "Der Pott", "pot, pots"),
        ("LEANS", "LEHNT", "lean, leans"),
        ("{seconds} s delay", "{seconds} s danach", "late, delay"),
        ("Does the board show 1?", "Zeigt die Tafel 1?", "scoreboard, board, boards"),
        ("PULL OUT", "ZIEHT DEN", "ZIEHT, to several people"),
        ("PLAY ON", "SPIELT WEITER", "SPIELT, to several people"),
        ("Hold what fits.", "Haltet, was passt.", "Haltet, to several people"),
        ("It is your turn", "Ihr spielt jetzt", "ihr"),
        ("Take them", "Nehmen Sie", "Sie"),
        ("LOOKING...", "SCHAUT NOCH...", "SCHAUT, without ich"),
        ("IT ASKS YOU", "SIE FRAGT DICH", "the machine in the third person"),
        ("COST", "KOSTET 3.3", "a point for a comma"),
    ],
)
def test_what_people_stumbled_over_is_found(english: str, german: str, fault: str) -> None:
    assert fault in faults(english, german)
