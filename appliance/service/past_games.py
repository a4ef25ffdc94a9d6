"""Past games: the last ones, for readers that missed their end, and a review of the present one."""

from collections.abc import Container, Iterator
from contextlib import suppress
from itertools import repeat
from typing import Any

from appliance.errors import JournalError
from appliance.journal.best_scores import finished_games
from appliance.journal.database import Journal
from appliance.journal.log import line_to_text
from appliance.journal.sessions import resume_saved
from appliance.rules.record import Record
from appliance.service.broadcast import MAX_ENDED_GAMES
from appliance.strategy.review import PlayerReview, review_in_steps
from appliance.table.session.session import LogLine, Seeded, Session, Setup
from appliance.words import Verbatim


def public_log_text(setup: Setup, line: LogLine) -> str:
    """A line of a log as text; a seed, from which the game's lots follow, is not shown."""
    return "seed" if isinstance(line, Seeded) else line_to_text(setup, line)


def past_games(journal: Journal, but: Container[int | None]) -> Iterator[dict[str, Any]]:
    """The last finished games, oldest first, except those whose numbers are in `but`.

    Each is read when it is asked for, which takes 20 ms; those that cannot be read are left out.
    """
    with suppress(JournalError):
        numbers = [entry.id for entry in finished_games(journal)][-MAX_ENDED_GAMES:]
        for number in numbers:
            if number not in but:
                with suppress(JournalError):
                    session = resume_saved(journal.load(number))
                    outcome = session.rules.outcome(session.state)
                    yield {
                        "game": number,
                        "title": session.rules.TITLE,
                        "players": session.setup.players,
                        "winners": () if outcome is None else outcome.winners,
                        "scores": session.rules.scores(session.state),
                        "over": outcome is not None,
                        "log": [public_log_text(session.setup, line) for line in session.log],
                    }


Row = tuple[str, tuple[str, ...]]


def review_session(session: Session) -> Iterator[tuple[Row, ...] | None]:
    """What the board says about a game's decisions; None after each step until it is known."""
    setup = session.setup
    tags = setup.game, session.rules.EDITION, setup.players, setup.options
    record = Record(*tags, session.events, seed=session.seed)
    for players in review_in_steps(record):
        if players is None:
            yield None
        else:
            yield from repeat(tuple(row for player in players for row in _review_rows(player)))


def _review_rows(player: PlayerReview) -> Iterator[Row]:
    name = Verbatim(player.player)
    cost = player.cost
    costly = [decision for decision in player.worst if decision.cost >= 0.05]
    if player.par is not None and player.luck is not None:
        parts = f"PAR {player.par:.0f}", f"DICE {round(player.luck):+}", f"CHOICES {round(-cost):+}"
        yield "REVIEW", (name, f"{player.points} POINTS", *parts)
    elif not costly:
        yield "REVIEW", (name, "NO MISTAKE")
    for one in costly:
        yield f"IN TURN {one.turn}", (name, one.chosen, "BETTER:", one.best, f"COST {one.cost:.1f}")
