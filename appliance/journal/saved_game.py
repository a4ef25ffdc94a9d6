"""A game as it is on disk: lines of text, those of a game's record with a checksum each.

Tags come first, as in a record (docs/formats.md), and wherever one of them changes; every
other line is a line of the game's log (`appliance.journal.log`):

    [Identity "5f3a09c1d2e4b6875f3a09c1d2e4b687"]
    [Tray "0b1d…"]
    [Game "classic"]
    [Edition "2009"]
    [Version "1.1.0"]
    [Option "first" "roll-off"]
    [Players "ANNA" "BEN"]
    roll 3 3 3 5 5
    [Ended true]

Names come as quoted by JSON, in ASCII. A game's number is not part of it: another tray may give it
another one.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from appliance.errors import JournalError
from appliance.journal.sums import Lines

Options = tuple[tuple[str, bool | int | str], ...]


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game as the journal has it.

    Attributes:
        id: counts the games of this journal.
        players: names in seat order.
        options: the game's options, sorted by name.
        version: the version of dicetray that began it, with a label of who plays (`origin`).
        lines: the log, oldest first.
        identity: the same on every tray and stick, whatever its number there.
        tray: the identity of the tray it was played on; empty if nobody knows.
        uncounted: lines behind some that are lost: they are kept, but nothing is made of them.
    """

    id: int
    game: str
    edition: str
    players: tuple[str, ...]
    options: Options
    version: str
    ended: bool
    lines: tuple[str, ...]
    identity: str = ""
    tray: str = ""
    uncounted: tuple[str, ...] = ()


def players_text(players: Sequence[str]) -> str:
    """The tag with the names."""
    return f"[Players {' '.join(map(json.dumps, players))}]"


def ended_text(ended: bool) -> str:
    """The tag that says whether the game is over."""
    return f"[Ended {json.dumps(ended)}]"


def uncounted_text(line: str) -> str:
    """The tag that keeps a line behind a loss."""
    return f"[Uncounted {json.dumps(line)}]"


def texts_of(saved: SavedGame) -> Iterator[str]:
    """A game's lines, tags included, as they are written anew."""
    yield f"[Identity {json.dumps(saved.identity)}]"
    yield f"[Tray {json.dumps(saved.tray)}]"
    yield f"[Game {json.dumps(saved.game)}]"
    yield f"[Edition {json.dumps(saved.edition)}]"
    yield f"[Version {json.dumps(saved.version)}]"
    for name, value in saved.options:
        yield f"[Option {json.dumps(name)} {json.dumps(value)}]"
    yield players_text(saved.players)
    yield from saved.lines
    if saved.ended:
        yield ended_text(True)
    for text in saved.uncounted:
        yield uncounted_text(text)


def kept_texts(lines: Lines) -> list[str]:
    """The lines of a game as they are written anew: those behind a loss are kept in tags."""
    return [*lines.texts, *map(uncounted_text, lines.uncounted)]


def log_lines(texts: Iterable[str]) -> int:
    """How many of these texts are lines of the log, and not tags."""
    return sum(not text.startswith("[") for text in texts)


def saved_game(number: int, lines: Lines) -> SavedGame:
    """The game that these lines stand for.

    Raises:
        JournalError: its first lines are lost, or are none of a game.
    """
    saved = SavedGame(number, "", "", (), (), "", False, (), uncounted=lines.uncounted)
    log: list[str] = []
    for text in lines.texts:
        if not text.startswith("["):
            log.append(text)
            continue
        try:
            saved = _with_tag(saved, text)
        except ValueError as error:
            raise JournalError(
                f"game {number}: expected a tag, found {text!a}: {error}",
                "what is wrong stays in the file",
            ) from error
    if not saved.players:
        raise JournalError(
            f"game {number}: expected its players, found them lost",
            "what can be read of it stays in the file",
        )
    return replace(saved, lines=tuple(log), options=tuple(sorted(saved.options)))


def _with_tag(saved: SavedGame, text: str) -> SavedGame:
    """A game with what a tag says; ValueError for one that this version does not know."""
    name, _, rest = text[1:-1].partition(" ")
    values = _values(rest)
    match name, values:
        case "Identity", (str(value),):
            return replace(saved, identity=value)
        case "Tray", (str(value),):
            return replace(saved, tray=value)
        case "Game", (str(value),):
            return replace(saved, game=value)
        case "Edition", (str(value),):
            return replace(saved, edition=value)
        case "Version", (str(value),):
            return replace(saved, version=value)
        case "Option", (str(option), bool() | int() | str() as value):
            return replace(saved, options=(*saved.options, (option, value)))
        case "Players", _ if all(isinstance(value, str) for value in values):
            return replace(saved, players=tuple(map(str, values)))
        case "Ended", (bool(value),):
            return replace(saved, ended=value)
        case "Uncounted", (str(value),):
            return replace(saved, uncounted=(*saved.uncounted, value))
    raise ValueError("of a later version")


def _values(text: str) -> tuple[object, ...]:
    """The JSON values of a tag, with spaces between them."""
    decoder, values, at = json.JSONDecoder(), [], 0
    while at < len(text):
        # No value of ours holds others; how deep they are nested is limited by nothing else.
        if text[at] in "[{":
            raise ValueError("a value that holds others")
        value, at = decoder.raw_decode(text, at)
        values.append(value)
        at += 1
    return tuple(values)
