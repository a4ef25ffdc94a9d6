"""`dicetray stick`: copies the games to a stick and from one, as the board asks for it."""

import argparse
import logging
import re
import time
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from appliance.cli.shared.stopping import stopping_on_signals
from appliance.config import Config, load
from appliance.config.paths import DEFAULT_FILE, journal_path
from appliance.devices.stick import ANSWER, ASK, FOLDER, OFFER, RESTORE, SAVE, UPDATE, StickDesk
from appliance.errors import JournalError
from appliance.journal.copies import games_in, restore_copy, save_copy
from appliance.journal.reading import reading


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Describes the command, and what it takes."""
    command.description = (
        "Copies games to and from a USB stick, as chosen on the board; the system "
        "starts it when a stick is plugged in."
    )
    command.add_argument("folder", type=Path, help="where the stick is mounted")
    command.set_defaults(func=main, serves=True)


def main(args: argparse.Namespace) -> int:
    """Serves a stick until it is pulled out, which ends the unit that runs this."""
    journal = journal_path(load(DEFAULT_FILE) if DEFAULT_FILE.exists() else Config())
    desk = StickDesk(FOLDER, journal.parent)
    try:
        with stopping_on_signals():
            # What a stick before it had, if nobody could take that away.
            desk.put(OFFER)
            while True:
                serve(desk, args.folder, journal)
                time.sleep(0.5)
    except KeyboardInterrupt:
        return 0
    finally:
        desk.put(OFFER)


def serve(desk: StickDesk, folder: Path, journal: Path) -> None:
    """Offers what the stick is good for, and does what was asked for."""
    words = desk.lines(OFFER) or _words(folder, journal)
    if (asked := desk.lines(ASK, take=True)) and asked[0] in words:
        desk.put(ANSWER, *_do(asked[0], desk, folder, journal))
        words = _words(folder, journal)
    desk.put(OFFER, *words)


def _words(folder: Path, journal: Path) -> tuple[str, ...]:
    ours = 0
    with suppress(JournalError), reading(journal) as (games, _):
        ours = len(games.entries())
    # Whether it is signed root finds out, before it installs it.
    releases = [p.name.removesuffix(".tar.gz") for p in folder.glob("dicetray-[0-9]*.tar.gz")]
    newer = any(_parts(name) > _parts(version("dicetray")) for name in releases)
    can = {RESTORE: len(games_in(folder)[0]) > ours, SAVE: ours > 0, UPDATE: newer}
    return tuple(word for word, offered in can.items() if offered)


def _parts(name: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d{1,9}", name))


def _do(word: str, desk: StickDesk, folder: Path, journal: Path) -> tuple[str, ...]:
    try:
        count = (save_copy if word == SAVE else restore_copy)(journal, folder)
    except JournalError as error:
        logging.getLogger(__name__).error("%s", error)
        return word, "NOT DONE", "TRY OTHER", "STICK"
    if word == SAVE:
        desk.note()
    many = f"{count} GAME{'S' * (count != 1)}"
    return "SAVED" if word == SAVE else "RESTORED", many, "PULL OUT", "THE STICK"
