"""The support archive: nothing of a household is in it unasked, and yet it shows faults."""

import itertools
import json
import tarfile
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random

import pytest

from appliance.cli.doctor import read_config
from appliance.cli.main import main
from appliance.config import Config, GamesConfig
from appliance.config.parsing import mistakes
from appliance.dataset.index import INDEX
from appliance.diagnostics import Finding, Level, machine
from appliance.diagnostics import bundle as bundle_module
from appliance.diagnostics.bundle import Asked, shared_log, shared_report, versions, write_bundle
from appliance.diagnostics.machine import check_disk
from appliance.diagnostics.own_words import SET, OwnWords
from appliance.diagnostics.saved_games import check_journal
from appliance.diagnostics.scoreboard import check_scoreboard
from appliance.diagnostics.shared_games import _shared_option
from appliance.errors import JournalError
from appliance.journal.files import folder_of
from appliance.journal.journal import Journal
from appliance.journal.library import SETTINGS
from appliance.journal.reader import JournalReader
from appliance.journal.saved_game import SavedGame
from appliance.journal.summary import resume_saved
from appliance.service.phase import Phase
from appliance.service.starts import RUNNING, STARTS_FILE, Starts
from appliance.table.menu.settings import Settings, from_text
from appliance.table.session.session import Setup
from games.registry import GAMES
from tests.rigs.played_tables import log_texts, played
from tests.rigs.stored_games import games_of
from vision.files.system import Disk

# The program's source is read once, by whichever test comes first.
pytestmark = pytest.mark.slow

PLANTED = {
    "player who is there": "ANNELIESE",
    "player whose game is gone": "KUNIGUNDE",
    "player who is only remembered": "ROSWITHA",
    "winner who is only remembered": "WALBURGA",
    "player who is only in the settings": "BARTHOLO",
    "camera's user": "kamerafrau",
    "camera's password": "gEh3im",
    "camera's token": "t0k3nt0k3n",
    "camera's host": "wohnzimmer-kamera.fritz.box",
    "camera's password file": "/home/waltraud/kamerawort",
    "broker's host": "mqtt.familie-sonnenschein.example",
    "broker's user": "sonnenschein-tray",
    "broker's topic": "kueche-links",
    "score page's PIN": "482913",
    "score page's cookie": "0123456789abcdef0123456789abcdef",
    "phone page's PIN": "735162",
    "certificate's key": "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
    "Wi-Fi": "SonnenscheinWLAN",
    "Wi-Fi's password": "hinterm Deich",
    "this machine": "waltrauds-pi",
    "address": "192.168.178.44",
    "IPv6 address": "fe80::1ff:fe23:4567:890a",
    "MAC address": "dc:a6:32:01:02:03",
    "Pico's serial number": "e6614103e72b4a2f",
    "webcam's serial number": "1A2B3C4F",
    "machine's id": "123e4567-e89b-12d3-a456-426614174000",
    "home": "waltraud",
    "remark": "Ruf an: 0151 2345678",
    "environment": "sk-umgebung-9f8e7d",
    "drop-in": "proxy.sonnenschein.example",
    "wrong key": "meinpasswort",
    "number in a text's place": "19741231",
    "deck's file": "omas-karten",
    "private package": "sonnenschein-dice",
    "seed": "5f3a09c1d2e4b687",
    "picture's source": "kinderzimmer",
}
"""Texts that somebody would not want to leave their house, by what they are."""

SAID_BY_SYSTEMD = (
    "start operation timed out. Killing.",
    "Killing process 4711 (python) with signal SIGKILL.",
    "Main process exited, code=killed, status=9/KILL",
    "Failed with result 'timeout'.",
    "Watchdog timeout (limit 15s)!",
    "Killing process 4711 (python) with signal SIGABRT.",
    "Main process exited, code=dumped, status=6/ABRT",
    "Failed with result 'watchdog'.",
    "Main process exited, code=exited, status=70/SOFTWARE",
    "Scheduled restart job, restart counter is at 3.",
)
"""Of a unit with TimeoutStartFailureMode=kill (src/core/service.c and unit.c of systemd 257)."""

