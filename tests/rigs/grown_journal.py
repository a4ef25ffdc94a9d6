"""A journal as a family has it after years: real games of all kinds, many times over.

A few hundred games are played by chance; the others are the same under numbers, identities and
names of their own, so that a hundred thousand are made in minutes.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

from appliance.chance import random_game
from appliance.journal.going import Going
from appliance.journal.journal import Journal
from appliance.journal.packed import Packs
from appliance.journal.packs import MOST_GAMES
from appliance.journal.saved_game import SavedGame, texts_of
from appliance.journal.sums import encode
from appliance.journal.tray import known_tray
from appliance.rules.notation.events import event_to_text
from appliance.rules.registry import GAMES

FAMILY = ("ANNA", "BEN", "OMA", "OPA", "ZOË", "PLAYER 1")
OFTEN = {"classic": 12, "yatzy": 12, "power": 9, "free-for-all": 9, "showdown": 1, "holdem": 1}
"""How often each is played: with these, games have some 200 lines."""


@cache
def played(kinds: int, seed: int = 1) -> tuple[SavedGame, ...]:
    """Some games that were played to their end, by chance."""
    chance = Random(seed)
    names = [name for name in GAMES if name in OFTEN]
    found = []
    for name in chance.choices(names, [OFTEN[name] for name in names], k=kinds):
        rules = GAMES[name]
        players = tuple(chance.sample(FAMILY, chance.randint(2, 3)))
        events, _ = random_game(rules, players, {}, chance)
        lines = tuple(event_to_text(rules, event) for event in events)
        found.append(SavedGame(0, name, rules.EDITION, players, (), "1.1.0", True, lines))
    return tuple(found)


def grow(path: Path, games: int, *, aside: int = 0, kinds: int = 300, seed: int = 1) -> None:
    """Makes a journal with so many ended games in packs, and some that were put aside."""
    chance = Random(seed)
    with Journal(path) as journal:
        tray = known_tray(journal.files, "").identity
        packs = Packs(journal.files)
        for first in range(1, games + 1, MOST_GAMES):
            numbers = range(first, min(first + MOST_GAMES, games + 1))
            packs.write(
                [
                    (number, saved)
                    for number, saved in zip(
                        numbers, _games(chance, kinds, seed, tray), strict=False
                    )
                    for saved in (replace(saved, id=number),)
                ],
                tray,
            )
        for number, saved in zip(
            range(games + 1, games + aside + 1), _games(chance, kinds, seed, tray), strict=False
        ):
            going = Going(number, number, games + aside)
            cut = replace(
                saved, id=number, ended=False, lines=saved.lines[: -len(saved.lines) // 3]
            )
            data, _ = encode(texts_of(cut))
            journal.files.replace(going.second, (data,))
            journal.files.replace(going.name, (data,))


def _games(chance: Random, kinds: int, seed: int, tray: str) -> Iterator[SavedGame]:
    """Games without numbers, one after the other, for ever."""
    those = played(kinds, seed)
    while True:
        identity = f"{chance.getrandbits(128):032x}"
        yield replace(chance.choice(those), identity=identity, tray=tray)
