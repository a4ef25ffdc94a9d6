"""Says what the board shows, where there is a voice and it is wanted."""

from collections.abc import Sequence

from appliance import words
from appliance.alerts import Alert
from appliance.devices.voice import Voice
from appliance.service.sentences import news, sentences, warning
from appliance.table.prompts import Prompt


class Herald:
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
