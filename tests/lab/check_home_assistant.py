#!/usr/bin/env python3
"""Shows a tray to a real Home Assistant, over a real Mosquitto; not part of the test run.

    python3.14 -m venv LAB && LAB/bin/pip install homeassistant
    .venv/bin/python tests/lab/check_home_assistant.py LAB --keep FOLDER

Home Assistant 2024.11 or later installs what it still needs from PyPI when it starts. It is set up
by the requests that its own pages make: a first user, the MQTT integration, automations. Card and
automations of docs/mqtt.md are pasted as they stand there, the blueprint is used as it is, and the
card is opened in Chromium. A game is then told to `dicetray mqtt` as an appliance tells it, and
everything that Home Assistant has shown is compared with what the broker got; at last the tray
speaks German. One line per check; exit status 1 if any fails.
"""

import argparse
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from itertools import groupby
from pathlib import Path
from tempfile import mkdtemp
from textwrap import indent
from threading import Lock, Thread
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

sys.path.insert(0, str(Path(__file__).parents[2]))

from appliance.service.broadcast import SOCKET_FILE
from appliance.table.session.session import Setup
from tests.rigs.mosquitto import Mosquitto, free_port
from tests.rigs.played_tables import TellingTable

ROOT = Path(__file__).parents[2]
BASE = "dicetray/tray-1"
ENTITY = "sensor.dice_tray_tray_1_"
HEALTH = "binary_sensor.dice_tray_tray_1_health"
EVENT = "event.dice_tray_tray_1_happens"
TRIGGERS = {
    "five-alike": ("show five alike", "dice"),
    "celebration": ("is celebrated", "score"),
    "game-begins": ("begins", "game"),
    "game-over": ("is over", "game"),
}
"""Payloads, and type and subtype by which an automation names them."""
START_S = 600.0
"""For what is installed at the first start."""
PATIENCE_S = 240.0
SETTLED_S = 3.0
"""After which what has not come does not come."""
SUBSCRIBED_S = 6.0
OF_ANY_DELETED = re.compile("No device components to cleanup|remove unknown dispatcher")
"""Warnings of Home Assistant about itself where a device of MQTT is deleted."""
LAMP, WINDOW = "lab/lamp", "lab/window"
BLUEPRINT = ROOT / "docs" / "blueprints" / "lamp-flashes.yaml"

CONFIGURATION = """\
http:
  server_host: 127.0.0.1
  server_port: {port}
api:
config:
frontend:
recorder:
lovelace:
  mode: yaml
automation: !include automations.yaml
mqtt:
  - light:
      - schema: json
        name: Dining table
        command_topic: lab/lamp
        supported_color_modes: [onoff]
      - schema: json
        name: Window
        command_topic: lab/window
        supported_color_modes: [onoff]
command_line:
  - notify:
      name: notify
      command: cat
"""
"""Two lamps that publish what they are told, and somebody to notify."""

FROM_BLUEPRINT = f"""\
- id: from_blueprint
  alias: Lab blueprint
  use_blueprint:
    path: dicetray/{BLUEPRINT.name}
    input:
      tray: {EVENT}
      lamp:
        entity_id: light.window
      happens: [{", ".join(TRIGGERS)}]
"""


