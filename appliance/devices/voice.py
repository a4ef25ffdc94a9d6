"""A voice: espeak-ng in a process of its own, which nothing ever waits for.

What is said last counts: it cuts short what is being said, and what was to be said before it is
dropped. A voice that fails is tried again, ever more rarely, with whatever is to be said then.
"""

import logging
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
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
SILENT_AFTER = 2
"""Failures in a row: a card may be in use by something else for a moment."""
_TRIAL_S = 5.0
_READ_BYTES = 4096
_COMPLAINT = re.compile(r"(audio (open|reopen|write) )?error: |ALSA lib .*write failed")
"""How espeak-ng's lines about the sound card begin, those of 1.51 without the first words.

Seen, and in its src/libespeak-ng/speech.c. Of ALSA's lines only one counts: 1.52 says nothing of
its own where a card takes no more.
"""


class Voice(Protocol):
    """The port for spoken sentences."""

    @property
    def silent(self) -> bool:
        """True if what is said cannot be heard, although it should."""

    def speak(self, sentences: Sequence[str], language: str) -> None:
        """Says these in place of whatever is being said; returns at once."""

    def stop(self) -> None:
        """Falls silent until there is something else to say; returns at once."""


class Mute:
    """For an appliance without a voice."""

    silent = False

    def speak(self, sentences: Sequence[str], language: str) -> None:
        """Does nothing."""

    def stop(self) -> None:
        """Does nothing."""


def can_speak() -> bool:
    """True if the program that speaks is installed."""
    return which(PROGRAM) is not None


def espeak_command(language: str, device: str) -> tuple[str, ...]:
    """The command that says what it is given, in this language on this device."""
    there = ("-d", device) if device else ()
    return (PROGRAM, "-v", language, "-s", str(WORDS_A_MINUTE), *there, "--stdin")


def complaint_in(errors: bytes) -> str:
    """Why nothing can be heard, in espeak-ng's own words; empty where it has not complained.

    It ends with status 0 all the same. ALSA writes to the same stream, also when all is well.
    """
    lines = errors.decode("utf-8", "replace").splitlines()
    found = [line for line in lines if _COMPLAINT.match(line)]
    return min(found, key=lambda line: line.startswith("ALSA"), default="")


class Speech(Protocol):
    """A text that is being said by a process of its own."""

    @property
    def complaint(self) -> str:
        """Why it cannot be heard, as far as that is known by now; empty if it can."""

    def poll(self) -> int | None:
        """Its exit status; None while it speaks."""

    def kill(self) -> None:
        """Ends it at once."""

    def wait(self) -> int:
        """Its exit status, once it has ended."""


class Espeak:
    """A process of espeak-ng that says a text and ends; OSError if it cannot be started."""

    def __init__(self, text: str, language: str, device: str = "") -> None:
        self.complaint = ""
        self._rest = b""
        self._process = subprocess.Popen(
            espeak_command(language, device),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        assert self._process.stdin is not None
        assert self._process.stderr is not None
        self._errors = self._process.stderr
        if sys.platform != "win32":
            os.set_blocking(self._errors.fileno(), False)
        try:
            # A few hundred bytes, which fit into any pipe.
            self._process.stdin.write(text.encode())
            self._process.stdin.close()
        except OSError:
            self.kill()
            self.wait()
            raise

    def poll(self) -> int | None:
        """Its exit status; None while it speaks."""
        status = self._process.poll()
        self._read_errors(ended=status is not None)
        return status

    def kill(self) -> None:
        """Ends it at once."""
        self._process.kill()

    def wait(self) -> int:
        """Its exit status, once it has ended."""
        status = self._process.wait()
        self._read_errors(ended=True)
        return status

    def _read_errors(self, *, ended: bool) -> None:
        if self._errors.closed or (sys.platform == "win32" and not ended):
            return
        # A pipe that nobody empties would stop it.
        with suppress(BlockingIOError):
            while more := os.read(self._errors.fileno(), _READ_BYTES):
                whole, _, rest = (self._rest + more).rpartition(b"\n")
                self.complaint = self.complaint or complaint_in(whole)
                self._rest = rest[-_READ_BYTES:]
        if ended:
            self._errors.close()


def why_silent(device: str = "") -> str:
    """Why nothing could be heard on a device; empty if it takes speech. Nothing is said.

    OSError if the program cannot be started.
    """
    try:
        done = subprocess.run(
            espeak_command("en", device),
            input=b"",
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=_TRIAL_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "it hangs"
    failed = f"exit status {done.returncode}" if done.returncode else ""
    return complaint_in(done.stderr) or failed


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
        start: Callable[[str, str, str], Speech] = Espeak,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._device = device
        self._start = start
        self._clock = clock
        self._latest: tuple[str, str] | None = None
        self._stopped = False
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
            self._stopped = False
        self._asked.set()
        if self._thread is None:
            # Only where a voice is wanted.
            self._thread = supervised("voice", self._work, self._closed)
            self._thread.start()

    def stop(self) -> None:
        """Falls silent until there is something else to say; returns at once."""
        with self._lock:
            self._latest, self._stopped = None, True
        self._asked.set()

    @property
    def silent(self) -> bool:
        """True if what was to be said could not be heard, and not only once."""
        return self.failures >= SILENT_AFTER

    def _work(self) -> None:
        while not self._closed.is_set():
            self._asked.wait(POLL_S if self._speech is not None else None)
            self._asked.clear()
            self.step()

    def step(self) -> None:
        """Begins, watches or ends a speech: what the thread does again and again."""
        with self._lock:
            latest, self._latest = self._latest, None
            stopped, self._stopped = self._stopped, False
        if self._speech is not None:
            self._watch(self._speech, cut=stopped or latest is not None)
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
            if late or speech.complaint:
                self._fail("it hangs" if late else speech.complaint)
        elif status or speech.complaint:
            self._fail(speech.complaint or f"exit status {status}")
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
