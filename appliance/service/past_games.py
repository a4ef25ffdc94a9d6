"""The last games that were over, for whoever missed their end."""

from collections.abc import Container, Iterator
from contextlib import suppress
from typing import Any

from appliance.errors import JournalError
from appliance.journal.database import Journal
from appliance.journal.library import Library, resumed
from appliance.journal.log import line_to_text
from appliance.service.broadcast import ENDED
from appliance.table.session.session import LogLine, Seeded, Setup


def told_text(setup: Setup, line: LogLine) -> str:
    """A line of a log; the lots of the game without what they follow from."""
    return "seed" if isinstance(line, Seeded) else line_to_text(setup, line)


def past_games(journal: Journal, but: Container[int | None]) -> Iterator[dict[str, Any]]:
    """The last games that are over, oldest first, but those of some numbers.

    Each is read when it is asked for, which takes 20 ms; what cannot be read is left out.
    """
    with suppress(JournalError):
        numbers = [entry.id for entry in Library(journal).finished()][-ENDED:]
        for number in numbers:
            if number not in but:
                with suppress(JournalError):
                    session = resumed(journal.load(number))
                    outcome = session.rules.outcome(session.state)
                    yield {
                        "game": number, "title": session.rules.TITLE,
                        "players": session.setup.players,
                        "winners": () if outcome is None else outcome.winners,
                        "scores": session.rules.scores(session.state), "over": outcome is not None,
                        "log": [told_text(session.setup, line) for line in session.log],
                    }  # fmt: skip
