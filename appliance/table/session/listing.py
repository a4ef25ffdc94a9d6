"""The list of choices that the board goes through, and its order."""

from collections.abc import Mapping

from appliance.table.session.modes import Browsing
from appliance.table.session.session import Session, dice_on_table
from games.values import Choice, Keep, Pass, Points


def offers(session: Session) -> Mapping[Choice, Points | None]:
    """All choices but the holds, with what each would score now."""
    return session.record.rules.offers(session.record.state)


def ranked_choices(session: Session) -> tuple[Choice, ...]:
    """The choices that the board lists: all but the holds, the most points first.

    The first `count_of_entries` are the best choice of each box or card. Of equals the one that the
    dice make more rarely comes first: 4 ALIKE before 3 ALIKE. Those that score nothing or cost
    something come in the order of the rules. For a beginner the one that is best to take comes
    before all. Behind them are the choices that score less in the same boxes.
    """
    worth = {c: max(0, (points or Points(0)).points) for c, points in offers(session).items()}
    best = session.first[1] if is_advised(session) and session.first else None

    def place(choice: Choice) -> tuple[bool, int, int]:
        rarity = _place_by_rarity(choice) if worth[choice] else 0
        return choice != best, -worth[choice], rarity

    ranked = sorted(worth, key=place)
    entries = {choice.entry: choice for choice in reversed(ranked)}
    return tuple(sorted(ranked, key=lambda choice: entries[choice.entry] is not choice))


def count_of_entries(session: Session) -> int:
    """How many entries the list has: one for each box or card that something can be done with."""
    listed = listed_choices(session)
    if listed != ranked_choices(session):
        # Each act of a round of betting has its place.
        return len(listed)
    return len({choice.entry for choice in listed})


def browsing(session: Session, index: int, confirm: bool = False) -> Browsing:
    """The mode in which the board shows this one of the `listed_choices`."""
    return Browsing(index, confirm, less=index >= count_of_entries(session))


def opens_others(session: Session, mode: Browsing) -> bool:
    """True if the list is at the entry that opens the choices which score less."""
    return not mode.less and mode.index >= count_of_entries(session)


def is_advised(session: Session) -> bool:
    """True once it has been said what a beginner had best take now."""
    return session.first is not None and session.first[0] == session.record.state


_RAREST_FIRST = (
    {"five-alike"},
    {"four-alike"},
    {"large-straight"},
    {"full-house"},
    {"small-straight"},
    {"three-alike"},
    {"two-pairs"},
    {"aces", "ones", "twos", "threes", "fours", "fives", "sixes"},
    {"choice"},
)
"""The keys of boxes and cards, the rarest throw first; any throw makes the others."""


def _place_by_rarity(choice: Choice) -> int:
    for place, names in enumerate(_RAREST_FIRST):
        if not names.isdisjoint(choice.key.split()):
            return place
    return len(_RAREST_FIRST)


def only_passes(session: Session) -> bool:
    """True if nothing is left to a player but to pass: the dice make nothing, no roll is left."""
    choices = session.record.choices
    return len(choices) == 1 and isinstance(choices[0], Pass)


def must_throw(session: Session) -> bool:
    """True if dice must be thrown again, as all that a player can choose is which to hold."""
    return all(isinstance(choice, Keep) for choice in session.record.choices)


def listed_choices(session: Session) -> tuple[Choice, ...]:
    """The board's list: `ranked_choices`, or in a round of betting every action in its place.

    Some of those may not be possible now, as `may_choose` says.
    """
    bets = session.record.rules.bets(session.record.state)
    return tuple(bets.acts) if bets is not None and bets.acts else ranked_choices(session)


def may_choose(session: Session, choice: Choice) -> bool:
    """True if the rules allow a listed choice now."""
    return choice in session.record.choices


def lists_at_once(session: Session) -> bool:
    """True if a decision is shown as a list at once, as no die may be thrown again for it."""
    return not dice_on_table(session) or bool(session.record.kinds)