CONFIG = """
# {remark}
{wrong key} = true
[games]
journal = "{journal}"
players = ["{player who is only in the settings}", "{player who is there}"]
deck = "/home/{home}/{deck's file}.toml"
[camera]
source = "rtsp://{camera's user}:{camera's password}@{camera's host}:554/live?t={camera's token}"
password_file = "{camera's password file}"
profile = "/home/{home}/tray.profile"
{wrong key} = "{Wi-Fi's password}"
[mqtt]
broker = "mqtts://{broker's host}:8883 {address}"
user = "{broker's user}"
tray = "{broker's topic}"
password_file = {number in a text's place}
[web]
port = {score page's PIN}
[scoreboard]
port = "/dev/serial/by-id/usb-MicroPython_Board_in_FS_mode_{Pico's serial number}-if00"
[{wrong key}-2]
"""

LOG = """
Nov 28 12:00:00 {this machine} dicetray[1]: disk full - not saved
Nov 28 12:00:01 dicetray[1]: {player who is there} has left, {player whose game is gone} begins
Nov 28 12:00:02 dicetray[1]: network: NETWORK {Wi-Fi} NUMBER {address} {Wi-Fi's password}
Nov 28 12:00:03 dicetray[1]: broker {broker's host}:8883: refuses us: {broker's user}; tries again
Nov 28 12:00:04 dicetray[1]: camera rtsp://{camera's user}:{camera's password}@{camera's host} gone
Nov 28 12:00:05 dicetray[1]: PIN {score page's PIN} {phone page's PIN} {score page's cookie}
Nov 28 12:00:06 dicetray[1]: at {IPv6 address}%wlan0 {MAC address}, machine {machine's id}
Nov 28 12:00:07 systemd[1]: Environment=KEY={environment} HTTPS_PROXY=http://{drop-in}/
Nov 28 12:00:08 dicetray[1]: the button {camera's token} bounces or is stuck: it is ignored
Nov 28 12:00:09 dicetray[1]: game {score page's PIN} cannot be replayed: seed {seed}
Nov 28 12:00:10 kernel: usb-046d_HD_Pro_Webcam_C920_{webcam's serial number}-video-index0
  File "/home/{home}/x.py", line 3, in {wrong key}
{certificate's key}
"""


def fill(text: str, **more: str) -> str:
    for name, secret in (PLANTED | more).items():
        text = text.replace(f"{{{name}}}", secret)
    return text


