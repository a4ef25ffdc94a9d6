"""The voice is a process of its own that nothing waits for."""

import shlex
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from shutil import which

import pytest

from appliance.devices.sound_cards import device_for_speech, device_of, sound_cards
from appliance.devices.voice import (
    FIRST_DELAY_S,
    LONGEST_DELAY_S,
    LONGEST_SPEECH_S,
    PROGRAM,
    Espeak,
    Speaker,
    complaint_in,
    why_silent,
)
from appliance.diagnostics.base import Level
from appliance.diagnostics.sound import check_voice
from tests.rigs.programs import Answer, answer, answers, path_with, stand_in


@dataclass
class Speech:
    text: str
    status: int | None = None
    killed: bool = False
    complaint: str = ""

    def poll(self) -> int | None:
        return self.status

    def kill(self) -> None:
        self.killed = True
        self.status = -9

    def wait(self) -> int:
        assert self.status is not None, "it would wait for what still speaks"
        return self.status


@dataclass
class Bench:
    """A speaker whose thread is the test: `step` does what it does again and again."""

    now_s: float = 0.0
    missing: bool = False
    speeches: list[Speech] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.speaker = Speaker("", self.start, lambda: self.now_s)
        # No thread of its own.
        self.speaker._thread = type("Idle", (), {"join": lambda *_: None})()

    def start(self, text: str, language: str, device: str) -> Speech:
        if self.missing:
            raise FileNotFoundError("espeak-ng")
        self.speeches.append(Speech(f"{language}: {text}"))
        return self.speeches[-1]

    def say(self, *said: str) -> None:
        self.speaker.speak(said, "en")
        self.speaker.step()

    @property
    def texts(self) -> list[str]:
        return [speech.text for speech in self.speeches]


def test_what_is_said_last_cuts_short_what_was_being_said() -> None:
    bench = Bench()
    bench.say("Anna.", "Throw.")
    bench.say("Three sixes.")
    assert bench.texts == ["en: Anna. Throw.", "en: Three sixes."]
    assert [speech.killed for speech in bench.speeches] == [True, False]


def test_what_is_old_is_dropped() -> None:
    bench = Bench()
    for number in range(50):
        bench.speaker.speak((str(number),), "en")
    bench.speaker.step()
    assert bench.texts == ["en: 49"]


@pytest.mark.parametrize("missing", [False, True])
def test_one_that_dies_is_tried_again_ever_more_rarely(missing: bool) -> None:
    bench = Bench(missing=missing)
    tries: list[float] = []
    for tenth in range(6000):
        bench.now_s = tenth / 10
        failures = bench.speaker.failures
        bench.say(str(tenth))
        for speech in bench.speeches:
            speech.status = 1
        bench.speaker.step()
        if bench.speaker.failures != failures or (
            bench.speeches and bench.texts[-1] == f"en: {tenth}"
        ):
            tries.append(bench.now_s)
    delays = [later - earlier for earlier, later in pairwise(tries)]
    assert delays[0] == pytest.approx(FIRST_DELAY_S, abs=0.2)
    assert max(delays) <= LONGEST_DELAY_S + 0.2
    assert len(tries) < 20
    # As soon as it works, it speaks without delay.
    bench.missing = False
    bench.now_s += LONGEST_DELAY_S
    for text in ("a", "b"):
        bench.say(text)
        bench.speeches[-1].status = 0
    bench.speaker.step()
    assert bench.texts[-2:] == ["en: a", "en: b"]
    assert bench.speaker.failures == 0


def test_one_that_hangs_is_ended() -> None:
    bench = Bench()
    bench.say("Anna.")
    bench.now_s = LONGEST_SPEECH_S - 1
    bench.speaker.step()
    ended = [bench.speeches[0].killed]
    bench.now_s = LONGEST_SPEECH_S + 1
    bench.speaker.step()
    ended.append(bench.speeches[0].killed)
    assert ended == [False, True]
    assert bench.speaker.failures == 1


