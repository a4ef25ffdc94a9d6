"""Check of the voice: whether the program is there, and something to hear it with."""

from collections.abc import Callable, Iterator, Sequence

from appliance.devices.sound_cards import SoundCard, device_of, sound_cards
from appliance.devices.voice import PROGRAM, can_speak, why_silent
from appliance.diagnostics.base import Finding, Level

_SUBJECT = "voice"
_NO_JACK = (
    "a Pi 5 and a Pi Zero have no audio jack: plug in a USB sound card or a USB speaker, or use a "
    "television at HDMI; docs/voice.md"
)

_NOT_HEARD = "plug the speaker in again; quit other programs that play sound; docs/voice.md"


def check_voice(
    wanted: bool,
    installed: bool | None = None,
    cards: Sequence[SoundCard] | None = None,
    try_out: Callable[[str], str] = why_silent,
) -> Iterator[Finding]:
    """Checks that the voice can be heard; that is wrong only if the configuration wants one.

    `try_out` says why nothing can be heard on a device of ALSA, empty if it can.
    """
    installed = can_speak() if installed is None else installed
    cards = sound_cards() if cards is None else cards
    wrong = Level.WRONG if wanted else Level.OK
    state = "on" if wanted else "off"
    if not installed:
        text = f"{PROGRAM} is not installed" if wanted else f"{state}, no {PROGRAM}"
        yield Finding(_SUBJECT, wrong, text, f"apt install {PROGRAM}" if wanted else "")
    elif not cards:
        text = "no sound card was found" if wanted else f"{state}, no sound card"
        yield Finding(_SUBJECT, wrong, text, _NO_JACK if wanted else "")
    elif why := try_out(device_of(cards[0])):
        text = f"{state}, cannot be heard on {cards[0].title}: {why}"
        yield Finding(_SUBJECT, wrong, text, _NOT_HEARD if wanted else "")
    elif cards[0].hdmi:
        level = Level.NOTE if wanted else Level.OK
        yield Finding(_SUBJECT, level, f"{state}, heard over HDMI only", _NO_JACK if wanted else "")
    else:
        yield Finding(_SUBJECT, Level.OK, f"{state}, {PROGRAM} on {cards[0].title}")
