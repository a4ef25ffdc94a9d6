"""`dicetray stick`: what it offers and does."""

import os
import shutil
import subprocess
from argparse import Namespace
from importlib.metadata import version
from pathlib import Path

import pytest

from appliance.cli import stick as command
from appliance.cli.stick import serve, version_order
from appliance.config import Config
from appliance.config.paths import journal_path
from appliance.devices.stick import (
    ANSWER_FILE,
    CALIBRATION_WORD,
    OFFER_FILE,
    OTHERS_WORD,
    REQUEST_FILE,
    RESTORE_WORD,
    SAVE_WORD,
    UPDATE_WORD,
    StickFolder,
)
from appliance.journal import stick_files
from appliance.journal.journal import Journal
from calibration import store
from tests.appliance.journal.old_copies import old_copy
from tests.calibration.test_store import calibration
from tests.paths import ROOT
from tests.rigs.pulled_stick import pulled_out


class Plugged:
    """A stick, a desk and a journal; other cards can be put in the place of the first."""

    def __init__(self, folder: Path) -> None:
        self.stick, self.folder = folder / "stick", folder
        self.stick.mkdir()
        self.put_in("state")

    def put_in(self, card: str) -> None:
        self.state, run = self.folder / card, self.folder / f"run {card}"
        for made in (self.state, run):
            made.mkdir(exist_ok=True)
        self.journal, self.profile = self.state / "games.sqlite3", self.state / "tray.profile"
        self.desk = StickFolder(run, self.state)

    def play(self, *players: str) -> None:
        with Journal(self.journal) as journal:
            for player in players:
                number = journal.begin("power", "2009", [player], (), "0")
                journal.append(number, 0, ["roll 1 2 3 4 5 power"])

    def offered(self) -> tuple[str, ...]:
        self.desk.put(OFFER_FILE)
        serve(self.desk, self.stick, self.journal, self.profile)
        return self.desk.lines(OFFER_FILE)

    def do(self, word: str) -> tuple[str, ...]:
        self.offered()
        self.desk.ask(word)
        serve(self.desk, self.stick, self.journal, self.profile)
        return self.desk.lines(ANSWER_FILE, take=True)


@pytest.fixture
def plugged(tmp_path: Path) -> Plugged:
    return Plugged(tmp_path)


def test_what_is_offered(plugged: Plugged) -> None:
    assert plugged.offered() == ()
    plugged.play("ANNA", "BEN")
    assert plugged.offered() == (SAVE_WORD,)
    for name, newer in (("0.1.0", False), (version("dicetray"), False), ("1.10.0", True)):
        (plugged.stick / f"dicetray-{name}.tar.gz").touch()
        assert (UPDATE_WORD in plugged.offered()) is newer, name


def test_every_file_that_is_offered_is_one_that_root_finds(plugged: Plugged) -> None:
    """One rule for names at both ends: here and in systemd/signature.sh, with the same order."""
    names = [
        *("9.0", "9.0rc1", "9.0rc10", "9.0rc9", "9.0b2", "9.0a3", "9.0.1", "9.10", "9.9", "10"),
        *("9.0 (1)", "9.0(2)", "9.0-1", "9.0rc1 (3)", "9.0.0", "9.0.1rc1"),
        *("09.0", "9.01", "9.", "9..0", "9.0rc", "9.0RC1", "9.0.dev1", "9.0.post1", "9.0+pi"),
        *(
            "9.0 (1) (2)",
            "9.0 copy",
            "9.0-source",
            "9.0-parts",
            "9.0 ",
            " 9.0",
            "9.0\n",
            "x",
            "\u0669.0",
        ),
    ]
    offered = {}
    for name in names:
        file = plugged.stick / f"dicetray-{name}.tar.gz"
        file.touch()
        offered[file.name] = UPDATE_WORD in plugged.offered()
        file.unlink()
    assert [name for name, newer in offered.items() if newer] == [
        f"dicetray-{name}.tar.gz" for name in names[:16]
    ]
    for name in offered:
        (plugged.stick / name).touch()
    (plugged.stick / "dicetray-11.tar.gz").mkdir()
    script = f". '{ROOT}/systemd/signature.sh'; releases_in '{plugged.stick}'"
    done = subprocess.run(["sh", "-euc", script], capture_output=True, text=True, check=True)
    found = [line.split("\t") for line in done.stdout.splitlines()]
    assert sorted(Path(path).name for _, path in found) == sorted(n for n in offered if offered[n])
    versions = [version for version, _ in found]
    assert [*map(version_order, versions)] == sorted(map(version_order, versions), reverse=True)
    assert versions[:3] == ["10", "9.10", "9.9"]
    assert [Path(path).name for version, path in found if version == "9.0"] == [
        f"dicetray-{name}.tar.gz" for name in ("9.0", "9.0-1", "9.0(2)", "9.0 (1)")
    ], "a second copy is tried after the first"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        *(("1.1.0rc1", "1.1.0"), ("1.0.9", "1.1.0rc1"), ("1.1.0a2", "1.1.0b1")),
        *(("1.1.0rc2", "1.1.0rc10"), ("1.9", "1.10"), ("1.0", "1.0.0rc1"), ("1.0", "1.0.0")),
        *(("1.0rc1", "1.0.0"), ("1.0.0.dev1", "1.0.1")),
    ],
)
def test_both_ends_take_the_same_version_for_the_newer_one(older: str, newer: str) -> None:
    assert version_order(older) < version_order(newer)
    assert not version_order(newer) < version_order(older)
    script = (
        f". '{ROOT}/systemd/signature.sh'; is_older '{older}' '{newer}' && "
        f"! is_older '{newer}' '{older}' && ! is_older '{older}' '{older}'"
    )
    subprocess.run(["sh", "-euc", script], check=True)


