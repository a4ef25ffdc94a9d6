"""Readers of bytes or text from outside, each with what it may refuse, and examples to begin with.

A target takes any bytes. It returns where they are read, or refused by the error that is documented
for that; and raises for anything else, such as a value that is written otherwise than it was read.
`scripts/fuzz.py` looks for such bytes; what it found lies in `finds`, and stays a test.
"""

import json
import re
import struct
import tempfile
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np

from appliance.club.evening import Games, Tables, league
from appliance.config import parsing
from appliance.devices.scoreboard.hello import Hello
from appliance.devices.scoreboard.link import Link
from appliance.journal.log import line_to_text, lines_from_text
from appliance.picture import Picture
from appliance.service.broadcast import parse_line
from appliance.table.session.session import Setup
from appliance.web.pattern import BoardPattern
from appliance.web.score import publish_line
from appliance.web.serving import Channel, server_sent_event
from appliance.words import ENGLISH
from firmware import framing
from games.chance import random_game
from games.free_for_all import DeckError, deck_from_toml
from games.record import (
    Record,
    event_to_text,
    position_from_text,
    position_to_text,
    read_record,
    write_record,
)
from games.registry import GAMES
from games.values import RulesError
from tests.appliance.club.test_reports import ENDED, LOG, STATE
from tests.profiles import make_profile
from tests.proofs.fuzzing import files_from_outside as files
from tests.proofs.fuzzing import talk_from_outside as talk
from tests.rigs.spoken import spoken
from vision.errors import PictureError, ProfileError
from vision.geometry.profile_file import load_profile, save_profile
from vision.image.files import MAX_PICTURE_PIXELS, MIN_PICTURE_SIDE_PX, decode_picture

FINDS = Path(__file__).with_name("finds")
"""The finds by target: bytes that once broke it."""

NAMES = ("Ann", 'B "b"', "Zoë # ;|[]")


@dataclass(frozen=True, slots=True)
class Target:
    """Something that reads what comes from outside.

    Attributes:
        read: takes any bytes; raises where something is wrong with the program.
        seeds: makes examples, of which more are made by changing them.
        most_bytes: longer examples are not tried.
    """

    read: Callable[[bytes], object]
    seeds: Callable[[], Iterable[bytes]]
    most_bytes: int = 4096

    def examples(self, name: str) -> list[bytes]:
        """The seeds, and what was found once."""
        found = sorted((FINDS / name).glob("*"))
        return [*self.seeds(), *(file.read_bytes() for file in found)]


def text_of(data: bytes) -> str:
    """Bytes as text: files are read so, or refused before."""
    return data.decode("utf-8", "replace")


@cache
def scratch() -> Path:
    """A folder for what is read by its name."""
    return Path(tempfile.mkdtemp(prefix="dicetray-fuzzing-"))


def as_file(data: bytes, name: str) -> Path:
    """A file with these bytes."""
    path = scratch() / name
    path.write_bytes(data)
    return path


def some_games() -> Iterator[tuple[str, tuple[str, ...], list[Any]]]:
    """Of each game its name, players and what happened until some time."""
    for number, (name, game) in enumerate(GAMES.items()):
        for more in range(3):
            random = Random(10 * number + more)
            names = NAMES[: 2 + more % 2]
            events, _ = random_game(game, names, {}, random)
            yield name, names, events[: random.choice((3, 12, 30))]


def some_records() -> Iterator[Record]:
    """Of each game a few that have begun."""
    for name, names, events in some_games():
        yield Record(name, GAMES[name].edition, names, (), tuple(events), "1.0.0")


def read_a_record(data: bytes) -> None:
    """A record that is read is written so that it reads the same."""
    with suppress(RulesError):
        record = read_record(text_of(data))
        again = read_record(write_record(record))
        assert again == record, (record, again)


def read_a_position(data: bytes) -> None:
    """A position that is read is written so that it reads the same."""
    with suppress(RulesError):
        game, state = position_from_text(text_of(data))
        text = position_to_text(game, state)
        assert position_to_text(*position_from_text(text)) == text, text


def seeds_of_positions() -> Iterator[bytes]:
    for record in some_records():
        game = GAMES[record.game]
        state = game.start(record.players, {})
        for event in record.events:
            state = game.apply(state, event)
        yield position_to_text(game, state).encode()


def read_log_lines(data: bytes) -> None:
    """Lines of the journal that are read are written so that they read the same."""
    first, *lines = text_of(data).split("\n")
    if first not in GAMES:
        return
    setup = Setup(first, NAMES)
    with suppress(RulesError):
        log = lines_from_text(setup, lines)
        assert lines_from_text(setup, [line_to_text(setup, line) for line in log]) == log


def seeds_of_log_lines() -> Iterator[bytes]:
    for name, _, events in some_games():
        setup = Setup(name, NAMES)
        lines = [GAMES[name].name, *(event_to_text(setup.rules, event) for event in events)]
        yield "\n".join([*lines, "undo 2", "holding 1 4", "seed 5f3a"]).encode()


