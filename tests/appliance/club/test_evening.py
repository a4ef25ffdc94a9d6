"""`dicetray club` with a real broker."""

import json
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from functools import partial
from pathlib import Path
from random import Random
from threading import Thread

import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from appliance.cli.main import main
from appliance.club.evening import MAX_GAMES_AT_ONCE
from appliance.club.reports import MAX_BYTES_BY_KIND
from appliance.config.settings import MqttConfig
from appliance.mqtt import broker
from appliance.mqtt.messages import Composer
from appliance.service.snapshot import Story
from appliance.table.session.session import Setup
from scripts.bench_club import evening, halls_evening
from tests.rigs.mosquitto import PROGRAM, Mosquitto, free_port
from tests.rigs.played_tables import line, lines, played

PATIENCE_S = 30.0


@pytest.mark.slow
@pytest.mark.skipif(PROGRAM is None, reason="mosquitto is not installed")
def test_an_evening_with_kills_loses_nothing_and_counts_nothing_twice(tmp_path: Path) -> None:
    assert evening(tmp_path, 3, 5.0, 30.0, kills=True, quiet_s=6.0)


@pytest.mark.slow
@pytest.mark.skipif(PROGRAM is None, reason="mosquitto is not installed")
def test_a_hall_that_was_cut_off_is_said_to_be_away_and_comes_back_whole(tmp_path: Path) -> None:
    assert halls_evening(tmp_path, 4, 2, 20.0, away_s=0.0, quiet_s=6.0)


@pytest.mark.slow
@pytest.mark.skipif(PROGRAM is None, reason="mosquitto is not installed")
def test_the_page_answers_only_who_asks_for_an_own_name(tmp_path: Path) -> None:
    mosquitto, port, config = Mosquitto(tmp_path), free_port(), tmp_path / "club.toml"
    config.write_text(f'[mqtt]\nbroker = "{mosquitto.url}"\n', encoding="utf-8")
    arguments = ("--config", config, "--games", tmp_path / "games", "--port", port)
    everywhere = ("--host", "0.0.0.0")
    command = (sys.executable, "-m", "appliance.cli.program", "club", *everywhere)
    page = subprocess.Popen((*command, *map(str, arguments)), stderr=subprocess.PIPE, text=True)
    try:
        assert page.stderr is not None
        assert any("connected" in line for line in page.stderr)
        url = f"http://127.0.0.1:{port}/"
        name = socket.gethostname()
        for own in ("127.0.0.2", "localhost", name, f"{name}.local"):
            request = urllib.request.Request(url, headers={"Host": f"{own}:{port}"})
            with urllib.request.urlopen(request, timeout=120) as answer:
                assert answer.status == 200
        with urllib.request.urlopen(url, timeout=120) as answer:
            assert b'id="league"' in answer.read()
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        for foreign in ({"Host": "evil.example"}, {"Origin": "http://evil.example"}):
            with pytest.raises(urllib.error.HTTPError, match=r"421|403") as refused:
                urllib.request.urlopen(urllib.request.Request(url, headers=foreign), timeout=120)
            refused.value.close()
        with pytest.raises(urllib.error.HTTPError, match=r"40[35]") as refused:
            urllib.request.urlopen(url, data=b"x", timeout=120)
        refused.value.close()
    finally:
        page.kill()
        page.wait()
        mosquitto.stop(kill=True)
        assert page.stderr is not None
        page.stderr.close()