def test_saved_then_restored_on_a_new_card(plugged: Plugged) -> None:
    plugged.play("ANNA", "BEN")
    assert plugged.do(SAVE_WORD) == ("SAVED", "2 GAMES", "PULL OUT", "THE STICK")
    assert (plugged.state / "copied").exists()
    plugged.put_in("new")
    assert plugged.offered() == ("RESTORE\tRESTORE\t2 GAMES\tOF THIS TRAY",)
    assert plugged.do(RESTORE_WORD) == ("RESTORED", "2 GAMES", "PULL OUT", "THE STICK")
    assert plugged.offered() == (SAVE_WORD,)


def test_of_several_trays_one_is_chosen(plugged: Plugged) -> None:
    plugged.play("ANNA", "BEN")
    plugged.do(SAVE_WORD)
    plugged.put_in("another")
    plugged.play("PLAYER 1")
    plugged.do(SAVE_WORD)
    plugged.put_in("new")
    assert plugged.offered() == (
        "RESTORE 1\tWHICH TRAY?\tBEN\tANNA\t2 GAMES",
        "RESTORE 2\tWHICH TRAY?\t1 GAME",
    )
    assert plugged.do("RESTORE 3") == ()
    assert plugged.do("RESTORE 1") == ("RESTORED", "2 GAMES", "PULL OUT", "THE STICK")
    ours = "OURS 1\tOURS?\t1 GAME"
    others = "RESTORE OTHERS\tRESTORE\t1 GAME\tOF ANOTHER"
    assert plugged.offered() == (others, SAVE_WORD, ours)
    assert plugged.do(OTHERS_WORD) == ("RESTORED", "1 GAME", "PULL OUT", "THE STICK")
    assert plugged.offered() == (SAVE_WORD, ours)


def test_a_tray_of_another_card_and_pi_can_be_called_ours(plugged: Plugged) -> None:
    plugged.play("ANNA", "BEN")
    store.save(plugged.profile, calibration())
    plugged.do(SAVE_WORD)
    plugged.put_in("new")
    plugged.play("ZOE")
    others = "RESTORE OTHERS\tRESTORE\t2 GAMES\tOF ANOTHER"
    assert plugged.offered() == (others, SAVE_WORD, "OURS 1\tOURS?\tBEN\tANNA\t2 GAMES")
    with Journal(plugged.journal) as journal:
        before = journal.own_trays()
    said = ("RESTORED", "2 GAMES", "TRAY KNOWN", "SWITCH OFF, ON", "PULL OUT", "THE STICK")
    assert plugged.do("OURS 1") == said
    with Journal(plugged.journal) as journal:
        assert journal.own_trays() > before, "they count from now on"
    assert plugged.offered() == (SAVE_WORD,)


def test_a_tray_that_is_calibrated_but_has_no_games_is_offered_each_choice_once(
    plugged: Plugged,
) -> None:
    plugged.play("ANNA", "BEN")
    plugged.do(SAVE_WORD)
    plugged.put_in("new")
    store.save(plugged.profile, calibration())
    offered = plugged.offered()
    assert "OURS 1\tOURS?\tBEN\tANNA\t2 GAMES" in offered
    assert len(set(offered)) == len(offered)


