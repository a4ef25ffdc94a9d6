"""`dicetray stick`: copies games and profile to a stick and back, as the board asks for it."""

import argparse
import logging
import re
import time
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from appliance.config import Config, load
from appliance.config.paths import DEFAULT_FILE, journal_path, profile_file
from appliance.devices.stick import (
    ANSWER_FILE,
    FOLDER,
    OFFER_FILE,
    REQUEST_FILE,
    RESTORE_WORD,
    SAVE_WORD,
    UPDATE_WORD,
    StickFolder,
)
from appliance.errors import JournalError, StickError
from appliance.journal import copies
from appliance.journal.reading import reading
from calibration.errors import StoreError
from calibration.store import profile_exists

_NUMBER = "(?:0|[1-9][0-9]*)"
_RELEASE_VERSION = rf"{_NUMBER}(?:\.{_NUMBER})*(?:(?:a|b|rc){_NUMBER})?"
# Browsers number what they download again.
_RELEASE_FILE = re.compile(rf"dicetray-({_RELEASE_VERSION})(?: ?\([0-9]+\)|-[0-9]+)?\.tar\.gz")
"""What a release is called; systemd/signature.sh, with which root finds them, has the same rule."""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Describes the command and its arguments."""
    command.description = (
        "Copies games and the tray's profile to and from a USB stick, as chosen on the board; "
        "the system starts it when a stick is plugged in."
    )
    command.add_argument("folder", type=Path, help="where the stick is mounted")
    command.set_defaults(func=main, ends_when_told=True, serves=True)


def main(args: argparse.Namespace) -> int:
    """Serves a stick until it is pulled out, which ends the unit that runs this."""
    if not args.folder.is_dir():
        raise StickError(f"{args.folder}: there is no such folder; no USB stick is mounted there")
    config = load(DEFAULT_FILE) if DEFAULT_FILE.exists() else Config()
    journal = journal_path(config)
    profile = profile_file(config)
    stick = StickFolder(FOLDER, journal.parent)
    try:
        # Clears an earlier stick's offer, in case nothing could remove it.
        stick.put(OFFER_FILE)
        while True:
            serve(stick, args.folder, journal, profile)
            time.sleep(0.5)
    finally:
        stick.put(OFFER_FILE)


def serve(stick: StickFolder, folder: Path, journal: Path, profile: Path) -> None:
    """Offers what the stick is good for, and does what was asked for."""
    words = stick.lines(OFFER_FILE) or _offered_words(folder, journal, profile)
    if (asked := stick.lines(REQUEST_FILE, take=True)) and asked[0] in words:
        stick.put(ANSWER_FILE, *_carry_out_request(asked[0], stick, folder, journal, profile))
        words = _offered_words(folder, journal, profile)
    stick.put(OFFER_FILE, *words)


def _offered_words(folder: Path, journal: Path, profile: Path) -> tuple[str, ...]:
    ours = 0
    with suppress(JournalError), reading(journal) as games:
        ours = len(games.summaries())
    # Root checks the signature before installing it.
    files = (file.name for file in folder.glob("dicetray-*.tar.gz") if file.is_file())
    released = filter(None, map(released_version, files))
    installed = version_order(version("dicetray"))
    newer = any(version_order(found) > installed for found in released)
    tray = not profile_exists(profile) and copies.profile_in(folder) is not None
    can = {
        RESTORE_WORD: tray or len(copies.games_in(folder)[0]) > ours,
        SAVE_WORD: ours > 0,
        UPDATE_WORD: newer,
    }
    return tuple(word for word, offered in can.items() if offered)


def released_version(name: str) -> str | None:
    """The version in the name of a release's file; None if no release is called that."""
    found = _RELEASE_FILE.fullmatch(name)
    return found and found[1]


def version_order(version: str) -> tuple[tuple[int, ...], str, int]:
    """A key that sorts the versions of releases, candidates before what they become.

    Raises:
        ValueError: it does not begin with a number.
    """
    found = re.match(r"([0-9]+(?:\.[0-9]+)*)(?:(a|b|rc)([0-9]+))?", version)
    if found is None:
        raise ValueError(f"{version}: expected a version such as 1.1.0 or 1.1.0rc1")
    return tuple(map(int, found[1].split("."))), found[2] or "released", int(found[3] or 0)


def _carry_out_request(
    word: str, stick: StickFolder, folder: Path, journal: Path, profile: Path
) -> tuple[str, ...]:
    tray = False
    try:
        if word == SAVE_WORD:
            count = copies.save_copy(journal, folder)
            copies.save_profile(profile, folder)
        else:
            count = copies.restore_copy(journal, folder)
            tray = copies.restore_profile(profile, folder)
    except (JournalError, StoreError) as error:
        logging.getLogger(__name__).error("%s", error)
        return word, "NOT DONE", "TRY OTHER", "STICK"
    if word == SAVE_WORD:
        stick.note()
    many = f"{count} GAME{'S' * (count != 1)}"
    known = ("TRAY KNOWN", "SWITCH OFF, ON") if tray else ()
    return "SAVED" if word == SAVE_WORD else "RESTORED", many, *known, "PULL OUT", "THE STICK"
