"""Entries in the session's record: events, lots, their undoing, and who joins late.

In games that allow it a player may join in the first round and plays last in it. What happened so
far does not change: it is replayed in a game with one more player, which has a record of its own;
the game without that player stays where it is.
"""

from dataclasses import replace
from itertools import chain
from typing import Any

from appliance.table.session import session as sessions
from appliance.table.session.modes import Playing
from appliance.table.session.session import Session, new_record
from appliance.words import Label
from games import values as game
from games.game import Game


def play(session: Session, *events: game.Event) -> Session:
    """The session with these events played and on record.

    IllegalEvent if the rules do not allow one of them; the session is then unchanged.
    """
    before, now = session.record, session.record.played(*events)
    return replace(
        session,
        record=now,
        mode=Playing(),
        tracked=session.tracked.counted(),
        banked=max(0, now.rules.banked(now.state) - before.rules.banked(before.state)),
        remark="",
    )


def choose(session: Session, choice: game.Choice) -> Session:
    """The session with a player's choice played, and its result as news for the board."""
    ask = session.record.ask
    seat = ask.seat if ask is not None else 0
    after = play(session, choice)
    # If another's dice count now, as when a pot goes to them, the dice lying there are not theirs.
    now, dice = dict(enumerate(after.record.dice)), session.record.dice
    lay = session.tracked.places
    tracked = after.tracked.placed({t: s for t, s in lay if now.get(s) in (None, *dice[s : s + 1])})
    rules = session.record.rules
    scored = scored_by(rules, session.record.state, after.record.state, seat, choice)
    return replace(after, tracked=tracked, scored=scored)


def scored_by(
    rules: Game[Any], before: Any, after: Any, seat: int, choice: game.Choice
) -> sessions.Scored:
    """What a choice has brought to the seat that made it, from the state before and after it.

    A card of which the points count later, once it is banked, adds less than it is worth.
    """
    points = rules.preview(before, choice) or game.Points(0)
    bets = rules.bets(before)
    held = rules.scores(before)
    totals = rules.scores(after)[seat] - held[seat]
    gained = points.points if bets is not None else int(totals)
    won: dict[int, int] = {}
    for winner, chips in chain.from_iterable(bets.pots if bets is not None else ()):
        won[winner] = won.get(winner, 0) + chips
    return sessions.Scored(
        seat,
        choice,
        gained,
        Label(points.reason),
        celebrated=is_celebrated(rules, choice, points),
        later=points.points > 0 and gained < points.points,
        won=tuple(won.items()),
        taken_from=next(
            (
                place.owner
                for place in rules.table_view(before).places
                if place.key == choice.key and place.owner not in (None, seat)
            ),
            None,
        ),
        all_in=bets is not None and bets.acts.get(choice, 0) == held[seat] > 0,
        # Who has put in everything and gets nothing of the pots has lost it.
        out=tuple(seat for seat in bets.in_hand if not held[seat] and seat not in won)
        if bets is not None and bets.pots
        else (),
    )


def last_scored(session: Session, count: int) -> tuple[sessions.Scored, ...]:
    """What the last choices have brought that brought something, a zero, or were passes.

    The last one comes first. Bets are none: what they bring comes with the pot.
    """
    rules, state = session.record.rules, sessions.replay(session.record.setup, ())
    made = list[tuple[Any, Any, int, game.Choice]]()
    for event in session.record.events:
        asked, before, state = rules.ask(state), state, rules.apply(state, event)
        match asked, event:
            case (game.Draw(), _) | (_, game.Keep()):
                pass
            case game.Choose(seat=seat), game.Choice():
                made.append((before, state, seat, event))
    found = list[sessions.Scored]()
    while made and len(found) < count:
        before, after, seat, choice = made.pop()
        bets = rules.bets(before)
        if bets is None or bets.pots:
            scored = scored_by(rules, before, after, seat, choice)
            passed = isinstance(choice, game.Pass)
            if scored.points or scored.later or scored.is_zero or passed:
                found.append(scored)
    return tuple(found)


def is_celebrated(rules: Game[Any], choice: game.Choice, points: game.Points) -> bool:
    """True if the board celebrates a choice that scores these points."""
    said = f"{choice.key} {points.reason}".split()
    return points.points > 0 and not set(said).isdisjoint(rules.rarest)


def may_leave(session: Session, seat: int) -> bool:
    """True if this player may leave now."""
    try:
        session.record.played(game.Left(seat))
    except game.IllegalEvent:
        return False
    return True


def play_leaving(session: Session, seat: int) -> Session:
    """The session after a player leaves; if another player is being asked, they continue as before.

    IllegalEvent if this player may not leave now.
    """
    after = replace(play(session, game.Left(seat)), scored=None)
    if session.record.ask != after.record.ask:
        return after
    record = after.record.holding_as(session.record)
    return replace(after, record=record, mode=session.mode, tracked=session.tracked)