HEARD = [("espeak-ng", "heard"), ("espeak-ng", "nothing to say"), ("espeak-ng", "played late")]
UNHEARD = [
    *(("espeak-ng", "no card"), ("espeak-ng", "wrong device"), ("espeak-ng", "card fails")),
    *(("espeak-ng", "card in use"), ("espeak-ng", "unknown language")),
]


def recorded(cases: Sequence[tuple[str, str]]) -> list[Answer]:
    """Every answer that any system gave in these cases."""
    return [said for case in cases for said in answers(*case)]


def complaint(case: str) -> str:
    """What espeak-ng complains of there."""
    return complaint_in(answer("espeak-ng", case).err.encode())


@pytest.mark.parametrize("said", recorded(HEARD), ids=str)
def test_a_sentence_that_is_heard_is_no_alarm(
    said: Answer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    espeak_says(said, tmp_path, monkeypatch)
    speech = Espeak("Anna.", "en", "plughw:CARD=Device")
    assert (speech.wait(), speech.poll(), speech.complaint) == (0, 0, "")
    heard = (tmp_path / "said").read_text()
    assert heard == "-v en -s 165 -d plughw:CARD=Device --stdin\nAnna."
    assert why_silent("plughw:CARD=Device") == ""


@pytest.mark.parametrize("said", recorded(UNHEARD), ids=str)
def test_a_sentence_that_nobody_hears_is_noticed_at_status_0(
    said: Answer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    espeak_says(said, tmp_path, monkeypatch)
    speech = Espeak("Anna.", "en", "plughw:CARD=Device")
    assert speech.wait() == speech.poll() == said.status
    assert said.status or speech.complaint
    assert why_silent("plughw:CARD=Device") == (speech.complaint or f"exit status {said.status}")


def espeak_says(said: Answer, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts a program of espeak-ng's name first, which keeps what it is given."""
    kept = f'cd {folder}\necho "$@" >said\ncat >>said'
    stand_in(folder, PROGRAM, {"*": (kept, said)})
    monkeypatch.setenv("PATH", path_with(folder))


def test_more_complaints_than_a_pipe_holds_do_not_stop_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    late, fails = answer(PROGRAM, "played late"), answer(PROGRAM, "card fails")
    stand_in(tmp_path, PROGRAM, {"*": (f"yes {shlex.quote(late.err)} | head -n 9999 >&2", fails)})
    monkeypatch.setenv("PATH", path_with(tmp_path))
    speech = Espeak("Anna.", "en")
    until_s = time.monotonic() + 60
    while speech.poll() is None:
        assert time.monotonic() < until_s
    assert speech.complaint == complaint("card fails")


def test_two_sentences_in_a_row_that_nobody_heard_are_an_alarm_and_one_is_none() -> None:
    bench = Bench()
    silent = []
    for why in ("", complaint("card in use"), "", *[complaint("wrong device")] * 3, ""):
        bench.now_s += LONGEST_DELAY_S
        bench.say("Anna.")
        bench.speeches[-1].complaint = why
        bench.speeches[-1].status = 0
        bench.speaker.step()
        silent.append(bench.speaker.silent)
    assert silent == [False, False, False, False, True, True, False]


def test_what_was_cut_short_counts_if_nobody_heard_it() -> None:
    bench = Bench()
    for _ in range(4):
        bench.now_s += LONGEST_DELAY_S
        bench.say("Anna.")
        bench.speeches[-1].complaint = complaint("wrong device")
    assert not any(speech.status == 0 for speech in bench.speeches)
    assert bench.speaker.silent
    quick = Bench()
    for _ in range(100):
        quick.say("Anna.")
    assert quick.speaker.failures == 0


@pytest.mark.slow
@pytest.mark.skipif(which(PROGRAM) is None, reason="espeak-ng is not installed")
def test_a_hundred_sentences_on_a_healthy_card_are_no_alarm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real program, and a card that ALSA makes: what is played there goes nowhere."""
    healthy = tmp_path / "alsa.conf"
    healthy.write_text("pcm.!default { type null }\nctl.!default { type null }\n")
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(healthy))
    assert why_silent() == ""
    with Speaker() as speaker:
        for number in range(100):
            speech = Espeak(f"Anna has {number} points.", "en")
            speech.wait()
            speaker._watch(speech, cut=False)
            assert (speaker.failures, speech.complaint) == (0, "")
        # Nobody has a card of this name.
        assert why_silent("plughw:CARD=nowhere") != ""


def test_closing_ends_it() -> None:
    bench = Bench()
    bench.say("Anna.")
    bench.speaker.close()
    assert bench.speeches[0].killed
    bench.speaker.speak(("Ben.",), "en")
    bench.speaker.step()
    assert len(bench.speeches) == 1


def asound(folder: Path, lines: Sequence[str], playing: Sequence[int]) -> Path:
    (folder / "cards").write_text("".join(f"{line}\n" for line in lines))
    for number in playing:
        (folder / f"card{number}" / "pcm0p").mkdir(parents=True)
    return folder


JACK = (" 0 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones", "  bcm2835 Headphones")
HDMI = (" 1 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0", "   vc4-hdmi-0")
WEBCAM = (
    " 2 [Webcam         ]: USB-Audio - Dynex 1.3MP Webcam",
    "  Dynex at usb-3f980000.usb-1.2.1",
)
USB = (" 3 [Device         ]: USB-Audio - USB Audio Device", "  C-Media USB Audio Device")


def test_the_card_to_speak_on(tmp_path: Path) -> None:
    every = asound(tmp_path, (*JACK, *HDMI, *WEBCAM, *USB), (0, 1, 3))
    assert [card.name for card in sound_cards(every)] == ["Device", "Headphones", "vc4hdmi0"]
    assert device_for_speech(every) == "plughw:CARD=Device"
    (tmp_path / "pi5").mkdir()
    assert device_for_speech(asound(tmp_path / "pi5", HDMI, (1,))) == "plughw:CARD=vc4hdmi0"
    (tmp_path / "none").mkdir()
    assert device_for_speech(asound(tmp_path / "none", ("--- no soundcards ---",), ())) == ""
    assert sound_cards(tmp_path / "nowhere") == ()


@pytest.mark.parametrize(
    ("wanted", "installed", "cards", "why", "level", "said"),
    [
        (False, False, (), "", Level.OK, "off"),
        (False, True, (), "", Level.OK, "off"),
        (True, False, (JACK,), "", Level.WRONG, "apt install espeak-ng"),
        (True, True, (), "", Level.WRONG, "a Pi 5 and a Pi Zero have no audio jack"),
        (True, True, (HDMI,), "", Level.NOTE, "USB sound card"),
        (True, True, (JACK, HDMI), "", Level.OK, "espeak-ng on bcm2835 Headphones"),
        (True, True, (JACK,), complaint("wrong device"), Level.WRONG, complaint("wrong device")),
        (False, True, (JACK,), complaint("wrong device"), Level.OK, "off, cannot be heard"),
    ],
)
def test_the_doctor_says_what_is_missing(
    wanted: bool,
    installed: bool,
    cards: tuple[tuple[str, str], ...],
    why: str,
    level: Level,
    said: str,
    tmp_path: Path,
) -> None:
    there = [line for card in cards for line in card]
    found = sound_cards(asound(tmp_path, there, [int(card[0][1]) for card in cards]))
    tried = list[str]()

    def try_out(device: str) -> str:
        tried.append(device)
        return why

    (finding,) = check_voice(wanted, installed, found, try_out)
    assert tried == [device_of(card) for card in found[:installed]]
    assert finding.level is level
    assert said in f"{finding.text} {finding.advice}"
