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
from appliance.cli.starting import PARTLY, add_journal_arguments, journal_file, saved_games
from appliance.errors import ApplianceError, JournalError
from appliance.journal.database import Journal, SavedGame
from appliance.rules import record as records
from appliance.rules.record import Record
from appliance.rules.registry import find
from appliance.stats.tally import record_of


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
        games = list(journal.games())
    if not games:
        print("no games yet")
    for saved in reversed(games):
        print(f"{saved.id:>5}  {saved.game:<14}{_standing(saved):<12}{_points(saved)}")
    return 0 if whole else PARTLY


def _standing(saved: SavedGame) -> str:
    return "finished" if saved.ended else "begun"


def _points(saved: SavedGame) -> str:
    try:
        record = record_of(saved)
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
        numbers = args.number or [saved.id for saved in journal.games()]
        games = {number: record_of(journal.load(number)) for number in numbers}
    text = _FORMATS[args.format](games)
    if args.output is None:
        print(text, end="")
    else:
        try:
            args.output.write_text(text, encoding="utf-8")
        except OSError as error:
            raise ExportError(f"{args.output}: cannot be written: {error.strerror}") from error
    return 0 if whole else PARTLY


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
        doomed = [journal.load(number) for number in args.number]
        last = journal.last()
        for saved in doomed:
            if last is not None and saved.id == last.id and not saved.ended:
                raise JournalError(
                    f"game {saved.id} is the one being played", "end it or begin another first"
                )
        return _delete(journal, doomed, args.yes)


def _delete(journal: Journal, doomed: list[SavedGame], sure: bool) -> int:
    for saved in doomed:
        print(f"{saved.id:>5}  {saved.game:<14}{_standing(saved):<12}{_points(saved)}")
    if not sure:
        print(f"delete {len(doomed)} for good? yes/no ", end="", flush=True)
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            print("nothing was deleted")
            return 0
    for saved in doomed:
        journal.delete(saved.id)
    print(f"deleted {len(doomed)}")
    return 0
