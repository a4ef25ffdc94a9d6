"""Messages to a broker about a game."""

import json
import re
from dataclasses import asdict, replace
from random import Random
from typing import Any

import pytest
import yaml

from appliance.config.settings import MqttConfig
from appliance.journal.journal import Journal
from appliance.mqtt.messages import LEAST_SEATS, Composer, Message, discovery, state
from appliance.service.appliance import Appliance
from appliance.service.broadcast import MAX_ENDED_GAMES
from appliance.service.devices import Devices, Tray
from appliance.service.snapshot import Story
from appliance.service.snapshot import snapshot as appliance_snapshot
from appliance.service.view import Viewer
from appliance.table.session.session import Seeded, Setup, new_session
from appliance.words import ENGLISH, set_language
from tests.appliance.table.scripted import ScriptedKeys, ScriptedWatcher
from tests.paths import ROOT
from tests.rigs.memory_scoreboard import MemoryScoreboard
from tests.rigs.played_tables import line, lines, log_texts, played, snapshot

SETTINGS = MqttConfig(broker="mqtt://broker.local", tray="tray-7", names=True)
SETUP = Setup("classic", ("ANNA", "BERT"))


def told(session_lines: Any, teller: Composer) -> list[Message]:
    return [message for told in session_lines for message in teller.messages(told)]


def payloads(messages: list[Message], topic: str) -> list[Any]:
    return [json.loads(m[1]) for m in messages if m[0] == f"dicetray/tray-7/{topic}"]


def test_a_game_is_told_by_state_and_log_all_of_it_retained() -> None:
    teller, story = Composer(SETTINGS, lambda: 12.0), Story()
    *_, last = played(SETUP, 5, Random(1))
    messages = told(lines(last, story), teller)
    [stands] = payloads(messages, "state")
    assert (stands["events"], stands["at"], stands["players"]) == (
        len(last.record.log),
        12.0,
        ["ANNA", "BERT"],
    )
    log = [payloads(messages, f"log/{n}")[0] for n in range(1, len(last.record.log) + 1)]
    assert [event["text"] for event in log] == log_texts(last)
    assert {event["game"] for event in log} == {5}
    [ended] = payloads(messages, f"ended/{5 % MAX_ENDED_GAMES}")
    outcome = last.record.rules.outcome(last.record.state)
    assert outcome is not None
    assert (ended["scores"], ended["winners"]) == (list(outcome.scores), list(outcome.winners))
    assert ended["log"] == log_texts(last)
    assert ended["over"] is True
    assert all(retained and quality == 1 for _, _, quality, retained in messages)


def test_what_is_told_anew_is_the_same_and_sets_off_nothing() -> None:
    sessions = list(played(SETUP, 5, Random(1)))
    teller, story = Composer(SETTINGS, lambda: 0.0), Story()
    live = [m for session in sessions for m in told(lines(session, story), teller)]
    anew = told(lines(sessions[-1], Story()), Composer(SETTINGS, lambda: 0.0))
    triggers = [m for m in live if m[0].endswith("/trigger")]
    assert {m[1] for m in triggers} >= {"game-begins", "game-over"}
    assert not any(retained for *_, retained in triggers)
    assert [m for m in anew if m[0].endswith("/trigger")] == []
    kept = {m[0]: m[1] for m in live if m[3]}
    assert {m[0]: m[1] for m in anew} == kept


def test_five_alike_is_a_trigger_of_the_throw_that_shows_it() -> None:
    session = next(iter(played(SETUP, 1, Random(1))))
    teller = Composer(SETTINGS, lambda: 0.0)
    told([line("snapshot", snapshot(session))], teller)
    dice = [(face, None, False) for face in (4, 4, 4, 4, 4)]
    throw = {"game": 1, "number": 2, "verb": "roll", "text": "roll 4 4 4 4 4", "celebrated": False}
    throw |= {"scores": [0, 0], "over": False}
    thrown = [
        line("snapshot", snapshot(session) | {"dice": dice, "state": 2}),
        line("event", throw),
        line("event", throw | {"number": 3, "verb": "hold", "text": "hold 1"}),
    ]
    words = [m[1] for m in told(thrown, teller) if m[0].endswith("/trigger")]
    assert words == ["five-alike"]


