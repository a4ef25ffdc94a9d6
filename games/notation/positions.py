"""Helpers for the positions of all games: checks, and the reading and writing of words."""

from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

from games.checks import check_names
from games.dice import FIVE_DICE
from games.notation.words import MAX_SEATS, Words
from games.seats import Seated, roll_off_standing
from games.values import RulesError

MAX_TURNS = 999_999_999
"""The largest number of turns that is accepted."""
T = TypeVar("T")


class BadPosition(RulesError):
    """A position that no game can reach; says what is wrong with it."""


def check_part(good: bool, expected: str, found: object) -> None:
    """Raises BadPosition unless a part of a position is valid."""
    if not good:
        raise BadPosition(f"expected {expected}, got {found!r}")


def check_players(state: Seated, fewest: int, most: int) -> None:
    """Checks the names and how many there are; raises BadOptions and BadPosition."""
    check_names(state.players)
    seats = len(state.players)
    check_part(fewest <= seats <= most, f"{fewest} to {most} players", seats)


def check_roll_off(seats: int, totals: Sequence[int], first: int | None, seat: int) -> None:
    """Makes sure that `first` began, or `seat` throws next, as the totals of a roll-off say."""
    if first is None or totals:
        now = roll_off_standing(seats, totals)
        decided = now.seat if now.decided else None
        check_part(first == decided, f"first as the roll-off has it, {decided},", first)
        check_part(first is not None or seat == now.seat, f"seat {now.seat} to throw", seat)


def check_five(dice: Sequence[int]) -> None:
    """Makes sure that these are five faces; raises BadPosition."""
    good = len(dice) == FIVE_DICE and all(type(d) is int and 1 <= d <= 6 for d in dice)
    check_part(good, "five faces 1 to 6", dice)


def check_held(held: Sequence[int], dice: int) -> None:
    """Makes sure that these are slots kept of this many dice, not all; raises BadPosition."""
    good = tuple(held) == tuple(s for s in range(dice) if s in held) and len(held) < dice
    check_part(good, f"slots from 0 to {dice - 1}, ascending, not all", held)


def take_if_next(words: Words, word: str) -> bool:
    """Takes the next word if it is this one."""
    if words.peek() != word:
        return False
    words.literal(word)
    return True


def out_words(out: Sequence[int]) -> list[str]:
    """The seats that have left as words, from 1; none while nobody has."""
    return ["out", *(str(seat + 1) for seat in out)] if out else []


def read_out(words: Words) -> tuple[int, ...]:
    """Takes the words that `out_words` wrote."""
    seats: list[int] = []
    if take_if_next(words, "out"):
        seats.append(words.number(1, MAX_SEATS, "a seat") - 1)
        while words.peek().isdecimal():
            seats.append(words.number(seats[-1] + 2, MAX_SEATS, "a later seat") - 1)
    return tuple(seats)


def check_out(state: Seated, *present: int) -> None:
    """Makes sure that only players' seats have left, not all, and none of those in `present`."""
    good = bool(state.stay) and set(present) <= set(state.stay)
    check_part(
        good and max(state.out, default=0) < len(state.players), "other seats out", state.out
    )


def read_several(words: Words, name: str, read: Callable[[Words], T]) -> tuple[T, ...]:
    """Takes numbers after a name; none where the name is left out."""
    found: list[T] = []
    if take_if_next(words, name):
        found.append(read(words))
        while words.peek().isdecimal():
            found.append(read(words))
    return tuple(found)


def read_roll(words: Words, rolls: int) -> tuple[int, tuple[int, ...]]:
    """Takes the number of the roll on the table, and its five dice; 0 and no dice without one."""
    if not take_if_next(words, "roll"):
        return 0, ()
    roll = words.number(1, rolls, "a roll")
    words.literal("dice")
    return roll, read_five(words)


def read_five(words: Words) -> tuple[int, ...]:
    """Takes five faces written as one word, such as 35512."""
    text = words.peek()
    if len(text) != FIVE_DICE or not set(text) <= set("123456"):
        words.fail("five faces such as 35512")
    words.take("five faces")
    return tuple(map(int, text))


def read_slots(words: Words, dice: int) -> tuple[int, ...]:
    """Takes slots written as one word, counted from 1, such as 134; "none" for none."""
    text = words.peek()
    found = tuple(slot for slot in range(dice) if str(slot + 1) in text)
    if text != slots_word(found):
        words.fail("dice such as 134, or none")
    words.take("dice")
    return found


def slots_word(held: Collection[int]) -> str:
    """The word that `read_slots` reads."""
    return "".join(str(slot + 1) for slot in held) or "none"