class HomeAssistant:
    """The program, its requests, and what it says happens."""

    def __init__(self, lab: Path, folder: Path) -> None:
        self._port = free_port()
        self.url = f"http://127.0.0.1:{self._port}"
        self.folder = folder
        self.tokens: dict[str, Any] = {}
        self._events: list[dict[str, Any]] = []
        self._lock = Lock()
        text = CONFIGURATION.format(port=self._port)
        (folder / "configuration.yaml").write_text(text, encoding="utf-8")
        path = f"{lab.resolve() / 'bin'}:{os.environ['PATH']}"
        self._log = (folder / "said.txt").open("wb")
        self._process = subprocess.Popen(
            [str(lab / "bin" / "hass"), "-c", str(folder)],
            env=os.environ | {"PATH": path},
            stdout=self._log,
            stderr=subprocess.STDOUT,
        )
        until(lambda: self._answers("/api/onboarding"), "Home Assistant answers", START_S)

    def _answers(self, path: str) -> bool:
        assert self._process.poll() is None, (self.folder / "said.txt").read_text()
        try:
            return self.ask(path) is not None
        except (URLError, ConnectionError):
            return False

    def ask(self, path: str, body: object = None, method: str = "", form: bool = False) -> Any:
        """The answer to a request."""
        kind = "application/x-www-form-urlencoded" if form else "application/json"
        headers = {"Content-Type": kind}
        if self.tokens:
            headers["Authorization"] = f"Bearer {self.tokens['access_token']}"
        data = None
        if body is not None:
            data = (urlencode(body) if form else json.dumps(body)).encode()  # type: ignore[arg-type]
        request = Request(self.url + path, data, headers, method=method or None)
        try:
            with urlopen(request, timeout=PATIENCE_S) as answer:
                text = answer.read().decode()
        except HTTPError as error:
            raise RuntimeError(f"{path}: {error.code} {error.read().decode()}") from error
        return json.loads(text) if text[:1] in ("{", "[") else text

    def set_up(self, broker_port: int) -> None:
        """Makes the first user, listens to what happens, and adds the MQTT integration."""
        client = f"{self.url}/"
        user = {"name": "Lab", "username": "lab", "password": "lab", "language": "en"}
        code = self.ask("/api/onboarding/users", user | {"client_id": client})["auth_code"]
        grant = {"grant_type": "authorization_code", "code": code, "client_id": client}
        self.tokens = self.ask("/auth/token", grant, form=True)
        self.ask("/api/onboarding/core_config", {})
        self.ask("/api/onboarding/analytics", {})
        back = {"client_id": client, "redirect_uri": f"{client}?auth_callback=1"}
        self.ask("/api/onboarding/integration", back)
        Thread(target=self._listen, daemon=True).start()
        flow = self.ask("/api/config/config_entries/flow", {"handler": "mqtt"})
        assert flow["step_id"] == "broker", flow
        said: dict[str, Any] = {"broker": "127.0.0.1", "port": broker_port}
        if any(field["name"] == "other_settings" for field in flow["data_schema"]):
            # Home Assistant 2026.11 has them in a part of its own.
            said["other_settings"] = {"set_client_cert": False, "set_ca_cert": "off"}
        made = self.ask(f"/api/config/config_entries/flow/{flow['flow_id']}", said)
        assert made["type"] == "create_entry", made

    def _listen(self) -> None:
        request = Request(f"{self.url}/api/stream")
        request.add_header("Authorization", f"Bearer {self.tokens['access_token']}")
        with urlopen(request) as stream:
            for line in stream:
                if line.startswith(b"data: {"):
                    with self._lock:
                        self._events.append(json.loads(line[6:]))

    def command(self, kind: str, **data: Any) -> Any:
        """The answer to a command of its pages, which have a WebSocket of their own."""
        with closing(socket.create_connection(("127.0.0.1", self._port), PATIENCE_S)) as line:
            asked = f"GET /api/websocket HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n"
            asked += "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            line.sendall(f"{asked}Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode())
            heard = line.makefile("rb")
            while heard.readline().strip():
                pass
            sent = [{"type": "auth", "access_token": self.tokens["access_token"]}]
            sent += [{"id": 1, "type": kind} | data]
            while True:
                answer = json.loads(_frame_from(heard))
                if answer["type"] in ("auth_required", "auth_ok"):
                    line.sendall(_frame(json.dumps(sent.pop(0)).encode()))
                elif answer.get("id") == 1:
                    assert answer["success"], answer
                    return answer["result"]

    def happened(self, kind: str) -> list[dict[str, Any]]:
        """The data of all events of a kind so far."""
        with self._lock:
            return [event["data"] for event in self._events if event["event_type"] == kind]

    def states_of(self, entity: str) -> list[str]:
        """The states that an entity has shown one after the other, unless it was away."""
        changes = [d for d in self.happened("state_changed") if d["entity_id"] == entity]
        shown = [d["new_state"]["state"] for d in changes if d["new_state"]]
        known = [state for state in shown if state not in ("unknown", "unavailable")]
        return [state for state, _ in groupby(known)]

    def types_of(self, entity: str) -> list[str]:
        """The types of what an event entity has told; its state is the time of the latest."""
        changes = [d for d in self.happened("state_changed") if d["entity_id"] == entity]
        told = {d["new_state"]["state"]: d["new_state"] for d in changes if d["new_state"]}
        types = (state["attributes"].get("event_type") for state in told.values())
        return [kind for kind in types if kind is not None]

    def template(self, text: str) -> str:
        """The result of a template."""
        return str(self.ask("/api/template", {"template": text}))

    def stop(self) -> None:
        """Ends it, so that it writes what it has recorded."""
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(120)
        self._log.close()


