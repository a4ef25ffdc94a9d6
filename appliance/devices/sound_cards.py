"""The sound cards that can play, as ALSA lists them.

A Pi 4 has `Headphones` (its jack) and two of `vc4hdmi`, a Pi 5 only those two, and a USB sound card
comes after them (/proc/asound/cards as in github.com/raspberry-vanilla, android_device_brcm_rpi5,
audio/include/core-impl). What only records, such as a webcam's microphone, has no `pcm*p`
(kernel.org, Documentation/sound/designs/procfile.rst).
"""

import re
from dataclasses import dataclass
from pathlib import Path

ASOUND = Path("/proc/asound")
_LINE = re.compile(r"\s*(\d+) \[(\S+)\s*\]: (\S+) - (.*)")


@dataclass(frozen=True, slots=True)
class SoundCard:
    """A card that can play: its number, short name, driver, and what it is called."""

    number: int
    name: str
    driver: str
    title: str

    @property
    def hdmi(self) -> bool:
        """True if it is heard only through a television or monitor."""
        return "hdmi" in self.name.lower()


def sound_cards(folder: Path = ASOUND) -> tuple[SoundCard, ...]:
    """The cards that can play, the best for speech first: USB, then the jack and others, HDMI."""
    try:
        lines = (folder / "cards").read_text("utf-8", "replace").splitlines()
    except OSError:
        return ()
    found = []
    for line in lines:
        if at := _LINE.fullmatch(line):
            card = SoundCard(int(at[1]), at[2], at[3], at[4])
            if any((folder / f"card{card.number}").glob("pcm*p")):
                found.append(card)
    # Whoever plugs in a USB sound card wants to hear it.
    return tuple(sorted(found, key=lambda c: (c.hdmi, c.driver != "USB-Audio", c.number)))


def device_of(card: SoundCard) -> str:
    """ALSA's name of a card's device, at any rate and with any number of channels."""
    return f"plughw:CARD={card.name}"


def device_for_speech(folder: Path = ASOUND) -> str:
    """ALSA's name of the device to speak on; empty where no card is listed."""
    cards = sound_cards(folder)
    return device_of(cards[0]) if cards else ""
