"""The scoreboard: receives messages, shows pictures, says what it is."""

import gc
import struct
from time import ticks_diff, ticks_ms  # type: ignore[attr-defined]

import framing
import mounting
import screens
import version
from framing import (
    BRIGHTNESS,
    FAREWELL,
    FRAME,
    HELLO,
    HELLO_REQUEST,
    LAYOUT,
    PING,
    PONG,
    SELF_TEST,
    SERVICE,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from line import Line
    from machine import WDT
    from max7219 import Chain

_KNOWN_KINDS = (FRAME, BRIGHTNESS, SELF_TEST, PING, PONG, SERVICE, FAREWELL, LAYOUT)

_HELLO_LAYOUT = framing.HELLO_BYTES + framing.HELLO_FREE

_BOOTING = 0
_SHOWING = 1
_NO_LINK = 2
_TESTING = 3
_WRONG_VERSION = 4


class Board:
    """Everything that happens between the line and the chain of chips.

    The message path and `tick` allocate nothing; only the Pico's own screens do.
    """

    def __init__(
        self,
        line: "Line",
        chain: "Chain",
        watchdog: "WDT | None",
        config: "ModuleType",
        boot: int,
        unique_id: bytes,
    ) -> None:
        """Shows the boot screen.

        Args:
            line: a `line.Line`.
            chain: a `max7219.Chain`.
            watchdog: has `feed()`, or None.
            config: the module `config`.
            boot: the number of this start.
            unique_id: eight bytes.
        """
        self._line = line
        self._chain = chain
        self._watchdog = watchdog
        self._config = config
        self._screens = screens.Screens(config.COLUMNS, config.ROWS)
        self._parser = framing.Parser()
        self._hello = bytearray(
            struct.pack(
                framing.HELLO_FORMAT,
                framing.PROTOCOL_MAJOR,
                framing.PROTOCOL_MINOR,
                version.VERSION[0],
                version.VERSION[1],
                version.VERSION[2],
                8 * config.COLUMNS,
                8 * config.ROWS,
                0,
                config.BRIGHTNESS_LIMIT,
                boot,
                (unique_id + bytes(8))[:8],
                (version.BUILD + bytes(8))[:8],
            )
        )
        self._hello += bytes(framing.HELLO_FREE)
        self._hello += bytes([config.LAYOUT_FROM]) + mounting.encoded(config)
        self._hello_out = bytearray(len(self._hello) + framing.OVERHEAD)
        self._free_memory = getattr(gc, "mem_free", None)  # CPython has none
        self._ack = bytearray(framing.ACK_BYTES)
        self._ack_out = bytearray(framing.ACK_BYTES + framing.OVERHEAD)
        self._short_out = bytearray(framing.OVERHEAD)
        self._sequence = 0
        self._last_sequence = 0  # last good sequence number of the host
        self._host_is_new = True  # no sequence number of this host is known yet
        self._ack_due = False
        self._dirty = False
        now = ticks_ms()
        self._heard_ms = now
        self._sent_ms = now
        self._refreshed_ms = now
        self._faded_ms = now
        self._linked = False
        self._layout: ModuleType | mounting.Mounting = config  # the one at the next start
        self._layout_tried = False
        self._layout_refused = False
        self._host_left = False  # it has said farewell, and nothing since
        self._wanted_intensity = min(config.BRIGHTNESS, config.BRIGHTNESS_LIMIT)
        self._allowed_intensity = self._wanted_intensity
        self._step = 0
        self._step_at = now
        self._step_ms = config.BOOT_TEST_MS
        self._before_test = _BOOTING
        self._state = _TESTING
        self._load_picture(self._screens.self_test(0))
        chain.intensity = self._allowed_intensity
        chain.refresh()
        self._send_hello()

    def run(self) -> None:
        """Runs until the line ends; on a Pico, for ever."""
        while self.turn(0 if self._dirty else 5):
            pass

    def turn(self, wait_ms: int) -> bool:
        """Takes what has arrived, after waiting at most `wait_ms`, and does what is due.

        Returns:
            False if the line has ended.
        """
        if self._watchdog is not None:
            self._watchdog.feed()
        line = self._line
        count = line.take(wait_ms)
        if count < 0:
            return False
        parser = self._parser
        at = parser.feed(line.data, 0, count)
        while at:
            self._handle_message()
            at = parser.feed(line.data, at, count)
        self.tick(ticks_ms())
        return True

    def _handle_message(self) -> None:
        parser = self._parser
        kind = parser.kind
        sequence = parser.sequence
        if kind == HELLO_REQUEST:
            self._answer_hello_request()
            return
        if kind not in _KNOWN_KINDS:
            return
        # A frame that comes late or twice is no newer than the last one and must not win.
        if not self._host_is_new and (sequence - self._last_sequence - 1) & 0x8000:
            return
        if self._state == _WRONG_VERSION:
            return
        self._host_is_new = False
        self._last_sequence = sequence
        self._heard_ms = ticks_ms()
        self._linked = True
        self._note_host(kind == FAREWELL)
        if kind == FRAME:
            self._take_picture()
        elif kind == PING:
            self._send_short(PONG, sequence)
        else:
            self._take_setting(kind)

    def _take_setting(self, kind: int) -> None:
        parser = self._parser
        if kind == BRIGHTNESS:
            if parser.length >= 1:
                self._wanted_intensity = min(parser.payload[0], self._config.BRIGHTNESS_LIMIT)
                self._limit_brightness()
                self._ack_due = True
        elif kind == SELF_TEST:
            if self._state != _TESTING:
                self._before_test = self._state
            self._start_test()
            self._ack_due = True
        elif kind == LAYOUT:
            self._layout_refused = not self._take_layout()
            self._ack_due = True
        elif kind == SERVICE:
            self._run_service()

    def _note_host(self, leaves: bool) -> None:
        if leaves != self._host_left and self._state == _NO_LINK:
            # What it shows stays until the host's picture, or until it is silent again.
            self._state = _SHOWING
        self._host_left = leaves
        if leaves:
            self._ack_due = True

    def _answer_hello_request(self) -> None:
        parser = self._parser
        self._heard_ms = ticks_ms()
        self._note_host(False)
        self._end_trial()
        self._host_is_new = True
        if parser.length >= 1 and parser.payload[0] != framing.PROTOCOL_MAJOR:
            self._linked = False
            self._show_words(_WRONG_VERSION, "UPDATE", "ME")
        else:
            self._linked = True
            if self._state == _WRONG_VERSION:
                self._show_words(_NO_LINK, "NO LINK", "")
        self._send_hello()

    def _take_picture(self) -> None:
        if self._parser.length != framing.FRAME_BYTES:
            return
        # During a self-test, except at the start, a picture is neither shown nor acknowledged: the
        # host sends it again.
        if self._state == _TESTING and self._before_test != _BOOTING:
            return
        self._state = _SHOWING
        self._load_picture(self._parser.payload)
        self._ack_due = True

    def _take_layout(self) -> bool:
        """Does what a LAYOUT wants; whether that was possible."""
        parser = self._parser
        if parser.length < framing.LAYOUT_BYTES:
            return False
        what = parser.payload[0]
        if what == framing.LAYOUT_BACK:
            self._end_trial()
            return True
        if what not in (framing.LAYOUT_TRY, framing.LAYOUT_STORE):
            return False
        config = self._config
        code = bytes(parser.payload[1 : framing.LAYOUT_BYTES])
        try:
            layout = mounting.Mounting(code, config.COLUMNS, config.ROWS)
            if what == framing.LAYOUT_STORE:
                if self._hello[_HELLO_LAYOUT] == config.LAYOUT_OWN:
                    # local_config.py would have the last word at the next start.
                    return False
                mounting.store(layout)
                self._layout = layout
                self._hello[_HELLO_LAYOUT] = config.LAYOUT_STORED
                self._hello[_HELLO_LAYOUT + 1 :] = code
        except (OSError, ValueError):
            return False
        self._layout_tried = what == framing.LAYOUT_TRY
        self._chain.mount(layout)
        return True

    def _end_trial(self) -> None:
        if self._layout_tried:
            self._layout_tried = False
            self._chain.mount(self._layout)

    def _run_service(self) -> None:
        import boots
        import machine

        request = bytes(self._parser.payload[: self._parser.length])
        if request == framing.SERVICE_BOOTLOADER:
            machine.bootloader()
        elif request == framing.SERVICE_REPL:
            boots.ask_for_service()
            machine.reset()

    def _load_picture(self, picture: "bytearray | memoryview") -> None:
        self._chain.load(picture)
        self._limit_brightness()
        self._dirty = True

    def _show_words(self, state: int, first: str, second: str) -> None:
        self._state = state
        self._load_picture(self._screens.two_lines(first, second))

    def _start_test(self) -> None:
        self._state = _TESTING
        self._step = 0
        self._step_ms = self._config.SELF_TEST_MS
        self._step_at = ticks_ms()
        self._load_picture(self._screens.self_test(0))

    def _limit_brightness(self) -> None:
        # Current = lights * segment current / 8 (one of eight lines at a time) * (2i + 1) / 32.
        config = self._config
        allowed = self._wanted_intensity
        full = self._chain.lit * config.SEGMENT_MA
        while allowed and full * (2 * allowed + 1) > config.CURRENT_LIMIT_MA * 256:
            allowed -= 1
        self._allowed_intensity = allowed
        if allowed < self._chain.intensity:
            # At once, before the picture that needs it.
            self._chain.set_intensity(allowed)

    def tick(self, now: int) -> None:
        """Does what is due: lights, acknowledgement, time-outs, refresh. `now` in ticks_ms."""
        config = self._config
        chain = self._chain
        if self._state == _TESTING:
            self._tick_test(now)
        elif (
            self._state != _NO_LINK
            and self._state != _WRONG_VERSION
            and ticks_diff(now, self._heard_ms) >= config.LINK_TIMEOUT_MS
        ):
            self._end_trial()
            # After a farewell nobody is there to read it: the machine is off, its USB is not.
            self._show_words(_NO_LINK, "" if self._host_left else "NO LINK", "")
        if self._linked and ticks_diff(now, self._heard_ms) >= config.LINK_TIMEOUT_MS:
            self._linked = False
        if self._dirty:
            self._dirty = False
            chain.show()
        if self._ack_due:
            self._ack_due = False
            self._send_ack()
        if chain.intensity < self._allowed_intensity and (
            ticks_diff(now, self._faded_ms) >= config.FADE_MS
        ):
            self._faded_ms = now
            chain.set_intensity(chain.intensity + 1)
        if ticks_diff(now, self._refreshed_ms) >= config.REFRESH_MS:
            self._refreshed_ms = now
            chain.refresh()
        silence = ticks_diff(now, self._sent_ms)
        if self._linked:
            if silence >= config.PING_MS:
                self._sequence = (self._sequence + 1) & 0xFFFF
                self._send_short(PING, self._sequence)
        elif silence >= config.HELLO_MS:
            self._send_hello()

    def _tick_test(self, now: int) -> None:
        if ticks_diff(now, self._step_at) < self._step_ms:
            return
        self._step_at = now
        self._step += 1
        if self._step < screens.SELF_TEST_STEPS:
            self._load_picture(self._screens.self_test(self._step))
        elif self._before_test == _BOOTING:
            self._heard_ms = now
            text = "V" + ".".join([str(n) for n in version.VERSION])
            self._show_words(_BOOTING, "DICETRAY", text)
        else:
            # Not the earlier picture: the host sends the present one.
            self._show_words(_SHOWING, "", "")

    def _send_hello(self) -> None:
        self._hello[7] = framing.HELLO_LINKED if self._linked else 0
        if self._free_memory:
            free = self._free_memory()
            for i in range(framing.HELLO_FREE):
                self._hello[framing.HELLO_BYTES + i] = free & 0xFF
                free >>= 8
        self._sequence = (self._sequence + 1) & 0xFFFF
        framing.encode_into(self._hello_out, HELLO, self._sequence, self._hello, len(self._hello))
        self._line.write(self._hello_out)
        self._sent_ms = ticks_ms()

    def _send_ack(self) -> None:
        ack = self._ack
        ack[0] = self._last_sequence & 0xFF
        ack[1] = self._last_sequence >> 8
        flags = framing.ACK_SELF_TEST if self._state == _TESTING else 0
        if self._allowed_intensity < self._wanted_intensity:
            flags |= framing.ACK_LIMITED
        if self._layout_refused:
            flags |= framing.ACK_REFUSED
        ack[2] = flags
        ack[3] = self._chain.intensity
        self._sequence = (self._sequence + 1) & 0xFFFF
        framing.encode_into(self._ack_out, framing.ACK, self._sequence, ack, framing.ACK_BYTES)
        self._line.write(self._ack_out)
        self._sent_ms = ticks_ms()

    def _send_short(self, kind: int, sequence: int) -> None:
        framing.encode_into(self._short_out, kind, sequence, self._hello, 0)
        self._line.write(self._short_out)
        self._sent_ms = ticks_ms()
