"""Reads deck files; `appliance.rules.free_for_all.deck` checks what is in them."""

import errno
from importlib.resources import files
from pathlib import Path

from appliance.errors import ConfigError
from appliance.rules.free_for_all.deck import Deck, DeckError, from_toml
from vision.bounded import read_bounded

LARGEST = 65_536
"""The most bytes that a deck file may have."""


def default_deck_text() -> str:
    """The deck file that ships with the program, to be copied and edited."""
    path = files("appliance.rules.free_for_all") / "deck.toml"
    return path.read_text(encoding="utf-8")


def read_deck(path: Path) -> Deck:
    """The deck that a file describes; its `text` is the option `cards` of Free for All.

    A ConfigError names the file, and the line and field where it says something wrong.
    """
    try:
        data = read_bounded(path, LARGEST)
    except OSError as error:
        expected = "a file to read"
        if error.errno == errno.EFBIG:
            expected = f"{LARGEST} bytes at most"
        raise ConfigError(f"deck {path}: expected {expected}, found {error.strerror}") from error
    try:
        return from_toml(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ConfigError(f"deck {path}: expected UTF-8 text, found other bytes") from error
    except DeckError as error:
        raise ConfigError(f"deck {path}: {error}") from error