@pytest.fixture
def household(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a configuration, games, and all else that lies around in a home."""
    journal = tmp_path / "games.sqlite3"
    there, gone = PLANTED["player who is there"], PLANTED["player whose game is gone"]
    with Journal(journal) as games:
        *_, last = played(Setup("classic", (there, "PLAYER 2")), 1, Random(1))
        number = games.begin("classic", "1", [there, "PLAYER 2"], (), "1.0.0")
        games.append(number, 0, log_texts(last), ended=True)
        number = games.begin("free-for-all", "1", [there, gone], (), "1.0.0")
        games.append(number, 0, [f"seed {PLANTED['seed']}"])
        games.begin("my-game", PLANTED["home"], [there], (("rule", PLANTED["remark"]),), "9+home")
        other = games.begin("classic", "1", [there], (("cards", PLANTED["remark"]),), "1.0.0")
        games.append(other, 0, [f"roll 1 2 {PLANTED['address']}", f"say {PLANTED['Wi-Fi']}"])
        left = games.begin("classic", "1", [gone], (), "1.0.0")
        games.begin("classic", "1", [there], (), "1.0.0")
        games.delete(left, number)
        settings = Settings(
            (there, PLANTED["player who is only remembered"], gone),
            (Setup("classic", (gone, there)),),
            pin=PLANTED["score page's PIN"] + PLANTED["score page's cookie"],
            winners=frozenset({PLANTED["winner who is only remembered"]}),
        )
        games.remember(SETTINGS, settings.text)
        games.remember("more", PLANTED["environment"])
    (tmp_path / "dicetray.toml").write_text(fill(CONFIG, journal=str(journal)))
    for name in ("phone", "corrections"):
        (tmp_path / name).mkdir()
    (tmp_path / "phone" / "secret").write_text(PLANTED["phone page's PIN"])
    (tmp_path / "phone" / "key.pem").write_text(PLANTED["certificate's key"])
    (tmp_path / "report-20261128-120000.txt").write_text(fill(LOG))
    (tmp_path / "run.log").write_text(fill(LOG))
    pictures = tmp_path / "corrections"
    (pictures / "told_000001.jpg").write_bytes(b"picture")
    (pictures / fill("{picture's source}.jpg")).write_bytes(b"picture")
    die = {"x": 1.5, "y": 2, "value": 3, "body": "black", "note": PLANTED["remark"]}
    line = {"file": "told_000001.jpg", "source": PLANTED["picture's source"], "dice": [die]}
    (pictures / "index.jsonl").write_text(json.dumps(line))
    monkeypatch.setenv("DICETRAY_SECRET", PLANTED["environment"])
    monkeypatch.setattr("platform.node", lambda: PLANTED["this machine"])
    monkeypatch.setattr("platform.release", lambda: f"6.12.25-{PLANTED['home']}")
    return tmp_path


def bundle(folder: Path, asked: Asked, report: str = "", log: str = "") -> dict[str, bytes]:
    """The archive's members, by name."""
    file, target = folder / "dicetray.toml", folder / "out.tar.gz"
    config = Config(
        games=GamesConfig(
            journal=str(folder / "games.sqlite3"),
            players=(PLANTED["player who is only in the settings"], PLANTED["player who is there"]),
        )
    )
    names = write_bundle(target, report, file, config, asked, lambda: log)
    found = unpack(target)
    assert names == list(found)
    return found


def unpack(target: Path) -> dict[str, bytes]:
    found = {}
    with tarfile.open(target) as archive:
        for member in archive:
            data = archive.extractfile(member)
            assert data is not None
            assert (member.uname, member.gname, member.uid, member.mtime) == ("", "", 0, 0)
            found[member.name.removeprefix("dicetray/")] = data.read()
    return found


def _is_of_games(name: str) -> bool:
    return name.startswith("games/")


def games_in(members: Mapping[str, bytes], folder: Path) -> JournalReader:
    """The games of an archive that was unpacked there."""
    for name, data in members.items():
        file = folder / "dicetray" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return JournalReader(folder / "dicetray" / "games.sqlite3")


def report_of(folder: Path) -> str:
    """The report that the doctor would print, and a finding whose text is nothing but private."""
    found = [
        *(
            Finding("configuration", Level.WRONG, str(e))
            for e in mistakes(folder / "dicetray.toml")
        ),
        *check_journal(folder / "games.sqlite3"),
        *check_disk(folder),
        *(Finding("camera", Level.NOTE, secret, secret) for secret in PLANTED.values()),
        *(Finding(secret, Level.OK, f"{secret}: {secret}") for secret in PLANTED.values()),
    ]
    return "".join(f"{line}\n" for finding in found for line in finding.lines())


MODES = [Asked(*chosen) for chosen in itertools.product((False, True), repeat=3)]


@pytest.mark.parametrize("asked", MODES, ids=str)
def test_of_what_is_planted_nothing_leaves_the_house(household: Path, asked: Asked) -> None:
    log = "\n".join((fill(LOG), *PLANTED.values(), *map(repr, PLANTED.values())))
    members = bundle(household, asked, report_of(household), log)
    assert (any(map(_is_of_games, members)), "pictures/told_000001.jpg" in members) == (
        (asked.games, asked.pictures)
    )
    promised = set()
    if asked.names:
        promised = {PLANTED["player who is there"], PLANTED["player who is only in the settings"]}
    for name, data in members.items():
        text = data.decode("utf-8", "replace").lower() + data.decode("utf-16-le", "replace").lower()
        found = {what for what, secret in PLANTED.items() if secret.lower() in text}
        assert {PLANTED[what] for what in found} <= promised, (name, found)
    if asked.names:
        assert all(name.encode() in members["configuration.toml"] for name in promised)
        games = b"".join(data for name, data in members.items() if _is_of_games(name))
        assert not games or PLANTED["player who is there"].encode() in games


def test_what_else_lies_beside_the_pictures_keeps_none_back(household: Path) -> None:
    for other in ("a letter.txt", "told_000002.jpg.new", "zoo.jpg"):
        (household / "corrections" / other).write_bytes(b"other")
    members = bundle(household, Asked(pictures=True))
    sent = {name for name in members if name.startswith("pictures/")}
    assert sent == {"pictures/index.jsonl", "pictures/told_000001.jpg"}


def test_no_sentence_of_the_program_lets_out_what_it_is_made_with() -> None:
    """Every text of ours with something private in each gap, also inside another one."""
    from appliance.diagnostics.own_words import Gap, _source

    words = OwnWords()
    sentences = {each for some in _source()._by_word.values() for each in some if each.gaps}
    assert len(sentences) > 500
    for secret in (
        "482913",
        "gEh3im",
        "hinterm Deich",
        "192.168.178.44",
        "http://a:gEh3im@b/?482913",
    ):
        for sentence in sentences:
            text = sentence.texts[0]
            for gap, after in zip(sentence.gaps, sentence.texts[1:], strict=True):
                filled = {Gap.NUMBER: "7", Gap.SHARED: "1.0.0", Gap.OURS: secret}[gap]
                text += filled + after
            shown = words.shared(text) + words.shared(f"{secret}: {text}; {secret}")
            assert secret not in shown, (text, shown)
            assert "gEh3im" not in shown, (text, shown)


def test_what_the_program_says_stays_readable() -> None:
    words = OwnWords({"ANNA": "NAME 1"})
    for text, shown in (
        ("12 MB are free, too few to save games", "12 MB are free, too few to save games"),
        ("/var/x, 12 MB are free", f"{SET}, 12 MB are free"),
        ("/x: Permission denied", f"{SET}: Permission denied"),
        ("there is no port /dev/x", f"there is no port {SET}"),
        (
            "[camera] lens: unknown key; there are a, b",
            f"{SET}: unknown key; there are {SET}",
        ),
        ("database disk image is malformed", "database disk image is malformed"),
        ("'ANNA'", "NAME 1"),
        ("anything else", SET),
        ("camera", SET),
        ("camera (timeout), running (end unknown)",) * 2,
        ("camera (gEh3im)", SET),
        ("dicetray.service: Failed with result 'watchdog'.",) * 2,
    ):
        assert words.shared(text) == shown


def test_the_log_keeps_times_and_the_programs_own_words() -> None:
    log = (
        "Nov 28 12:00:00 dicetray[77]: disk full - not saved\n"
        "Nov 28 12:00:01 dicetray[77]: first prompt after 3.25 s: anna\n"
        "Nov 28 12:00:02 systemd[1]: dicetray.service: Failed with result 'timeout'.\n"
        "anna\n"
    )
    assert shared_log(log, OwnWords()) == log.replace("anna", SET)
    report = "WRONG  disk: 3 MB are free, too few to save games\n       -> delete files\n"
    drawing = "           .:-=+*#%@\n"
    assert shared_report(report + drawing, OwnWords()) == report + drawing


# ---- what somebody who helps must find, with nothing but the archive --------------------------


def members_of_doctor(
    folder: Path, found: Iterable[Finding], asked: Asked | None = None
) -> dict[str, str]:
    report = "".join(f"{line}\n" for finding in found for line in finding.lines())
    members = bundle(folder, asked or Asked(), report)
    return {name: data.decode() for name, data in members.items() if name.endswith(("txt", "toml"))}


def test_a_wrong_key_is_found(tmp_path: Path) -> None:
    file = tmp_path / "dicetray.toml"
    file.write_text("[scoreboard]\nbrigtness = 3\n")
    members = members_of_doctor(tmp_path, read_config(file)[1])
    assert "WRONG  configuration" in members["report.txt"]
    assert "unknown key" in members["report.txt"]
    assert "# line 2: unknown key, perhaps brightness" in members["configuration.toml"]


def test_a_wrong_type_is_found(tmp_path: Path) -> None:
    file = tmp_path / "dicetray.toml"
    file.write_text('[scoreboard]\nbrightness = "gEh3im"\n')
    members = members_of_doctor(tmp_path, read_config(file)[1])
    assert "expected a whole number, found" in members["report.txt"]
    assert (
        f'brightness = "{SET}"  # line 2: expected a whole number, found a text\n'
        in members["configuration.toml"]
    )
    assert "gEh3im" not in "".join(members.values())


def test_a_game_that_does_not_replay_is_found(tmp_path: Path) -> None:
    with Journal(tmp_path / "games.sqlite3") as journal:
        number = journal.begin("classic", "1", ["ANNA"], (), "1.0.0")
        journal.append(number, 0, ["roll 1 2 3 4 5", "score gEh3im"])
    found = list(check_journal(tmp_path / "games.sqlite3"))
    members = members_of_doctor(tmp_path, found)
    said = "WRONG  games: game 1 cannot be replayed: line 2, column 7: expected"
    assert said in members["report.txt"]
    with games_in(bundle(tmp_path, Asked(games=True)), tmp_path) as copy:
        assert copy.load(1).lines == ("roll 1 2 3 4 5", f"score {SET}")
        with pytest.raises(JournalError, match="line 2, column 7"):
            resume_saved(copy.load(1))


def test_a_wrong_port_is_found(tmp_path: Path) -> None:
    (tmp_path / "dicetray.toml").write_text(
        '[scoreboard]\nport = "/dev/ttyUSB9"\n[web]\nport = 80\n'
    )
    found = [*check_scoreboard("/dev/ttyUSB9"), *read_config(tmp_path / "dicetray.toml")[1]]
    members = members_of_doctor(tmp_path, found)
    assert "WRONG  scoreboard's USB: there is no port" in members["report.txt"]
    settings = tomllib.loads(members["configuration.toml"])
    assert settings == {"scoreboard": {"port": "/dev/ttyUSB9"}, "web": {"port": 80}}


def test_a_full_disk_is_found(tmp_path: Path) -> None:
    found = list(check_disk(tmp_path, lambda _: Disk(3_000_000, False)))
    members = members_of_doctor(tmp_path, found)
    assert "WRONG  disk: 3 MB are free, too few to save games" in members["report.txt"]


@pytest.mark.parametrize("phase", Phase)
def test_a_phase_that_hangs_is_found(
    tmp_path: Path, phase: Phase, caplog: pytest.LogCaptureFixture
) -> None:
    record = tmp_path / STARTS_FILE
    record.write_text(f"3 1.0.0\n{RUNNING} watchdog\n{phase.key} timeout\n{phase.key}\n")
    Starts(tmp_path, "1.0.0").begin()
    said = (
        f"dicetray[77]: {caplog.messages[-1]}",
        f"dicetray[77]: the start has not got past a phase for 10 s: {phase.sentence}",
        *(f"systemd[1]: dicetray.service: {line}" for line in SAID_BY_SYSTEMD),
    )
    log = "".join(f"Nov 28 12:00:00 {line}\n" for line in said)
    assert f"{phase.key} (timeout), {phase.key} (end unknown); safe mode, without " in log
    assert bundle(tmp_path, Asked(), log=log)["log.txt"].decode() == log


def test_a_fault_of_the_program_is_found(tmp_path: Path) -> None:
    secret, start = PLANTED["wrong key"], "Nov 28 12:00:00 dicetray[77]: "
    folder = "/opt/dicetray/versions/1.0.0/lib/python3.13/site-packages"
    pairs = (
        ("Traceback (most recent call last):",) * 2,
        (f'  File "{folder}/appliance/cli/main.py", line 140, in main', "cli/main.py:140 main"),
        (f'  File "{folder}/vision/files/atomic.py", line 9, in <module>', "atomic.py:9 <module>"),
        (f'  File "{folder}/appliance/cli/main.py", line 140, in {secret}', SET),
        (f'  File "{folder}/appliance/{secret}.py", line 140, in main', SET),
        (f'  File "/home/{secret}/main.py", line 140, in main', SET),
        (f"    main({secret!r})", SET),
        (f"KeyError: {secret!r}", f"KeyError: {SET}"),
        ("appliance.errors.JournalError: database is locked",) * 2,
        (f"appliance.errors.{secret}: database is locked", f"{SET}: database is locked"),
    )
    log = "".join(f"{start}{text}\n" for text, _ in pairs)
    lines = bundle(tmp_path, Asked(), log=log)["log.txt"].decode().splitlines()
    for line, (_, shown) in zip(lines, pairs, strict=True):
        assert line.startswith(start)
        assert line.endswith(shown)
        assert (line == start + SET) is (shown == SET)
        assert secret not in line


def test_all_of_these_are_found_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the command itself: what is wrong in the configuration hides nothing else."""
    monkeypatch.setattr(machine.check_disk, "__defaults__", (lambda _: Disk(3_000_000, False),))
    with Journal(tmp_path / "games.sqlite3") as journal:
        number = journal.begin("classic", "1", ["ANNA"], (), "1.0.0")
        journal.append(number, 0, ["roll 1 2 3 4 5", "score gEh3im"])
    (tmp_path / "dicetray.toml").write_text(
        f'[games]\njournal = "{tmp_path}/games.sqlite3"\n'
        '[scoreboard]\nbrigtness = 3\nbrightness = "4"\nport = "/dev/ttyUSB9"\n'
    )
    target = tmp_path / "out.tar.gz"
    only = ("--only", "config", "disk", "games", "scoreboard")
    main(["doctor", "--config", f"{tmp_path}/dicetray.toml", "--bundle", str(target), *only])
    capsys.readouterr()
    members = unpack(target)
    report = members["report.txt"].decode()
    settings = members["configuration.toml"].decode()
    assert "# line 4: unknown key, perhaps brightness" in settings
    assert "# line 5: expected a whole number, found a text" in settings
    assert "WRONG  games: game 1 cannot be replayed: line 2, column 7" in report
    assert "WRONG  scoreboard's USB: there is no port" in report
    assert 'port = "/dev/ttyUSB9"' in settings
    assert "WRONG  disk: 3 MB are free" in report
    assert "gEh3im" not in report + settings


# ---- its parts -------------------------------------------------------------------------------


def test_games_are_the_same_without_names(household: Path) -> None:
    members = bundle(household, Asked(games=True))
    with Journal(household / "games.sqlite3") as games, games_in(members, household) as copy:
        assert [game.id for game in games_of(copy)] == [game.id for game in games_of(games)]
        mine, other = games.load(1), copy.load(1)
        assert (other.lines, other.ended) == (mine.lines, True)
        assert other.players == ("NAME 1", "PLAYER 2")
        resume_saved(other)
        settings = from_text(copy.remembered(SETTINGS) or "")
        assert settings == Settings(("NAME 1",), (Setup("classic", ("NAME 1",)),))


def test_the_archive_does_not_say_what_comes_next(tmp_path: Path) -> None:
    seed = "seed 5f3a09c1d2e4b687"
    with Journal(tmp_path / "games.sqlite3") as games:
        for ended in (False, True):
            number = games.begin("free-for-all", "1", ["A", "B"], (), "1.0.0")
            games.append(number, 0, [seed], ended=ended)
        members = bundle(tmp_path, Asked(games=True, names=True))
    with games_in(members, tmp_path) as copy:
        assert [game.lines for game in games_of(copy)] == [(f"seed {'-' * 16}",), (seed,)]


def test_of_a_damaged_journal_goes_what_can_be_read(tmp_path: Path) -> None:
    journal = tmp_path / "games.sqlite3"
    with Journal(journal) as games:
        for name in ("ANNA", "BEN"):
            number = games.begin("classic", "1", [name], (), "1.0.0")
            games.append(number, 0, ["roll 1 2 3 4 5"])
    folder = folder_of(journal)
    for file in folder.rglob("*-000001-*.game"):
        file.write_bytes(b"no game of ANNA and BEN\n" * 9)
    members = bundle(tmp_path, Asked(games=True), log="'BEN'; ANNA")
    assert members["log.txt"] == f"NAME 1; {SET}\n".encode()
    with games_in(members, tmp_path) as copy:
        assert [game.id for game in games_of(copy)] == [2]
    journal.write_bytes(b"no database of ANNA and BEN")
    members = bundle(tmp_path, Asked(games=True))
    assert b"ANNA" not in b"".join(members.values())


def test_lines_behind_a_loss_go_along_without_what_comes_next(tmp_path: Path) -> None:
    lost = ("seed 5f3a09c1d2e4b687", "roll 1 2 3 4 gEh3im")
    saved = SavedGame(1, "classic", "1", ("A",), (), "1.0.0", False, (), "ab", "cd", lost)
    with Journal(tmp_path / "games.sqlite3") as games:
        games.bring_in([(1, saved)])
    with games_in(bundle(tmp_path, Asked(games=True)), tmp_path) as copy:
        assert copy.load(1).uncounted == (f"seed {'-' * 16}", f"roll 1 2 3 4 {SET}")


def test_neither_the_tray_nor_what_is_kept_or_deleted_goes_along(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with Journal(path) as games:
        for name in ("ANNA", "BEN"):
            number = games.begin("classic", "1", [name], (), "1.0.0")
            games.append(number, 0, ["roll 1 2 3 4 5"])
        gone, there = games.load(1), games.load(2)
        games.delete(1)
        games.files.replace("damaged/x.damaged-1", (b"gEh3im",))
    path.with_name("games.sqlite3.before-1").write_bytes(b"gEh3im")
    twice = [bundle(tmp_path, Asked(games=True)) for _ in range(2)]
    for members in twice:
        names = {name for name in members if name.startswith("games/")}
        assert {name.split("/")[1] for name in names} == {"going"}
        data = b"".join(members.values())
        for secret in (b"gEh3im", gone.identity.encode(), there.tray.encode()):
            assert secret not in data
        assert there.identity.encode() not in data
    with games_in(twice[0], tmp_path / "1") as one, games_in(twice[1], tmp_path / "2") as other:
        assert one.load(2).tray != other.load(2).tray
        assert one.load(2).lines == there.lines


def test_an_own_deck_goes_along_so_that_its_game_replays(tmp_path: Path) -> None:
    from games.free_for_all import deck_from_text
    from games.registry import find_game

    usual = find_game("free-for-all").options["cards"][0]
    deck = deck_from_text(str(usual)).text
    with Journal(tmp_path / "games.sqlite3") as games:
        games.begin("free-for-all", "1", ["A", "B"], (("cards", f"  {deck}  "),), "1.0.0")
    with games_in(bundle(tmp_path, Asked(games=True)), tmp_path) as copy:
        assert dict(copy.load(1).options) == {"cards": deck}


def test_versions_are_those_of_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.release", lambda: "6.12.25+rpt-waltraud")
    text = versions()
    assert "opencv-python-headless==4" in text
    assert "dicetray==" in text
    assert f"Linux 6.12.25 {SET}\n" in text
    # Installed beside it, but not needed by it.
    assert "pip==" not in text
    assert text.endswith(" other packages\n")


def test_extras_of_other_packages_are_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    needs = {"dicetray": ["one>=1", "web; extra == 'web'"], "one": ["tests; extra == 'tests'"]}
    monkeypatch.setattr(bundle_module, "requires", needs.get)
    installed = {"dicetray", "one", "web", "tests"}
    assert bundle_module._needed(installed) == {"dicetray", "one", "web"}


def test_the_command_writes_the_archive(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    target = tmp_path / "help.tar.gz"
    main(["doctor", "--only", "clock", "--bundle", str(target)])
    assert list(unpack(target)) == ["report.txt", "versions.txt", "configuration.toml", "log.txt"]
    assert f"{target}: report.txt" in capsys.readouterr().out
    missing = tmp_path / "no" / "help.tar.gz"
    assert main(["doctor", "--only", "clock", "--bundle", str(missing)]) == 2
    assert "cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize("name", GAMES)
def test_of_an_option_only_what_the_game_knows_goes_along(name: str) -> None:
    game = GAMES[name]
    for option, values in game.options.items():
        for value in values:
            assert _shared_option(game, option, value) == value
        numbers = [value for value in values if type(value) is int]
        assert _shared_option(game, option, max(numbers, default=0) + 4711) == SET
        assert _shared_option(game, option, "zzz waltraud") == SET


def test_an_index_of_pictures_that_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    assert bundle_module._shared_index(tmp_path) == b""
    (tmp_path / INDEX).write_bytes(b"{not JSON \xff")
    assert bundle_module._shared_index(tmp_path) == b""