def _frame(text: bytes) -> bytes:
    """A client's frame of text (RFC 6455, 5.2), under a mask of zeros."""
    assert len(text) < 1 << 16, len(text)
    return b"\x81\xfe" + len(text).to_bytes(2, "big") + bytes(4) + text


def _frame_from(heard: IO[bytes]) -> bytes:
    """The content of a server's next frame."""
    length = heard.read(2)[1]
    if length >= 126:
        length = int.from_bytes(heard.read(2 if length == 126 else 8), "big")
    return heard.read(length)


class Listener:
    """Keeps all messages of a broker in order."""

    def __init__(self, port: int) -> None:
        self.heard: list[tuple[str, str]] = []
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.on_message = self._hear
        self._client.on_connect = lambda client, *_: client.subscribe("#", 1)
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()

    def _hear(self, _: Client, __: object, message: MQTTMessage) -> None:
        self.heard.append((message.topic, message.payload.decode()))

    def of(self, topic: str) -> list[str]:
        """The payloads of a topic so far."""
        return [payload for name, payload in list(self.heard) if name == topic]

    def close(self) -> None:
        """Ends it."""
        self._client.disconnect()
        self._client.loop_stop()


@contextmanager
def bridge(folder: Path, broker: Mosquitto, language: str = "en") -> Iterator[None]:
    """`dicetray mqtt`, as its unit runs it, until the end of the block."""
    file = folder / "dicetray.toml"
    settings = f'[scoreboard]\nlanguage = "{language}"\n[mqtt]\nbroker = "{broker.url}"\n'
    file.write_text(f"{settings}names = true\n", encoding="utf-8")
    command = (sys.executable, "-m", "appliance.cli.program", "mqtt", "--config", str(file))
    environment = os.environ | {"RUNTIME_DIRECTORY": str(folder)}
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait(10)


def until(holds: Callable[[], object], what: str, patience_s: float = PATIENCE_S) -> None:
    """Waits until something holds; TimeoutError if it does not."""
    end_s = time.monotonic() + patience_s
    while not holds():
        if time.monotonic() > end_s:
            raise TimeoutError(what)
        time.sleep(0.2)


def blocks_of(document: Path) -> list[str]:
    """The YAML in a document: a card, then two automations."""
    return re.findall(r"```yaml\n(.*?)```", document.read_text(encoding="utf-8"), re.DOTALL)


def expected_states(standing: Mapping[str, Any]) -> dict[str, str]:
    """The states that the sensors are to show of a message, by the names of the entities."""
    named, turn = standing["players"], standing["turn"]
    pairs = zip(named, standing["totals"], strict=True)
    return {
        "game": standing["title"],
        "player": "" if turn is None else named[turn],
        "round": str(standing["round"]),
        "scores": ", ".join(f"{name} {total}" for name, total in pairs),
        "dice": " ".join("-" if face is None else str(face) for face in standing["dice"]),
        "winners": ", ".join(named[seat] for seat in standing["winners"]),
    }


def seats_of(standing: Mapping[str, Any]) -> dict[str, str]:
    """The states of the seats where somebody sits."""
    return {f"seat_{n}": str(total) for n, total in enumerate(standing["totals"], start=1)}


def device_automation(home: HomeAssistant, word: str, device: str) -> None:
    """Adds an automation as Home Assistant's own form does, by a trigger of the device."""
    kind, part = TRIGGERS[word]
    when = {"trigger": "device", "domain": "mqtt", "device_id": device}
    home.ask(
        f"/api/config/automation/config/{word}",
        {
            "alias": f"Lab {word}",
            "mode": "queued",
            "max": 100,
            "triggers": [when | {"type": kind, "subtype": part}],
            "actions": [{"event": "lab_trigger", "event_data": {"word": word}}],
        },
    )


