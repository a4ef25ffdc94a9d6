"""Past games: the last ones, for readers that missed their end, and a review of the present one."""

from collections.abc import Container, Iterator
from contextlib import suppress
from itertools import islice, repeat
from typing import TYPE_CHECKING, Any

from appliance.errors import JournalError
from appliance.journal.journal import Journal
from appliance.journal.log import line_to_text
from appliance.journal.origin import origin_of
from appliance.journal.saved_game import SavedGame
from appliance.journal.summary import resume_saved
from appliance.service.broadcast import MAX_ENDED_GAMES
from appliance.service.seen_table import record_of
from appliance.table.menu.reviewing import Reviewed
from appliance.table.session.prompting import MAX_DICE_SIDE_BY_SIDE
from appliance.table.session.session import LogLine, Seeded, Session, Setup
from appliance.words import Label, Verbatim
from games.dice import FIVE_DICE
from games.registry import find_game
from games.values import DieKind, Face, Keep

if TYPE_CHECKING:
    from games.strategy.review import PlayerReview

MAX_LOOKED_FOR = 4 * MAX_ENDED_GAMES
"""Among how many of the last games finished ones are looked for."""


def public_log_text(setup: Setup, line: LogLine) -> str:
    """A line of a log as text; a seed, from which the game's lots follow, is not shown."""
    return "seed" if isinstance(line, Seeded) else line_to_text(setup, line)


def past_games(journal: Journal, but: Container[int | None]) -> Iterator[dict[str, Any]]:
    """The last finished games, oldest first, except those whose numbers are in `but`.

    Each is read when it is asked for, which takes 20 ms; those that cannot be read are left out.
    """
    with suppress(JournalError):
        for saved in reversed(_last_finished(journal)):
            if saved.id not in but:
                with suppress(JournalError):
                    record = resume_saved(saved).record
                    outcome = record.rules.outcome(record.state)
                    yield {
                        "game": saved.id,
                        "title": Label(record.rules.name),
                        "players": record.setup.players,
                        "winners": () if outcome is None else outcome.winners,
                        "scores": record.rules.scores(record.state),
                        "over": outcome is not None,
                        "log": [public_log_text(record.setup, line) for line in record.log],
                    }


def _last_finished(journal: Journal) -> list[SavedGame]:
    """The last games played to their end by those who play now at this tray, the latest first."""
    own = {*journal.own_trays(), ""}
    found = (
        saved
        for saved in islice(journal.games(), MAX_LOOKED_FOR)
        if saved.ended and saved.tray in own and origin_of(saved.version) is journal.origin
    )
    return list(islice(found, MAX_ENDED_GAMES))


def review_session(session: Session) -> Iterator[tuple[Reviewed, ...] | None]:
    """The board's pages on a game's decisions; None after each step until they are known."""
    game = session.record.setup.game
    # The hints of a game are loaded when somebody wants them.
    from games.strategy.review import review_in_steps

    for players in review_in_steps(record_of(session)):
        if players is None:
            yield None
        else:
            rows = (row for player in players for row in _review_rows(player, game))
            yield from repeat(tuple(rows))


def _review_rows(player: "PlayerReview", game: str) -> Iterator[Reviewed]:
    name = Verbatim(player.player)
    cost = player.cost
    costly = [decision for decision in player.worst if decision.cost >= 0.05]
    if player.par is not None and player.luck is not None:
        parts = f"PAR {player.par:.0f}", f"DICE {round(player.luck):+}", f"CHOICES {round(-cost):+}"
        yield Reviewed("REVIEW", (name, f"{player.points} POINTS", *parts))
    elif not costly:
        yield Reviewed("REVIEW", (name, "NO MISTAKE"))
    for one in costly:
        chosen, best = Label(one.chosen), Label(one.best)
        lines = (name, chosen, "BETTER:", best, f"COST {one.cost:.1f}")
        dice = _faces(one.dice, game)
        held, better = _slots_held(one.chosen), _slots_held(one.best)
        yield Reviewed(f"IN TURN {one.turn}", lines, dice, held, better, chosen, best)


def _faces(text: str, game: str) -> tuple[Face | None, ...]:
    """The dice of a decision as the board draws them; empty for none, or more than it can draw."""
    found: list[Face | None] = []
    kinds = find_game(game).dice_kinds
    for slot, word in enumerate(text.split()):
        special = slot < len(kinds) and kinds[slot] is DieKind.POWER
        found.append(None if word == "-" else int(word) if word.isdigit() and not special else word)
    few = len(found) <= MAX_DICE_SIDE_BY_SIDE
    return tuple(found) if few and any(face is not None for face in found[:FIVE_DICE]) else ()


def _slots_held(key: str) -> tuple[int, ...] | None:
    """The slots that `Keep.key` names; None for the key of another choice."""
    verb, _, buttons = key.partition(" ")
    if key == Keep(()).key:
        return ()
    return tuple(int(n) - 1 for n in buttons) if verb == "hold" and buttons.isdigit() else None
