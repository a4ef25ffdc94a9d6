"""`dicetray replay FILE`: plays a record through the rules and prints the game."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from appliance.cli.commands import report_bad_input
from appliance.errors import printable
from appliance.words import Label
from games import record as records
from games.game import Game
from games.record import Record
from games.registry import find_game
from games.values import RulesError
from vision.files.bounded import read_bounded

MAX_RECORD_BYTES = 4_000_000
"""More than any game has."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes the command and its arguments."""
    parser.description = (
        "Plays a record through the rules, then prints its turns, sheets and outcome."
    )
    parser.add_argument("file", metavar="FILE", help="a record as text")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Prints the game; 2 for a file that cannot be read or is no record."""
    try:
        # Some editors add a byte order mark at the start.
        text = read_bounded(Path(args.file), MAX_RECORD_BYTES).decode("utf-8-sig")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        return report_bad_input("replay", f"{args.file}: cannot be read as a record: {reason}")
    try:
        record = records.read_record(text)
    except RulesError as error:
        return report_bad_input("replay", f"{args.file}: {error}")
    game = find_game(record.game)
    state = records.replay(record)
    if args.json:
        print(json.dumps(replay_fields(game, record, state), ensure_ascii=False))
    else:
        print("\n".join(replay_lines(game, record, state)))
    if record.cut:
        print(printable(f"{args.file}: cut off, left out: {record.cut}"), file=sys.stderr)
    return 0


def replay_lines(game: Game[Any], record: Record, state: Any) -> list[str]:
    """A game for people: its record, sheets, outcome and position."""
    outcome = game.outcome(state)
    lines = [*records.write_record(record).splitlines(), "", *game.describe(state), ""]
    if outcome is None:
        lines.append("not over")
    else:
        names = " and ".join(record.players[seat] for seat in outcome.winners)
        # Not simply the most points: whoever wins by a flush of five alike may have fewer.
        most = sorted({outcome.scores[seat] for seat in outcome.winners})
        points = " and ".join(map(str, most))
        lines.append(f"won by {names} with {points} points")
        if outcome.reason:
            lines.append(Label(outcome.reason).lower())
    fair = records.drawn_fairly(record) if record.seed else None
    if fair is not None:
        what = "hidden die of a computer" if game.has_bets else "card that was drawn"
        lines.append(f"every {what} {'follows from' if fair else 'DOES NOT FOLLOW from'} the seed")
    lines.append(records.position_to_text(game, state))
    return [printable(line) for line in lines]


def replay_fields(game: Game[Any], record: Record, state: Any) -> dict[str, object]:
    """A game for programs, as plain values for JSON."""
    outcome = game.outcome(state)
    return {
        "game": record.game,
        "edition": record.edition,
        "version": record.version,
        "options": dict(record.options),
        "players": record.players,
        "events": [records.event_to_text(game, event) for event in record.events],
        "cut": record.cut,
        "seed": record.seed,
        "position": records.position_to_text(game, state),
        "scores": game.scores(state),
        "over": outcome is not None,
        "winners": outcome.winners if outcome else [],
        "reason": str(Label(outcome.reason)) if outcome else "",
    }
