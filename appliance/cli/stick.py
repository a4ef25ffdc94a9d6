"""`dicetray stick`: copies games and profile to a stick and back, as the board asks for it."""

import argparse
import logging
import re
import time
from contextlib import suppress
from pathlib import Path

from appliance.config import Config, load
from appliance.config.paths import DEFAULT_FILE, journal_path, profile_file
from appliance.devices.stick import (
    ANSWER_FILE,
    CALIBRATION_WORD,
    FOLDER,
    OFFER_FILE,
    OTHERS_WORD,
    OURS_WORD,
    REQUEST_FILE,
    RESTORE_WORD,
    SAVE_WORD,
    UPDATE_WORD,
    StickFolder,
)
from appliance.errors import JournalError, StickError, StickGone
from appliance.journal import stick_copies
from appliance.journal.journal import Journal
from appliance.journal.origin import own_version
from appliance.journal.reader import JournalReader
from appliance.journal.stick_saving import save
from appliance.journal.union import United
from calibration.errors import StoreError
from calibration.store import decode, profile_exists
from calibration.store import save as save_profile

_NUMBER = "(?:0|[1-9][0-9]*)"
_RELEASE_VERSION = rf"{_NUMBER}(?:\.{_NUMBER})*(?:(?:a|b|rc){_NUMBER})?"
# Browsers number what they download again.
_RELEASE_FILE = re.compile(rf"dicetray-({_RELEASE_VERSION})(?: ?\([0-9]+\)|-[0-9]+)?\.tar\.gz")
"""A release's file name; systemd/signature.sh, with which root finds them, has the same rule."""


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
    offers = stick.lines(OFFER_FILE) or _offers(folder, journal, profile)
    asked = stick.lines(REQUEST_FILE, take=True)
    if asked and asked[0] in {offer.partition("\t")[0] for offer in offers}:
        answer = _carry_out_request(asked[0], stick, folder, journal, profile)
        stick.put(ANSWER_FILE, *answer)
        offers = _offers(folder, journal, profile)
    stick.put(OFFER_FILE, *offers)


def _offers(folder: Path, journal: Path, profile: Path) -> tuple[str, ...]:
    """The words that are offered, each with what the board says about it behind tabs."""
    offers: list[str] = []
    with suppress(JournalError, OSError, StickGone), JournalReader(journal) as games:
        calibrated = profile_exists(profile)
        found = stick_copies.compare(games, folder, calibrated=calibrated)
        known = found.held.numbers() or calibrated
        word, asked = (OURS_WORD, "OURS?") if known else (RESTORE_WORD, "WHICH TRAY?")
        trays = [
            "\t".join((f"{word} {number}", asked, *tray.names, _many(tray.games)))
            for number, tray in enumerate(found.which, 1)
        ]
        if not found.tray.all:
            offers += trays
        own, others = stick_copies.lacking(games, found)
        profiled = not calibrated and found.profile is not None
        if own or profiled:
            said = _many(own) if own else "TRAY KNOWN"
            offers.append(f"{RESTORE_WORD}\t{RESTORE_WORD}\t{said}\tOF THIS TRAY")
        if others:
            offers.append(f"{OTHERS_WORD}\t{RESTORE_WORD}\t{_many(others)}\tOF ANOTHER")
        if not calibrated and found.old_profile is not None and not profiled:
            offers.append(f"{CALIBRATION_WORD}\t{CALIBRATION_WORD}\tOF A COPY?")
        if found.held.numbers():
            offers.append(SAVE_WORD)
        if known and found.tray.all:
            offers += trays
    # Root checks the signature before installing it.
    files = (file.name for file in folder.glob("dicetray-*.tar.gz") if file.is_file())
    released = filter(None, map(released_version, files))
    installed = version_order(own_version())
    if any(version_order(found) > installed for found in released):
        offers.append(UPDATE_WORD)
    return tuple(offers)


def _many(count: int) -> str:
    return f"{count} GAME{'S' * (count != 1)}"


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
    said: tuple[str, ...]
    try:
        with Journal(journal) as games:
            if word == SAVE_WORD:
                said = "SAVED", _many(save(games, folder, profile))
                stick.note()
            else:
                said = "RESTORED", *_restore(word, games, folder, profile)
    except (JournalError, StoreError, OSError, StickGone) as error:
        logging.getLogger(__name__).error("%s", error)
        return word, "NOT DONE", "TRY OTHER", "STICK"
    return *said, "PULL OUT", "THE STICK"


def _restore(word: str, games: Journal, folder: Path, profile: Path) -> tuple[str, ...]:
    """Brings in what was chosen; what the board says about it."""
    said: tuple[str, ...]
    calibrated = profile_exists(profile)
    found = stick_copies.compare(games, folder, calibrated=calibrated)
    chosen = word.rpartition(" ")[2]
    if chosen.isdecimal() and 0 < int(chosen) <= len(found.which):
        tray = found.which[int(chosen) - 1].identity
        found = stick_copies.compare(games, folder, calibrated=calibrated, chosen=tray)
    if word == CALIBRATION_WORD:
        known, said = found.old_profile, (CALIBRATION_WORD,)
    elif word == OTHERS_WORD:
        known, said = None, _united(stick_copies.restore_others(games, found))
    else:
        known, said = found.profile, _united(stick_copies.restore(games, found))
    if known is not None and not calibrated:
        save_profile(profile, decode(known))
        said = *said, "TRAY KNOWN", "SWITCH OFF, ON"
    return said


def _united(united: United) -> tuple[str, ...]:
    twice = len(united.apart)
    return _many(united.games), *((_many(twice), "KEPT TWICE") if twice else ())
