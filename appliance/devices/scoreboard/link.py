"""The host's side of the protocol without a port, a thread or a clock: bytes in, bytes out.

Times are seconds of any clock that never goes back; the caller passes them in. The rules are in
docs/formats.md.
"""

from dataclasses import dataclass, replace

from appliance.devices.scoreboard.base import Fault, LinkState, Status
from appliance.devices.scoreboard.hello import Hello, LayoutFrom
from appliance.picture import Picture
from firmware import framing

NOT_OPENED = "the port was not opened yet"
"""The reason in a status before the first attempt."""

_LAYOUT_BACK = bytes((framing.LAYOUT_BACK, *bytes(framing.LAYOUT_BYTES - 1)))
"""The payload of a LAYOUT after which the board has its own layout again, as after a greeting."""
_PROMPTS = (b">>> ", b"raw REPL; CTRL-B to exit\r\n>")
_MAX_NOISE_BYTES = 128  # bytes remembered that belong to no frame
_SOFT_REBOOT_TEXT = b"soft reboot"
_START_MAIN_KEYS = b"\x03\x02\x04"
"""At MicroPython's prompt: Ctrl-C drops what was typed, for example by pictures, Ctrl-B leaves the
raw prompt, Ctrl-D runs main.py. To a running firmware it is noise."""


@dataclass(frozen=True, slots=True)
class LinkTiming:
    """How long the link waits, in seconds.

    Attributes:
        greeting: until HELLO_REQUEST is sent again.
        answer: until a picture or setting without an ACK is sent again.
        repeat: until the present picture is sent again although it was acknowledged.
        ping: PING after this long without sending.
        silence: a linked board that says nothing for this long is gone.
        no_firmware: a port on which no firmware speaks for this long is given up.
        prompt: after this long without firmware, look for MicroPython's prompt.
        start: main.py is started again if the prompt is still there after this long.
        tries: how often a picture is sent before the board is asked again who it is.
    """

    greeting: float = 0.2
    answer: float = 0.25
    repeat: float = 1.0
    ping: float = 0.5
    silence: float = 1.5
    no_firmware: float = 3.0
    prompt: float = 1.0
    start: float = 0.5
    tries: int = 12


@dataclass(slots=True)
class _UnacknowledgedMessage:
    """The one message that waits for its ACK."""

    kind: int
    sequence: int
    sent: float
    picture: Picture | None = None
    level: int = 0
    layout: bytes = b""


