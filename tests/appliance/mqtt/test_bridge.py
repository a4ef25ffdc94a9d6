"""`dicetray mqtt` with a real broker."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Condition

import pytest
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from appliance.cli.main import main
from appliance.service.broadcast import SOCKET_FILE
from appliance.table.session.session import Setup
from tests.rigs.mosquitto import PROGRAM, Mosquitto
from tests.rigs.played_tables import TellingTable, log_texts

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="mosquitto is not installed")

SETUP = Setup("classic", ("ANNA", "BERT"))
PATIENCE_S = 20.0


class Listener:
    """Keeps the newest message of each topic, as received from a broker."""

    def __init__(self, port: int) -> None:
        self.kept: dict[str, str] = {}
        self._news = Condition()
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.on_message = self._heard
        self._client.on_connect = lambda client, *_: client.subscribe("#", 1)
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()

    def _heard(self, _: Client, __: object, message: MQTTMessage) -> None:
        with self._news:
            self.kept[message.topic] = message.payload.decode()
            self._news.notify()

    def await_that(self, holds: Callable[[dict[str, str]], object]) -> None:
        """Waits until a condition holds."""
        with self._news:
            assert self._news.wait_for(lambda: holds(self.kept), PATIENCE_S), sorted(self.kept)

    def say(self, topic: str, text: str, retain: bool = False) -> None:
        """Publishes something, as somebody else."""
        self._client.publish(topic, text, 1, retain)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


class Bridge:
    """The program, as its unit runs it."""

    def __init__(self, folder: Path, *settings: str) -> None:
        file = folder / "dicetray.toml"
        file.write_text("\n".join(("[mqtt]", *settings)) + "\n", encoding="utf-8")
        command = (sys.executable, "-m", "appliance.cli.program", "mqtt", "--config", str(file))
        there = os.environ | {"RUNTIME_DIRECTORY": str(folder)}
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=there)

    def says(self, words: str) -> None:
        """Waits until it says these words."""
        assert self._process.stderr is not None
        assert any(words in line for line in self._process.stderr), words

    def close(self) -> None:
        self._process.kill()
        self._process.wait(120)
        assert self._process.stderr is not None
        self._process.stderr.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[TellingTable]:
    made = TellingTable(tmp_path / SOCKET_FILE, SETUP)
    yield made
    made.close()


@pytest.fixture
def brokers() -> Iterator[list[Mosquitto]]:
    made: list[Mosquitto] = []
    yield made
    for broker in made:
        broker.stop(kill=True)


@pytest.fixture
def closing() -> Iterator[list[Listener | Bridge]]:
    made: list[Listener | Bridge] = []
    yield made
    for one in made:
        one.close()


def whole_log(kept: dict[str, str], table: TellingTable) -> bool:
    """True if the broker has the whole log of the current game."""
    texts = log_texts(table.session)
    told = [kept.get(f"dicetray/tray-1/log/{n}", "{}") for n in range(1, len(texts) + 1)]
    return [json.loads(text).get("text") for text in told] == texts


@pytest.mark.slow
def test_a_broker_that_lost_all_is_told_the_whole_game_anew(
    tmp_path: Path, table: TellingTable, brokers: list[Mosquitto], closing: list[Listener | Bridge]
) -> None:
    broker = Mosquitto(tmp_path)
    brokers.append(broker)
    table.play(30)
    bridge = Bridge(tmp_path, f'broker = "{broker.url}"')
    closing.append(bridge)
    before = Listener(broker.port)
    closing.append(before)
    before.await_that(lambda kept: whole_log(kept, table))
    assert before.kept["dicetray/tray-1/available"] == "online"
    assert "homeassistant/device/dicetray-tray-1/config" in before.kept
    # Killed, it has nothing on disk; meanwhile the game goes on.
    broker.stop(kill=True)
    bridge.says("connection lost; tries again")
    table.play(30)
    broker.start()
    after = Listener(broker.port)
    closing.append(after)
    after.await_that(lambda kept: whole_log(kept, table))
    table.play(1)
    after.await_that(lambda kept: whole_log(kept, table))


@pytest.mark.slow
def test_a_device_that_was_deleted_comes_back_when_home_assistant_starts(
    tmp_path: Path, table: TellingTable, brokers: list[Mosquitto], closing: list[Listener | Bridge]
) -> None:
    """It deletes what the broker keeps of the device, and says `online` at its start."""
    broker = Mosquitto(tmp_path)
    brokers.append(broker)
    bridge, listener = Bridge(tmp_path, f'broker = "{broker.url}"'), Listener(broker.port)
    closing += [bridge, listener]
    where = "homeassistant/device/dicetray-tray-1/config"
    listener.await_that(lambda kept: kept.get(where) and kept.get("dicetray/tray-1/state"))
    first = listener.kept[where]
    listener.say(where, "", retain=True)
    listener.await_that(lambda kept: kept[where] == "")
    listener.say("homeassistant/status", "offline")
    listener.say("other/status", "online")
    listener.say("homeassistant/status", "online")
    listener.await_that(lambda kept: kept[where] == first)


@pytest.mark.slow
def test_an_appliance_or_a_program_that_ends_is_offline(
    tmp_path: Path, brokers: list[Mosquitto], closing: list[Listener | Bridge]
) -> None:
    broker = Mosquitto(tmp_path)
    brokers.append(broker)
    table = TellingTable(tmp_path / SOCKET_FILE, SETUP)
    bridge = Bridge(tmp_path, f'broker = "{broker.url}"')
    listener = Listener(broker.port)
    closing += [bridge, listener]
    where = "dicetray/tray-1/available"
    listener.await_that(lambda kept: kept.get(where) == "online")
    table.close()
    listener.await_that(lambda kept: kept.get(where) == "offline")
    table = TellingTable(tmp_path / SOCKET_FILE, SETUP)
    listener.await_that(lambda kept: kept.get(where) == "online")
    bridge.close()
    listener.await_that(lambda kept: kept.get(where) == "offline")
    table.close()


@pytest.mark.slow
def test_a_wrong_password_is_said_and_the_right_one_does(
    tmp_path: Path, table: TellingTable, brokers: list[Mosquitto], closing: list[Listener | Bridge]
) -> None:
    users, secret = tmp_path / "users", tmp_path / "secret"
    subprocess.run(["mosquitto_passwd", "-b", "-c", users, "tray", "right"], check=True)
    broker = Mosquitto(tmp_path, "allow_anonymous false", f"password_file {users}")
    brokers.append(broker)
    secret.write_text("wrong\n")
    secret.chmod(0o600)
    bridge = Bridge(
        tmp_path, f'broker = "{broker.url}"', 'user = "tray"', f'password_file = "{secret}"'
    )
    closing.append(bridge)
    bridge.says("refuses us: Not authorized; tries again")
    # The file is read again on each try.
    secret.write_text("right\n")
    bridge.says("connected")


@pytest.mark.slow
def test_a_certificate_is_asked_for_and_checked(
    tmp_path: Path, table: TellingTable, brokers: list[Mosquitto], closing: list[Listener | Bridge]
) -> None:
    for name in ("own", "other"):
        make = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
        files = ("-keyout", tmp_path / f"{name}.key", "-out", tmp_path / f"{name}.pem")
        subject = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
        subprocess.run([*make.split(), *files, *subject], check=True, capture_output=True)
    own = (f"certfile {tmp_path}/own.pem", f"keyfile {tmp_path}/own.key")
    broker = Mosquitto(tmp_path, *own, "allow_anonymous true")
    brokers.append(broker)
    url = f'broker = "mqtts://localhost:{broker.port}"'
    wrong = Bridge(tmp_path, url, f'ca_file = "{tmp_path}/other.pem"')
    closing.append(wrong)
    wrong.says("certificate verify failed")
    right = Bridge(tmp_path, url, f'ca_file = "{tmp_path}/own.pem"')
    closing.append(right)
    right.says("connected")


def refused(file: Path, capsys: pytest.CaptureFixture[str], *settings: str) -> str:
    file.write_text("\n".join(("[mqtt]", *settings)) + "\n", encoding="utf-8")
    assert main(["mqtt", "--config", str(file)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


def test_what_cannot_be_used_is_said_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, open_to_all = tmp_path / "dicetray.toml", tmp_path / "open"
    open_to_all.write_text("secret")
    open_to_all.chmod(0o644)
    assert "[mqtt]: no broker is set" in refused(file, capsys)
    broker = 'broker = "mqtts://127.0.0.1:1"'
    said = refused(file, capsys, broker, f'password_file = "{open_to_all}"')
    assert f"found: {open_to_all} with rights 0644; chmod 600" in said
    said = refused(file, capsys, broker, 'password_file = "/nonexistent/secret"')
    assert "/nonexistent/secret" in said
    said = refused(file, capsys, broker, 'ca_file = "/nonexistent/ca.pem"')
    assert "/nonexistent/ca.pem" in said
    said = refused(file, capsys, broker, f'ca_file = "{open_to_all}"')
    assert "certificate" in said
    assert "mqtt(s)://HOST:PORT, found 'http:" in refused(
        file, capsys, 'broker = "http://broker.local"'
    )
    assert "small letters" in refused(file, capsys, 'tray = "Tray #1"')