def test_without_leave_no_name_is_told() -> None:
    teller, story = Composer(MqttConfig(tray="tray-7"), lambda: 0.0), Story()
    messages = [
        message
        for session in played(SETUP, 5, Random(1))
        for message in told(lines(session, story), teller)
    ]
    text = "\n".join(message[1] for message in messages)
    assert "PLAYER 2" in text
    assert "ANNA" not in text
    assert "BERT" not in text


def test_what_an_appliance_tells_is_told_on() -> None:
    watcher, board, keys = ScriptedWatcher(), MemoryScoreboard(), ScriptedKeys()
    appliance = Appliance(
        Devices(board, keys),
        Tray(watcher),
        Journal(":memory:"),
        session=new_session(SETUP, 5),
    )
    appliance.start()
    now = appliance_snapshot(appliance, Viewer(lambda: None).view(appliance))
    what = json.loads(json.dumps(asdict(now), default=str))
    stands = state(what, names=True)
    assert (stands["game"], stands["players"], stands["totals"]) == (5, ["ANNA", "BERT"], [0, 0])
    assert (stands["turn"], stands["events"]) == (0, 0)
    assert stands["board"] == "ANNA throws 5 dice"


def test_with_leave_the_board_says_whose_turn_it_is() -> None:
    session = next(iter(played(SETUP, 5, Random(1))))
    assert state(snapshot(session), names=True)["board"] == "ANNA: throw"


def test_a_game_whose_last_choice_is_taken_back_is_over_no_more() -> None:
    *_, last = played(SETUP, 5, Random(1))
    teller, story = Composer(SETTINGS, lambda: 0.0), Story()
    told(lines(last, story), teller)
    back = replace(last, record=last.record.undone(1))
    [ended] = payloads(told(lines(back, story), teller), f"ended/{5 % MAX_ENDED_GAMES}")
    assert ended["over"] is False
    assert ended["log"][-1] == "undo 1"


def test_what_lots_follow_from_is_never_told() -> None:
    session = new_session(Setup("free-for-all", ("ANNA", "BERT")))
    seeded = replace(session, record=replace(session.record, log=(Seeded("5f3a09c1d2e4b687"),)))
    messages = told(lines(seeded, Story()), Composer(SETTINGS, lambda: 0.0))
    assert payloads(messages, "log/1")[0]["verb"] == "seed"
    assert not any("5f3a" in message[1] for message in messages)


def test_home_assistant_gets_one_message_with_all_that_the_tray_has() -> None:
    topic, text, quality, retained = discovery(SETTINGS, "1.2.3")
    assert (topic, quality, retained) == ("homeassistant/device/dicetray-tray-7/config", 1, True)
    what = json.loads(text)
    assert what["dev"]["ids"] == ["dicetray-tray-7"]
    assert what["o"]["sw"] == "1.2.3"
    assert what["avty_t"] == "dicetray/tray-7/available"
    parts = what["cmps"].values()
    kinds = {"sensor", "binary_sensor", "device_automation", "event"}
    assert {part["p"] for part in parts} == kinds
    shown = [part for part in parts if part["p"] != "device_automation"]
    assert len({part["uniq_id"] for part in shown}) == len(shown) == 9 + LEAST_SEATS
    for part in shown:
        assert part["def_ent_id"].startswith(f"{part['p']}.dice_tray_tray_7_")
    assert "cu" not in what["dev"]
    # Home Assistant takes no `qos` over from the device (SHARED_OPTIONS of its mqtt/schemas.py).
    assert {part["qos"] for part in parts} == {1}
    assert "qos" not in what
    # What the board asks changes all the time: whoever wants it in the recorder switches it on.
    assert [name for name, part in what["cmps"].items() if part.get("en") is False] == ["board"]
    for part in parts:
        if part["p"] == "device_automation":
            assert part["topic"] == "dicetray/tray-7/trigger"
            assert {"automation_type", "type", "subtype", "payload"} <= part.keys()


