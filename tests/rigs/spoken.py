"""A language spoken for a while."""

from collections.abc import Iterator
from contextlib import contextmanager

from appliance.words import ENGLISH, Language, set_language


@contextmanager
def spoken(language: str | Language) -> Iterator[None]:
    """Speaks a language until the end of the block, then English again."""
    set_language(language)
    try:
        yield
    finally:
        set_language(ENGLISH)
