"""Positions of Hold'em: a state set up or written down without the events that led to it."""

from dataclasses import replace
from typing import Any

from games.dice import FACES
from games.holdem import state as holdem
from games.holdem.betting import MAX_RAISES, live_seats
from games.holdem.course import checked_by_bag
from games.holdem.evaluator import SUITS
from games.holdem.state import COMMUNITY_BY_STAGE, Stage
from games.holdem.verbs import read_chips
from games.notation import positions
from games.notation.positions import SEATS, Codec, Field, Form, Parts, number, one_of
from games.notation.words import Words
from games.seats import roll_off_standing
from games.values import ShownDie

_KIND_BY_WORD = {str(kind): kind for kind in SUITS}
_MAX_HAND_NUMBER = 99_999
"""The largest number of a hand, and of throws of one Flop, that is accepted."""


def _make(*, players: tuple[str, ...], **fields: Any) -> holdem.State:
    """A state; `chips`, `paid`, `bet`, `live` and `pockets` by seat, the bets one by one."""
    none = (0,) * len(players)
    each = [fields.pop(name, none) for name in ("chips", "paid", "bet", "live")]
    bets = [
        (name, fields.pop(name))
        for name in ("queue", "high", "raises", "checked")
        if name in fields
    ]
    made = {
        "seats": tuple(
            holdem.Seat(c, p, b, bool(live)) for c, p, b, live in zip(*each, strict=True)
        ),
        "betting": holdem.Betting(**dict(bets)),
        "pockets": (None,) * len(players),
    }
    return holdem.State(players, **{**made, **fields})


def _parts(state: holdem.State) -> Parts:
    seats = state.seats
    yield positions.out_part(state)
    for seat in seats:
        yield seat.bet <= seat.paid, "a bet that was put in", seat
        yield not seat.live or seat.paid > 0, "an ante of each who holds dice", seat
    if state.stage is Stage.ROLL_OFF or state.roll_off:
        yield from _roll_off(state)
    if state.stage is Stage.OVER:
        yield not any(seat.paid for seat in seats), "empty pots at the end", seats
        won = bool(state.won) and all(seats[seat].chips for seat in state.won)
        yield won, "winners", state.won
    elif state.stage is not Stage.ROLL_OFF:
        yield from _hand(state)
        yield from _betting(state)
        yield from _shown(state)
    checked_by_bag(state)


def _roll_off(state: holdem.State) -> Parts:
    throws = state.roll_off
    now = roll_off_standing(len(state.players), throws)
    yield now.decided == (state.stage is not Stage.ROLL_OFF), "a roll-off that fits", throws
    if not now.decided:
        yield state.hand == 0, "no hand before the roll-off is decided", state.hand
        yield state.dealer == now.seat, f"seat {now.seat} to throw", state.dealer
        stacks = {(seat.chips, seat.paid) for seat in state.seats}
        yield len(stacks) == 1 and stacks != {(0, 0)}, "equal stacks", state.seats


def _hand(state: holdem.State) -> Parts:
    stage, due, lying = state.stage, state.due, len(state.community)
    stay, queue = live_seats(state), state.betting.queue
    yield state.hand > 0 and not state.won, "a hand that is played", state.hand
    yield bool(stay), "a player who has not folded", state.seats
    yield state.seats[state.dealer].paid > 0, "a dealer in the game", state.dealer
    if stage in COMMUNITY_BY_STAGE:
        after = COMMUNITY_BY_STAGE[stage]
        before = max((dice for dice in COMMUNITY_BY_STAGE.values() if dice < after), default=0)
        again = stage is Stage.FLOP and state.thrown > 0 and due == after == lying
        yield due in (0, after - before) or again, "dice due as the stage has", due
        yield again or lying + due == after, f"dice for the {stage}", lying
        yield bool(queue) == (not due), "seats to speak, or dice due", queue
        yield len(stay) > 1, "two players or more to bet", stay
    else:
        yield not queue and not due, "no betting and no dice due", queue
        alone = stage is Stage.PAY and len(stay) == 1
        yield alone or lying == COMMUNITY_BY_STAGE[Stage.RIVER], "all community dice", lying
    yield (state.thrown > 0) == (lying > 0), "throws of the Flop as the dice lie", state.thrown


