"""`dicetray stats`: wins, averages, and whether the dice are fair."""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from textwrap import wrap

from appliance.cli.shared import saved
from appliance.config.paths import DEFAULT_FILE
from appliance.errors import printable
from appliance.journal.origin import Origin
from appliance.stats.chart import svg
from appliance.stats.fairness import Fairness, fairness
from appliance.stats.tally import PlayerStats, standings
from appliance.words import say
from vision.files.ordinary import ordinary_path

REPORT_COLUMNS = 96
"""Columns of the report."""

EXIT_COUNTING = 75
"""Exit status where counting was given up: try again later (EX_TEMPFAIL in sysexits(3))."""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Describes the command and its arguments."""
    command.description = (
        "Wins and averages of finished games, and a chi-square test of the faces "
        f"thrown in all games. The configuration is {DEFAULT_FILE} unless another is named."
    )
    saved.add_journal_arguments(command)
    command.add_argument(
        "--picture", type=ordinary_path, metavar="FILE.svg", help="draw the dice's faces"
    )
    command.add_argument("--all-trays", action="store_true", help="count games of other trays, too")
    command.add_argument(
        "--within",
        type=int,
        metavar="SECONDS",
        help="print what is counted by then; exit status 75 if that is not all",
    )
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Prints the report."""
    with saved.saved_games(args) as games:
        played = games.played(all_trays=args.all_trays, within_s=args.within)
    lines: list[tuple[Origin, PlayerStats]] = []
    report: list[Fairness] = []
    # Rendered dice say nothing about those on the table.
    for origin, group in played.items():
        lines += ((origin, line) for line in standings(group.players))
        report += fairness(group.faces, origin)
        for fault in group.faults:
            print(f"left out: {fault}", file=sys.stderr)
    left = () if games.left is None else (saved.still_counting(*games.left), "")
    if args.json:
        print(json.dumps(_fields(lines, report) | _field_of_left(games.left), ensure_ascii=False))
    else:
        print("\n".join((*left, *_lines_of_wins(lines), "", *_lines_of_dice(report))))
    if args.picture:
        saved.write_picture(args.picture, svg(report), games)
    if left:
        return EXIT_COUNTING
    return 0 if games.whole and not any(g.faults for g in played.values()) else saved.EXIT_PARTLY


def _field_of_left(left: tuple[int, int] | None) -> dict[str, object]:
    return {} if left is None else {"still_counting": {"megabytes": left[0], "of": left[1]}}


def _fields(
    lines: Sequence[tuple[Origin, PlayerStats]], report: Sequence[Fairness]
) -> dict[str, object]:
    """The report as JSON has it."""
    players = [
        {
            "of": origin,
            "game": s.game,
            "player": s.player,
            "games": s.games,
            "wins": s.wins,
            "average": round(s.mean, 2),
            "best": s.best,
        }
        for origin, s in lines
    ]
    dice = [
        {
            "of": die.whose,
            "kind": die.kind,
            "thrown": dict(zip(map(str, die.faces), die.counts, strict=True)),
            "chi_square": round(die.statistic, 3),
            "chance": die.chance,
            "verdict": die.verdict(),
        }
        for die in report
    ]
    return {"players": players, "dice": dice}


def _lines_of_wins(lines: Sequence[tuple[Origin, PlayerStats]]) -> Iterator[str]:
    if not lines:
        yield say("no game finished yet")
        return
    head = map(say, ("of", "game", "player", "games", "wins", "average", "best"))
    yield "{:<11}{:<14}{:<13}{:>6}{:>6}{:>9}{:>6}".format(*head)
    for origin, s in lines:
        who = f"{origin:<11}{s.game:<14}{printable(s.player):<13}"
        yield f"{who}{s.games:>6}{s.wins:>6}{s.mean:>9.1f}{s.best:>6}"


def _lines_of_dice(report: Sequence[Fairness]) -> Iterator[str]:
    if not report:
        yield say("no dice thrown yet")
    for die in report:
        counts = "  ".join(f"{face}: {n}" for face, n in zip(die.faces, die.counts, strict=True))
        yield f"{die.title}:  {counts}"
        sentence = f"chi-square {die.statistic:.2f}, 5 degrees of freedom: {die.verdict()}"
        yield from wrap(sentence, REPORT_COLUMNS, initial_indent="    ", subsequent_indent="    ")
