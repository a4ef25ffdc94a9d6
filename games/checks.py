"""Helpers that all games share: checks of players, options and throws, refusals, a table."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeGuard, TypeVar

from games.values import (
    ROLL_OFF,
    Ask,
    BadOptions,
    Choose,
    Corrected,
    Draw,
    Event,
    Face,
    IllegalEvent,
    Keep,
    Options,
    OptionValue,
)

T = TypeVar("T")


def check_names(players: Sequence[str]) -> None:
    """Makes sure that players are a list of names that can be written on a line of text.

    Raises:
        BadOptions: for a single text instead of a list, and for a name that is empty or has
            characters that cannot be printed.
    """
    if isinstance(players, str):
        raise BadOptions(f"expected a list of names, got the text {players!r}")
    for name in players:
        if not isinstance(name, str) or not name.strip() or not name.isprintable():
            raise BadOptions(f"expected a name of printable characters, got {name!r}")


def check_start(
    game: str, players: Sequence[str], counts: range, options: Options, known: Collection[str]
) -> None:
    """Makes sure that a game can be started with these players, and has these options.

    Args:
        game: as people write it, for the error.
        players: the names by seat.
        counts: how many may play.
        options: as given.
        known: the options that the game has.

    Raises:
        BadOptions: for a wrong number of players, a name that is empty or cannot be printed, or
            an unknown option.
    """
    check_names(players)
    if len(players) not in counts:
        fewest, most = counts[0], counts[-1]
        raise BadOptions(f"{game} is for {fewest} to {most} players, got {len(players)}")
    if unknown := sorted(set(options) - set(known)):
        raise BadOptions(f"{game} has no option {unknown[0]!r}; it has {sorted(known)}")


def check_option(name: str, value: OptionValue, known: Sequence[OptionValue]) -> None:
    """Makes sure that an option has one of its values; raises BadOptions."""
    # Not only `in`: False and 0.0 must not pass for 0.
    if not any(value == good and type(value) is type(good) for good in known):
        raise BadOptions(f"option {name}: expected {' or '.join(map(repr, known))}, got {value!r}")


def who_begins(
    options: Options, seats: int, option: str = "first", *, roll_off: bool = False
) -> int | None:
    """The seat that an option names, by default the first; None where a roll-off decides.

    Args:
        options: as given.
        seats: how many there are.
        option: the one that names the seat.
        roll_off: whether a roll-off is possible, and so the default; a single player has none.

    Raises:
        BadOptions: for a value that is not a seat.
    """
    first = options.get(option, ROLL_OFF if roll_off else 0)
    if roll_off and first == ROLL_OFF:
        return None if seats > 1 else 0
    if type(first) is not int or not 0 <= first < seats:
        either = f"{ROLL_OFF!r} or " if roll_off else ""
        raise BadOptions(
            f"option {option}: expected {either}a seat from 0 to {seats - 1}, got {first!r}"
        )
    return first


def is_numbered_face(face: object) -> TypeGuard[int]:
    """True if a face is that of a numbered die."""
    # Not isinstance: True must not pass for a 1.
    return type(face) is int and 1 <= face <= 6


def numbered_faces(faces: Sequence[Face], count: int) -> tuple[int, ...] | None:
    """The faces, if they are those of exactly this many numbered dice; else None."""
    if len(faces) != count:
        return None
    # Not isinstance: True must not pass for a 1. A loop, as every throw comes here.
    for face in faces:
        if type(face) is not int or not 1 <= face <= 6:
            return None
    found: tuple[Any, ...] = tuple(faces)
    return found


def is_exactly(given: object, legal: object) -> bool:
    """True if something given equals what is legal, and is of the same type in all its parts.

    1.0, True and a member of another game's boxes all equal 1, but are no number of a box here: a
    state or a record that has taken one could not be read again.
    """
    if given is legal:
        return True
    if type(given) is not type(legal) or given != legal:
        return False
    if isinstance(legal, tuple) and isinstance(given, tuple):
        return all(map(is_exactly, given, legal))
    # The fields of a dataclass, in order.
    parts: tuple[str, ...] = getattr(legal, "__match_args__", ())
    return all(is_exactly(getattr(given, part), getattr(legal, part)) for part in parts)


def is_legal_keep(keep: Keep, keeps: Mapping[tuple[int, ...], Keep]) -> bool:
    """True if this is one of the keeps, which are given by their slots."""
    try:
        known = keeps.get(keep.slots)
    except TypeError:
        # A list, which no state can hold.
        return False
    # Nearly always it is the very one that was among the choices.
    return known is keep or (known is not None and is_exactly(keep, known))


def check_slot(event: Corrected, slots: int) -> None:
    """Makes sure that a correction is for one of this many slots; raises IllegalEvent."""
    if type(event.slot) is not int or not 0 <= event.slot < slots:
        raise IllegalEvent(f"expected a slot from 0 to {slots - 1}, got {event.slot!r}")


def corrected_number(event: Corrected) -> int:
    """The corrected face of a numbered die; raises IllegalEvent for any other face."""
    if not is_numbered_face(event.face):
        raise IllegalEvent(f"expected a face from 1 to 6, got {event.face!r}")
    return event.face


def with_item(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """The items with the one at this index replaced."""
    changed = list(items)
    changed[at] = item
    return tuple(changed)


def refusal(
    players: Sequence[str], asked: Ask | None, event: Event, *, thrown: str, chosen: str
) -> IllegalEvent:
    """The error for an event that is not legal now: says who must throw or choose what.

    Args:
        players: the names by seat.
        asked: what the game needs; None at its end.
        event: the event that came instead.
        thrown: what may be thrown, or shown, where that is asked for.
        chosen: what may be chosen, where a choice is asked for.
    """
    expected = "nothing, for the game is over"
    if isinstance(asked, Draw):
        expected = f"{chosen}, drawn"
    elif isinstance(asked, Choose):
        expected = f"{chosen}, chosen by {players[asked.seat]}"
    elif asked is not None:
        expected = f"{thrown} by {players[asked.seat]}"
    return IllegalEvent(f"expected {expected}; got {event!r}")


def side_by_side(table: Sequence[tuple[str, Sequence[object]]], least: int = 0) -> list[str]:
    """Rows of cells as lines of plain text, in columns as wide as their widest cell or `least`."""
    columns = zip(*(cells for _, cells in table), strict=True)
    names = max(10, *(len(name) for name, _ in table))
    widths = [max(least, *(len(str(cell)) for cell in column)) + 2 for column in columns]
    return [
        f"{name:<{names}}" + "".join(f"{c!s:>{w}}" for c, w in zip(cells, widths, strict=True))
        for name, cells in table
    ]