def test_a_game_that_is_kept_twice_is_said(plugged: Plugged) -> None:
    plugged.play("ANNA", "BEN")
    plugged.do(SAVE_WORD)
    plugged.put_in("new")
    plugged.do(RESTORE_WORD)
    for card, line in (("state", "keep 1"), ("new", "keep 2")):
        plugged.put_in(card)
        with Journal(plugged.journal) as journal:
            journal.open(1)
            journal.append(1, 1, [line])
        plugged.play("ANNA")
        if card == "state":
            plugged.do(SAVE_WORD)
    said = ("RESTORED", "2 GAMES", "1 GAME", "KEPT TWICE", "PULL OUT", "THE STICK")
    assert plugged.do(RESTORE_WORD) == said


def test_a_tray_that_was_saved_is_known_on_a_new_card(plugged: Plugged) -> None:
    plugged.play("ANNA")
    store.save(plugged.profile, calibration())
    plugged.do(SAVE_WORD)
    plugged.profile.unlink()
    offer = "RESTORE\tRESTORE\tTRAY KNOWN\tOF THIS TRAY"
    assert plugged.offered() == (offer, SAVE_WORD), "though all games are there"
    said = plugged.do(RESTORE_WORD)
    assert said == ("RESTORED", "0 GAMES", "TRAY KNOWN", "SWITCH OFF, ON", "PULL OUT", "THE STICK")
    assert store.encode(store.load(plugged.profile)) == store.encode(calibration())
    assert plugged.offered() == (SAVE_WORD,)


def test_the_calibration_of_an_old_copy_is_a_question(plugged: Plugged) -> None:
    plugged.play("ANNA")
    store.save(plugged.stick / "dicetray-games-0001.profile", calibration())
    assert plugged.offered() == ("CALIBRATION\tCALIBRATION\tOF A COPY?", SAVE_WORD)
    assert plugged.do(RESTORE_WORD) == ()
    assert not plugged.profile.exists()
    said = plugged.do(CALIBRATION_WORD)
    assert said[:4] == ("RESTORED", "CALIBRATION", "TRAY KNOWN", "SWITCH OFF, ON")
    assert store.encode(store.load(plugged.profile)) == store.encode(calibration())
    assert plugged.offered() == (SAVE_WORD,)


def test_what_was_not_offered_is_not_done(plugged: Plugged) -> None:
    plugged.play("ANNA")
    for word in (RESTORE_WORD, UPDATE_WORD, "nonsense"):
        plugged.desk.put(OFFER_FILE)
        plugged.desk.put(REQUEST_FILE, word)
        serve(plugged.desk, plugged.stick, plugged.journal, plugged.profile)
        assert plugged.desk.lines(ANSWER_FILE) == ()
        assert plugged.desk.lines(REQUEST_FILE) == ()


def test_only_what_was_offered_is_done_whatever_else_a_request_says(plugged: Plugged) -> None:
    plugged.play("ANNA")
    plugged.offered()
    plugged.desk.put(REQUEST_FILE, SAVE_WORD, RESTORE_WORD)
    serve(plugged.desk, plugged.stick, plugged.journal, plugged.profile)
    assert plugged.desk.lines(ANSWER_FILE)[0] == "SAVED"


def test_an_upgrade_brings_in_no_games_of_another_tray(plugged: Plugged) -> None:
    plugged.play("ANNA", "BEN")
    plugged.do(SAVE_WORD)
    plugged.put_in("another")
    plugged.play("ZOE")
    (plugged.stick / "dicetray-99.0.tar.gz").touch()
    before = plugged.offered()
    assert {word.partition("\t")[0] for word in before} > {OTHERS_WORD, UPDATE_WORD}
    plugged.desk.put(REQUEST_FILE, UPDATE_WORD)
    serve(plugged.desk, plugged.stick, plugged.journal, plugged.profile)
    assert plugged.offered() == before


def test_what_cannot_be_done_is_said(plugged: Plugged) -> None:
    plugged.play("ANNA")
    plugged.offered()
    plugged.stick.rmdir()
    plugged.desk.ask(SAVE_WORD)
    serve(plugged.desk, plugged.stick, plugged.journal, plugged.profile)
    assert plugged.desk.lines(ANSWER_FILE) == (SAVE_WORD, "NOT DONE", "TRY OTHER", "STICK")
    assert not (plugged.state / "copied").exists()
    assert not plugged.stick.exists()


