"""Says what the board shows, where there is a voice and it is wanted.

It says everything that somebody needs who cannot see the board: who is next, what was thrown, what
each choice is worth, what it scored, all totals, and what can be done. The prompts tell it
(`Prompt.told`); here it is made to be spoken, and what is new in it is found.
"""

import re
from collections.abc import Sequence

from appliance import words
from appliance.alerts import Alert
from appliance.devices.voice import Voice
from appliance.table.prompts.prompt import Prompt
from appliance.words import say

_CAPITALS = re.compile(r"[^\W\d_]{2,}")
_LETTERS_THAT_STAY = {"OK", "PIN"}


def news(before: Prompt | None, now: Prompt) -> tuple[str, ...]:
    """The sentences of a prompt that were not said at the one before; all of a new occasion's."""
    if before is None or before.occasion != now.occasion:
        return sentences(now)
    known = sentences(before)
    return tuple(sentence for sentence in sentences(now) if sentence not in known)


def sentences(prompt: Prompt) -> tuple[str, ...]:
    """Everything that there is to say of a prompt, the news first, what can be done last."""
    return tuple(filter(None, map(_spoken, prompt.told())))


def warning(alert: Alert) -> tuple[str, ...]:
    """The spoken warning of something that is wrong."""
    return (_spoken(" ".join(map(say, alert.lines))),)


def _spoken(text: str) -> str:
    """A text as it is spoken: words in capitals would be spelled out by some voices."""

    def small(word: re.Match[str]) -> str:
        found = word[0]
        return found.lower() if found.isupper() and found not in _LETTERS_THAT_STAY else found

    text = _CAPITALS.sub(small, " ".join(text.split()))
    text = text[:1].upper() + text[1:]
    return text if not text or text[-1] in ".?!:" else f"{text}."


class VoiceAnnouncer:
    """Speaks of each prompt what is new in it.

    Attributes:
        wanted: whether it speaks; otherwise it only keeps up.
    """

    def __init__(self, voice: Voice) -> None:
        self._voice = voice
        self._prompt: Prompt | None = None
        self.wanted = False

    def take_prompt(self, prompt: Prompt, *, wanted: bool) -> None:
        """Says what is new; all of it to somebody who has just switched the voice on."""
        begins, self.wanted = wanted and not self.wanted, wanted
        before = None if begins else self._prompt
        self._prompt = prompt
        if wanted:
            self._speak(news(before, prompt))

    def say_again(self) -> None:
        """Says everything there is to say: a press has only shown what was covered."""
        if self.wanted and self._prompt is not None:
            self._speak(sentences(self._prompt))

    def warn(self, alert: Alert) -> None:
        """Says what is wrong."""
        if self.wanted:
            self._speak(warning(alert))

    def _speak(self, said: Sequence[str]) -> None:
        if said:
            self._voice.speak(said, words.spoken.code)