def _betting(state: holdem.State) -> Parts:
    betting, seats = state.betting, state.seats
    queue = betting.queue
    speakers = all(seats[seat].active for seat in queue)
    yield speakers and len(set(queue)) == len(queue), "seats that can bet", queue
    bets = [seat.bet for seat in seats]
    yield betting.high == max(bets), f"high {max(bets)}, as was bet,", betting.high
    yield bool(queue) or (betting == holdem.Betting() and not any(bets)), "no bets", betting


def _shown(state: holdem.State) -> Parts:
    stay, order = live_seats(state), state.order
    shown = tuple(seat for seat, pocket in enumerate(state.pockets) if pocket)
    if state.stage is Stage.SHOWDOWN:
        done = stay[: len(stay) - len(order)]
        good = bool(order) and len(stay) > 1 and order == stay[len(done) :]
        full = (tuple(sorted(done)), tuple(sorted((*done, *order[:1]))))
        yield good and shown in full, "pockets shown in order", (shown, order)
        return
    yield not order, "nobody to show dice", order
    due = tuple(sorted(stay)) if state.stage is Stage.PAY and len(stay) > 1 else ()
    # Hands that were shown before the last of the others left stay open.
    yield shown == due or bool(state.out), f"the pockets of {due}", shown


def _read_die(words: Words) -> ShownDie:
    kind = words.one_of(_KIND_BY_WORD, "a colour")
    return ShownDie(kind, words.number(FACES[0], FACES[-1], "a face"))


def _read_dice(words: Words) -> tuple[ShownDie, ...]:
    dice = [_read_die(words)]
    while words.peek() in _KIND_BY_WORD:
        dice.append(_read_die(words))
    return tuple(dice)


def _write_dice(dice: tuple[ShownDie, ...]) -> str:
    return " ".join(f"{die.kind} {die.face}" for die in dice)


def _counted(name: str, most: int, **get: Any) -> Field:
    """A number that is left out where it is 0."""
    return Field(name, number(1, most, f"a number behind {name!r},"), absent=0, **get)


_CHIPS = Form(str, read_chips, "chips in tens")
_ONE = number(1, 1, "a number behind 'checked',")
_CHECKED = Form(lambda _: "1", lambda words: bool(_ONE.read(words)))
_DICE = Form(_write_dice, _read_dice, "dice of the bag")
_POCKET = replace(_DICE, read=lambda words: (_read_die(words), _read_die(words)))
CODEC = Codec(
    _make,
    table=(
        Field("", one_of({str(stage): stage for stage in Stage}, "a stage"), "stage"),
        _counted("hand", _MAX_HAND_NUMBER),
        Field("dealer", positions.SEAT),
        Field("high", _CHIPS, absent=0, get=lambda s: s.betting.high),
        _counted("raises", MAX_RAISES, get=lambda s: s.betting.raises),
        Field("checked", _CHECKED, absent=False, get=lambda s: s.betting.checked),
        _counted("due", COMMUNITY_BY_STAGE[Stage.FLOP]),
        _counted("thrown", _MAX_HAND_NUMBER),
        Field("again", number(0, 1, "a number of throws"), absent=None),
        Field("queue", SEATS, absent=(), get=lambda s: s.betting.queue),
        Field("order", SEATS, absent=()),
        positions.ROLL_OFF,
        Field("won", SEATS, absent=()),
        positions.OUT,
        Field("dice", _DICE, "community", absent=()),
    ),
    seat=(
        Field("", _CHIPS, "chips", get=lambda s: [seat.chips for seat in s.seats]),
        Field("paid", _CHIPS, get=lambda s: [seat.paid for seat in s.seats]),
        Field("bet", _CHIPS, get=lambda s: [seat.bet for seat in s.seats]),
        Field("in", positions.FLAG, "live", absent=False, get=lambda s: [p.live for p in s.seats]),
        Field("shows", _POCKET, "pockets", absent=None),
    ),
    parts=_parts,
)
"""The grammar is in `docs/rules/holdem.md`."""
