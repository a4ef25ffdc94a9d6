"""A voice: espeak-ng in a process of its own, which nothing ever waits for.

What is said last counts: it cuts short what is being said, and what was to be said before it is
dropped. A voice that fails is tried again, ever more rarely, with whatever is to be said then.
"""

import logging
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from shutil import which
from typing import Protocol, Self

from appliance.devices.supervised import supervised

log = logging.getLogger(__name__)

PROGRAM = "espeak-ng"
"""Debian's package has the same name; it speaks over ALSA, or PulseAudio where that runs."""
WORDS_A_MINUTE = 165
"""Slower than espeak-ng's own 175, for a room full of people."""
FIRST_DELAY_S = 1.0
LONGEST_DELAY_S = 60.0
LONGEST_SPEECH_S = 60.0
"""A process that still runs after this hangs."""
POLL_S = 0.05


class Voice(Protocol):
    """The port for spoken sentences."""

    def speak(self, sentences: Sequence[str], language: str) -> None:
        """Says these in place of whatever is being said; returns at once."""


class Mute:
    """For an appliance without a voice."""

    def speak(self, sentences: Sequence[str], language: str) -> None:
        """Does nothing."""


def can_speak() -> bool:
    """Whether the program that speaks is installed."""
    return which(PROGRAM) is not None


def start_espeak(text: str, language: str, device: str = "") -> "subprocess.Popen[str]":
    """Starts a process that says a text and ends; OSError if it cannot be started."""
    there = ("-d", device) if device else ()
    process = subprocess.Popen(
        (PROGRAM, "-v", language, "-s", str(WORDS_A_MINUTE), *there, "--stdin"),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
    )
    assert process.stdin is not None
    try:
        # A few hundred bytes, which fit into any pipe.
        process.stdin.write(text)
        process.stdin.close()
    except OSError:
        process.kill()
        process.wait()
        raise
    return process


class Speech(Protocol):
    """What a started process can do, as `subprocess.Popen` does."""

    def poll(self) -> int | None:
        """Its exit status; None while it speaks."""

    def kill(self) -> None:
        """Ends it at once."""

    def wait(self) -> int:
        """Its exit status, once it has ended."""


class Speaker:
    """Says the latest sentences in a thread of its own.

    Args:
        device: ALSA's name of the device; empty for the default one.
        start: starts a process that says a text in a language on a device; OSError if it cannot.
        clock: monotonic seconds.

    Attributes:
        failures: how often in a row it has failed.
    """

    def __init__(
        self,
        device: str = "",
        start: Callable[[str, str, str], Speech] = start_espeak,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._device = device
        self._start = start
        self._clock = clock
        self._latest: tuple[str, str] | None = None
        self._lock = threading.Lock()
        self._asked = threading.Event()
        self._closed = threading.Event()
        self._speech: Speech | None = None
        self._since_s = 0.0
        self._silent_until_s = 0.0
        self._reported = ""
        self._thread: threading.Thread | None = None
        self.failures = 0

    def speak(self, sentences: Sequence[str], language: str) -> None:
        """Says these in place of whatever is being said; returns at once."""
        if not sentences or self._closed.is_set():
            return
        with self._lock:
            self._latest = " ".join(sentences), language
        self._asked.set()
        if self._thread is None:
            # Only where a voice is wanted.
            self._thread = supervised("voice", self._work, self._closed)
            self._thread.start()

    def _work(self) -> None:
        while not self._closed.is_set():
            self._asked.wait(POLL_S if self._speech is not None else None)
            self._asked.clear()
            self.step()

    def step(self) -> None:
        """Begins, watches or ends a speech: what the thread does again and again."""
        with self._lock:
            latest, self._latest = self._latest, None
        if self._speech is not None:
            self._watch(self._speech, cut=latest is not None)
        if latest is not None and self._clock() >= self._silent_until_s:
            self._begin(*latest)

    def _begin(self, text: str, language: str) -> None:
        try:
            self._speech = self._start(text, language, self._device)
        except OSError as error:
            self._fail(str(error))
            return
        self._since_s = self._clock()

    def _watch(self, speech: Speech, *, cut: bool) -> None:
        status = speech.poll()
        if status is None:
            late = self._clock() - self._since_s > LONGEST_SPEECH_S
            if not (cut or late):
                return
            speech.kill()
            speech.wait()
            if late:
                self._fail("it hangs")
        elif status:
            self._fail(f"exit status {status}")
        else:
            self.failures, self._reported = 0, ""
        self._speech = None

    def _fail(self, why: str) -> None:
        delay_s = min(FIRST_DELAY_S * 2**self.failures, LONGEST_DELAY_S)
        self.failures = min(self.failures + 1, 10)
        self._silent_until_s = self._clock() + delay_s
        if why != self._reported:
            self._reported = why
            log.warning("the voice %s fails: %s; look at: dicetray doctor", PROGRAM, why)

    def close(self) -> None:
        """Falls silent."""
        self._closed.set()
        self._asked.set()
        if self._thread is not None:
            self._thread.join(2.0)
        if self._speech is not None:
            self._speech.kill()
            self._speech.wait()
            self._speech = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
