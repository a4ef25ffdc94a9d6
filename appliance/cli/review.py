"""`dicetray review`: the costliest decisions of a game, luck and skill, as text and a picture."""

import argparse
import json
from collections.abc import Iterator, Sequence

from appliance.cli.shared import saved
from appliance.errors import printable
from appliance.stats.reviewed import review_fields, svg
from appliance.words import Label
from games import record as records
from games.record import Record
from games.registry import find_game
from games.strategy.review import NO_LUCK, NO_LUCK_BETS, PlayerReview, review_game
from vision.files.ordinary import ordinary_path


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Describes the command and its arguments."""
    command.description = (
        "Looks back on a game: the three costliest decisions of each player with what "
        "would have been better, and points by dice and by decisions."
    )
    shown = "as `games list` shows it; default: the last"
    command.add_argument("game", type=saved.game_number, nargs="?", help=shown)
    saved.add_journal_arguments(command)
    command.add_argument("--picture", type=ordinary_path, metavar="FILE.svg", help="also draw it")
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Prints the review."""
    with saved.saved_games(args) as games:
        game = games.latest() if args.game is None else games.with_number(args.game)
        record = game.record()
    found = review_game(record)
    if args.json:
        print(json.dumps(_fields(record, found), ensure_ascii=False))
    else:
        print("\n".join(map(printable, review_lines(record, found))))
    if args.picture:
        saved.write_picture(args.picture, svg(Label(record.game), found), games)
    return 0 if games.whole else saved.EXIT_PARTLY


def _fields(record: Record, found: Sequence[PlayerReview]) -> dict[str, object]:
    """The review as JSON has it."""
    over = find_game(record.game).outcome(records.replay(record)) is not None
    return {"game": record.game, "finished": over, "players": review_fields(found)}


def review_lines(record: Record, found: Sequence[PlayerReview]) -> Iterator[str]:
    """The review as text."""
    game = find_game(record.game)
    over = game.outcome(records.replay(record)) is not None
    how = "played to its end" if over else "not over: as far as it was played"
    yield f"{Label(game.name)}, {how}"
    for player in found:
        yield ""
        luck = player.luck
        apart = "" if luck is None else f", dice {luck:+z.1f}, par {player.par:.1f}"
        yield f"{player.player}: {player.points} points, decisions {-player.cost:+z.1f}{apart}"
        for decision in player.worst:
            at = f" at {decision.dice}" if decision.dice else ""
            head = f"  {-decision.cost:+7.1f}  turn {decision.turn}{at}"
            why = f" ({Label(decision.reason)})" if decision.reason else ""
            yield f"{head}: {Label(decision.chosen)}; better {Label(decision.best)}{why}"
        if not player.worst:
            yield "  nothing that is known to have cost points"
    if any(player.luck is None for player in found):
        yield ""
        yield NO_LUCK_BETS if game.has_bets else NO_LUCK
