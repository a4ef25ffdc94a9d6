"""Brings in games from elsewhere, while people play: from an earlier version's file, from a stick.

Whoever begins a game meanwhile waits for milliseconds only: numbers are given first, under the
lock; then packs are written where nobody looks; then they get their names, under the lock again.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from secrets import token_hex

from appliance.journal.counting import key_of
from appliance.journal.files import Files
from appliance.journal.going import Going, names_going
from appliance.journal.held import Held
from appliance.journal.packs import MOST_BYTES, PackedGame, Packs
from appliance.journal.saved_game import SavedGame, texts_of
from appliance.journal.sums import encode
from appliance.journal.twin import SECOND

BRINGING = "bringing"
"""One program at a time brings games in; this is its lock."""

_MOST_NUMBER = 9_999_999
"""A game from elsewhere with a greater number gets another."""

Opened = tuple[int, SavedGame]
"""A game, and how often one had been opened when it was."""


def bring_in(
    files: Files, packs: Packs, games: Sequence[Opened], held: Held | None, *, keep_opened: bool
) -> tuple[int, ...]:
    """Brings in whole games; see `Journal.bring_in`. Raises OSError if the disk refuses."""
    with files.locked(BRINGING):
        packs.sweep()
        # Before the games are looked for: numbers that are greater are given meanwhile.
        before = names_going(files)
        held = (held or Held(files)).look()
        there = held.numbers()
        taken = {*there.values(), *(one.number for one in before)}
        known = max((one.top for one in before), default=0)
        fresh = [one for one in games if one[1].identity not in there]
        fresh = _numbered(files, fresh, taken, known, held.brought, keep_opened=keep_opened)
        going = [one for one in fresh if not one[1].ended]
        for left, (opened, saved) in zip(range(len(going))[::-1], going, strict=True):
            data, name = encode(texts_of(saved))[0], Going(opened, saved.id, saved.id).name
            files.replace(name, (data,), named=not left)
            # What a power cut leaves of it is mended when they are looked after.
            files.replace(SECOND + name, (data,), sync=False, named=False)
            held.brought.add(name)
        for pack in in_packs(
            PackedGame.of(saved, opened) for opened, saved in fresh if saved.ended
        ):
            staged = packs.stage(pack)
            with files.locked():
                name = packs.admit(staged)
                held.read[name] = key_of(files, name)
            held.add(*pack)
    came = iter(saved.id for _, saved in fresh)
    return tuple(there.get(saved.identity) or next(came) for _, saved in games)


def in_packs(games: Iterable[PackedGame]) -> Iterator[list[PackedGame]]:
    """The games, as many at a time as a pack has."""
    pack: list[PackedGame] = []
    size = 0
    for game in games:
        if pack and size + len(game.first) > MOST_BYTES:
            yield pack
            pack, size = [], 0
        pack.append(game)
        size += len(game.first)
    if pack:
        yield pack


def _numbered(
    files: Files,
    games: Iterable[Opened],
    taken: set[int],
    known: int,
    brought: Container[str],
    *,
    keep_opened: bool,
) -> list[Opened]:
    """The games with numbers that no other game has, or gets meanwhile.

    Args:
        files: where the others are.
        games: the games.
        taken: the numbers of others that were found.
        known: the greatest number that had been given before they were looked for. Of those that
            are greater, some may be in files that moved meanwhile.
        brought: the names of games that came just before.
        keep_opened: see `bring_in`.
    """
    with files.locked():
        now = names_going(files)
        alone = all(not going.number or going.name in brought for going in now)
        top = latest = max((known, *taken, *(going.top for going in now)))
        fresh: list[Opened] = []
        for opened, saved in games:
            free = saved.id not in taken and not known < saved.id <= latest
            number = saved.id if free and 0 < saved.id <= _MOST_NUMBER else top + 1
            taken.add(number)
            top = max(top, number)
            identity = saved.identity or token_hex(16)
            # None becomes the present game where there is one.
            kept = opened if saved.ended or keep_opened or alone else 0
            fresh.append((kept, replace(saved, id=number, identity=identity)))
        # The numbers stand in a name of their own, as only one name counts. It says as well how
        # often games had been opened, so that one that begins meanwhile is the last.
        older = [going for going in now if not going.number]
        counted = [opened for opened, _ in fresh] if alone and not keep_opened else []
        opened = max([*counted, *(going.opened for going in older)], default=0)
        marker = Going(opened, 0, top, deleted=True)
        if marker not in older:
            files.replace(marker.name, (b"",))
        for going in older:
            if going != marker:
                files.remove(going.name)
    return fresh