SHOWN = """function shown(node) {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent.trim();
    if (["STYLE", "SCRIPT"].includes(node.nodeName)) return "";
    const hidden = node.shadowRoot ? [...node.shadowRoot.childNodes] : [];
    const inside = [...hidden, ...node.childNodes];
    return inside.map(shown).filter(Boolean).join("\\n");
}"""
"""The text of an element with all that its components hide."""


def open_card(home: HomeAssistant, picture: Path) -> str:
    """The text of the card in Home Assistant's own page, which is kept as a picture."""
    from playwright.sync_api import sync_playwright

    kept = home.tokens | {"hassUrl": home.url, "clientId": f"{home.url}/"}
    kept["expires"] = (time.time() + home.tokens["expires_in"]) * 1000
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 900, "height": 700})
        page.add_init_script(f"localStorage.hassTokens = JSON.stringify({json.dumps(kept)})")
        page.goto(f"{home.url}/lovelace/0")
        page.locator("hui-entities-card").wait_for(timeout=1000 * PATIENCE_S)
        page.locator("hui-entities-card .card-content").wait_for()
        page.wait_for_timeout(1000 * SETTLED_S)
        text = page.locator("hui-entities-card").evaluate(SHOWN)
        wrong = page.locator("hui-error-card, hui-warning, hui-warning-element").count()
        page.screenshot(path=picture)
        browser.close()
    return f"{text}\n{wrong} warnings"


class Checks:
    """The checks so far, one line each."""

    def __init__(self) -> None:
        self.failed = 0

    def check(self, what: str, good: object, saw: object = "") -> None:
        """Says how a check went."""
        self.failed += not good
        print(f"{'ok    ' if good else 'FAILED'}  {what}{f': {saw}' if saw != '' else ''}")


def run(lab: Path, folder: Path, checks: Checks) -> None:
    """All checks, with files in an empty folder."""
    card, *automations = blocks_of(ROOT / "docs" / "mqtt.md")
    home_folder, tray_folder, broker_folder = (folder / n for n in ("home", "tray", "broker"))
    for each in (home_folder, tray_folder, broker_folder):
        each.mkdir()
    page = f"views:\n  - title: Lab\n    cards:\n      - {indent(card, ' ' * 8).lstrip()}"
    (home_folder / "ui-lovelace.yaml").write_text(page, encoding="utf-8")
    pasted = (indent(text, "  ") for text in automations)
    listed = "".join(f"- id: pasted_{n}\n{text}" for n, text in enumerate(pasted))
    (home_folder / "automations.yaml").write_text(listed + FROM_BLUEPRINT, encoding="utf-8")
    blueprints = home_folder / "blueprints" / "automation" / "dicetray"
    blueprints.mkdir(parents=True)
    shutil.copy(BLUEPRINT, blueprints)
    log = broker_folder / "log.txt"
    logged = (f"log_dest file {log}", "log_type all")
    broker = Mosquitto(broker_folder, "allow_anonymous true", *logged)
    listener = Listener(broker.port)
    home = HomeAssistant(lab, home_folder)
    setup = Setup("classic", ("ANNA", "BERT"), (("first", 0),))
    try:
        home.set_up(broker.port)
        # Until everything runs, no automation does.
        until(lambda: home.ask("/api/config")["state"] == "RUNNING", "a running home", START_S)
        with closing(TellingTable(tray_folder / SOCKET_FILE, setup, seed=SEED)) as table:
            with bridge(tray_folder, broker):
                check_device(home, checks)
                for word in TRIGGERS:
                    device_automation(home, word, home.template(f"{{{{device_id('{HEALTH}')}}}}"))
                # As when they are pasted: what was there before the integration cannot subscribe.
                home.ask("/api/services/automation/reload", {})
                # What it subscribes to it gathers for a while.
                time.sleep(SUBSCRIBED_S)
                play_a_game(table, listener)
            check_restart(home, checks)
            with bridge(tray_folder, broker):
                play_on(table, home)
                check_automations(home, checks)
                check_values(home, listener, checks)
                check_triggers(home, listener, checks)
                shown = open_card(home, folder / "card.png")
                last = expected_states(json.loads(listener.of(f"{BASE}/state")[-1]))
                wanted = [text for name, text in last.items() if name not in ("player", "winners")]
                good = all(text in shown for text in wanted) and "0 warnings" in shown
                checks.check("card in Home Assistant's page", good, " | ".join(shown.split("\n")))
                check_deleted(home, checks)
            with bridge(tray_folder, broker, "de"):
                check_german(home, checks)
    finally:
        listener.close()
        home.stop()
        broker.stop()
    subscribed = re.findall(rf"\t({BASE}/\S+) \(QoS (\d)\)$", log.read_text(), re.MULTILINE)
    # The pasted automation asks for QoS 0, the device's triggers for more, on the same topic.
    last = dict(subscribed)
    checks.check("subscribed with QoS 1", last and set(last.values()) == {"1"}, sorted(last))
    with closing(sqlite3.connect(home_folder / "home-assistant_v2.db")) as recorded:
        names = [row[0] for row in recorded.execute("SELECT entity_id FROM states_meta")]
    ours = sorted(name for name in names if "dice_tray" in name)
    checks.check("recorded", ours and f"{ENTITY}board" not in ours, " ".join(ours))
    said = (home_folder / "said.txt").read_text()
    bad = [line for line in said.split("\n") if re.search("(WARNING|ERROR).*mqtt", line)]
    bad = [line for line in bad if not OF_ANY_DELETED.search(line)]
    checks.check("nothing about MQTT in the log", not bad, bad or "")


