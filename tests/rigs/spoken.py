"""A language spoken for a while."""

from collections.abc import Iterator
from contextlib import contextmanager

from appliance.words import ENGLISH, Language, speak


@contextmanager
def spoken(language: str | Language) -> Iterator[None]:
    """Speaks a language until the end of the block, then English again."""
    speak(language)
    try:
        yield
    finally:
        speak(ENGLISH)
