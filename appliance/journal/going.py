"""Games going on: a file each, in two places. Each line is on the disk before the board shows it.

The file's name says which game is the present one, so that nothing needs to be read for it:

    going/000017-000012-000014.game

was opened as the 17th, has number 12, and 14 is the greatest number given by then. The game that
was opened last stays here when it is over, until another is opened. The second place, which gets
each line after the board has shown it, counts if the first is gone. A name that ends in `.none`
stands for no game: the one opened last was deleted, or numbers were given to games from elsewhere.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from appliance.errors import JournalError
from appliance.journal.files import Files
from appliance.journal.saved_game import SavedGame, ended_text, kept_texts, log_lines, saved_game
from appliance.journal.sums import Lines, encode, last_sum, read_lines
from appliance.journal.twin import SECOND, Twin, read_places

GOING = "going"
_NAME = re.compile(rf"{GOING}/(?P<opened>\d+)-(?P<number>\d+)-(?P<top>\d+)\.(?P<what>game|none)")


@dataclass(frozen=True, slots=True, order=True)
class Going:
    """The facts in the name of a game's file.

    Attributes:
        opened: the greater, the later it was begun or resumed.
        number: counts the games of this journal.
        top: the greatest number that a game had by then.
        deleted: whether it was deleted; the name stays until another game is opened.
    """

    opened: int
    number: int
    top: int
    deleted: bool = False

    @property
    def name(self) -> str:
        """The first place."""
        kind = "none" if self.deleted else "game"
        return f"{GOING}/{self.opened:06}-{self.number:06}-{self.top:06}.{kind}"


def names_going(files: Files) -> list[Going]:
    """The games that have files of their own, as these are named, the one opened last at the end.

    Raises:
        OSError: the disk fails.
    """
    going: dict[tuple[int, bool], Going] = {}
    # The second place has the name from before where a cut came between renaming both.
    for folder in (GOING, SECOND + GOING):
        found = sorted(_named_in(files, folder), reverse=True)
        going = {(g.number, g.deleted): g for g in reversed(found)} | going
    return sorted(going.values())


def games_going(files: Files) -> list[Going]:
    """The games that have files of their own, the one opened last at the end; OSError."""
    return [going for going in names_going(files) if not going.deleted]


def strays(files: Files) -> Iterator[tuple[Going, Going]]:
    """Second places with a name from before, and what the game is called now."""
    first = {(g.number, g.deleted): g for g in _named_in(files, GOING)}
    for second in _named_in(files, SECOND + GOING):
        now = first.get((second.number, second.deleted), second)
        if now != second:
            yield second, now


def _named_in(files: Files, folder: str) -> Iterator[Going]:
    found = (_NAME.fullmatch(name.removeprefix(SECOND)) for name in files.names(folder))
    for m in found:
        if m:
            yield Going(int(m["opened"]), int(m["number"]), int(m["top"]), m["what"] == "none")


def read_going(files: Files, going: Going) -> Lines:
    """The lines of a game going on, from both of its places.

    Raises:
        FileNotFoundError: neither place is there.
        OSError: the disk fails.
    """
    return read_lines(*read_places(files, going.name))


def game_of(files: Files, going: Going) -> SavedGame | None:
    """A game going on; None if it is gone, or its first lines are lost. OSError as above."""
    with suppress(JournalError, FileNotFoundError):
        return saved_game(going.number, read_going(files, going))
    return None


@dataclass(slots=True)
class Written:
    """A game whose lines this program appends.

    Attributes:
        going: what its file is called.
        twin: its file.
        ended: whether it is over.
        lines: how many lines its log has.
    """

    going: Going
    twin: Twin
    ended: bool
    lines: int

    @classmethod
    def begun(
        cls, files: Files, going: Going, texts: list[str], *, ended: bool = False
    ) -> "Written":
        """Writes a new game; on the disk when it returns, or OSError."""
        twin = Twin.written(files, going.name, encode(texts)[0])
        return cls(going, twin, ended, log_lines(texts))

    @classmethod
    def resumed(cls, going: Going, lines: Lines) -> "Written":
        """A game that is there, to go on with.

        What was mended, and lines behind a loss, are written anew with the next line.

        Raises:
            JournalError: its first lines are lost.
        """
        saved = saved_game(going.number, lines)
        data, _ = encode(kept_texts(lines))
        twin = Twin(going.name, data, trusted=not lines.mended)
        if not lines.mended:
            # What a power cut kept from the second place may look as if it were there.
            twin.copied, twin.synced = lines.copied, False
        return cls(going, twin, saved.ended, len(saved.lines))

    def append(self, files: Files, new: list[str], *, ended: bool) -> None:
        """Appends lines of the log; raises as `Twin.append`."""
        self.add(files, [*new, *([ended_text(ended)] if ended != self.ended else ())])
        self.ended, self.lines = ended, self.lines + len(new)

    def add(self, files: Files, tags: list[str]) -> None:
        """Appends tags; raises as `Twin.append`."""
        self.twin.append(files, encode(tags, last_sum(self.twin.data))[0])

    def rewrite(self, files: Files, texts: list[str], *, ended: bool) -> None:
        """Writes the first place anew, with these lines; raises as `Twin.rewrite`."""
        self.ended, self.lines = ended, log_lines(texts)
        self.twin.rewrite(files, encode(texts)[0])

    @property
    def saved(self) -> SavedGame:
        """The game as it has to be on the disk."""
        return saved_game(self.going.number, read_lines(self.twin.data))