def read_settings(data: bytes) -> None:
    """Whatever is in the file, it is used or its mistakes are listed."""
    assert len(parsing.mistakes(as_file(data, "dicetray.toml"))) <= parsing.MOST_MISTAKES + 1


def seeds_of_settings() -> Iterator[bytes]:
    text = Path(parsing.__file__).with_name("default.toml").read_text("utf-8")
    yield text.encode()
    yield re.sub("(?m)^# (?=[a-z_]+ = )", "", text).encode()


def read_a_deck(data: bytes) -> None:
    """The cards of Free for All."""
    with suppress(DeckError):
        deck_from_toml(text_of(data))


def read_a_profile(data: bytes) -> None:
    """A profile that is read is written so that it reads the same."""
    with suppress(ProfileError):
        profile = load_profile(as_file(data, "profile"))
        written, again = scratch() / "written", scratch() / "again"
        save_profile(profile, written)
        save_profile(load_profile(written), again)
        assert written.read_bytes() == again.read_bytes()


def seeds_of_profiles() -> Iterator[bytes]:
    path = scratch() / "seed"
    save_profile(make_profile(), path)
    plain = path.read_bytes()
    yield plain
    full = json.loads(plain)
    small = cv2.imencode(".png", np.zeros((4, 4), np.uint8))[1].tobytes()
    patch = b64encode(small).decode()
    full["power_faces"] = [{"value": "double", "patch": patch}]
    full["colours"] = [{"kind": "red", "body": [1, 2, 3], "pip": [4, 5, 6], "count": 7}]
    full["sight"] = {"model": "imx708", "array": [4608, 2592], "part": [0, 0, 4608, 2592]}
    yield json.dumps(full).encode()


def messages_in(data: bytes) -> Iterator[bytes]:
    """Frames and noise: chance alone finds no frame with a sound checksum.

    Each begins with two bytes: the kind of message, or 0 for noise, and how many bytes follow.
    """
    at = 0
    while at + 2 <= len(data):
        kind, length = data[at], data[at + 1] % (framing.MAX_PAYLOAD + 1)
        rest = data[at + 2 : at + 2 + length]
        yield framing.encode(kind, at & 0xFFFF, rest) if kind else rest
        at += 2 + length


def hear_frames(data: bytes) -> None:
    """The parser finds the same frames however the bytes are split, and the link takes them all."""
    sent = b"".join(messages_in(data))
    heard = [_heard(sent, size) for size in (1, 7, len(sent) or 1)]
    assert heard[0] == heard[1] == heard[2]
    link, now = Link(), 0.0
    link.opened(now)
    link.show(Picture())
    for message in messages_in(data):
        link.receive(message, now)
        link.outgoing(now)
        link.trouble(now)
        now += max(0.0, min(link.deadline(now) - now, 1.0))


def _heard(sent: bytes, size: int) -> list[tuple[int, int, bytes]]:
    parser, found = framing.Parser(), []
    for begin in range(0, len(sent), size):
        piece, at = sent[begin : begin + size], 0
        while at := parser.feed(piece, at, len(piece)):
            payload = bytes(parser.payload[: parser.length])
            found.append((parser.kind, parser.sequence, payload))
    return found


def some_hellos() -> Iterator[bytes]:
    """The HELLOs of boards of several versions."""
    for minor in range(3):
        numbers = (framing.PROTOCOL_MAJOR, minor, 1, 0, 0, 64, 16, 1, 8, 7)
        head = struct.pack(framing.HELLO_FORMAT, *numbers, b"12345678", b"abc")
        yield head + (50_000).to_bytes(4, "little") * (minor > 0) + b"\1\0\1\2\3" * (minor > 1)
    yield bytes((2, 0))


def seeds_of_frames() -> Iterator[bytes]:
    for hello in some_hellos():
        greeting = bytes((framing.HELLO, len(hello))) + hello
        ack = bytes((framing.ACK, 4)) + struct.pack(framing.ACK_FORMAT, 1, 0, 5)
        yield greeting + ack + bytes((framing.PING, 0, 0, 5)) + b">>> \0"


def read_a_hello(data: bytes) -> None:
    """Whatever a board says of itself, this host works with it or says why not."""
    with suppress(ValueError):
        hello = Hello.from_payload(data)
        hello.objection()
        assert hello.takes_farewell in (True, False)
        assert hello.build.isascii() or "\ufffd" in hello.build


def pass_on_a_line(data: bytes) -> None:
    """A line of the appliance's stream is passed on to pages, each value as one event, or refused.

    OSError and ValueError are logged, and the connection begins anew.
    """
    # A snapshot sets the language of this process.
    channel = Channel()
    with spoken(ENGLISH):
        for line in data.split(b"\n"):
            with suppress(ValueError, OSError):
                publish_line(parse_line(line), channel, BoardPattern(channel))
    kind, _, text = text_of(data).partition("\n")
    with suppress(ValueError):
        event = server_sent_event(kind, text).decode()
        assert event.endswith("\n\n")
        lines = re.split("\r\n|\r|\n", event[:-2])
        assert [one for one in lines if not one.startswith("data: ")] == [f"event: {kind}"]
        back = "\n".join(one[6:] for one in lines if one.startswith("data: "))
        assert back == re.sub("\r\n|\r", "\n", text)


