"""`dicetray games`: lists, shows, exports and deletes the games on disk."""

import argparse
import csv
import io
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from appliance.cli.commands import COMMANDS
from appliance.cli.replay import fields_of, lines_of
from appliance.cli.starting import (
    PARTLY,
    add_journal_arguments,
    journal_file,
    saved_games,
    say_left_out,
)
from appliance.errors import ApplianceError, JournalError, printable
from appliance.journal.database import GameEntry, Journal
from appliance.rules import record as records
from appliance.rules.record import Record
from appliance.rules.registry import find
from appliance.stats.tally import record_of, records_of


class ExportError(ApplianceError, OSError):
    """What was exported cannot be written."""


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the command to the program's."""
    command = subparsers.add_parser(
        "games",
        help=COMMANDS["games"],
        description="The games that the appliance has saved.",
    )
    actions = command.add_subparsers(title="actions", metavar="ACTION", required=True)
    listing = actions.add_parser("list", help="one line for each game, the newest first")
    show = actions.add_parser("show", help="one game: its record, sheets and outcome")
    export = actions.add_parser("export", help="games as text, JSON or CSV")
    delete = actions.add_parser("delete", help="delete games for good")
    for action in (listing, show, export, delete):
        add_journal_arguments(action)
    show.add_argument("number", type=int, help="as `list` shows it")
    export.add_argument("number", type=int, nargs="*", help="default: all games")
    export.add_argument("--format", choices=tuple(_FORMATS), default="text")
    export.add_argument("--output", type=Path, metavar="FILE", help="default: standard output")
    delete.add_argument("number", type=int, nargs="+")
    delete.add_argument("--yes", action="store_true", help="do not ask")
    listing.set_defaults(func=run_list)
    show.set_defaults(func=run_show)
    export.set_defaults(func=run_export)
    delete.set_defaults(func=run_delete)


def run_list(args: argparse.Namespace) -> int:
    """Prints a line for each game."""
    with saved_games(args) as (journal, whole):
        lines = [_line(journal, entry) for entry in journal.entries()]
    print("\n".join(reversed(lines)) or "no games yet")
    return 0 if whole else PARTLY


def _line(journal: Journal, entry: GameEntry) -> str:
    standing = "finished" if entry.ended else "begun"
    points = _points(journal, entry.id)
    return printable(f"{entry.id:>5}  {entry.game:<14}{standing:<12}{points}")


def _points(journal: Journal, number: int) -> str:
    try:
        record = record_of(journal.load(number))
    except JournalError as error:
        return f"cannot be read: {error}"
    scores = find(record.game).scores(records.replay(record))
    return ", ".join(f"{n} {p}" for n, p in zip(record.players, scores, strict=True))


def run_show(args: argparse.Namespace) -> int:
    """Prints one game."""
    with saved_games(args) as (journal, whole):
        record = record_of(journal.load(args.number))
    print("\n".join(lines_of(find(record.game), record, records.replay(record))))
    return 0 if whole else PARTLY


def run_export(args: argparse.Namespace) -> int:
    """Writes games in the format that is asked for."""
    with saved_games(args) as (journal, whole):
        numbers = args.number or [entry.id for entry in journal.entries()]
        games = dict(records_of(journal, numbers, say_left_out))
    text = _FORMATS[args.format](games)
    if args.output is None:
        print(text, end="")
    else:
        try:
            args.output.write_text(text, encoding="utf-8")
        except OSError as error:
            raise ExportError(f"{args.output}: cannot be written: {error.strerror}") from error
    return 0 if whole and len(games) == len(set(numbers)) else PARTLY


def _as_text(games: Mapping[int, Record]) -> str:
    return "\n".join(f"{records.write(record).rstrip()}\n" for record in games.values())


def _as_json(games: Mapping[int, Record]) -> str:
    entries = [
        {"number": number, **fields_of(find(record.game), record, records.replay(record))}
        for number, record in games.items()
    ]
    return json.dumps(entries, ensure_ascii=False, indent=1) + "\n"


def _as_csv(games: Mapping[int, Record]) -> str:
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(("number", "game", "player", "row", "points"))
    for number, record in games.items():
        rules, state = find(record.game), records.replay(record)
        for seat, player in enumerate(record.players):
            sheet = rules.sheet(state, seat)
            for row in sheet.rows:
                points = "" if row.points is None else row.points
                table.writerow((number, record.game, player, row.label, points))
            table.writerow((number, record.game, player, "TOTAL", sheet.total))
    return out.getvalue()


_FORMATS: dict[str, Callable[[Mapping[int, Record]], str]] = {
    "text": _as_text,
    "json": _as_json,
    "csv": _as_csv,
}


def run_delete(args: argparse.Namespace) -> int:
    """Deletes games, after asking."""
    with Journal(journal_file(args)) as journal:
        entries = {entry.id: entry for entry in journal.entries()}
        last = max(entries.values(), key=lambda e: (e.opened, e.id), default=None)
        for number in args.number:
            if number not in entries:
                raise journal.no_game(number)
            if entries[number] is last and not last.ended:
                raise JournalError(
                    f"game {number} is the one being played", "end it or begin another first"
                )
        return _delete(
            journal, [entries[number] for number in dict.fromkeys(args.number)], args.yes
        )


def _delete(journal: Journal, doomed: list[GameEntry], sure: bool) -> int:
    for entry in doomed:
        print(_line(journal, entry))
    if not sure:
        print(f"delete {len(doomed)} for good? yes/no ", end="", flush=True)
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            print("nothing was deleted")
            return 0
    for entry in doomed:
        journal.delete(entry.id)
    print(f"deleted {len(doomed)}")
    return 0
