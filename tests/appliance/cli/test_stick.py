"""`dicetray stick`: what it offers and does."""

from importlib.metadata import version
from pathlib import Path

import pytest

from appliance.cli.stick import serve
from appliance.devices.stick import ANSWER, ASK, OFFER, RESTORE, SAVE, UPDATE, StickFolder
from appliance.journal.copies import copies
from appliance.journal.database import Journal
from calibration import store
from tests.calibration.test_store import calibration


class Plugged:
    """A stick, a desk and a journal."""

    def __init__(self, folder: Path) -> None:
        self.stick, self.state, run = (folder / name for name in ("stick", "state", "run"))
        for made in (self.stick, self.state, run):
            made.mkdir()
        self.journal, self.profile = self.state / "games.sqlite3", self.state / "tray.profile"
        Journal(self.journal).close()
        self.desk = StickFolder(run, self.state)

    def play(self, *players: str) -> None:
        with Journal(self.journal) as journal:
            for player in players:
                journal.append(
                    journal.begin("power", "2009", [player], [], "0"), 0, ["roll 1 2 3 4 5 power"]
                )

    def offered(self) -> tuple[str, ...]:
        self.desk.put(OFFER)
        serve(self.desk, self.stick, self.journal, self.profile)
        return self.desk.lines(OFFER)

    def do(self, word: str) -> tuple[str, ...]:
        self.offered()
        self.desk.ask(word)
        serve(self.desk, self.stick, self.journal, self.profile)
        return self.desk.lines(ANSWER, take=True)


@pytest.fixture
def plugged(tmp_path: Path) -> Plugged:
    return Plugged(tmp_path)


def test_what_is_offered(plugged: Plugged) -> None:
    assert plugged.offered() == ()
    plugged.play("ANNA", "BEN")
    assert plugged.offered() == (SAVE,)
    for name, newer in (("0.1.0", False), (version("dicetray"), False), ("1.10.0", True)):
        (plugged.stick / f"dicetray-{name}.tar.gz").touch()
        assert (UPDATE in plugged.offered()) is newer, name


def test_saved_then_restored_on_a_new_card(plugged: Plugged) -> None:
    plugged.play("ANNA", "BEN")
    assert plugged.do(SAVE) == ("SAVED", "2 GAMES", "PULL OUT", "THE STICK")
    assert (plugged.state / "copied").exists()
    plugged.journal.unlink()
    Journal(plugged.journal).close()
    assert plugged.offered() == (RESTORE,)
    assert plugged.do(RESTORE) == ("RESTORED", "2 GAMES", "PULL OUT", "THE STICK")
    assert plugged.offered() == (SAVE,)
    with Journal(plugged.journal) as journal:
        assert len(journal.entries()) == 2


def test_a_tray_that_was_saved_is_known_on_a_new_card(plugged: Plugged) -> None:
    plugged.play("ANNA")
    store.save(plugged.profile, calibration())
    plugged.do(SAVE)
    plugged.profile.unlink()
    assert plugged.offered() == (RESTORE, SAVE), "though all games are there"
    said = plugged.do(RESTORE)
    assert said == ("RESTORED", "0 GAMES", "TRAY KNOWN", "SWITCH OFF, ON", "PULL OUT", "THE STICK")
    assert store.encode(store.load(plugged.profile)) == store.encode(calibration())
    assert plugged.offered() == (SAVE,)


def test_what_was_not_offered_is_not_done(plugged: Plugged) -> None:
    plugged.play("ANNA")
    for word in (RESTORE, UPDATE, "nonsense"):
        plugged.desk.put(OFFER)
        plugged.desk.put(ASK, word)
        serve(plugged.desk, plugged.stick, plugged.journal, plugged.profile)
        assert plugged.desk.lines(ANSWER) == ()
        assert plugged.desk.lines(ASK) == ()


def test_what_cannot_be_done_is_said(plugged: Plugged) -> None:
    plugged.play("ANNA")
    plugged.offered()
    plugged.stick.rmdir()
    plugged.desk.ask(SAVE)
    serve(plugged.desk, plugged.stick, plugged.journal, plugged.profile)
    assert plugged.desk.lines(ANSWER) == (SAVE, "NOT DONE", "TRY OTHER", "STICK")
    assert not (plugged.state / "copied").exists()
    assert copies(plugged.stick) == []
