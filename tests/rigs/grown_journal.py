"""A journal as a family has it after years: real games of all kinds, many times over.

A few hundred games are played by chance; the others are the same under numbers, identities and
names of their own, so that a hundred thousand are made in minutes.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from functools import cache
from io import StringIO
from itertools import chain, islice
from pathlib import Path
from random import Random

from appliance.cli.main import main
from appliance.errors import JournalError
from appliance.journal.best_scores import records_in_steps
from appliance.journal.going import Going, games_going, read_going
from appliance.journal.index import Row
from appliance.journal.journal import Journal
from appliance.journal.packs import PackedGame, Packs
from appliance.journal.reader import JournalReader
from appliance.journal.saved_game import SavedGame, saved_game, texts_of
from appliance.journal.summary import Summary, count_game
from appliance.journal.sums import encode
from appliance.journal.tray import known_tray
from appliance.journal.twin import write_places
from games.chance import random_game
from games.notation.events import event_to_text
from games.registry import GAMES
from tests.rigs.stored_games import summaries_of

FAMILY = ("ANNA", "BEN", "OMA", "OPA", "ZOË", "PLAYER 1")
OFTEN = {"classic": 24, "yatzy": 24, "power": 18, "free-for-all": 18, "showdown": 1, "holdem": 1}
"""How often each is played: with these, games have some 200 lines."""

A_PACK = 200
"""Games of that many lines fill a pack."""


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
        found.append(SavedGame(0, name, rules.edition, players, (), "1.1.0", True, lines))
    return tuple(found)


def grow(
    path: Path,
    games: int,
    *,
    aside: int = 0,
    kinds: int = 300,
    seed: int = 1,
    a_pack: int = A_PACK,
) -> None:
    """Makes a journal with so many ended games in packs, and some that were put aside."""
    chance = Random(seed)
    with Journal(path) as journal:
        tray = known_tray(journal.files, "").identity
        packs, more = Packs(journal.files), _games(chance, kinds, seed, tray)
        ended = (PackedGame.of(replace(next(more), id=n), n) for n in range(1, games + 1))
        for first in ended:
            packs.admit(packs.stage(chain((first,), islice(ended, a_pack - 1))))
        for number in range(games + 1, games + aside + 1):
            saved = next(more)
            some = saved.lines[: 2 * len(saved.lines) // 3]
            data, _ = encode(texts_of(replace(saved, id=number, ended=False, lines=some)))
            write_places(journal.files, Going(number, number, games + aside).name, data)


def _games(chance: Random, kinds: int, seed: int, tray: str) -> Iterator[SavedGame]:
    """Games without numbers, one after the other, for ever."""
    those = played(kinds, seed)
    while True:
        identity = f"{chance.getrandbits(128):032x}"
        yield replace(chance.choice(those), identity=identity, tray=tray)


def live(journal: Journal, chance: Random, times: int) -> None:
    """Does what happens to a journal over the years, by chance, also to its index."""
    for _ in range(times):
        entries = summaries_of(journal)
        chance.choices((_play, _go_on, _delete, _bring_in, _tidy, _index), (6, 1, 1, 1, 8, 6))[0](
            journal, chance, [entry.id for entry in entries]
        )


def _play(journal: Journal, chance: Random, _: list[int]) -> None:
    game = chance.choice(played(12))
    number = journal.begin(game.game, game.edition, game.players, (), _version(chance))
    lines = game.lines if chance.random() < 0.7 else game.lines[: chance.randint(0, 40)]
    journal.append(number, 0, lines, ended=lines is game.lines)
    if chance.random() < 0.2:
        journal.append(number, len(lines), ["no such line"], ended=chance.random() < 0.5)
    if chance.random() < 0.2:
        journal.name_players(number, [f"{name[:-1]}!" for name in game.players])


def _version(chance: Random) -> str:
    return chance.choices(("1.1.0", "1.1.0+keyboard", "1.1.0+demo"), (8, 1, 1))[0]


def _go_on(journal: Journal, chance: Random, numbers: list[int]) -> None:
    """Opens an old game; if it was over, its end is undone."""
    if numbers:
        saved = journal.open(chance.choice(numbers))
        if saved.ended:
            journal.append(saved.id, len(saved.lines), ["undo 1"])


def _delete(journal: Journal, chance: Random, numbers: list[int]) -> None:
    if numbers:
        journal.delete(*chance.sample(numbers, min(2, len(numbers))))


def _bring_in(journal: Journal, chance: Random, _: list[int]) -> None:
    """Takes in games of this tray or another, finished or not."""
    tray = chance.choice(("", "00000000000000aa"))
    games = [
        (chance.randint(1, 99), replace(saved, id=chance.randint(1, 99), ended=n != 2))
        for n, saved in zip(range(3), _games(chance, 12, 1, tray), strict=False)
    ]
    journal.bring_in(games)


def _tidy(journal: Journal, chance: Random, _: list[int]) -> None:
    for _round in range(chance.randint(1, 9)):
        journal.copy(sync=True)
        journal.tidy()


def _index(journal: Journal, chance: Random, _: list[int]) -> None:
    """Indexes some games, or damages the index."""
    if chance.random() < 0.3 and journal.path.exists():
        hurt(journal.path, chance)
    steps = chance.choice((20, 10**9))
    for _step in zip(range(steps), journal.indexing(), strict=False):
        pass


def hurt(path: Path, chance: Random) -> None:
    """Damages a file, or deletes it."""
    data = bytearray(path.read_bytes())
    size = chance.choice((1, 16, 512, 100_000))
    used = [at for at, byte in enumerate(data) if byte] or [0]
    at = chance.choice((0, chance.choice(used)))
    what = chance.randrange(4)
    if what == 0:
        path.unlink()
    elif what == 1:
        path.write_bytes(data[:at])
    else:
        data[at : at + size] = bytes(size) if what == 2 else chance.randbytes(size)
        path.write_bytes(data[: path.stat().st_size])


def answers(path: Path) -> tuple[str, ...]:
    """The commands' answers on all games of a journal, and the board of its records."""
    found = [
        _said(*command.split(), "--journal", str(path))
        for command in ("games list", "games list --json", "stats", "stats --json --all-trays")
    ]
    with JournalReader(path) as reader:
        found.append(str(list(records_in_steps(reader))[-1]))
    return tuple(found)