def check_device(home: HomeAssistant, checks: Checks) -> None:
    """The device, with what it has."""
    until(lambda: "unknown" not in home.template(f"{{{{ states('{ENTITY}game') }}}}"), "the device")
    name = home.template(f"{{{{ device_attr('{HEALTH}', 'name') }}}}")
    checks.check("device", name == "Dice tray tray-1", name)
    entities = home.template(f"{{{{ device_entities(device_id('{HEALTH}')) | sort | join(' ') }}}}")
    wanted = {ENTITY + name for name in (*expected_states(NOTHING), "seat_1", "seat_2")}
    wanted |= {HEALTH, EVENT}
    checks.check("its entities", set(entities.split()) == wanted, entities)
    known = {state["entity_id"] for state in home.ask("/api/states")}
    checks.check("the board's text is off", f"{ENTITY}board" not in known)


NOTHING = {"title": "", "round": 0, "turn": None, "players": [], "totals": [], "dice": []}
NOTHING |= {"winners": []}
SEED = 136


def play_a_game(table: TellingTable, listener: Listener) -> None:
    """A whole game."""
    while not table.play(1):
        time.sleep(0.02)
    until(lambda: "game-over" in listener.of(f"{BASE}/trigger"), "the end of the game")
    time.sleep(SETTLED_S)


def check_restart(home: HomeAssistant, checks: Checks) -> None:
    """The tray has gone, and everything about it."""
    gone = f"{{{{ states('{ENTITY}winners') }}}}"
    until(lambda: home.template(gone) == "unavailable", "the tray is away")
    checks.check("a tray that is away", home.template(gone.replace("winners", "game")) != "CLASSIC")


def play_on(table: TellingTable, home: HomeAssistant) -> None:
    """The tray comes back with the game that is over, then begins the next one."""
    until(lambda: home.template(f"{{{{ states('{ENTITY}winners') }}}}") == "ANNA", "it is back")
    time.sleep(SETTLED_S)
    table.next_game()
    table.play(9)
    until(lambda: home.states_of(f"{ENTITY}winners")[-1:] == [""], "the next game")
    time.sleep(SETTLED_S)


def check_deleted(home: HomeAssistant, checks: Checks) -> None:
    """A device that was deleted there comes back with the next birth message."""
    device = home.template(f"{{{{ device_id('{HEALTH}') }}}}")
    (entry,) = home.command("config_entries/get", domain="mqtt")
    entry_id = entry["entry_id"]
    home.command(
        "config/device_registry/remove_config_entry", config_entry_id=entry_id, device_id=device
    )
    gone = f"{{{{ states('{HEALTH}') }}}}"
    until(lambda: home.template(gone) == "unknown", "the device is deleted")
    home.ask(f"/api/config/config_entries/entry/{entry_id}/reload", {})
    with suppress(TimeoutError):
        until(lambda: home.template(gone) == "off", "it is back")
    back = home.template(f"{{{{ states('{ENTITY}game') }}}}")
    checks.check("deleted there, it is back after a birth message", back == "CLASSIC", back)
    said = said_to_the_phone(home)
    checks.check("of a deleted one nothing is said", len(said) == 1, said)


