"""Copies on a stick: of any number of trays, cards and versions, united in any order."""

import random
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from appliance.errors import StickGone
from appliance.journal import (
    bringing,
    present,
    stick_copies,
    stick_files,
    stick_games,
    stick_saving,
    tray,
    union,
    upkeep,
)
from appliance.journal.journal import Journal
from appliance.journal.old_journal import identity_of_old
from appliance.journal.packs import Pack
from appliance.journal.reader import JournalReader
from appliance.journal.saved_game import SavedGame
from appliance.journal.stick_copies import Compared, compare, lacking, restore, restore_others
from appliance.journal.stick_files import tray_folders
from appliance.journal.stick_saving import save
from appliance.journal.union import United
from calibration import store
from tests.appliance.journal.old_copies import old_copy
from tests.calibration.test_store import calibration
from tests.rigs.examples import examples
from tests.rigs.stored_games import games_of

ROLL = "roll 1 2 3 4 5 power"


class Card:
    """A card: its journal and its calibration."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.path, self.profile = folder / "games.sqlite3", folder / "tray.profile"

    def play(self, player: str, *lines: str, ended: bool = False) -> int:
        with Journal(self.path) as games:
            number = games.begin("power", "2009", [player], (), "1.1.0")
            games.append(number, 0, lines or [ROLL], ended=ended)
            return number

    def go_on(self, number: int, line: str, *, ended: bool = False) -> None:
        with Journal(self.path) as games:
            games.open(number)
            games.append(number, len(games.load(number).lines), [line], ended=ended)

    def pack(self) -> None:
        with Journal(self.path) as games:
            while games.tidy():
                pass

    def delete(self, number: int) -> None:
        with Journal(self.path) as games:
            games.delete(number)

    def games(self) -> list[SavedGame]:
        with JournalReader(self.path) as games:
            return sorted(games_of(games), key=lambda game: game.id)

    def players(self) -> list[str]:
        return sorted(game.players[0] for game in self.games())

    def save(self, stick: Path) -> int:
        with Journal(self.path) as games:
            return save(games, stick, self.profile)

    def compare(self, stick: Path, chosen: str = "") -> Compared:
        calibrated = store.profile_exists(self.profile)
        with Journal(self.path) as games:
            return compare(games, stick, calibrated=calibrated, chosen=chosen)

    def offered(self, stick: Path, chosen: str = "") -> tuple[int, int]:
        found = self.compare(stick, chosen)
        with JournalReader(self.path) as games:
            return lacking(games, found)

    def restore(self, stick: Path, chosen: str = "") -> United:
        found = self.compare(stick, chosen)
        with Journal(self.path) as games:
            return restore(games, found)

    def restore_others(self, stick: Path) -> United:
        found = self.compare(stick)
        with Journal(self.path) as games:
            return restore_others(games, found)

    @property
    def tray(self) -> str:
        with Journal(self.path) as games:
            return tray.read_tray(games.files).identity


@pytest.fixture
def new_card(tmp_path: Path) -> Callable[[str], Card]:
    return lambda name: Card(tmp_path / name)


@pytest.fixture
def anna(tmp_path: Path) -> Card:
    """A card with three ended games in a pack, one that is aside, and the present one."""
    card = Card(tmp_path / "anna")
    for _ in range(3):
        card.play("ANNA", ROLL, "keep 1 2", ended=True)
    for _ in range(2):
        card.play("ANNA")
    card.pack()
    with Journal(card.path) as games:
        games.remember("desk", '{"names": ["ANNA"]}')
    return card


@pytest.fixture
def bert(tmp_path: Path) -> Card:
    card = Card(tmp_path / "bert")
    for _ in range(2):
        card.play("BERT", ROLL, "keep 1", ended=True)
    card.pack()
    return card


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    (tmp_path / "stick").mkdir()
    return tmp_path / "stick"


def files_on(stick: Path) -> dict[str, bytes]:
    files = (path for path in stick.rglob("*") if path.is_file())
    return {str(path.relative_to(stick)): path.read_bytes() for path in files}


def call_machine(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    for module in (stick_copies, stick_saving, present, upkeep):
        monkeypatch.setattr(module, "this_machine", lambda: name)


# ---- whose games --------------------------------------------------------------------------------


def test_a_new_card_gets_everything_back(
    anna: Card, stick: Path, new_card: Callable[[str], Card]
) -> None:
    assert anna.save(stick) == 5
    new = new_card("new")
    assert new.offered(stick) == (5, 0)
    assert new.restore(stick).games == 5
    assert new.games() == anna.games()
    assert new.tray == anna.tray, "it takes the identity of the one tray there"
    with Journal(new.path) as games:
        last = games.last()
        assert games.remembered("desk") == '{"names": ["ANNA"]}'
    assert last is not None
    assert last.id == 5, "the present game is the one that was"
    assert new.offered(stick) == (0, 0)
    assert new.restore(stick).games == 0


def test_two_trays_on_one_stick_do_not_get_each_others_games(
    anna: Card, bert: Card, stick: Path, new_card: Callable[[str], Card]
) -> None:
    anna.save(stick)
    bert.save(stick)
    new = new_card("new")
    which = new.compare(stick).which
    assert [(one.names, one.games) for one in which] == [(("ANNA",), 5), (("BERT",), 2)]
    assert new.offered(stick) == (0, 0), "until somebody says which tray it is"
    assert new.restore(stick, which[0].identity).games == 5
    assert new.players() == ["ANNA"] * 5
    assert new.tray == anna.tray
    assert new.offered(stick) == (0, 2)
    assert new.restore_others(stick).games == 2
    assert new.offered(stick) == (0, 0)
    with Journal(new.path) as games:
        own = games.own_trays()
    assert {game.tray in own for game in new.games() if game.players == ("BERT",)} == {False}


@pytest.mark.parametrize("played", [1, 6])
@pytest.mark.parametrize("saved", [True, False])
def test_a_new_card_that_was_played_on_gets_the_old_ones_games(
    anna: Card,
    stick: Path,
    new_card: Callable[[str], Card],
    monkeypatch: pytest.MonkeyPatch,
    *,
    played: int,
    saved: bool,
) -> None:
    call_machine(monkeypatch, "a Pi")
    anna.save(stick)
    new = new_card("new")
    for _ in range(played):
        new.play("ZOE")
    present = new.games()[-1]
    if saved:
        new.save(stick)
    assert new.offered(stick) == (5, 0), "the Pi says that it is the same tray"
    assert new.restore(stick).games == 5
    assert new.players() == ["ANNA"] * 5 + ["ZOE"] * played
    with Journal(new.path) as games:
        assert games.last() == present
        assert anna.tray in games.own_trays()


def test_on_another_pi_they_are_another_trays(
    anna: Card, stick: Path, new_card: Callable[[str], Card], monkeypatch: pytest.MonkeyPatch
) -> None:
    call_machine(monkeypatch, "a Pi")
    anna.save(stick)
    call_machine(monkeypatch, "another")
    new = new_card("new")
    new.play("ZOE")
    assert new.offered(stick) == (0, 5)


def test_a_card_in_another_pi_is_another_tray_with_its_former_games(
    anna: Card, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call_machine(monkeypatch, "a Pi")
    anna.save(stick)
    first = anna.tray
    call_machine(monkeypatch, "another")
    anna.play("EVA")
    anna.save(stick)
    assert anna.tray != first
    assert len(list((stick / "dicetray").iterdir())) == 2
    assert anna.offered(stick) == (0, 0)


def test_a_copied_card_is_another_tray_also_if_it_restores_first(
    anna: Card, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call_machine(monkeypatch, "a Pi")
    anna.save(stick)
    first = anna.tray
    call_machine(monkeypatch, "another")
    assert anna.restore(stick).games == 0
    assert anna.tray != first
    with Journal(anna.path) as games:
        assert first in games.own_trays()


def test_a_new_card_that_was_only_calibrated_is_told_whose_it_is(
    anna: Card, bert: Card, stick: Path, new_card: Callable[[str], Card]
) -> None:
    anna.save(stick)
    bert.save(stick)
    new = new_card("new")
    store.save(new.profile, calibration())
    assert new.offered(stick) == (0, 7)
    assert new.offered(stick, anna.tray) == (5, 2)
    assert new.restore(stick, anna.tray).games == 5
    assert new.offered(stick) == (0, 2)


def test_the_pi_says_which_of_several_trays_a_new_card_is(
    anna: Card,
    bert: Card,
    stick: Path,
    new_card: Callable[[str], Card],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for card in (anna, bert):
        call_machine(monkeypatch, card.path.parent.name)
        card.save(stick)
    new = new_card("new")
    assert new.offered(stick) == (2, 5)
    new.restore(stick)
    assert new.tray == bert.tray


# ---- which games --------------------------------------------------------------------------------


def test_one_missing_game_is_enough(
    anna: Card, stick: Path, new_card: Callable[[str], Card]
) -> None:
    anna.save(stick)
    new = new_card("new")
    new.restore(stick)
    anna.play("ANNA", "roll 2 2 2 2 2 power", ended=True)
    anna.save(stick)
    assert new.offered(stick) == (1, 0)
    assert new.restore(stick).games == 1


def test_a_game_that_went_on_further_on_the_stick_is_lengthened(
    anna: Card, stick: Path, new_card: Callable[[str], Card]
) -> None:
    anna.save(stick)
    new = new_card("new")
    new.restore(stick)
    anna.go_on(4, "keep 1 2", ended=True)
    anna.go_on(5, "keep 1 2")
    anna.save(stick)
    assert new.offered(stick) == (1, 0), "the present one is left alone"
    assert new.restore(stick).longer == [4]
    assert new.games()[:4] == anna.games()[:4]
    assert new.games()[4].lines == (ROLL,)
    new.play("ANNA")
    assert new.offered(stick) == (1, 0)
    assert new.restore(stick).longer == [5]
    assert new.games()[:5] == anna.games()


def test_a_game_that_ended_here_and_went_on_there_is_lengthened(
    anna: Card, stick: Path, new_card: Callable[[str], Card]
) -> None:
    anna.save(stick)
    new = new_card("new")
    new.restore(stick)
    anna.go_on(1, "undo")
    anna.save(stick)
    assert new.restore(stick).longer == [1]
    assert new.games()[0].lines == (ROLL, "keep 1 2", "undo")
    assert new.offered(stick) == (0, 0)


def test_a_game_played_on_differently_is_kept_twice_and_comes_once(
    anna: Card, stick: Path, tmp_path: Path, new_card: Callable[[str], Card]
) -> None:
    anna.save(stick)
    new = new_card("new")
    new.restore(stick)
    anna.go_on(4, "keep 1")
    new.go_on(4, "keep 2")
    anna.save(stick)
    assert len(new.restore(stick).apart) == 1
    last = [game.lines[-1] for game in new.games() if len(game.lines) == 2 and not game.ended]
    assert sorted(last) == ["keep 1", "keep 2"]
    other = tmp_path / "other stick"
    other.mkdir()
    for _ in range(2):
        new.save(other)
        anna.restore(other)
        anna.save(stick)
        new.restore(stick)
    assert sorted(game.lines for game in anna.games()) == sorted(game.lines for game in new.games())
    assert len(anna.games()) == 6


def test_what_was_deleted_never_comes_back(
    anna: Card, stick: Path, tmp_path: Path, new_card: Callable[[str], Card]
) -> None:
    older = tmp_path / "older stick"
    older.mkdir()
    anna.save(older)
    anna.save(stick)
    anna.delete(2)
    assert anna.offered(stick) == (0, 0)
    assert anna.restore(stick).games == 0
    gone = (set(identities(older)) - {game.identity for game in anna.games()}).pop()
    anna.save(stick)
    assert gone not in identities(stick), "nothing of it is left on the stick"
    new = new_card("new")
    new.restore(stick)
    assert new.offered(older) == (0, 0), "the mark came along"
    again = new_card("again")
    again.restore(older)
    assert len(again.games()) == 5
    again.restore(stick)
    assert len(again.games()) == 4


def identities(stick: Path) -> list[str]:
    folders = tray_folders(stick).items()
    return [game.identity for _, files in folders for game in stick_games.games_of(files)]


def test_a_number_that_another_game_has_is_left_to_it(
    anna: Card, stick: Path, new_card: Callable[[str], Card]
) -> None:
    anna.save(stick)
    new = new_card("new")
    new.play("ZOE")
    new.restore_others(stick)
    assert [game.players for game in new.games()[:1]] == [("ZOE",)]
    assert len({game.id for game in new.games()}) == 6


# ---- copies of earlier versions -----------------------------------------------------------------


def test_a_calibrated_tray_with_another_trays_games_alone_is_not_that_tray(
    anna: Card, stick: Path, new_card: Callable[[str], Card]
) -> None:
    anna.play("ANNA")
    anna.save(stick)
    bert = new_card("bert")
    store.save(bert.profile, calibration())
    assert bert.restore_others(stick).games
    # Before its own first game, which a power cut may take away.
    own = bert.tray
    assert own != anna.tray
    number = bert.play("BERT")
    assert next(game.tray for game in bert.games() if game.id == number) == own
    bert.save(stick)
    assert {anna.tray, own} == set(tray_folders(stick))


def test_a_new_card_with_copies_of_another_trays_games_first_is_still_the_tray_of_its_stick(
    anna: Card, stick: Path, new_card: Callable[[str], Card]
) -> None:
    anna.save(stick)
    old_copy(stick / "dicetray-games-0001.sqlite3", {1: ("BERT", [ROLL])})
    own, others = new_card("untouched").offered(stick)
    assert own == 5
    assert others == 1
    new = new_card("new")
    assert new.restore_others(stick).games == others
    assert new.tray == anna.tray
    assert new.offered(stick) == (own, 0)
    assert new.restore(stick).games == own
    assert new.tray == anna.tray


def test_all_old_copies_are_united(stick: Path, new_card: Callable[[str], Card]) -> None:
    lines = [f"roll 1 2 3 4 {n} power" for n in range(1, 7)]
    old_copy(
        stick / "dicetray-games-0001.sqlite3", {1: ("ANNA", lines[:1]), 2: ("BEN", lines[1:2])}
    )
    old_copy(stick / "dicetray-games-0002.sqlite3", {1: ("ANNA", lines), 3: ("CLEO", lines[2:3])})
    old_copy(stick / "dicetray-games-0003.sqlite3", {})
    (stick / "dicetray-games-0004.sqlite3").write_bytes(b"damaged" * 100)
    new = new_card("new")
    assert new.offered(stick) == (3, 0)
    assert new.restore(stick).games == 3
    assert [(game.players, len(game.lines)) for game in new.games()] == [
        (("ANNA",), 6),
        (("BEN",), 1),
        (("CLEO",), 1),
    ]
    assert {game.tray for game in new.games()} == {new.tray}
    assert new.offered(stick) == (0, 0)


def test_the_present_game_of_an_old_copy_comes_last_and_stays_it(
    stick: Path, new_card: Callable[[str], Card], monkeypatch: pytest.MonkeyPatch
) -> None:
    games = {n: (f"ANNA {n}", [f"roll 1 2 3 4 {n} power"]) for n in range(1, 6)}
    old_copy(stick / "dicetray-games-0001.sqlite3", games, ended=False)
    monkeypatch.setattr(union, "_MOST_LINES", 10)
    new = new_card("new")
    assert new.restore(stick).games == 5
    with Journal(new.path) as journal:
        last = journal.last()
    assert last is not None
    assert last.players == ("ANNA 5",)


def test_an_old_copy_is_this_trays_if_it_shares_a_game(
    stick: Path, new_card: Callable[[str], Card]
) -> None:
    lines = [f"roll 1 2 3 4 {n} power" for n in range(1, 7)]
    old_copy(stick / "dicetray-games-0001.sqlite3", {1: ("ANNA", lines), 2: ("ANNA", lines[1:])})
    new = new_card("new")
    new.restore(stick)
    (stick / "dicetray-games-0001.sqlite3").unlink()
    old_copy(stick / "dicetray-games-0002.sqlite3", {1: ("ANNA", lines[1:]), 2: ("EVA", lines[2:])})
    old_copy(stick / "dicetray-games-0003.sqlite3", {5: ("EVA", lines[2:]), 6: ("EVA", lines[3:])})
    old_copy(stick / "dicetray-games-0004.sqlite3", {1: ("BERT", lines[4:])})
    assert new.offered(stick) == (2, 1), "the third shares one with the second"
    new.restore(stick)
    assert new.players() == ["ANNA", "ANNA", "EVA", "EVA"]
    assert new.offered(stick) == (0, 1)


def test_a_game_of_an_old_copy_is_known_though_it_was_short_then(
    stick: Path, new_card: Callable[[str], Card]
) -> None:
    lines = [f"roll 1 2 3 4 {1 + n % 6} power" for n in range(40)]
    old_copy(stick / "dicetray-games-0002.sqlite3", {1: ("ANNA", lines)})
    new = new_card("new")
    new.restore(stick)
    assert [game.identity for game in new.games()] == [identity_of_old("power", (), lines)]
    (stick / "dicetray-games-0002.sqlite3").unlink()
    for number in (1, 7):
        old_copy(stick / "dicetray-games-0001.sqlite3", {number: ("ANNA", lines[:3])})
        assert new.offered(stick) == (0, 0), number
    old_copy(stick / "dicetray-games-0003.sqlite3", {1: ("ANNA", [*lines, lines[0]])})
    new.play("ANNA")
    assert new.offered(stick) == (1, 0)
    assert len(new.restore(stick).longer) == 1


# ---- calibration --------------------------------------------------------------------------------


def test_a_calibration_goes_back_to_its_own_tray_only(
    anna: Card, bert: Card, stick: Path, new_card: Callable[[str], Card]
) -> None:
    store.save(anna.profile, calibration())
    anna.save(stick)
    bert.save(stick)
    assert anna.compare(stick).profile == store.encode(calibration())
    assert bert.compare(stick).profile is None
    new = new_card("new")
    assert new.compare(stick).profile is None
    assert new.compare(stick, bert.tray).profile is None
    assert new.compare(stick, anna.tray).profile == store.encode(calibration())


def test_the_calibration_of_an_old_copy_is_nobodys(anna: Card, stick: Path) -> None:
    store.save(stick / "dicetray-games-0001.profile", calibration())
    (stick / "dicetray-games-0002.profile").write_bytes(b"nothing of it is left")
    found = anna.compare(stick)
    assert found.profile is None
    assert found.old_profile == store.encode(calibration())


def test_a_damaged_calibration_is_not_saved(anna: Card, stick: Path) -> None:
    store.save(anna.profile, calibration())
    anna.save(stick)
    anna.profile.write_bytes(b"damaged")
    anna.save(stick)
    assert anna.compare(stick).profile == store.encode(calibration()), "the one before stays"


# ---- any order ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(examples(4, 12)))
def test_any_order_of_saves_and_restores_ends_in_the_same_union(
    anna: Card, bert: Card, tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    sticks = [tmp_path / name for name in ("one", "two")]
    for one in sticks:
        one.mkdir()
    anna.save(sticks[0])
    bert.restore_others(sticks[0])
    cards = [anna, bert]
    for number, card in enumerate(cards):
        card.play("ZOE", f"roll 6 6 6 6 {number + 1} power")
        aside = next(
            game.id for game in card.games() if game.players == ("ANNA",) and not game.ended
        )
        card.go_on(aside, f"keep {number + 1}")
        card.play("ZOE", f"roll 5 5 5 5 {number + 1} power")

    def act(card: Card, one: Path) -> None:
        if chance.random() < 0.5:
            card.save(one)
        else:
            card.restore(one)
            card.restore_others(one)

    for _ in range(8):
        act(chance.choice(cards), chance.choice(sticks))
    for card in (anna, bert, anna):
        for one in sticks:
            card.restore(one)
            card.restore_others(one)
            card.save(one)
    for card in cards:
        for one in sticks:
            assert card.offered(one) == (0, 0)
    ours, theirs = ([game.lines for game in card.games()] for card in cards)
    assert sorted(ours) == sorted(theirs)
    assert len(ours) == 5 + 2 + 4 + 1, "each game once, and the one that went on differently twice"


# ---- limits -------------------------------------------------------------------------------------


def test_strange_files_are_left_out(
    anna: Card, stick: Path, new_card: Callable[[str], Card], monkeypatch: pytest.MonkeyPatch
) -> None:
    anna.save(stick)
    folder = next((stick / "dicetray").iterdir())
    (folder / "pictures~1.pack").write_bytes(b"[Packed 1 1 9 5f3a]  #01234567\n" * 100)
    (folder / "0001-folder~1.pack").mkdir()
    (stick / "dicetray" / "holiday").mkdir()
    with (folder / "large~1.pack").open("wb") as file:
        file.truncate(30_000_000)
    new = new_card("new")
    assert new.offered(stick) == (5, 0)
    with monkeypatch.context() as limits:
        limits.setattr(stick_games, "_MOST_GAME_BYTES", 10)
        assert new.offered(stick) == (0, 0)
    with monkeypatch.context() as limits:
        limits.setattr(stick_files, "_MOST_GAMES", 2)
        assert new.offered(stick) == (2, 0), "the pack has three"
    with monkeypatch.context() as limits:
        limits.setattr(union, "MOST", 1)
        assert new.offered(stick) == (1, 0), "the others come the next time"
        for _ in range(5):
            new.restore(stick)
    assert new.offered(stick) == (0, 0)


def test_packs_that_are_the_same_here_are_not_read(
    anna: Card, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna.save(stick)
    read: list[str] = []
    real = stick_files.StickFiles.pack

    def pack(files: stick_files.StickFiles, name: str) -> Pack:
        read.append(Path(name).name)
        return real(files, name)

    monkeypatch.setattr(stick_files.StickFiles, "pack", pack)
    assert anna.offered(stick) == (0, 0)
    assert read == ["going~1.pack"]
    anna.delete(1)
    assert anna.offered(stick) == (0, 0)
    assert len(read) == 3, "one game is missing now"


def test_a_game_whose_first_lines_are_lost_on_the_stick_is_not_offered(
    anna: Card, stick: Path, new_card: Callable[[str], Card]
) -> None:
    anna.save(stick)
    pack = next(stick.rglob("0001*.pack"))
    pack.write_bytes(pack.read_bytes().replace(b"[Players", b"[players", 1))
    new = new_card("new")
    assert new.offered(stick) == (4, 0)
    assert new.restore(stick).games == 4
    assert new.offered(stick) == (0, 0)


def test_a_game_goes_on_differently_only_so_often(
    anna: Card, stick: Path, new_card: Callable[[str], Card], monkeypatch: pytest.MonkeyPatch
) -> None:
    anna.save(stick)
    monkeypatch.setattr(union, "_MOST_APART", 2)
    cards = [new_card(f"card {n}") for n in range(5)]
    for n, card in enumerate(cards):
        card.restore(stick)
        card.go_on(4, f"keep {n}")
        card.play("ANNA")
    for card in cards:
        card.save(stick)
        anna.restore(stick)
    kept = [game for game in anna.games() if len(game.lines) == 2 and not game.ended]
    assert len(kept) == 3


def test_a_calibration_too_large_for_the_sticks_unit_is_not_read(anna: Card, stick: Path) -> None:
    file = stick / "dicetray-games-0001.profile"
    store.save(file, calibration())
    assert anna.compare(stick).old_profile is not None
    store.save(file, replace(calibration(), lens_source="x" * 8_000_000))
    assert file.stat().st_size < store.MAX_PROFILE_BYTES, "a card may have it"
    assert anna.compare(stick).old_profile is None


def test_a_number_without_sense_is_replaced(
    anna: Card, stick: Path, new_card: Callable[[str], Card], monkeypatch: pytest.MonkeyPatch
) -> None:
    anna.save(stick)
    monkeypatch.setattr(bringing, "_MOST_NUMBER", 2)
    new = new_card("new")
    new.restore(stick)
    assert [game.id for game in new.games()] == [1, 2, 3, 4, 5]


def test_a_damaged_pack_gives_what_is_left_and_another_stick_the_rest(
    anna: Card, stick: Path, tmp_path: Path, new_card: Callable[[str], Card]
) -> None:
    anna.save(stick)
    whole = tmp_path / "whole"
    shutil.copytree(stick, whole)
    pack = max(stick.rglob("*.pack"), key=lambda path: path.stat().st_size)
    data = bytearray(pack.read_bytes())
    place = data.rindex(b"keep 1 2")
    data[place : place + 4] = b"\0\0\0\0"
    pack.write_bytes(data)
    new = new_card("new")
    new.restore(stick)
    assert len(new.games()) == 5
    assert sum(len(game.lines) for game in new.games()) == 7
    new.restore(whole)
    assert [game.lines for game in new.games()] == [game.lines for game in anna.games()]


def test_nothing_to_restore_from(anna: Card, stick: Path) -> None:
    assert anna.offered(stick) == (0, 0)
    with pytest.raises(StickGone, match="expected a USB stick"):
        anna.offered(stick / "away")
    with pytest.raises(StickGone):
        anna.save(stick / "away")
    assert not (stick / "away").exists()
