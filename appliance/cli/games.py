"""`dicetray games`: lists, shows, exports and deletes the games on disk."""

import argparse
import csv
import io
import json
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from appliance.cli.replay import replay_fields, replay_lines
from appliance.cli.shared import saved
from appliance.errors import JournalError, printable
from appliance.journal.journal import Journal
from appliance.journal.lock import claimed
from appliance.journal.log import blank_seeds
from appliance.journal.origin import Origin
from appliance.journal.summary import record_of
from appliance.words import Label, say
from games import record as records
from games.record import Record
from games.registry import find_game
from vision.files.ordinary import ordinary_path

_as_json_line = json.JSONEncoder(ensure_ascii=False).encode

Exported = Sequence[tuple[saved.SavedEntry, Record]]


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Describes the command and its arguments."""
    command.description = (
        "The saved games: those of the appliance, those played at a keyboard, and those "
        "of the demonstration."
    )
    actions = command.add_subparsers(title="actions", metavar="ACTION", required=True)
    listing = actions.add_parser("list", help="one line for each game, the newest first")
    show = actions.add_parser("show", help="one game: its record, sheets and outcome")
    export = actions.add_parser("export", help="games as text, JSON or CSV")
    delete = actions.add_parser("delete", help="delete games for good")
    for action in (listing, show, export, delete):
        saved.add_journal_arguments(action)
    listing.add_argument("--json", action="store_true", help="print one JSON object per game")
    show.add_argument("number", type=saved.game_number, help="as `list` shows it")
    export.add_argument("number", type=saved.game_number, nargs="*", help="default: all games")
    export.add_argument("--format", choices=tuple(_EXPORT_FORMATS), default="text")
    export.add_argument(
        "--output", type=ordinary_path, metavar="FILE", help="default: standard output"
    )
    delete.add_argument("number", type=saved.game_number, nargs="+")
    delete.add_argument("--yes", action="store_true", help="do not ask")
    listing.set_defaults(func=run_list)
    show.set_defaults(func=run_show)
    export.set_defaults(func=run_export)
    delete.set_defaults(func=run_delete)


def run_list(args: argparse.Namespace) -> int:
    """Prints a line for each game."""
    line_of = _game_json if args.json else _game_line
    lines: dict[Origin, list[tuple[int, str, bool]]] = {origin: [] for origin in Origin}
    with saved.saved_games(args) as games:
        for game in games:
            lines[game.origin].append((game.entry.id, *line_of(game)))
    # One origin after the other, the newest first: each counts its own.
    listed = [line for those in lines.values() for line in sorted(those, reverse=True)]
    nothing = "" if args.json else say("no games yet")
    if text := "\n".join(line for _, line, _ in listed) or nothing:
        print(text)
    return 0 if games.whole and all(read for _, _, read in listed) else saved.EXIT_PARTLY


def _game_line(game: saved.SavedEntry) -> tuple[str, bool]:
    """The line for a game, and whether the game can be read."""
    entry = game.entry
    standing = say("finished" if entry.ended else "started")
    head = f"{game.number:>5}  {game.origin:<11}{entry.game:<14}{standing:<12}"
    if entry.fault:
        return printable(f"{head}cannot be read: {entry.fault}"), False
    points = ", ".join([f"{n} {p}" for n, p in zip(entry.players, entry.points, strict=True)])
    return printable(head + points), True


def _game_json(game: saved.SavedEntry) -> tuple[str, bool]:
    """The JSON object for a game, on a line, and whether the game can be read."""
    entry = game.entry
    fields: dict[str, object] = {
        "number": game.number,
        "of": game.origin,
        "game": entry.game,
        "finished": bool(entry.ended),
    }
    if entry.fault:
        return _as_json_line(fields | {"error": entry.fault}), False
    points = [
        {"player": player, "points": score}
        for player, score in zip(entry.players, entry.points, strict=True)
    ]
    return _as_json_line(fields | {"scores": points}), True


def run_show(args: argparse.Namespace) -> int:
    """Prints one game."""
    with saved.saved_games(args) as games:
        stored = games.with_number(args.number).stored()
    record = record_of(stored)
    print("\n".join(replay_lines(find_game(record.game), record, records.replay(record))))
    if stored.uncounted:
        print(say("not counted, as lines before these are lost:"))
        # While the game goes on nobody may know what comes next.
        uncounted = stored.uncounted if stored.ended else map(blank_seeds, stored.uncounted)
        print("\n".join(map(printable, uncounted)))
    return 0 if games.whole else saved.EXIT_PARTLY


def run_export(args: argparse.Namespace) -> int:
    """Writes games in the requested format."""
    with saved.saved_games(args) as games:
        numbers = dict.fromkeys(args.number)
        wanted = list(map(games.with_number, numbers)) if numbers else games.in_order()
        found = tuple(saved.records_of(wanted))
    text = _EXPORT_FORMATS[args.format](found)
    if args.output is None:
        print(text, end="")
    else:
        saved.write_out(args.output, text, games)
    return 0 if games.whole and len(found) == len(wanted) else saved.EXIT_PARTLY


def _as_text(games: Exported) -> str:
    return "\n".join(f"{records.write_record(record).rstrip()}\n" for _, record in games)


def _as_json(games: Exported) -> str:
    entries = [
        {"number": game.number, "of": game.origin}
        | replay_fields(find_game(record.game), record, records.replay(record))
        for game, record in games
    ]
    return json.dumps(entries, ensure_ascii=False, indent=1) + "\n"


def _as_csv(games: Exported) -> str:
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(("number", "game", "player", "row", "points", "of"))
    for game, record in games:
        number = game.number
        whose = game.origin
        rules = find_game(record.game)
        state = records.replay(record)
        for seat, player in enumerate(record.players):
            sheet = rules.sheet(state, seat)
            for row in sheet.rows:
                points = "" if row.points is None else row.points
                table.writerow((number, record.game, player, Label(row.key), points, whose))
            table.writerow((number, record.game, player, "TOTAL", sheet.total, whose))
    return out.getvalue()


_EXPORT_FORMATS = {"text": _as_text, "json": _as_json, "csv": _as_csv}


def run_delete(args: argparse.Namespace) -> int:
    """Deletes games, after asking."""
    saved.take_in_old_games(args)
    with saved.saved_games(args) as games:
        named = [games.with_number(number) for number in dict.fromkeys(args.number)]
        for game in named:
            print(_game_line(game)[0])
    if not args.yes:
        print(f"delete {len(named)} for good? yes/no ", end="", flush=True)
        try:
            answer = sys.stdin.readline()
        except KeyboardInterrupt:
            print(flush=True)
            raise
        if answer.strip().lower() not in ("y", "yes"):
            print("nothing was deleted")
            return 0
    for path in dict.fromkeys(game.path for game in named):
        _delete(path, [game.entry.id for game in named if game.path == path])
    print(f"deleted {len(named)}")
    return 0


def _delete(path: Path, numbers: Sequence[int]) -> None:
    """Deletes games of one file, but not the one that is being played."""
    with ExitStack() as stack:
        try:
            # Keeps a program from starting to play meanwhile.
            stack.enter_context(claimed(path))
            played = False
        except JournalError:
            played = True
        journal = stack.enter_context(Journal(path))
        # A finished game may still be on the board, where an undo reopens it.
        journal.delete(*numbers, spared=lambda last: played or not last.ended)