def _said(*arguments: str) -> str:
    with redirect_stdout(StringIO()) as out, redirect_stderr(out):
        main(arguments)
    return out.getvalue()


def counted_in_files(journal: JournalReader, **_: object) -> Iterator[Row]:
    """The rows of `JournalReader.counted`, counted from the files alone, and by other code."""
    games = [
        (one.number, one.opened, "", read_going(journal.files, one))
        for one in games_going(journal.files)
    ]
    games += [(g.number, g.opened, g.identity, g.lines) for g in Packs(journal.files).games()]
    seen: set[int | str] = set(journal.deleted())
    for number, opened, identity, lines in games:
        if number not in seen and identity not in seen:
            seen.update({number, identity or number})
            try:
                counted = count_game(saved_game(number, lines), opened)
            except JournalError as error:
                fault = Summary(number, identity, "", opened, "", "", False, fault=str(error))
                counted = fault, Counter()
            yield Row("", 0, 0).grown(0, 0, (counted,))


def differences(folder: Path, seed: int, times: int = 30) -> list[tuple[str, str]]:
    """Lives a random journal; where the answers by its index are not those by its files alone."""
    path = folder / f"{seed}" / "games.sqlite3"
    path.parent.mkdir()
    chance = Random(seed)
    with Journal(path) as journal:
        live(journal, chance, times)
    by_index = answers(path)
    path.unlink(missing_ok=True)
    without, counted = answers(path), JournalReader.counted
    try:
        JournalReader.counted = counted_in_files  # type: ignore[method-assign, assignment]
        by_files = answers(path)
    finally:
        JournalReader.counted = counted  # type: ignore[method-assign]
    pairs = zip((*by_index, *without), (*by_files, *by_files), strict=True)
    return [pair for pair in pairs if _sorted(pair[0]) != _sorted(pair[1])]


def _sorted(text: str) -> list[str]:
    """Lines of what was left out come in any order, before all others."""
    lines = text.splitlines()
    left_out = [line for line in lines if line.startswith("left out: ")]
    return [*sorted(left_out), *lines[len(left_out) :]]
