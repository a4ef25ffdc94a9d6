"""Games going on: a file each, in two places. Each line is on the disk before the board shows it.

The file's name says which game is the present one, so that nothing needs to be read for it:

    going/000017-000012-000014.game

was opened as the 17th, has number 12, and 14 is the greatest number given by then. The game that
was opened last stays here when it is over, until another is opened. The second place has the same
name below `second/`, which counts if the first is gone; it gets each line after the board has shown
it. A name that ends in `.none` stands for no game: the one opened last was deleted, or numbers were
given to games from elsewhere.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from appliance.journal.files import Files, NotSynced, read_places
from appliance.journal.packs import SECOND
from appliance.journal.saved_game import ended_text, kept_texts, log_lines, saved_game
from appliance.journal.sums import Lines, encode, read_lines

GOING = "going"
_NAME = re.compile(rf"{GOING}/(?P<opened>\d+)-(?P<number>\d+)-(?P<top>\d+)\.(?P<what>game|none)")


@dataclass(frozen=True, slots=True, order=True)
class Going:
    """What the name of a game's file says.

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

    @property
    def second(self) -> str:
        """The second place."""
        return SECOND + self.name


def games_going(files: Files) -> list[Going]:
    """The games that have files of their own, the one opened last at the end.

    Raises:
        OSError: the disk fails.
    """
    going: dict[tuple[int, bool], Going] = {}
    # The second place has the name from before where a cut came between renaming both.
    for folder in (GOING, SECOND + GOING):
        found = sorted(_going_in(files, folder), reverse=True)
        going = {(g.number, g.deleted): g for g in reversed(found)} | going
    return sorted(going.values())


def strays(files: Files) -> Iterator[tuple[Going, Going]]:
    """Second places with a name from before, and what the game is called now."""
    first = {(g.number, g.deleted): g for g in _going_in(files, GOING)}
    for second in _going_in(files, SECOND + GOING):
        now = first.get((second.number, second.deleted), second)
        if now != second:
            yield second, now


def _going_in(files: Files, folder: str) -> Iterator[Going]:
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
    return read_lines(*read_places(files, going.name, going.second))


@dataclass(slots=True)
class Written:
    """A game whose lines this program appends, as it has to be on the disk.

    Attributes:
        going: where it is.
        texts: its lines, tags included.
        ended: whether it is over.
        lines: how many lines its log has.
        last_sum: the checksum of its last line.
        size: bytes in the first place.
        copied: bytes in the second place that are as in the first; -1 if it is written anew.
        trusted: whether the first place is as it was written, as far as anybody knows.
        synced: whether the second place is on the disk.
        waiting: what the second place lacks, if it is not written anew.
    """

    going: Going
    texts: list[str]
    ended: bool
    lines: int
    last_sum: int
    size: int
    copied: int = -1
    trusted: bool = True
    synced: bool = True
    waiting: bytes = b""

    @classmethod
    def begun(
        cls, files: Files, going: Going, texts: list[str], *, ended: bool = False
    ) -> "Written":
        """Writes a new game; on the disk when it returns.

        Raises:
            OSError: the disk refuses.
        """
        data, last_sum = encode(texts)
        files.replace(going.name, (data,))
        return cls(going, texts, ended, log_lines(texts), last_sum, len(data))

    @classmethod
    def resumed(cls, going: Going, lines: Lines) -> "Written":
        """A game that is there, to go on with.

        What was mended, and lines behind a loss, are written anew with the next line.

        Raises:
            JournalError: its first lines are lost.
        """
        saved = saved_game(going.number, lines)
        texts = kept_texts(lines)
        data, last_sum = encode(texts)
        written = cls(going, texts, saved.ended, len(saved.lines), last_sum, len(data))
        written.trusted = not lines.mended
        if not lines.mended:
            written.copied, written.waiting = lines.copied, data[max(0, lines.copied) :]
            # What a power cut kept from the second place may look as if it were there.
            written.synced = False
        return written

    @property
    def data(self) -> bytes:
        """What its file has to have."""
        return encode(self.texts)[0]

    def rewrite(self, files: Files, texts: list[str]) -> None:
        """Writes the first place anew, with these lines; the second follows with `copy`.

        Raises:
            OSError: the disk refuses; it is tried again with the next line.
        """
        data, self.last_sum = encode(texts)
        self.texts, self.lines, self.size = texts, log_lines(texts), len(data)
        self.copied, self.trusted = -1, False
        files.replace(self.going.name, (data,))
        self.trusted = True

    def append(self, files: Files, new: list[str], *, ended: bool) -> None:
        """Appends lines of the log; on the disk when it returns.

        Raises:
            FileNotFoundError: the file is gone, or another.
            OSError: the disk refuses; the lines are not there then.
        """
        texts = [*new, *([ended_text(ended)] if ended != self.ended else ())]
        lines = self.lines + len(new)
        self.add(files, texts)
        self.ended, self.lines = ended, lines

    def add(self, files: Files, texts: list[str]) -> None:
        """Appends lines or tags; raises as `append`."""
        data, last_sum = encode(texts, self.last_sum)
        # All that takes memory comes before: what is noted is what is on the disk.
        after = [*self.texts, *texts], last_sum, self.size + len(data), self.waiting + data
        try:
            if self.trusted:
                files.append(self.going.name, data, at=self.size)
            else:
                # What was not synced may be gone from the disk, and look as if it were there.
                files.replace(self.going.name, (self.data, data))
                self.trusted = True
        except NotSynced:
            self.trusted = False
            raise
        self.texts, self.last_sum, self.size, self.waiting = after

    def copy(self, files: Files, *, sync: bool) -> None:
        """Writes to the second place what it lacks.

        Raises:
            OSError: the disk refuses.
        """
        if self.copied == self.size and (self.synced or not sync):
            return
        try:
            if self.copied <= 0:
                raise FileNotFoundError
            files.append(self.going.second, self.waiting, at=self.copied, sync=sync)
            self.synced = sync
        except (FileNotFoundError, NotSynced):
            files.replace(self.going.second, (self.data,))
            self.synced = True
        self.copied, self.waiting = self.size, b""
