"""Hold'em as text: its choices, such as `raise 10`, and its positions.

A position is a state set up or written down without the events that led to it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from games.dice import FACES, FIVE_DICE
from games.holdem import state as holdem
from games.holdem.betting import BETS, MAX_RAISES, SMALLEST_CHIP, live_seats
from games.holdem.course import checked_by_bag
from games.holdem.evaluator import (
    DICE_PER_SUIT,
    SUITS,
    Rank,
    best_five,
    is_bag_die,
    surplus_colour,
)
from games.notation.positions import (
    check_out,
    check_part,
    check_players,
    read_out,
    read_several,
    take_if_next,
)
from games.notation.verbs import NamedHand, Verb, pattern_verb, plain_verb
from games.notation.words import Words, quote
from games.seats import roll_off_standing
from games.values import RulesError, ShownDie

_COLOUR_BY_LETTER = {kind.value[0]: kind for kind in SUITS}
_COLOURED_DIE = re.compile(r"([rbwy])([1-6])")
_KIND_BY_WORD = {str(kind): kind for kind in SUITS}
_MAX_CHIPS = 1_000_000
"""The largest number of chips that is accepted."""


def die_to_text(die: ShownDie) -> str:
    """A die such as `red 6`."""
    return f"{die.kind} {die.face}"


def read_die(words: Words) -> ShownDie:
    """Takes a die as `die_to_text` writes it."""
    kind = words.one_of(_KIND_BY_WORD, "a colour")
    return ShownDie(kind, words.number(FACES[0], FACES[-1], "a face"))


def read_dice(words: Words) -> tuple[ShownDie, ...]:
    """Takes dice, as many as there are."""
    dice = [read_die(words)]
    while words.peek() in _KIND_BY_WORD:
        dice.append(read_die(words))
    return tuple(dice)


def name_hand(words: Sequence[str]) -> NamedHand:
    """The best hand of dice such as `r5`.

    Raises:
        RulesError: for other words, a number of dice that is not 5 to 7, or a sixth of a colour.
    """
    dice = []
    for word in words:
        found = _COLOURED_DIE.fullmatch(word)
        if found is None:
            raise RulesError(f"expected a colour and a face such as r5 (r b w y), found {word!r}")
        dice.append(ShownDie(_COLOUR_BY_LETTER[found[1]], int(found[2])))
    if not FIVE_DICE <= len(dice) <= holdem.COMMUNITY_DICE + holdem.POCKET_DICE:
        most = holdem.COMMUNITY_DICE + holdem.POCKET_DICE
        raise RulesError(f"expected {FIVE_DICE} to {most} dice, found {len(dice)}")
    if (kind := surplus_colour(dice)) is not None:
        raise RulesError(
            f"expected at most {DICE_PER_SUIT} dice of a colour, found more {kind} ones"
        )
    hand, five = best_five(tuple(dice))
    shown = sorted(five, key=lambda die: hand.faces.index(die.face))
    written = tuple(f"{die.kind[0]}{die.face}" for die in shown)
    return NamedHand(hand.rank.word, written, f"{hand.alike} of a colour")


def read_chips(words: Words) -> int:
    """Takes chips in whole tens."""
    if words.peek()[-1:] != "0":
        words.fail("chips in tens")
    return words.number(0, _MAX_CHIPS, "chips")


def _chips_verb(word: str, event: Any) -> Verb[Any]:
    """How a bet or a raise is written."""
    return Verb(
        word,
        event,
        lambda bet: str(bet.chips),
        lambda words: event(read_chips(words)),
        actions=tuple(str(chips) for chips in BETS),
    )


VERBS: tuple[Verb[Any], ...] = (
    plain_verb("check", holdem.Check),
    _chips_verb("bet", holdem.Bet),
    Verb(
        "call",
        holdem.Call,
        lambda call: str(call.chips),
        lambda words: holdem.Call(read_chips(words)),
        actions=("",),
        action=lambda _: "",
    ),
    _chips_verb("raise", holdem.Raise),
    plain_verb("all-in", holdem.AllIn),
    plain_verb("fold", holdem.Fold),
    pattern_verb("declare", holdem.Declare, "rank", Rank, "a hand"),
    plain_verb("take-pot", holdem.TakePot),
)
"""`bet 10` and `call 10` name the chips that are put in, `raise 10` those beyond the call."""


_STAGE_BY_WORD = {str(stage): stage for stage in holdem.Stage}
_MAX_HAND_NUMBER = 99_999
"""The largest number of a hand, and of throws of one Flop, that is accepted."""


def position(state: holdem.State) -> holdem.State:
    """The state itself, after a check that its parts are consistent.

    Raises:
        BadPosition: for inconsistent parts. BadOptions: for names that are not allowed.
        IllegalEvent: for more dice of a colour than the bag has.
    """
    players = range(len(state.players))
    check_players(state, holdem.MIN_PLAYERS, holdem.MAX_PLAYERS)
    check_out(state)
    check_part(
        len(state.seats) == len(players) == len(state.pockets), "a seat for each", state.seats
    )
    check_part(state.dealer in players, "the seat of the dealer", state.dealer)
    for seat in state.seats:
        chips = (seat.chips, seat.paid, seat.bet)
        check_part(all(c >= 0 and c % SMALLEST_CHIP == 0 for c in chips), "chips in tens", chips)
        check_part(seat.bet <= seat.paid, "a bet that was put in", seat)
        check_part(not seat.live or seat.paid > 0, "an ante of each who holds dice", seat)
    every = (*state.community, *(die for pocket in state.pockets for die in pocket or ()))
    check_part(all(map(is_bag_die, every)), "dice of the bag", every)
    if state.stage is holdem.Stage.ROLL_OFF or state.roll_off:
        _check_roll_off(state)
    if state.stage is holdem.Stage.OVER:
        check_part(not any(seat.paid for seat in state.seats), "empty pots at the end", state.seats)
        won = bool(state.won) and all(state.seats[s].chips for s in state.won)
        check_part(won, "winners", state.won)
    elif state.stage is not holdem.Stage.ROLL_OFF:
        _check_hand(state)
    return checked_by_bag(state)


def _check_roll_off(state: holdem.State) -> None:
    throws = state.roll_off
    check_part(all(face in range(1, 7) for face in throws), "faces 1 to 6", throws)
    now = roll_off_standing(len(state.players), throws)
    check_part(
        now.decided == (state.stage is not holdem.Stage.ROLL_OFF), "a roll-off that fits", throws
    )
    if not now.decided:
        check_part(state.hand == 0, "no hand before the roll-off is decided", state.hand)
        check_part(state.dealer == now.seat, f"seat {now.seat} to throw", state.dealer)
        stacks = {(seat.chips, seat.paid) for seat in state.seats}
        check_part(len(stacks) == 1 and stacks != {(0, 0)}, "equal stacks", state.seats)


def _check_hand(state: holdem.State) -> None:
    stage, betting = state.stage, state.betting
    stay = live_seats(state)
    check_part(state.hand > 0 and not state.won, "a hand that is played", state.hand)
    check_part(bool(stay), "a player who has not folded", state.seats)
    check_part(state.seats[state.dealer].paid > 0, "a dealer in the game", state.dealer)
    lying, due = len(state.community), state.due
    again = (
        stage is holdem.Stage.FLOP
        and state.thrown > 0
        and due == holdem.COMMUNITY_BY_STAGE[stage] == lying
    )
    if stage in holdem.COMMUNITY_BY_STAGE:
        before = 0
        if stage is not holdem.Stage.OPEN:
            stage_before = holdem.BETTING_STAGES[holdem.BETTING_STAGES.index(stage) - 1]
            before = holdem.COMMUNITY_BY_STAGE[stage_before]
        of_stage = holdem.COMMUNITY_BY_STAGE[stage]
        check_part(due in (0, of_stage - before) or again, "dice due as the stage has", due)
        check_part(again or lying + due == of_stage, f"dice for the {stage}", lying)
        check_part(bool(betting.queue) == (not due), "seats to speak, or dice due", betting.queue)
        check_part(len(stay) > 1, "two players or more to bet", stay)
    else:
        check_part(not betting.queue and not due, "no betting and no dice due", betting.queue)
        whole = lying == holdem.COMMUNITY_BY_STAGE[holdem.Stage.RIVER] or (
            stage is holdem.Stage.PAY and len(stay) == 1
        )
        check_part(whole, "all community dice", lying)
    check_part(
        (state.thrown > 0) == (lying > 0), "throws of the Flop as the dice lie", state.thrown
    )
    queue = betting.queue
    speakers = all(0 <= s < len(state.seats) and state.seats[s].active for s in queue)
    check_part(speakers and len(set(queue)) == len(queue), "seats that can bet", queue)
    check_part(betting.raises in range(MAX_RAISES + 1), f"0 to {MAX_RAISES} raises", betting.raises)
    bets = [seat.bet for seat in state.seats]
    check_part(betting.high == max(bets), f"high {max(bets)}, as was bet,", betting.high)
    check_part(bool(queue) or (betting == holdem.Betting() and not any(bets)), "no bets", betting)
    _check_shown(state, stay)


def _check_shown(state: holdem.State, stay: tuple[int, ...]) -> None:
    shown = tuple(seat for seat, pocket in enumerate(state.pockets) if pocket)
    done = stay[: len(stay) - len(state.order)]
    good = state.order == stay[len(done) :]
    if state.stage is holdem.Stage.SHOWDOWN:
        good = good and bool(state.order) and len(stay) > 1
        full = (tuple(sorted(done)), tuple(sorted((*done, *state.order[:1]))))
        check_part(good and shown in full, "pockets shown in order", (shown, state.order))
        return
    check_part(not state.order, "nobody to show dice", state.order)
    due = tuple(sorted(stay)) if state.stage is holdem.Stage.PAY and len(stay) > 1 else ()
    # Hands that were shown before the last of the others left stay open.
    check_part(shown == due or bool(state.out), f"the pockets of {due}", shown)


def position_to_text(state: holdem.State) -> str:
    """The state in one line; the grammar is in `docs/rules/holdem.md`."""
    betting = state.betting
    numbers = (
        ("hand", state.hand),
        ("dealer", state.dealer + 1),
        ("high", betting.high),
        ("raises", betting.raises),
        ("checked", int(betting.checked)),
        ("due", state.due),
        ("thrown", state.thrown),
    )
    parts = [str(state.stage), *(f"{name} {n}" for name, n in numbers if n)]
    if state.again is not None:
        parts.append(f"again {state.again}")
    lists: tuple[tuple[str, Iterable[str]], ...] = (
        ("queue", _seat_words(betting.queue)),
        ("order", _seat_words(state.order)),
        ("off", map(str, state.roll_off)),
        ("won", _seat_words(state.won)),
        ("out", _seat_words(state.out)),
        ("dice", map(die_to_text, state.community)),
    )
    parts += [f"{name} {' '.join(some)}" for name, each in lists if (some := tuple(each))]
    for name, seat, pocket in zip(state.players, state.seats, state.pockets, strict=True):
        parts.append(f"| {quote(name)} {seat.chips} paid {seat.paid} bet {seat.bet}")
        if seat.live:
            parts.append("in")
        if pocket:
            parts.append(f"shows {' '.join(map(die_to_text, pocket))}")
    return " ".join(parts)


def _seat_words(seats: Iterable[int]) -> Iterable[str]:
    return (str(seat + 1) for seat in seats)


def position_from_text(words: Words) -> holdem.State:
    """The state that `position_to_text` wrote.

    Raises:
        RecordError: for words that are not a position. RulesError: for an impossible one.
    """
    stage = words.one_of(_STAGE_BY_WORD, "a stage")
    hand = _read_number(words, "hand", _MAX_HAND_NUMBER)
    dealer = _read_number(words, "dealer", holdem.MAX_PLAYERS) - 1
    high = read_chips(words) if take_if_next(words, "high") else 0
    raises = _read_number(words, "raises", MAX_RAISES)
    checked = bool(_read_number(words, "checked", 1))
    due = _read_number(words, "due", holdem.COMMUNITY_BY_STAGE[holdem.Stage.FLOP])
    thrown = _read_number(words, "thrown", _MAX_HAND_NUMBER)
    again = words.number(0, 1, "a number of throws") if take_if_next(words, "again") else None
    queue = read_several(words, "queue", _read_seat)
    order = read_several(words, "order", _read_seat)
    roll_off = read_several(words, "off", lambda w: w.number(1, 6, "a face"))
    won = read_several(words, "won", _read_seat)
    out = read_out(words)
    community = read_dice(words) if take_if_next(words, "dice") else ()
    players, seats, pockets = list[str](), list[holdem.Seat](), list[holdem.Pocket | None]()
    while take_if_next(words, "|"):
        players.append(words.quoted("a name"))
        chips = read_chips(words)
        words.literal("paid")
        paid = read_chips(words)
        words.literal("bet")
        bet = read_chips(words)
        seats.append(holdem.Seat(chips, paid, bet, take_if_next(words, "in")))
        shows = take_if_next(words, "shows")
        pockets.append((read_die(words), read_die(words)) if shows else None)
    words.end("'|' and a player")
    bets = holdem.Betting(queue, high, raises, checked)
    state = holdem.State(
        tuple(players), tuple(seats), again, stage, hand, dealer, bets, community, due
    )
    shown = replace(state, thrown=thrown, pockets=tuple(pockets), order=order)
    return position(replace(shown, roll_off=roll_off, won=won, out=out))


def _read_number(words: Words, name: str, most: int) -> int:
    """The number after a name; 0 where the name is left out."""
    return words.number(1, most, f"a number behind {name!r},") if take_if_next(words, name) else 0


def _read_seat(words: Words) -> int:
    return words.number(1, holdem.MAX_PLAYERS, "a seat") - 1
