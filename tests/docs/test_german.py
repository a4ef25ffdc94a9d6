"""The German pages quote the board as it speaks, leave no complaint out, and name things once."""

import re
from pathlib import Path

import pytest

from appliance.alerts import Alert
from appliance.words import CATALOGUES, read_language
from calibration.problems import Problem
from scripts.fill_board_texts import QUOTED, filled, pages
from scripts.hardware.prints.sheets import BUTTONS_DE, SIDES_DE
from scripts.make_gallery import translated
from tests.paths import ROOT

FOLDER = ROOT / "docs" / "de"
PAGES = sorted(FOLDER.glob("*.md"))
FIRST = FOLDER / "anleitung.md"
TEXTS = read_language(CATALOGUES / "de.toml").texts
KEYS = {TEXTS["LEFT"], TEXTS["RIGHT"], TEXTS["OK"]}
ELSEWHERE = {"LANGUAGE", "DEUTSCH", "USB", "WLAN", "NO", "LINK", "UPDATE", "ME", "SD", "MM"}
"""Capitals that the German catalogue does not have: what is asked in English, and abbreviations."""
NAMES = {
    "Anzeige": ("Tafel", "Scoreboard", "Display"),
    "Schale": ("Tablett", "Würfelteller", "Tray"),
    "Marken": ("Marker",),
    "Taste": ("Knopf", "Knöpfe", "Button"),
    "Linse": ("Objektiv",),
    "Handy": ("Smartphone", "Telefon"),
    "Ablage": ("Halterung", "Würfelhalter"),
    "Stick": ("Speicherstift",),
    "zurücknehm": ("rückgängig",),
    "berichtig": ("korrigier",),
    "gesichert": ("gespeichert",),
}
"""What a thing is called on pages, board and card, and what it must not be called besides."""
CARD = " ".join((*(word for row in BUTTONS_DE for word in row), *SIDES_DE))


def prose(path: Path) -> str:
    """A page without code, addresses and quoted texts of the board."""
    text = re.sub(r"`[^`]*`|\]\([^)]*\)", "", path.read_text("utf-8"))
    return QUOTED.sub("", text)


def test_every_text_of_the_board_is_the_catalogues() -> None:
    for path, made in pages().items():
        assert path.read_text("utf-8") == made, f"{path.name}: run scripts/fill_board_texts.py"


def test_a_text_that_the_catalogue_does_not_have_is_told() -> None:
    assert filled("**X**<!-- DISK FULL|NOT SAVED -->", {"DISK FULL": "A", "NOT SAVED": "B"}) == (
        "**A / B**<!-- DISK FULL|NOT SAVED -->"
    )
    with pytest.raises(ValueError, match="found 'NO SUCH TEXT'"):
        filled("**X**<!-- NO SUCH TEXT -->", TEXTS)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_capitals_without_a_key_are_the_names_of_buttons(path: Path) -> None:
    words = set(re.findall(r"\b[A-ZÄÖÜ]{2,}\b", prose(path)))
    assert words - KEYS - ELSEWHERE - {"FH", "KS", "GS", "CH"} == set()


def test_every_complaint_of_the_board_is_explained() -> None:
    page = (FOLDER / "stoerungen.md").read_text("utf-8")
    keys = QUOTED.findall(page)
    alerts = ["|".join(alert.lines) for alert in Alert]
    assert [key for key in keys if key in alerts] == alerts
    refusals = page.partition("\n## Wenn das Kalibrieren")[2].partition("\n## ")[0]
    assert {problem.value for problem in Problem} == set(QUOTED.findall(refusals))


@pytest.mark.parametrize("name", NAMES)
def test_a_thing_has_one_name(name: str) -> None:
    board = re.sub(r"\{[^}]*\}", "", "\n".join(TEXTS.values()))
    text = "\n".join([*map(prose, PAGES), board, CARD])
    assert name in text
    for other in NAMES[name]:
        found = re.search(rf"\b{other}\w*", text, re.IGNORECASE)
        assert not found, f"{found[0]}: it is called {name}"


def test_every_page_leads_to_the_english_one_and_back() -> None:
    for path in PAGES:
        (english,) = re.findall(r"\[[^\]]*English\]\(\.\./(\w+\.md)\)\*", path.read_text("utf-8"))
        if path.stem != "zettel":
            assert f"](de/{path.name})" in (ROOT / "docs" / english).read_text("utf-8")


def test_the_first_page_names_the_pages_that_stay_english() -> None:
    head = FIRST.read_text("utf-8").partition("\n## ")[0]
    assert all(f"({path.name})" in head for path in PAGES if path != FIRST)
    assert "nur auf Englisch" in head
    nav = (ROOT / "mkdocs.yml").read_text("utf-8")
    play, build = (
        nav.partition(f"  - {part}:\n")[2].partition("\n  - ")[0] for part in ("Play", "Build")
    )
    german = {"owner", "calibrating", "troubleshooting"}
    named = set(re.findall(r"- ([\w-]+)\.md", play + build)) - german
    missing = {page for page in named if f"(../{page}.md)" not in head}
    assert missing == set()


def test_the_drawings_are_those_of_the_board_in_german() -> None:
    kept = {
        path.relative_to(FOLDER).as_posix(): path.read_text("utf-8")
        for path in FOLDER.glob("*/*.svg")
    }
    assert kept == translated(FOLDER), "run scripts/make_gallery.py and look at what changed"
    assert len(kept) >= 5
    english = (ROOT / "docs" / "screens" / "throw.svg").read_text("utf-8")
    assert kept["screens/throw.svg"] != english
