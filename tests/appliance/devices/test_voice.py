"""The voice is a process of its own that nothing waits for."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import pytest

from appliance.devices.sound_cards import device_for_speech, sound_cards
from appliance.devices.voice import (
    FIRST_DELAY_S,
    LONGEST_DELAY_S,
    LONGEST_SPEECH_S,
    Speaker,
)
from appliance.diagnostics.base import Level
from appliance.diagnostics.sound import check_voice


@dataclass
class Speech:
    text: str
    status: int | None = None
    killed: bool = False

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
    ("wanted", "installed", "cards", "level", "said"),
    [
        (False, False, (), Level.OK, "off"),
        (False, True, (), Level.OK, "off"),
        (True, False, (JACK,), Level.WRONG, "apt install espeak-ng"),
        (True, True, (), Level.WRONG, "a Pi 5 and a Pi Zero have no audio jack"),
        (True, True, (HDMI,), Level.NOTE, "USB sound card"),
        (True, True, (JACK, HDMI), Level.OK, "espeak-ng on bcm2835 Headphones"),
    ],
)
def test_the_doctor_says_what_is_missing(
    wanted: bool,
    installed: bool,
    cards: tuple[tuple[str, str], ...],
    level: Level,
    said: str,
    tmp_path: Path,
) -> None:
    there = [line for card in cards for line in card]
    found = sound_cards(asound(tmp_path, there, [int(card[0][1]) for card in cards]))
    (finding,) = check_voice(wanted, installed, found)
    assert finding.level is level
    assert said in f"{finding.text} {finding.advice}"
