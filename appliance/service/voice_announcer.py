"""Says what the board shows, where there is a voice and it is wanted.

It says everything that somebody needs who cannot see the board: who is next, what was thrown, what
each choice is worth, what it scored, all totals, and what can be done. The prompts tell it
(`Prompt.told`); here it is made to be spoken, and what is new in it is found. What one must know to
decide is always said; what else is shown, as long as there is time, and all of it on a press.
"""

import re
from collections.abc import Iterable, Sequence

from appliance import words
from appliance.alerts import Alert
from appliance.devices.speech_time import speech_s
from appliance.devices.voice import Voice
from appliance.table.prompts.prompt import Prompt
from appliance.table.prompts.turn import OverPrompt
from appliance.table.prompts.wording import name_in_words
from appliance.words import say

SAID_AT_ONCE_S = 8.0
"""Seconds for which it speaks unasked, if what must be known takes no longer."""
_CAPITALS = re.compile(r"[^\W\d_]{2,}")
_COMPUTER = re.compile(r"\b[^\W\d_]+ \*{1,3}")
"""A computer's name: its stars would be read out as asterisks."""
_LETTERS_THAT_STAY = {"OK", "PIN"}


def sentences(prompt: Prompt) -> tuple[str, ...]:
    """All that one must know of a prompt to decide, the news first."""
    return _all_spoken(prompt.told())


def besides(prompt: Prompt) -> tuple[str, ...]:
    """What else a prompt shows, the most important first."""
    return _all_spoken(prompt.told_besides())


def keys(prompt: Prompt) -> tuple[str, ...]:
    """What can be done at a prompt."""
    return _all_spoken(prompt.told_keys())


def everything(prompt: Prompt) -> tuple[str, ...]:
    """All that there is to say of a prompt, what can be done last."""
    said = (*sentences(prompt), *besides(prompt), *keys(prompt))
    return tuple(dict.fromkeys(said))


def warning(alert: Alert) -> tuple[str, ...]:
    """The spoken warning of something that is wrong."""
    return (_spoken(" ".join(map(say, alert.lines))),)


def _are_in_time(said: Sequence[str]) -> bool:
    return speech_s(said, words.spoken.code) <= SAID_AT_ONCE_S


def _all_spoken(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(filter(None, map(_spoken, texts)))


def _spoken(text: str) -> str:
    """A text as it is spoken: words in capitals would be spelled out by some voices."""

    def small(word: re.Match[str]) -> str:
        found = word[0]
        return found.lower() if found.isupper() and found not in _LETTERS_THAT_STAY else found

    text = _COMPUTER.sub(lambda name: name_in_words(name[0].upper()), " ".join(text.split()))
    text = _CAPITALS.sub(small, text)
    text = text[:1].upper() + text[1:]
    return text if not text or text[-1] in ".?!:" else f"{text}."


class VoiceAnnouncer:
    """Speaks of each prompt what is new in it; what can be done, once a game.

    Attributes:
        wanted: whether it speaks; otherwise it only keeps up.
    """

    def __init__(self, voice: Voice) -> None:
        self._voice = voice
        self._prompt: Prompt | None = None
        self._keys_known: set[str] = set()
        self._said_now: set[str] = set()  # on the present occasion
        self._said: tuple[str, ...] = ()
        self.wanted = False

    def take_prompt(self, prompt: Prompt, *, wanted: bool) -> None:
        """Says what is new; all of it to somebody who has just switched the voice on."""
        begins, self.wanted = wanted and not self.wanted, wanted
        before, self._prompt = self._prompt, prompt
        if begins or isinstance(before, OverPrompt):
            self._keys_known.clear()
        if not wanted:
            return
        if begins or before is None or before.occasion != prompt.occasion:
            self._say_in_time(prompt)
            return
        must = self._new(sentences(prompt))
        if must or {*sentences(prompt)} >= {*sentences(before)}:
            self._said_now = {*sentences(prompt), *(self._said_now & {*besides(prompt)})}
            self._speak(must, prompt)
        else:
            # Something holds no more, such as that dice are held.
            instead = self._new(besides(prompt))[:1]
            self._said_now = {*sentences(prompt), *instead}
            self._speak(instead, prompt)

    def say_again(self) -> None:
        """Says what there is to say: a press has only shown what was covered."""
        if self.wanted and self._prompt is not None:
            self._keys_known.difference_update(keys(self._prompt))
            self._say_in_time(self._prompt)

    def repeat(self) -> None:
        """Says once more what was said last, then all else that the board shows."""
        if self.wanted and self._prompt is not None:
            said = dict.fromkeys((*self._said, *everything(self._prompt)))
            self._voice.speak(tuple(said), words.spoken.code)

    def hush(self) -> None:
        """Falls silent, as something was pressed."""
        if self.wanted:
            self._voice.stop()

    def warn(self, *alerts: Alert) -> None:
        """Says what is wrong."""
        if self.wanted:
            self._said = tuple(said for alert in alerts for said in warning(alert))
            self._voice.speak(self._said, words.spoken.code)

    def _say_in_time(self, prompt: Prompt) -> None:
        """Says what must be said, what can be done, and of the rest what there is time for."""
        must = sentences(prompt)
        self._said_now = {*must}
        self._speak(self._in_time(must, prompt), prompt)

    def _in_time(self, must: tuple[str, ...], prompt: Prompt) -> tuple[str, ...]:
        """These sentences, and of what else is shown what there is time for."""
        said, todo = must, self._new_keys(prompt)
        for text in self._new(besides(prompt)) if prompt.fills_time else ():
            if not _are_in_time((*said, text, *todo)):
                break
            said = (*said, text)
            self._said_now.add(text)
        return said

    def _new(self, texts: Sequence[str]) -> tuple[str, ...]:
        """Those that were not said on this occasion."""
        return tuple(text for text in texts if text not in self._said_now)

    def _new_keys(self, prompt: Prompt) -> tuple[str, ...]:
        return tuple(text for text in keys(prompt) if text not in self._keys_known)

    def _speak(self, said: tuple[str, ...], prompt: Prompt) -> None:
        """Says these, and what can be done that nobody has been told yet, if there is time."""
        todo = self._new_keys(prompt)
        if not prompt.only_looked_at and not _are_in_time((*said, *todo)):
            # Another time: whoever plays on knows, or asks.
            todo = ()
        self._keys_known.update(todo)
        if said or todo:
            self._said = tuple(dict.fromkeys((*said, *todo)))
            self._voice.speak(self._said, words.spoken.code)
