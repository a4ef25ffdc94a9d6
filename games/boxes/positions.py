"""Positions of games with a sheet of boxes."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from games.boxes.sheets import BoxSheet
from games.boxes.state import ROLLS_PER_TURN, BoxState, House, house_words
from games.dice import FIVE_DICE
from games.notation import positions
from games.notation.positions import Codec, Field, Form, Parts, check_part
from games.notation.words import Words
from games.values import OptionValue

T = TypeVar("T", bound=BoxState[Any])


class ByHouse(Protocol):
    """What a game says of sheets by some house rules."""

    @property
    def box_scores(self) -> Callable[..., Sequence[int]]:
        """The scores of five dice in each box."""

    @property
    def in_order(self) -> bool:
        """Whether boxes are filled from the top down."""


def box_codec(
    state: type[T],
    sheet: type[BoxSheet],
    by_house: Callable[[House], ByHouse],
    options: Mapping[str, Sequence[OptionValue]],
) -> Codec[T]:
    """The codec of a game with these states, sheets and options.

    Beside the fields of the state, a position can have `boxes`: of each player the points by box,
    or those of all boxes with None for an open one.
    """

    def make(*, players: tuple[str, ...], **fields: Any) -> T:
        boxes = fields.pop("boxes", ({},) * len(players))
        if "sheets" not in fields:
            fields["sheets"] = tuple(_sheet_of(sheet, points) for points in boxes)
        out = fields.get("out", ())
        left = any(one.open for seat, one in enumerate(fields["sheets"]) if seat not in out)
        due = () if left and not fields.get("roll") else None
        return state(players, **{"held": due, **fields})

    return Codec(
        make,
        table=(
            Field("house", _house_form(options), absent=()),
            Field("seat", positions.SEAT),
            positions.FIRST,
            Field("off", positions.several(positions.FIVE), "roll_off", absent=()),
            positions.OUT,
            positions.roll_field(ROLLS_PER_TURN),
            positions.DICE,
            positions.hold_field(FIVE_DICE, lambda s: s.roll and s.held is not None),
        ),
        seat=(Field("", Form(sheet.to_words, sheet.from_words), "sheets"),),
        parts=lambda state: _parts(state, len(sheet.BOX), by_house(state.house)),
    )


def _house_form(options: Mapping[str, Sequence[OptionValue]]) -> Form:
    """House rules, each as an option with its value: `order=top-down`."""
    table = {
        house_words(((name, value),)): (name, value)
        for name, (_, *others) in sorted(options.items())
        if name != "first"
        for value in others
    }
    one = positions.one_of(table, "a house rule")

    def read(words: Words) -> House:
        found = [one.read(words)]
        while "=" in (words.peek() or ""):
            found.append(one.read(words))
        names = [name for name, _ in found]
        check_part(
            len(set(names)) == len(names), "house rules, each once", house_words(tuple(found))
        )
        return tuple(sorted(found))

    return Form(house_words, read, f"house rules in order, each once, of {', '.join(table)}")


def _sheet_of(sheet: type[BoxSheet], points: Mapping[Any, int] | Sequence[int | None]) -> BoxSheet:
    if not isinstance(points, Mapping):
        return sheet.of(points)
    by_word = {getattr(box, "word", box): number for box, number in points.items()}
    every = [box.word for box in sheet.BOX]
    for word in by_word:
        check_part(word in every, f"a box ({', '.join(every)})", word)
    return sheet.of([by_word.get(word) for word in every])


def _parts(state: BoxState[Any], boxes: int, game: ByHouse) -> Parts:
    for sheet in state.sheets:
        sheet.check(game.box_scores)
        if game.in_order:
            filled = (1 << boxes) - 1 & ~sheet.open
            yield not filled & filled + 1, "boxes filled from the top down", sheet.boxes
    yield positions.out_part(state, state.seat)
    totals = [sum(throw) for throw in state.roll_off]
    yield from positions.roll_off_parts(len(state.players), totals, state.first, state.seat)
    filled = [sheet.filled for sheet in state.sheets]
    over = all(filled[seat] == boxes for seat in state.stay)
    yield from _turns(state, filled, over)
    free = 1 if over or state.first is None else ROLLS_PER_TURN + 1
    yield from positions.roll_parts(state, range(free))
    if over or state.roll == ROLLS_PER_TURN:
        yield state.held is None, "held None, as no throw can follow", state.held
    elif not state.roll:
        yield state.held == (), "held (), as a throw must follow", state.held


def _turns(state: BoxState[Any], filled: Sequence[int], over: bool) -> Parts:
    seats, first = len(state.players), state.first
    if first is None:
        yield not any(filled), "empty sheets before the first turn", filled
    elif over:
        seat = first if first in state.stay else (first + state.to_next(first)) % seats
        yield state.seat == seat, f"seat {seat} at the end", state.seat
    else:
        done = (state.seat - first) % seats
        for turn in range(seats):
            seat = (first + turn) % seats
            count, expected = filled[seat], filled[state.seat] + (turn < done)
            good = count == expected or (seat in state.out and count < expected)
            yield good, f"{expected} boxes filled in turn", count
