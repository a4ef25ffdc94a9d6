#!/usr/bin/env python3
"""One throw and two presses, step by step through the code; prints each value on the way.

    .venv/bin/python tests/docs/one_throw.py

docs/house.md quotes what it prints.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from struct import pack
from tempfile import TemporaryDirectory

from gpiozero.pins.mock import MockFactory

sys.path.insert(0, str(Path(__file__).parents[2]))

from appliance.devices.buttons import Buttons
from appliance.devices.camera.health import CameraHealth
from appliance.devices.scoreboard.link import Link
from appliance.inputs import Button
from appliance.journal.journal import Journal
from appliance.journal.library import Library
from appliance.journal.sessions import begin_session
from appliance.picture import HEIGHT, WIDTH, Picture
from appliance.screens.draw import film
from appliance.simulator.appliance import SHARP_STREAM
from appliance.table.menu.asking import console_prompt
from appliance.table.menu.console import Console
from appliance.table.menu.step import Happening, advance
from appliance.table.prompts.prompt import Prompt
from appliance.table.prompts.turn import ChoicePrompt, DicePrompt, ThrowPrompt
from appliance.table.session.session import Setup, new_session
from firmware import framing
from games.values import Ask, Choose, Throw
from simulator.camera import SimulatedCamera
from simulator.motion.perfect_profile import learn_profile
from simulator.motion.watched_tray import WatchedTray
from vision.events import Roll, TrayChanged, TrayEvent
from vision.frame import Frame
from vision.reader import Reader
from vision.reading import DieReading, Kind, TrayReading
from vision.watch.watcher import watcher_for

THROWN = (3, 3, 5, 3, 5)
OK_PIN = 17
MAX_FRAMES = 150
"""A throw comes to rest much sooner."""


class Walk:
    """An appliance of parts that are called by hand, one after the other.

    Args:
        folder: where the journal is kept.

    Attributes:
        printed: lines by the name of the part of the way that they belong to.
    """

    def __init__(self, folder: Path) -> None:
        self.printed: dict[str, list[str]] = {}
        self._journal = Journal(folder / "games.sqlite3")
        self._library = Library(self._journal)
        session = new_session(Setup("classic", ("ANNA", "BEN"), (("first", 0),)))
        self._console = Console(begin_session(self._journal, session))
        self._link = linked()

    def close(self) -> None:
        """Closes the journal."""
        self._journal.close()

    def begin(self, part: str) -> None:
        """Begins a part of the way: whatever is said from now on belongs to it."""
        self.printed[part] = []

    def say(self, step: str, value: object) -> None:
        """Prints a step and what it yields."""
        [*_, lines] = self.printed.values()
        lines += [step, *(f"    {line}".rstrip() for line in str(value).splitlines())]

    def throw(self) -> None:
        """The path of a frame: a throw from the camera to the scoreboard."""
        for frame, event in self.watched():
            self.say(f"watcher.feed(frame {frame.index})", text_of_event(event))
            if isinstance(event, Roll):
                self.begin("throw at the table")
                self.take(event)
            else:
                self._console, _ = advance(self._console, event)
        self.begin("throw on the board")
        self.show()

    def watched(self) -> Iterator[tuple[Frame, TrayEvent]]:
        """The events of a throw, each with its frame; says what the camera and the reader do."""
        tray = WatchedTray(1, dict.fromkeys(range(len(THROWN)), Kind.BLACK))
        camera = SimulatedCamera(tray, SHARP_STREAM.small, SHARP_STREAM.full, SHARP_STREAM.quality)
        profile = learn_profile(tray, SHARP_STREAM.full)
        reader = Reader(profile)
        watcher = watcher_for(reader, profile)
        health = CameraHealth()
        tray.throw(dict(enumerate(THROWN)))
        for number in range(MAX_FRAMES):
            frame = camera.take()
            trusted = health.see(frame, frame.time_s)
            assert trusted
            if number == 0:
                self.begin("frame")
                self.say("camera.take()", text_of_frame(frame))
                self.say("health.see(frame 0)", trusted)
                self.begin("watching")
            for event in watcher.feed(frame):
                if isinstance(event, Roll):
                    self.begin("reading")
                    self.say(
                        f"reader.read(frame {frame.index})",
                        text_of_reading(reader.read(frame.image)),
                    )
                yield frame, event
                if isinstance(event, Roll):
                    return
            tray.advance(1 / SHARP_STREAM.fps)
        raise AssertionError("no roll was seen")

    def press(self) -> None:
        """The path of a button press: OK opens the choices, OK again takes the first of them."""
        factory = MockFactory()
        with Buttons({Button.OK: OK_PIN}, pin_factory=factory, bounce_s=None) as buttons:
            for part in ("first press", "second press"):
                self.begin(part)
                factory.pin(OK_PIN).drive_low()
                factory.pin(OK_PIN).drive_high()
                [press] = buttons.poll()
                self.say("buttons.poll()", press)
                self.take(press)
                self.show()

    def take(self, happened: Happening) -> None:
        """Takes what happened to the table, and what is new in the log to the disk."""
        before = self._console.session
        assert before is not None
        after, requests = advance(self._console, happened)
        assert after.session is not None
        new = after.session.record.log[len(before.record.log) :]
        asked = before.record.ask
        asks = after.session.record.ask
        self.say(
            f"advance(console, {type(happened).__name__})",
            f"the game asked for {text_of_ask(asked)}, and asks for {text_of_ask(asks)}\n"
            f"new in the log: {', '.join(map(str, new)) or 'nothing'}\n"
            f"requests to the service: {', '.join(map(str, requests)) or 'none'}",
        )
        self._console = self._library.write(before, after)
        saved = self._journal.load(after.session.record.serial).lines
        self.say("library.write(session, console)", f"on disk: {', '.join(saved) or 'no line'}")

    def show(self) -> None:
        """Sends what the table has to say to the board."""
        prompt = console_prompt(self._console)
        self.say("console_prompt(console)", text_of_prompt(prompt))
        picture = film(prompt).picture_at(0.0)
        self.say("film(prompt).at(0.0)", text_of_picture(picture))
        self._link.show(picture)
        sent = self._link.outgoing(0.0)
        self.say("link.outgoing(0.0)", text_of_bytes(sent))
        self._link.receive(acknowledgement(sent), 0.0)


def linked() -> Link:
    """A link to a board that has said hello."""
    link = Link()
    link.opened(0.0)
    for says_linked in (False, True):
        version = (framing.PROTOCOL_MAJOR, framing.PROTOCOL_MINOR, 0, 1, 0)
        board = (WIDTH, HEIGHT, int(says_linked), 10, 1, b"12345678", b"dev")
        hello = pack(framing.HELLO_FORMAT, *version, *board)
        link.receive(framing.encode(framing.HELLO, 0, hello), 0.0)
        link.outgoing(0.0)
    return link


def acknowledgement(sent: bytes) -> bytes:
    """The board's answer to a message."""
    parser = framing.Parser()
    assert parser.feed(sent, 0, len(sent))
    return framing.encode(framing.ACK, 0, pack(framing.ACK_FORMAT, parser.sequence, 0, 3))


