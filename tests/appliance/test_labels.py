"""Labels: what the board calls what the rules name by a key, and its translation by that key."""

import copy
import gc
import pickle
import sys

import pytest

from appliance.words import Label, Language, say
from games.registry import GAMES
from tests.rigs.spoken import spoken


@pytest.fixture(autouse=True)
def _all_games_loaded() -> None:
    """Keys of a game have its labels once it is loaded."""
    assert all(GAMES.values())


@pytest.mark.parametrize(
    ("key", "label"),
    [
        ("aces", "ACES"),
        ("full-house", "FULL HOUSE"),
        ("c1 full-house", "C1 FULL H"),
        ("small-straight", "SMALL STR"),
        ("small-straight 2", "SM STR 2"),
        ("zero five-alike", "0 5 ALIKE"),
        ("cross two-pairs", "X 2 PAIRS"),
        ("kind full-house", "FULL H"),
        ("joker +100 upper +35", "JOKER +100 UPPER +35"),
        ("hold 125", "HOLD 125"),
        ("holdem", "HOLD'EM"),
        ("", ""),
    ],
)
def test_the_english_label_of_a_key(key: str, label: str) -> None:
    assert Label(key) == label
    assert say(Label(key)) == label


def test_a_label_is_translated_by_its_key_whatever_it_is_in_english() -> None:
    labels = {"full-house": "VOLLES HAUS", "... full-house": "V HAUS"}
    with spoken(Language("OTHER", {"FULL HOUSE": "NO", "FULL H": "NO"}, labels=labels)):
        assert say(Label("full-house")) == "VOLLES HAUS"
        assert say(Label("c1 full-house")) == "C1 V HAUS"


def test_a_catalogue_that_has_labels_as_texts_still_serves() -> None:
    with spoken(Language("OTHER", {"FULL HOUSE": "VOLLES HAUS", "FULL H": "V HAUS"})):
        assert say(Label("full-house")) == "VOLLES HAUS"
        assert say(Label("c1 full-house")) == "C1 V HAUS"


def test_a_key_has_a_short_form_beside_others() -> None:
    with spoken("de"):
        assert say(Label("raise")) == "ERHÖHEN"
        assert say(Label("raise 10")) == "RAISE 10"


def test_the_home_of_a_player_is_not_taken_for_a_box() -> None:
    # The sign of three alike, 3A, is 3P in German.
    with spoken("de"):
        assert say(Label("3a fours")) == "3A VIERER"


def test_the_game_of_another_package_needs_no_labels() -> None:
    with spoken("de"):
        assert say(Label("all-sixes 3")) == "ALL SIXES 3"


def test_a_copy_of_a_label_keeps_its_key() -> None:
    label = Label("zero full-house")
    for other in (copy.deepcopy(label), pickle.loads(pickle.dumps(label))):
        assert (other, other.key) == (label, label.key)


def test_of_all_labels_that_were_ever_shown_few_are_kept() -> None:
    gc.collect()
    before = sys.getallocatedblocks()
    # As blinds and bets grow, each raise has a key of its own.
    for chips in range(5000):
        assert Label(f"raise {chips}").endswith(str(chips))
    gc.collect()
    assert sys.getallocatedblocks() - before < 8000