@pytest.mark.slow
@pytest.mark.skipif(PROGRAM is None, reason="mosquitto is not installed")
def test_who_sends_anything_at_all_spoils_only_the_own_table(tmp_path: Path) -> None:
    mosquitto, port, config = Mosquitto(tmp_path), free_port(), tmp_path / "club.toml"
    config.write_text(f'[mqtt]\nbroker = "{mosquitto.url}"\n', encoding="utf-8")
    arguments = ("--config", config, "--games", tmp_path / "games", "--port", port)
    command = (sys.executable, "-m", "appliance.cli.program", "club", *map(str, arguments))
    page = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert page.stderr is not None
    client = Client(CallbackAPIVersion.VERSION2)
    client.connect("127.0.0.1", mosquitto.port)
    client.loop_start()

    def publish(topic: str, payload: bytes | str) -> None:
        client.publish(f"dicetray/{topic}", payload, 1, True).wait_for_publish(30)

    teller, story = Composer(MqttConfig(tray="good", names=True), lambda: 0.0), Story()
    *_, last = played(Setup("classic", ("ANNA", "BERT")), 1, Random(1))
    try:
        assert any("connected" in line for line in page.stderr)
        publish("bad/available", "online")
        publish("bad/state", "[" * 100_000)
        publish("bad/log/1", b"\xff")
        publish("bad/log/2", b'{"game": 1, "text": "\\ud800"}')
        publish("bad/state", "x" * MAX_BYTES_BY_KIND["ended"])
        publish("bad/state", "x" * 60_000_000)
        publish("forger/available", 'offline\n\nevent: league\ndata: [{"player":"MALLORY"}]\n\n')
        for told in (line("hello", {}), *lines(last, story)):
            for topic, text, *_ in teller.messages(told):
                publish(topic.removeprefix("dicetray/"), text)
        # The broker drops what is over a thousand messages.
        made_up = {"title": "CLASSIC", "players": ["MALLORY"], "scores": [9], "winners": [0]}
        for number in range(1, 601):
            ended = made_up | {"game": number, "over": True, "log": [f"roll {number}"]}
            client.publish(f"dicetray/bad/ended/{number % 16}", json.dumps(ended), 1)
        events, end_s = dict[str, str](), time.monotonic() + PATIENCE_S
        # What is known comes in any order when a page opens: the league may be whole at once.
        awaited = {"state good", "state bad", "unreadable bad", "unreadable forger"}
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/events", timeout=120) as stream:
            while not awaited <= events.keys() or not all(
                name in events.get("league", "") for name in ("ANNA", "MALLORY")
            ):
                assert time.monotonic() < end_s, events
                if (text := stream.readline().decode()).startswith("event: "):
                    kind = text[7:].rstrip("\n")
                    assert re.fullmatch("league|tables|away|[a-z]+ (good|bad|forger)", kind)
                    events[kind] = stream.readline().decode().removeprefix("data: ")
        assert json.loads(events["state good"])["players"] == ["ANNA", "BERT"]
        assert json.loads(events["state bad"]) is None
        assert "state" in json.loads(events["unreadable bad"])
        assert json.loads(events["unreadable forger"]) == ["available"]
        by_name = {row["player"]: row["games"] for row in json.loads(events["league"])}
        assert by_name["ANNA"] == 1
        assert by_name["MALLORY"] <= MAX_GAMES_AT_ONCE
        assert page.poll() is None
        # The broker does not even send the largest.
        assert peak_mb(page.pid) < 150
        page.terminate()
        said = page.stderr.read()
        assert "bad: cannot be read: state: expected" in said
        assert "exception" not in said
        assert "Traceback" not in said
    finally:
        client.loop_stop()
        page.kill()
        page.wait()
        mosquitto.stop(kill=True)
        page.stderr.close()


def peak_mb(pid: int) -> float:
    """The most memory that a process has had, in MiB."""
    (line,) = re.findall(r"VmHWM:\s*(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(line) / 1024


def test_a_broker_that_knows_only_mqtt_3_is_spoken_to_in_mqtt_3(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The level of the protocol is the tenth byte of a connection's first packet."""
    monkeypatch.setattr(broker, "RETRY_AFTER_S", 0.0)
    levels = list[int]()

    def answer() -> None:
        for code in (1, 0):
            connection, _ = listening.accept()
            with connection:
                levels.append(connection.recv(1000)[8])
                connection.sendall(bytes((0x20, 2, 0, code)))
                if code == 0:
                    connection.recv(1)

    class Connected(Exception):
        """Ends what would go on for ever."""

    def work(client: Client) -> None:
        client.disconnect()
        raise Connected

    with socket.create_server(("127.0.0.1", 0)) as listening:
        answering = Thread(target=answer)
        answering.start()
        settings = MqttConfig(broker=f"mqtt://127.0.0.1:{listening.getsockname()[1]}")
        make = partial(broker.make_client, settings)
        with pytest.raises(Connected):
            broker.keep_connected(settings, make, work, max_packet_bytes=1000)
        answering.join()
    assert levels == [5, 4]


def test_what_the_page_cannot_begin_with_is_said_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "club.toml"
    config.write_text("[mqtt]\n")
    for arguments in (
        ("--games", "/nonexistent/games"),
        ("--games", str(tmp_path / "games"), "--port", "99999"),
        ("--games", str(tmp_path / "games"), "--host", "192.0.2.1"),
        ("--games", str(tmp_path / "games"), "--port", "0"),
    ):
        assert main(["club", "--config", str(config), *arguments]) == 2
        said = capsys.readouterr().err
        assert said.startswith("dicetray: ")
        assert "expected" in said or "no broker is set" in said
        assert said.count("\n") == 1