def test_names_are_in_the_chosen_language_and_identities_in_english() -> None:
    """Else a card would be empty after a change of the language."""
    page = "http://tray.local:8080/"
    english = json.loads(discovery(SETTINGS, "1.2.3", 3, page)[1])
    set_language("de")
    try:
        german = json.loads(discovery(SETTINGS, "1.2.3", 3, page)[1])
    finally:
        set_language(ENGLISH)
    assert english["dev"]["name"] == "Dice tray tray-7"
    assert german["dev"]["name"] == "Würfelschale tray-7"
    assert german["dev"]["cu"] == page
    shown = [key for key, part in english["cmps"].items() if "name" in part]
    assert len(shown) == 12
    for key, part in german["cmps"].items():
        before = english["cmps"][key]
        assert ("name" in part) == (key in shown)
        assert part == before | ({"name": part["name"]} if key in shown else {})
        assert part.get("name") != before.get("name") or key not in shown


def test_every_trigger_is_an_event_as_well() -> None:
    parts = json.loads(discovery(SETTINGS, "1.2.3")[1])["cmps"]
    words = {p["payload"] for p in parts.values() if p["p"] == "device_automation"}
    assert set(parts["happens"]["evt_typ"]) == words
    assert parts["happens"]["stat_t"] == "dicetray/tray-7/trigger"
    assert parts["happens"]["val_tpl"] == "{{ {'event_type': value} | tojson }}"


def test_each_seat_has_the_points_of_whoever_sits_there() -> None:
    parts = json.loads(discovery(SETTINGS, "1.2.3", 3)[1])["cmps"]
    assert [key for key in parts if key.startswith("seat")] == ["seat-1", "seat-2", "seat-3"]
    third = parts["seat-3"]
    here = "value_json.players | length > 2"
    assert third["val_tpl"] == f"{{{{ value_json.totals[2] if {here} else None }}}}"
    assert third["json_attr_tpl"] == (
        "{{ ({'player': value_json.players[2], 'turn': value_json.turn == 2} "
        f"if {here} else {{}}) | tojson }}}}"
    )
    assert third["json_attr_t"] == "dicetray/tray-7/state"


def test_it_is_known_how_many_play() -> None:
    teller = Composer(SETTINGS, lambda: 0.0)
    assert teller.seats == 0
    session = next(iter(played(Setup("classic", ("ANNA", "BERT", "CARL")), 1, Random(1))))
    told([line("snapshot", snapshot(session))], teller)
    assert teller.seats == 3


def test_the_blueprint_waits_for_events_that_there_are() -> None:
    text = (ROOT / "docs/blueprints/lamp-flashes.yaml").read_text(encoding="utf-8")
    what = yaml.safe_load(text.replace("!input ", "input "))
    asked = what["blueprint"]["input"]
    events = json.loads(discovery(SETTINGS, "1.2.3")[1])["cmps"]["happens"]["evt_typ"]
    assert asked["happens"]["selector"]["select"]["options"] == events
    assert set(asked["happens"]["default"]) <= set(events)
    used = set(re.findall(r"!input (\w+)", text))
    assert used == set(asked)
    assert what["triggers"][0]["entity_id"] == "input tray"


@pytest.mark.parametrize("game", ["classic", "power", "showdown", "free-for-all", "holdem"])
def test_every_game_can_be_told(game: str) -> None:
    teller, story = Composer(SETTINGS, lambda: 0.0), Story()
    *_, last = played(Setup(game, ("ANNA", "BERT")), 1, Random(2))
    assert payloads(told(lines(last, story), teller), "ended/1")[0]["over"] is True
