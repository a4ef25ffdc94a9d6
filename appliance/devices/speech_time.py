"""How long espeak-ng takes to say something, without asking it."""

import re
from collections.abc import Mapping, Sequence

from appliance.words import ENGLISH

_NUMBER = re.compile(r"[0-9]+")
_WORD = re.compile(r"[^\W\d_]+")
_PAUSE = re.compile(r"[,:;](?= )")
_END = re.compile(r"[.?!](?= |$)")
_SIGNS = {"+": " plus ", "%": " percent"}

_SECONDS: Mapping[str, tuple[float, ...]] = {
    ENGLISH: (0.050, 0.048, 0.230, 0.167, 0.398, 0.465),
    "de": (0.044, 0.141, 0.338, 0.274, 0.200, 0.361),
}
"""Seconds for each letter, word, number, further digit of a number, pause, and end of a sentence.

Fitted to 300 texts of whole games that espeak-ng 1.51 of Debian 12 said at 165 words a minute
(`espeak-ng -s 165 -w`, 2026-11); of 120 others, nine in ten took within 10 % of that.
`tests/appliance/devices/test_speech_time.py` measures again where espeak-ng is installed.
"""


def features(text: str) -> tuple[int, ...]:
    """The counts that the time depends on, in the order of `_SECONDS`."""
    for sign, word in _SIGNS.items():
        text = text.replace(sign, word)
    numbers, words = _NUMBER.findall(text), _WORD.findall(text)
    return (
        sum(map(len, words)),
        len(words),
        len(numbers),
        sum(map(len, numbers)) - len(numbers),
        len(_PAUSE.findall(text)),
        len(_END.findall(text)),
    )


def speech_s(sentences: Sequence[str], language: str) -> float:
    """The seconds that sentences take; another language is taken to be as fast as English."""
    seconds = _SECONDS.get(language, _SECONDS[ENGLISH])
    counts = features(" ".join(sentences))
    return sum(each * count for each, count in zip(seconds, counts, strict=True))