@pytest.mark.parametrize(
    ("word", "kind"), [(SAVE_WORD, "saved"), (RESTORE_WORD, "saved"), (RESTORE_WORD, "old")]
)
def test_a_stick_that_is_pulled_out_at_any_moment_is_no_empty_one(
    plugged: Plugged, caplog: pytest.LogCaptureFixture, word: str, kind: str
) -> None:
    """All there is is restored or saved, or NOT DONE is said."""
    plugged.play("ANNA", "BEN", "CLEO")
    if kind == "saved":
        plugged.do(SAVE_WORD)
    else:
        lines = ["roll 1 2 3 4 5 power", "keep 1"]
        games = {number: ("EVA", lines[:number]) for number in (1, 2)}
        old_copy(plugged.stick / "dicetray-games-0001.sqlite3", games)
    plugged.play("DORA")
    whole = plugged.folder / "whole"
    plugged.stick.rename(whole)
    count = {SAVE_WORD: 4, RESTORE_WORD: 3 if kind == "saved" else 2}[word]
    not_done = 0
    for moment in range(1000):
        shutil.copytree(whole, plugged.stick)
        if word == RESTORE_WORD:
            plugged.put_in(f"new{moment}")
        (plugged.state / "copied").unlink(missing_ok=True)
        plugged.offered()
        plugged.desk.ask(word)
        with pulled_out(plugged.stick, after=moment) as pull:
            serve(plugged.desk, plugged.stick, plugged.journal, plugged.profile)
        shutil.rmtree(plugged.stick)
        answer = plugged.desk.lines(ANSWER_FILE)
        if answer == (word, "NOT DONE", "TRY OTHER", "STICK"):
            not_done += 1
            assert not (plugged.state / "copied").exists()
            assert plugged.desk.lines(OFFER_FILE) == (), "of a stick that is gone"
        else:
            assert answer[1] == f"{count} GAMES", moment
        if not pull.happened:
            break
    assert not_done > 5
    assert "expected a USB stick, found none that answers" in caplog.text


def test_a_stick_whose_device_is_gone_is_no_empty_one_though_its_size_is_known(
    plugged: Plugged, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    devices = tmp_path / "devices"
    (devices / "8:1").mkdir(parents=True)
    monkeypatch.setattr(stick_files, "_BLOCK_DEVICES", devices)
    assert not stick_files._is_gone(os.makedev(8, 1))
    assert not stick_files._is_gone(os.makedev(0, 50)), "a file system without a device"
    assert stick_files._is_gone(os.makedev(8, 17))
    monkeypatch.setattr(stick_files, "_is_gone", lambda _: True)
    plugged.play("ANNA")
    assert plugged.offered() == ()


class Pulled(Exception):
    """The stick is gone."""


@pytest.mark.parametrize("has_settings", [False, True])
def test_the_games_that_the_settings_name_are_served_until_the_stick_is_pulled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_settings: bool
) -> None:
    served, settings = list[Path](), tmp_path / "dicetray.toml"
    if has_settings:
        settings.write_text(f'[games]\njournal = "{tmp_path}/elsewhere.sqlite3"\n')

    def serving(desk: StickFolder, folder: Path, journal: Path, profile: Path) -> None:
        assert desk.lines(OFFER_FILE) == ()
        assert folder == tmp_path
        served.append(journal)
        desk.put(OFFER_FILE, "SAVE GAMES")
        if len(served) == 2:
            raise Pulled
        desk.put(OFFER_FILE)

    rests = list[float]()
    monkeypatch.setattr("time.sleep", rests.append)
    monkeypatch.setattr(command, "DEFAULT_FILE", settings)
    monkeypatch.setattr(command, "FOLDER", tmp_path / "run")
    monkeypatch.setattr(command, "serve", serving)
    (tmp_path / "run").mkdir()
    with pytest.raises(Pulled):
        command.main(Namespace(folder=tmp_path))
    wanted = tmp_path / "elsewhere.sqlite3" if has_settings else journal_path(Config())
    assert served == [wanted] * 2
    assert [rest > 0 for rest in rests] == [True], "a stick is not looked at without a rest"
    assert StickFolder(tmp_path / "run", tmp_path).lines(OFFER_FILE) == ()