class Link:
    """The protocol over one scoreboard, through any number of openings of its port.

    Only the newest picture is kept, and only one picture is on its way at a time.
    """

    def __init__(self, timing: LinkTiming | None = None) -> None:
        self._timing = timing or LinkTiming()
        self._parser = framing.Parser()
        self._picture: Picture | None = None
        self._level: int | None = None
        self._layout = _LAYOUT_BACK
        self._layout_was_refused = False
        self._is_leaving = self._has_left = False
        self._status = Status(reason=NOT_OPENED)
        self._sequence = 0
        self._opened_at = self._heard_at = self._request_at = self._start_at = 0.0
        self._asked_prompt = self._saw_prompt = False
        self._noise = b""
        self._forget_board(0.0)

    def _forget_board(self, now: float) -> None:
        self._in_flight: _UnacknowledgedMessage | None = None
        self._shown: Picture | None = None
        self._level_set: int | None = None
        self._layout_set = _LAYOUT_BACK
        self._tries, self._shown_at, self._sent_at = 0, now, now

    # What the caller wants.

    @property
    def status(self) -> Status:
        """The status of the link."""
        return self._status

    def show(self, picture: Picture) -> None:
        """Makes this the present picture from now on."""
        self._picture = picture

    def set_brightness(self, level: int) -> None:
        """Makes this the wanted brightness from now on."""
        self._level = level

    def try_layout(self, layout: bytes | None) -> None:
        """Makes this the layout of pictures from now on; None is the board's own."""
        self._layout = _LAYOUT_BACK if layout is None else bytes((framing.LAYOUT_TRY, *layout))

    def store_layout(self, layout: bytes) -> None:
        """Makes the board store this layout; `owes_layout` says until when that is under way."""
        self._layout = bytes((framing.LAYOUT_STORE, *layout))

    @property
    def owes_layout(self) -> bool:
        """True while a linked board may still acknowledge the wanted layout."""
        linked = self._status.state is LinkState.LINKED
        return linked and self._knows_layout() and self._layout != self._layout_set

    def end_store(self) -> bool:
        """Gives up a layout that is not stored yet; whether the board has refused it."""
        if self._layout[0] == framing.LAYOUT_STORE:
            self._layout = _LAYOUT_BACK
        refused, self._layout_was_refused = self._layout_was_refused, False
        return refused

    def say_farewell(self) -> None:
        """The machine goes off: tell the board after the present picture, and then be silent."""
        self._is_leaving = True

    @property
    def owes_farewell(self) -> bool:
        """True while a board that is there may still acknowledge the farewell."""
        status = self._status
        if not self._is_leaving or self._has_left:
            return False
        if status.state is LinkState.LINKED:
            return self._knows_farewell()
        return status.state in (LinkState.LISTENING, LinkState.GREETING)

    # What happens to the port.

    def opened(self, now: float) -> None:
        """The port is open: from now on call `receive`, `outgoing` and `trouble`."""
        self._parser.reset()
        self._noise = b""
        self._start_listening(now, "waiting for the scoreboard to say that it is ready")
        self._status = replace(self._status, opened=self._status.opened + 1)

    def closed(self, reason: str, fault: Fault = Fault.NONE) -> None:
        """The port is gone, for this reason."""
        if self._status.state is not LinkState.REFUSED:
            self._status = replace(self._status, state=LinkState.CLOSED, reason=reason, fault=fault)

    def receive(self, data: bytes, now: float) -> None:
        """Takes in what came from the port."""
        parser = self._parser
        bad = parser.bad
        at = good = 0
        while at := parser.feed(data, at, len(data)):
            good = at
            self._heard_at = now
            payload = bytes(parser.payload[: parser.length])
            self._handle_message(parser.kind, parser.sequence, payload, now)
        if parser.bad != bad:
            self._status = replace(self._status, damaged=self._status.damaged + parser.bad - bad)
        # What came since the last frame; the end of a program is announced in plain text.
        self._noise = (data[good:] if good else self._noise + data)[-_MAX_NOISE_BYTES:]
        if self._status.state in (LinkState.GREETING, LinkState.LINKED) and self._is_at_prompt():
            # A byte 03 reached a board that had just restarted.
            self._start_listening(
                now, "the scoreboard's program was interrupted, starting it again"
            )

    def trouble(self, now: float) -> str:
        """Why the port should be closed and tried again later; empty if it should not."""
        match self._status.state:
            case LinkState.REFUSED:
                return self._status.reason
            case LinkState.LISTENING if now - self._opened_at >= self._timing.no_firmware:
                return self._explain_no_firmware()
            case LinkState.GREETING | LinkState.LINKED if (
                now - self._heard_at >= self._timing.silence
            ):
                return "the scoreboard has fallen silent"
            case _:
                return ""

    @property
    def fault(self) -> Fault:
        """The kind of trouble when no firmware speaks."""
        if self._status.state is not LinkState.LISTENING:
            return Fault.NONE
        return Fault.PROMPT if self._saw_prompt else Fault.OTHER

    def deadline(self, now: float) -> float:
        """When `outgoing` or `trouble` must be called at the latest if nothing new happens."""
        timing = self._timing
        if self._has_left:
            return now + timing.ping
        match self._status.state:
            case LinkState.LISTENING:
                due = self._opened_at + timing.no_firmware
                if self._is_at_prompt():
                    return min(due, max(now, self._start_at))
                return due if self._asked_prompt else min(due, self._opened_at + timing.prompt)
            case LinkState.GREETING:
                return min(self._request_at, self._heard_at + timing.silence)
            case LinkState.LINKED:
                due = min(self._sent_at + timing.ping, self._heard_at + timing.silence)
                if self._in_flight:
                    return min(due, self._in_flight.sent + timing.answer)
                return min(due, now if self._must_send(now) else self._shown_at + timing.repeat)
            case _:
                return now

    def outgoing(self, now: float) -> bytes:
        """The bytes to send now, possibly none; the caller sends all of them."""
        if self._has_left:
            # Any word would tell the board that a host is there.
            return b""
        match self._status.state:
            case LinkState.LISTENING:
                return self._outgoing_when_listening(now)
            case LinkState.GREETING if now >= self._request_at:
                self._request_at = now + self._timing.greeting
                versions = bytes((framing.PROTOCOL_MAJOR, framing.PROTOCOL_MINOR))
                return self._encode_frame(framing.HELLO_REQUEST, versions, now)
            case LinkState.LINKED:
                return self._outgoing_when_linked(now)
            case _:
                return b""

    # Internals.

    def _start_listening(self, now: float, reason: str) -> None:
        """Nothing is known about the board, and nothing binary goes out until it has spoken."""
        self._forget_board(now)
        self._opened_at = self._heard_at = self._request_at = self._start_at = now
        self._asked_prompt = self._saw_prompt = False
        self._status = replace(
            self._status, state=LinkState.LISTENING, reason=reason, fault=Fault.NONE
        )

    def _is_at_prompt(self) -> bool:
        # After a soft reboot main.py is starting, and Ctrl-C would end it once more.
        started = self._noise.rfind(_SOFT_REBOOT_TEXT)
        return any(self._noise.rfind(prompt) > started for prompt in _PROMPTS)

    def _encode_frame(self, kind: int, payload: bytes, now: float) -> bytes:
        self._sequence = (self._sequence + 1) & 0xFFFF
        self._sent_at = now
        return framing.encode(kind, self._sequence, payload)

    def _handle_message(self, kind: int, sequence: int, payload: bytes, now: float) -> None:
        if self._status.state is LinkState.REFUSED:
            return
        if kind == framing.HELLO:
            self._handle_hello(payload, now)
        elif self._status.state is LinkState.LISTENING:
            # Whatever it was, its checksum shows that the firmware runs and takes any byte.
            self._start_greeting(now)
        elif kind == framing.ACK and len(payload) >= framing.ACK_BYTES:
            self._handle_ack(payload, now)

    def _start_greeting(self, now: float) -> None:
        self._request_at = now
        self._status = replace(
            self._status, state=LinkState.GREETING, reason="asking the scoreboard for its version"
        )

    def _handle_hello(self, payload: bytes, now: float) -> None:
        try:
            hello = Hello.from_payload(payload)
            objection = hello.objection()
        except ValueError as error:
            hello, objection = None, str(error)
        if hello is None or objection:
            self._status = replace(
                self._status, state=LinkState.REFUSED, reason=objection, hello=hello
            )
            return
        before = self._status.hello or hello
        known = before.unique_id == hello.unique_id
        same = known and before.boot == hello.boot
        reboots = self._status.reboots + (known and not same)
        self._status = replace(self._status, hello=hello, reboots=reboots)
        if not hello.linked:
            # It has just started or has not heard us: nothing we know about it holds any longer.
            if self._status.state is not LinkState.GREETING:
                self._start_greeting(now)
        elif self._status.state is not LinkState.LINKED or not same:
            self._forget_board(now)
            self._status = replace(self._status, state=LinkState.LINKED, reason="")

    def _handle_ack(self, payload: bytes, now: float) -> None:
        last = payload[0] | payload[1] << 8
        self._status = replace(
            self._status, brightness=payload[3], limited=bool(payload[2] & framing.ACK_LIMITED)
        )
        flight = self._in_flight
        if flight is None or last != flight.sequence:
            return
        self._in_flight, self._tries = None, 0
        if flight.kind == framing.BRIGHTNESS:
            self._level_set = flight.level
        elif flight.kind == framing.FRAME:
            self._shown, self._shown_at = flight.picture, now
            self._status = replace(self._status, shown=self._status.shown + 1)
        elif flight.kind == framing.LAYOUT:
            self._handle_layout_ack(flight.layout, bool(payload[2] & framing.ACK_REFUSED))
        elif flight.kind == framing.FAREWELL:
            self._has_left = True

    def _handle_layout_ack(self, layout: bytes, refused: bool) -> None:
        # What it shows was drawn for another layout.
        self._shown = None
        if layout[0] != framing.LAYOUT_STORE:
            # One that is refused would be refused again.
            self._layout_set = layout
            return
        if self._layout == layout:
            # Another board on this port must not be told to store it.
            self._layout = _LAYOUT_BACK
        self._layout_was_refused = refused
        hello = self._status.hello
        if hello is not None and not refused:
            self._layout_set = _LAYOUT_BACK
            hello = replace(hello, layout_from=LayoutFrom.STORED, layout=layout[1:])
            self._status = replace(self._status, hello=hello)

    def _knows_layout(self) -> bool:
        hello = self._status.hello
        return hello is not None and hello.layout_from is not None

    def _knows_farewell(self) -> bool:
        return self._status.hello is not None and self._status.hello.takes_farewell

    def _must_send(self, now: float) -> bool:
        if self._level is not None and self._level != self._level_set:
            return True
        if self.owes_farewell or self.owes_layout:
            return True
        return self._picture is not None and (
            self._picture != self._shown or now - self._shown_at >= self._timing.repeat
        )

    def _outgoing_when_linked(self, now: float) -> bytes:
        flight = self._in_flight
        if flight and now - flight.sent < self._timing.answer:
            return self._ping_if_due(now)
        if flight:
            self._in_flight = None
            self._tries += 1
            self._status = replace(self._status, repeats=self._status.repeats + 1)
            if self._tries >= self._timing.tries:
                self._tries = 0
                self._start_greeting(now)
                return self.outgoing(now)
        if self._level is not None and self._level != self._level_set:
            return self._send_for_ack(framing.BRIGHTNESS, bytes((self._level,)), now)
        if self.owes_layout:
            return self._send_for_ack(framing.LAYOUT, self._layout, now)
        if self.owes_farewell and self._picture in (None, self._shown):
            return self._send_for_ack(framing.FAREWELL, b"", now)
        if self._picture is not None and self._must_send(now):
            self._status = replace(self._status, sent=self._status.sent + 1)
            return self._send_for_ack(framing.FRAME, self._picture.data, now)
        return self._ping_if_due(now)

    def _send_for_ack(self, kind: int, payload: bytes, now: float) -> bytes:
        data = self._encode_frame(kind, payload, now)
        self._in_flight = _UnacknowledgedMessage(
            kind, self._sequence, now, self._picture, self._level or 0, self._layout
        )
        return data

    def _ping_if_due(self, now: float) -> bytes:
        if now - self._sent_at < self._timing.ping:
            return b""
        return self._encode_frame(framing.PING, b"", now)

    def _outgoing_when_listening(self, now: float) -> bytes:
        # Only plain text goes to a board that has not spoken: 0x03 in a frame would be Ctrl-C.
        if self._is_at_prompt() and now >= self._start_at:
            self._saw_prompt = True
            self._start_at = now + self._timing.start
            self._noise = b""
            return _START_MAIN_KEYS
        if not self._asked_prompt and now - self._opened_at >= self._timing.prompt:
            self._asked_prompt = True
            return b"\r"
        return b""

    def _explain_no_firmware(self) -> str:
        if self._saw_prompt:
            return (
                "the Pico answers with MicroPython's prompt, its main.py does not run: "
                "reset it, or flash the firmware (docs/scoreboard.md)"
            )
        if self._noise.strip(b"\0\r\n"):
            return (
                "something speaks on the port, but not a scoreboard's firmware: "
                "check the port's name, or flash the firmware (docs/scoreboard.md)"
            )
        return (
            "the port is open but nothing answers: is it the scoreboard's, "
            "and is the firmware flashed (docs/scoreboard.md)?"
        )