SNAPSHOT = {"game": 1, "board": 256 * "0", "language": "en", "alerts": [], "sheets": []}
HEARD = (
    {"hello": {"host": "0.0.0.0", "port": 8080, "pin": "123456abc"}},
    {"snapshot": SNAPSHOT},
    {"snapshot": SNAPSHOT | {"game": None, "language": "de"}},
    {"board": None},
    {"event": {"game": 1, "number": 1, "verb": "roll", "text": "roll 1 2 3 4 5"}},
    {"picture": {"game": 1, "event": 1, "jpeg": "", "size": [4, 4], "dice": []}},
    {"ended": {"game": 1, "title": "CLASSIC", "players": [], "scores": []}},
)


def seeds_of_lines() -> Iterator[bytes]:
    for line in HEARD:
        yield json.dumps({"v": 1} | line).encode()
    yield b"event\ndata: 1\r\n\r\nevent: 2"


def hear_tables(data: bytes) -> None:
    """Whoever may publish to the broker may send anything: a club's page takes what it can.

    Each line is a topic below the table, and what was published there.
    """
    path = scratch() / "games.txt"
    path.unlink(missing_ok=True)
    channel = Channel()
    games = Games(path)
    tables = Tables("dicetray", games, lambda _: None, channel.publish, unix_s=lambda: 0.0)
    for number, line in enumerate(data.split(b"\n")):
        topic, _, payload = line.partition(b" ")
        name = text_of(topic)
        tables.take_message(f"dicetray/table-1/{name}", payload, retained=number % 2 == 1)
        tables.ask_next_table(float(number))
        channel.publish("league", league(list(games.values())))


def seeds_of_tables() -> Iterator[bytes]:
    yield b"\n".join(
        (
            b"available online",
            b"state " + json.dumps(STATE).encode(),
            b"log/1 " + json.dumps(LOG).encode(),
            b"ended/1 " + json.dumps(ENDED).encode(),
            b"available offline",
        )
    )


def see_a_picture(data: bytes) -> None:
    """A picture has the size that was allowed, or is refused."""
    with suppress(PictureError):
        picture = decode_picture(data, "picture")
        assert picture.dtype == np.uint8
        assert picture.shape[2:] == (3,)
        assert picture.shape[0] * picture.shape[1] <= MAX_PICTURE_PIXELS
        assert min(picture.shape[:2]) >= MIN_PICTURE_SIDE_PX


def seeds_of_pictures() -> Iterator[bytes]:
    picture = np.full((16, 24, 3), 90, np.uint8)
    for suffix in (".jpg", ".png", ".bmp", ".webp", ".tiff"):
        yield cv2.imencode(suffix, picture)[1].tobytes()
    progressive = [cv2.IMWRITE_JPEG_PROGRESSIVE, 1, cv2.IMWRITE_JPEG_RST_INTERVAL, 1]
    yield cv2.imencode(".jpg", picture, progressive)[1].tobytes()
    yield b"\0\0\0\x18ftypheic\0\0\0\0heicmif1" + b"\0\0\0\x14ispe" + bytes(4) + bytes(8)


TARGETS = {
    "record": Target(read_a_record, lambda: (write_record(r).encode() for r in some_records())),
    "position": Target(read_a_position, seeds_of_positions, 600),
    "log": Target(read_log_lines, seeds_of_log_lines, 1000),
    "settings": Target(read_settings, seeds_of_settings, 16_384),
    "deck": Target(read_a_deck, lambda: [parsing.default_deck_text().encode()]),
    "profile": Target(read_a_profile, seeds_of_profiles),
    "frames": Target(hear_frames, seeds_of_frames, 1000),
    "hello": Target(read_a_hello, some_hellos, 64),
    "stream": Target(pass_on_a_line, seeds_of_lines),
    "tables": Target(hear_tables, seeds_of_tables),
    "picture": Target(see_a_picture, seeds_of_pictures),
    "size": Target(
        files.measure_a_picture, lambda: [*seeds_of_pictures(), *files.seeds_of_sizes()], 1000
    ),
    "pack": Target(files.read_a_pack, files.seeds_of_packs),
    "old": Target(
        lambda data: files.read_old_games(data, as_file),
        lambda: files.seeds_of_old_games(scratch),
        40_000,
    ),
    "calibration": Target(files.read_values_of_a_calibration, files.seeds_of_calibrations),
    "package": Target(
        lambda data: files.read_a_package(data, as_file), files.seeds_of_packages, 1000
    ),
    "board": Target(
        lambda data: talk.tell_a_board(data, messages_in, scratch), talk.seeds_of_hosts, 400
    ),
    "pico": Target(talk.read_a_picos_settings, talk.seeds_of_picos_settings, 600),
    "request": Target(talk.ask_for_pages, talk.seeds_of_requests, 1000),
}