def play_lot(session: Session, lot: game.Choice) -> Session:
    """The session with a lot played, if it is one that was asked for."""
    ask = session.record.ask
    if not isinstance(ask, game.Draw) or lot not in ask.lots:
        return session
    # A card turned up is not the player's doing: what they did last stays on the board.
    return replace(play(session, lot), scored=session.scored)


def play_decision(session: Session, event: game.Event) -> Session:
    """The session after a computer's decision; one that comes too late is dropped."""
    legal = isinstance(event, game.Shown) or event in session.record.choices
    if not sessions.is_computers_turn(session) or not legal:
        return session
    if isinstance(event, game.Keep):
        return replace(session, record=session.record.holding(event.slots), scored=None)
    return choose(session, event) if isinstance(event, game.Choice) else play(session, event)


def undo_count(session: Session, steps: int) -> int:
    """How many events go if the last `steps` choices are taken back; 0 for too many steps."""
    choices = sessions.player_choices(session)
    return len(session.record.events) - choices[-steps] if 0 < steps <= len(choices) else 0


def may_undo(session: Session) -> bool:
    """Whether there is a choice to take back; quick in a long game, too."""
    return bool(sessions.player_choices(session, all_of_them=False))


def undo(session: Session, steps: int) -> Session:
    """The session with the last `steps` choices, and everything after them, taken back."""
    count = undo_count(session, steps)
    if not count:
        return replace(session, mode=Playing())
    # Nothing is played, but what was going on is over.
    return play(replace(session, record=session.record.undone(count), scored=None))


def taken_back(session: Session) -> tuple[game.Event, ...]:
    """The events that the last undo took back and that can be put back; empty if there are none.

    Undoing several times and putting back goes step by step, until something else is played.
    """
    events: list[game.Event] = []
    taken: list[tuple[game.Event, ...]] = []
    lines = [
        line for line in session.record.log if isinstance(line, sessions.Played | sessions.Undone)
    ]
    at = 0
    while at < len(lines):
        line = lines[at]
        if isinstance(line, sessions.Undone):
            taken.append(tuple(events[len(events) - line.events :]))
            del events[len(events) - line.events :]
        elif taken and lines[at : at + len(taken[-1])] == [*map(sessions.Played, taken[-1])]:
            at += len(taken[-1]) - 1
            events += taken.pop()
        else:
            taken.clear()
            events.append(line.event)
        at += 1
    return taken[-1] if taken else ()


def put_back(session: Session) -> Session:
    """The session with what the last undo took back played again."""
    events = taken_back(session)
    after = play(session, *events) if events else replace(session, mode=Playing())
    return replace(after, scored=None)


def with_player_named(session: Session, seat: int, name: str) -> Session:
    """The session with another name for the player in a seat; what happened stays as it is."""
    record, players = session.record, session.record.setup.players
    setup = replace(record.setup, players=(*players[:seat], name, *players[seat + 1 :]))
    state = sessions.replay(setup, record.events)
    return replace(session, record=replace(record, setup=setup, state=state))


def why_nobody_can_join(session: Session) -> tuple[str, str] | None:
    """Why nobody can join now, in the board's words; None where somebody can."""
    rules, turn = session.record.rules, session.record.rules.turn(session.record.state)
    if not rules.latecomers:
        return "NOBODY JOINS", "THIS GAME"
    if len(session.record.setup.players) >= rules.max_players:
        return "THE TABLE", "IS FULL"
    if turn > 1:
        return "TOO LATE", "TO JOIN"
    return None if turn else ("NOT YET:", "WHO BEGINS?")


def add_latecomer(session: Session, name: str) -> Session:
    """The session with one more player, who has the last turn of the round; a game of its own.

    IllegalEvent or BadOptions if nobody can join now.
    """
    record, rules, setup = session.record, session.record.rules, session.record.setup
    first: int = record.state.first
    at = first or len(setup.players)
    players = (*setup.players[:at], name, *setup.players[at:])
    options = dict(setup.options) | {"first": first + (at <= first)}
    setup = sessions.Setup(setup.game, players, tuple(sorted(options.items())))
    events: list[game.Event] = []
    state = sessions.replay(record.setup, ())
    for event in record.events:
        # The roll-off is left out, along with any corrections in it.
        if rules.turn(state) == 1 and (events or not isinstance(event, game.Corrected)):
            shifted = isinstance(event, game.Left) and event.seat >= at
            events.append(
                game.Left(event.seat + 1) if isinstance(event, game.Left) and shifted else event
            )
        state = rules.apply(state, event)
    joined = new_record(setup, record.serial + 1).played(*events)
    return replace(session, record=joined.holding_as(record))