GERMAN = {
    f"{ENTITY}game": "Spiel",
    f"{ENTITY}winners": "Gewonnen",
    f"{ENTITY}seat_2": "Platz 2",
    HEALTH: "Zustand",
    EVENT: "Ereignis",
}


def check_german(home: HomeAssistant, checks: Checks) -> None:
    """The same entities have German names, and the device has."""

    def named() -> list[str]:
        device = f"{{{{ device_attr('{HEALTH}', 'name') }}}}"
        names = (f"{{{{ state_attr('{one}', 'friendly_name') }}}}" for one in GERMAN)
        return [home.template(text) for text in (device, *names)]

    tray = "Würfelschale tray-1"
    wanted = [tray, *(f"{tray} {name}" for name in GERMAN.values())]
    with suppress(TimeoutError):
        until(lambda: named() == wanted, "German names")
    checks.check("German names, the same entities", named() == wanted, ", ".join(named()))


def check_automations(home: HomeAssistant, checks: Checks) -> None:
    """Home Assistant has taken all automations."""
    known = (state for state in home.ask("/api/states"))
    states = {s["entity_id"]: s["state"] for s in known if s["entity_id"].startswith("automation.")}
    good = len(states) == 3 + len(TRIGGERS) and {*states.values()} == {"on"}
    checks.check("automations", good, states)


def check_values(home: HomeAssistant, listener: Listener, checks: Checks) -> None:
    """All that was shown, in order, is all that was published."""
    standings = [json.loads(text) for text in listener.of(f"{BASE}/state")]
    expected = [expected_states(each) | seats_of(each) for each in standings]
    for name in expected[-1]:
        wanted = [text for text, _ in groupby(each[name] for each in expected if name in each)]
        shown = home.states_of(ENTITY + name)
        same = shown == wanted[-len(shown) :] and len(shown) >= len(wanted) - 1
        checks.check(f"values of {name}", same, f"{len(shown)} in a row, the last {shown[-1]!r}")
        if not same:
            print(f"        expected {wanted}\n        found    {shown}")
    health = home.states_of(HEALTH)
    checks.check("health", health == ["off"], health)


def check_triggers(home: HomeAssistant, listener: Listener, checks: Checks) -> None:
    """The triggers of the device, and the automations of the document."""
    sent = Counter(listener.of(f"{BASE}/trigger"))
    fired = Counter(data["word"] for data in home.happened("lab_trigger"))
    for word in TRIGGERS:
        good = fired[word] == sent[word] > 0
        checks.check(f"trigger {word}", good, f"sent {sent[word]}, fired {fired[word]}")
    happened = Counter(home.types_of(EVENT))
    checks.check("the event entity", happened == sent, dict(happened))
    lit = [json.loads(text) for text in listener.of(LAMP)]
    good = len(lit) == sent["five-alike"] and all("flash" in one for one in lit)
    checks.check("pasted automation: the lamp flashes", good, lit)
    flashed = [json.loads(text) for text in listener.of(WINDOW)]
    good = len(flashed) == sent.total() and all("flash" in one for one in flashed)
    checks.check("the blueprint: the lamp flashes", good, f"{len(flashed)} of {sent.total()}")
    over = [json.loads(text) for text in listener.of(f"{BASE}/state")]
    ends = [expected_states(each) for each in over if each["winners"]]
    wanted = {f"{end['winners']} won: {end['scores']}" for end in ends}
    said = said_to_the_phone(home)
    checks.check("pasted automation: who has won", len(said) == 1 and {*said} == wanted, said)


def said_to_the_phone(home: HomeAssistant) -> list[str]:
    """The messages of notifications so far."""
    calls = home.happened("call_service")
    return [c["service_data"]["message"] for c in calls if c["domain"] == "notify"]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("lab", type=Path, help="virtual environment with homeassistant")
    parser.add_argument("--keep", type=Path, help="folder for logs and a picture of the card")
    options = parser.parse_args()
    folder = (options.keep or Path(mkdtemp())).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    asked = [str(options.lab / "bin" / "hass"), "--version"]
    version = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    print(f"Home Assistant {version}; files in {folder}")
    checks = Checks()
    run(options.lab, folder, checks)
    return bool(checks.failed)


if __name__ == "__main__":
    sys.exit(main())
