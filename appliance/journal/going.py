"""Games going on: a file each, in two places. Each line is on the disk before the board shows it.

The file's name says which game is the present one, so that nothing needs to be read for it:

    going/000017-000012-000014.game

was opened as the 17th, has number 12, and 14 is the greatest number given by then. The game that
was opened last stays here when it is over, until another is opened. The second place is
`second/going/000012.game`; it gets each line after the board has shown it.
"""

import re
from dataclasses import dataclass, field

from appliance.journal.files import Files, NotSynced
from appliance.journal.packs import SECOND
from appliance.journal.saved_game import ended_text, log_lines, saved_game, uncounted_text
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
        """The second place, which keeps its name when the game is resumed."""
        return f"{SECOND}{GOING}/{self.number:06}.game"


def games_going(files: Files) -> list[Going]:
    """The games that have files of their own, the one opened last at the end.

    Raises:
        OSError: the disk fails.
    """
    found = (_NAME.fullmatch(name) for name in files.names(GOING))
    return sorted(
        Going(int(m["opened"]), int(m["number"]), int(m["top"]), m["what"] == "none")
        for m in found
        if m
    )


def read_going(files: Files, going: Going) -> Lines:
    """The lines of a game going on, from both of its places.

    Raises:
        FileNotFoundError: neither place is there.
        OSError: the disk fails.
    """
    second = files.read(going.second) if files.size(going.second) is not None else b""
    try:
        return read_lines(files.read(going.name), second)
    except FileNotFoundError:
        if not second:
            raise
        return read_lines(b"", second)


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
        copied: bytes in the second place.
        trusted: whether the first place is as it was written, as far as anybody knows.
    """

    going: Going
    texts: list[str]
    ended: bool
    lines: int
    last_sum: int
    size: int
    copied: int = 0
    trusted: bool = True
    waiting: bytes = field(default=b"")

    @classmethod
    def begun(
        cls, files: Files, going: Going, texts: list[str], *, ended: bool = False
    ) -> "Written":
        """Writes a new game; on the disk when it returns.

        Raises:
            OSError: the disk refuses; there is no such file then.
        """
        data, last_sum = encode(texts)
        files.replace(going.name, (data,))
        return cls(going, texts, ended, log_lines(texts), last_sum, len(data), waiting=data)

    @classmethod
    def resumed(cls, files: Files, going: Going, lines: Lines) -> "Written":
        """A game that is there, to go on with.

        What was mended, and lines behind a loss, are written anew with the next line.
        """
        texts = [*lines.texts, *map(uncounted_text, lines.uncounted)]
        saved = saved_game(going.number, lines)
        written = cls(going, texts, saved.ended, len(saved.lines), lines.last_sum, lines.size)
        written.copied = files.size(going.second) or 0
        written.trusted = not lines.mended
        if lines.mended:
            data, written.last_sum = encode(texts)
            written.size, written.copied, written.waiting = len(data), -1, data
        elif written.copied < written.size:
            written.waiting = files.read(going.name, written.copied, written.size - written.copied)
        return written

    def rewrite(self, files: Files) -> None:
        """Writes the first place anew; raises OSError if the disk refuses."""
        data, self.last_sum = encode(self.texts)
        files.replace(self.going.name, (data,))
        self.size, self.trusted = len(data), True

    def append(self, files: Files, new: list[str], *, ended: bool) -> None:
        """Appends lines of the log; on the disk when it returns.

        Raises:
            FileNotFoundError: the file is gone, or another.
            OSError: the disk refuses; the lines are not there then.
        """
        texts = [*new, *([ended_text(ended)] if ended != self.ended else ())]
        self.add(files, texts)
        self.ended, self.lines = ended, self.lines + len(new)

    def add(self, files: Files, texts: list[str]) -> None:
        """Appends lines or tags; raises as `append`."""
        data, last_sum = encode(texts, self.last_sum)
        try:
            if self.trusted:
                files.append(self.going.name, data, at=self.size)
            else:
                # What was not synced may be gone from the disk, and look as if it were there.
                files.replace(self.going.name, (encode([*self.texts, *texts])[0],))
                self.trusted = True
        except NotSynced:
            self.trusted = False
            raise
        self.texts += texts
        self.last_sum, self.size = last_sum, self.size + len(data)
        self.waiting += data

    def copy(self, files: Files, *, sync: bool) -> None:
        """Writes to the second place what it lacks.

        Raises:
            OSError: the disk refuses.
        """
        if not self.waiting:
            return
        try:
            if self.copied < 0:
                raise FileNotFoundError
            files.append(self.going.second, self.waiting, at=self.copied, sync=sync)
        except (FileNotFoundError, NotSynced):
            files.replace(self.going.second, (encode(self.texts)[0],))
        self.copied, self.waiting = self.size, b""