def text_of_frame(frame: Frame) -> str:
    """The size of its pictures."""
    assert frame.small is not None
    full, small = frame.image.shape, frame.small.shape
    return f"a picture {full[1]} x {full[0]}, a small copy of it {small[1]} x {small[0]}"


def text_of_reading(reading: TrayReading) -> str:
    """The tray and its dice, left to right."""
    return "\n".join((str(reading.tray), *map(text_of_die, reading.dice)))


def text_of_die(die: DieReading) -> str:
    """The value read, and where the die lies."""
    assert die.mm is not None
    x, y = (round(value / 10) for value in die.mm)
    return f"{die.kind} {die.value}, {die.state}, at ({x}, {y}) cm"


def text_of_event(event: TrayEvent) -> str:
    """The watcher's report."""
    match event:
        case TrayChanged():
            return f"TrayChanged: {event.state}"
        case Roll():
            values = " ".join(str(die.reading.value) for die in event.dice)
            return f"Roll: {values}, all of them sure: {event.sure}"
        case _:
            return type(event).__name__


def text_of_ask(ask: Ask | None) -> str:
    """The throw or choice that the game waits for."""
    match ask:
        case Throw():
            return f"roll {ask.roll} of player {ask.seat + 1}, {len(ask.dice)} dice"
        case Choose():
            return f"a choice of player {ask.seat + 1}"
        case _:
            return "nothing"


def text_of_prompt(prompt: Prompt) -> str:
    """The words for the board."""
    match prompt:
        case ThrowPrompt():
            return f"ThrowPrompt: {prompt.player}, roll {prompt.roll} of {prompt.rolls}"
        case DicePrompt():
            dice = " ".join(map(str, prompt.dice))
            return f"DicePrompt: {prompt.player}, roll {prompt.roll} of {prompt.rolls}, {dice}"
        case ChoicePrompt():
            return f"ChoicePrompt: {prompt.player}, {prompt.label}, {prompt.points.points} points"
        case _:
            return type(prompt).__name__


def text_of_picture(picture: Picture) -> str:
    """Its lights."""
    return "\n".join(row.rstrip() for row in picture.rows("#", " "))


def text_of_bytes(sent: bytes) -> str:
    """How many there are, and the first of them."""
    return f"{len(sent)} bytes: {sent[:12].hex(' ')} ..."


def walk() -> dict[str, str]:
    """Follows a frame and two presses; what is printed, by the part of the path."""
    with TemporaryDirectory() as folder:
        walk = Walk(Path(folder))
        try:
            walk.throw()
            walk.press()
        finally:
            walk.close()
    return {part: "\n".join(lines) for part, lines in walk.printed.items()}


if __name__ == "__main__":
    for part, text in walk().items():
        print(f"-- {part}\n{text}\n")
