"""Plays on a disk that forgets, cuts the power anywhere, and looks for all that was shown."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from types import MappingProxyType

from appliance.errors import JournalError, NoSuchGame
from appliance.journal.files import MemoryFiles
from appliance.journal.journal import Journal
from appliance.journal.reader import MEMORY
from appliance.journal.saved_game import SavedGame
from appliance.journal.tray import written_tray
from appliance.journal.twin import SECOND
from tests.appliance.journal.crash_disk import (
    Disk,
    Operation,
    RecordingFiles,
    State,
    Sync,
    SyncNames,
)
from tests.rigs.stored_games import summaries_of

Log = tuple[str, ...]

TRAY = "0123456789abcdef"

_TRIES = 20
"""How often what fails is tried again."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The promises of the journal after so many steps of the disk.

    Attributes:
        steps: how many.
        what: what is done next.
        games: the lines of each game, by number.
        players: and its players.
        present: the number of the present game; None if there is none.
        deleted: the identities of games that were deleted.
        given: the greatest number that was given.
        settings: what is remembered.
        copied: the lines that the second places alone have, by number.
        tray: the tray's identity.
    """

    steps: int = 0
    what: str = ""
    games: Mapping[int, Log] = field(default_factory=dict)
    players: Mapping[int, Log] = field(default_factory=dict)
    present: int | None = None
    deleted: frozenset[str] = frozenset()
    given: int = 0
    settings: str = ""
    copied: Mapping[int, Log] = field(default_factory=dict)
    tray: str = ""


@dataclass(slots=True)
class Recording:
    """The operations on a disk, and what was promised meanwhile."""

    tape: Sequence[Operation]
    shown: list[Shown]


class Play:
    """Does what the appliance does to a journal, and keeps account of what was promised."""

    def __init__(
        self, folder: Path, seed: int, errors: Mapping[int, int] = MappingProxyType({})
    ) -> None:
        self.files = RecordingFiles(folder / "games", errors)
        self.journal = Journal(MEMORY, files=self.files)
        self.random = Random(seed)
        self.now = Shown()
        self.shown = [self.now]

    def _next(self, what: str, do: Callable[[], Shown]) -> None:
        """Does something, and promises what it returns."""
        self.shown[-1] = replace(self.now, steps=self.shown[-1].steps, what=what)
        for left in range(_TRIES, -1, -1):
            try:
                self.now = replace(do(), steps=len(self.files.tape), what="")
                break
            except JournalError:
                if not left:
                    raise
        self.shown.append(self.now)

    def _copied(self) -> dict[int, Log]:
        """The present game's second place has all of its lines, too."""
        present = self.now.present
        return {**self.now.copied, **({present: self.now.games[present]} if present else {})}

    def begin(self) -> None:
        """A new game begins."""

        def do() -> Shown:
            names = tuple(f"P{self.random.randrange(99)}" for _ in range(2))
            number = self.journal.begin("classic", "2009", names, (), "1.0.0")
            assert number > self.now.given
            return replace(
                self.now,
                games={**self.now.games, number: ()},
                players={**self.now.players, number: names},
                present=number,
                given=number,
                copied=self._copied(),
            )

        self._next("begin", do)

    def append(self, *, ended: bool = False) -> None:
        """Some lines of the present game are shown."""

        def do() -> Shown:
            assert self.now.present is not None
            there = self.now.games[self.now.present]
            new = [f"roll {self.random.randrange(10**5)}"] * self.random.choice((1, 1, 2, 60))
            self.journal.append(self.now.present, len(there), new, ended=ended)
            return replace(self.now, games={**self.now.games, self.now.present: (*there, *new)})

        self._next("end" if ended else "append", do)

    def copy(self, *, sync: bool) -> None:
        """Copies what was shown to its second place."""

        def do() -> Shown:
            fresh = self.now.present not in self.now.copied
            self.journal.copy(sync=sync)
            return replace(self.now, copied=self._copied()) if sync or fresh else self.now

        self._next("second place", do)

    def turn(self, lines: int) -> None:
        """Some lines are shown, and copied when the turn is over."""
        for _ in range(lines):
            self.append()
            self.copy(sync=False)
        self.copy(sync=True)

    def end(self) -> None:
        """The present game ends."""
        self.append(ended=True)
        self.copy(sync=True)

    def tidy(self) -> None:
        """Does all that is due."""

        more = True

        def do() -> Shown:
            nonlocal more
            more = self.journal.tidy()
            return replace(self.now, tray=written_tray(self.files).identity)

        while more:
            self._next("pack", do)

    def name(self) -> None:
        """A player gets another name."""

        def do() -> Shown:
            assert self.now.present is not None
            names = (f"N{self.random.randrange(99)}", "BEN")
            self.journal.name_players(self.now.present, names)
            return replace(self.now, players={**self.now.players, self.now.present: names})

        self._next("rename", do)

    def open(self, number: int) -> None:
        """A game that was put aside goes on."""

        def do() -> Shown:
            self.journal.open(number)
            return replace(self.now, present=number, copied=self._copied())

        self._next("open", do)

    def delete(self, *numbers: int) -> None:
        """Games are deleted."""
        marks = set[str]()

        def do() -> Shown:
            with suppress(NoSuchGame):
                marks.update(self.journal.load(number).identity for number in numbers)
                self.journal.delete(*numbers)
            return replace(
                self.now,
                games={n: log for n, log in self.now.games.items() if n not in numbers},
                copied={n: log for n, log in self.now.copied.items() if n not in numbers},
                present=None if self.now.present in numbers else self.now.present,
                deleted=self.now.deleted | marks,
            )

        self._next("delete", do)

    def bring_in(self, count: int) -> None:
        """Games come from a stick, or from an old journal."""
        marks = [f"{self.random.randrange(1 << 128):032x}" for _ in range(count)]

        def do() -> Shown:
            log = ("roll 1 2 3 4 5", "score chance")
            games = [
                SavedGame(0, "classic", "2009", ("A", "B"), (), "1.0.0", n > 0, log, mark, TRAY)
                for n, mark in enumerate(marks)
            ]
            there = self.journal.identities()
            missing = [(1, game) for game in games if game.identity not in there]
            self.journal.bring_in(missing)
            there = self.journal.identities()
            numbers = [there[mark] for mark in marks]
            return replace(
                self.now,
                games={**self.now.games, **dict.fromkeys(numbers, log)},
                players={**self.now.players, **dict.fromkeys(numbers, ("A", "B"))},
                # The second place of one that goes on is looked after when the first has rested.
                copied={**self.now.copied, **dict.fromkeys(numbers[1:], log)},
                given=max(self.now.given, *numbers),
            )

        self._next("bring in", do)

    def remember(self) -> None:
        """Settings are changed."""

        def do() -> Shown:
            text = f"said {self.random.randrange(99)}"
            self.journal.remember("desk", text)
            return replace(self.now, settings=text)

        self._next("settings", do)

    def restart(self) -> None:
        """The program ends and starts again."""

        def do() -> Shown:
            self.journal.close()
            self.files.close()
            self.journal = Journal(MEMORY, files=self.files)
            self.journal.finish_what_was_cut()
            self.journal.mend_last()
            return replace(self.now, copied=self._copied())

        self._next("start", do)


def evening(folder: Path, seed: int, errors: Mapping[int, int] = MappingProxyType({})) -> Recording:
    """An evening with everything that is done to games; what fails is tried again.

    Args:
        folder: where the files are meanwhile.
        seed: chooses what is rolled.
        errors: the number of an error (errno) for each step of the disk that fails.
    """
    folder.mkdir(exist_ok=True)
    play = Play(folder, seed, errors)
    play.remember()
    play.begin()
    first = play.now.given
    play.turn(2)
    play.name()
    play.turn(2)
    play.end()
    play.begin()
    put_aside = play.now.given
    play.tidy()
    play.turn(3)
    play.remember()
    play.begin()
    play.tidy()
    play.turn(1)
    play.end()
    play.open(put_aside)
    play.tidy()
    play.append()
    play.restart()
    play.bring_in(3)
    play.turn(2)
    play.begin()
    play.turn(1)
    play.delete(first)
    play.delete(put_aside)
    play.tidy()
    play.end()
    play.remember()
    play.delete(play.now.given)
    play.begin()
    play.turn(1)
    play.tidy()
    play.restart()
    play.turn(1)
    play.journal.close()
    return Recording(play.files.tape, play.shown)


def lost(state: State, promised: Shown, coming: Shown) -> str:
    """A promise that is not there after a start, tidied up or not; empty if all are."""
    journal = Journal(MEMORY, files=MemoryFiles(state))
    try:
        journal.finish_what_was_cut()
        damage = journal.mend_last()
        if damage is not None and not any(map(_is_empty, state.values())):
            return f"a damage is told: {damage}"
        # As the appliance does before it tidies up.
        journal.look()
        fault = _missing(journal, promised, coming)
        for _ in range(50):
            if fault or not journal.tidy():
                break
        else:
            return "tidying never ends"
        return fault or _missing(journal, promised, coming) or _number_twice(journal, promised)
    except JournalError as error:
        return f"cannot be opened: {error}"


def _missing(journal: Journal, promised: Shown, coming: Shown) -> str:
    summaries = tuple(summaries_of(journal))
    there = {summary.id for summary in summaries}
    if promised.deleted & {summary.identity for summary in summaries}:
        return "a deleted game is back"
    for number, log in promised.games.items():
        after = coming.games.get(number)
        try:
            found = journal.load(number)
        except NoSuchGame:
            if after is None:
                continue
            return f"game {number} is gone"
        if number not in there:
            return f"game {number} is not listed"
        if found.lines[: len(log)] != log or (
            after is not None and after[: len(found.lines)] != found.lines
        ):
            return f"game {number} has {found.lines}, not {log}"
        names = (promised.players[number], coming.players[number])
        if found.players not in names:
            return f"game {number} is played by {found.players}, not {names}"
    last = journal.last()
    if (last and last.id) not in (promised.present, coming.present):
        return f"the present game is {last and last.id}, not {promised.present}"
    return _kept(journal, promised, coming)


def _kept(journal: Journal, promised: Shown, coming: Shown) -> str:
    if promised.deleted - journal.deleted():
        return "nothing says that a game was deleted"
    if promised.tray and written_tray(journal.files).identity != promised.tray:
        return "it is another tray"
    settings = journal.remembered("desk") or ""
    if settings not in (promised.settings, coming.settings):
        return f"settings are {settings}"
    return ""


def _number_twice(journal: Journal, promised: Shown) -> str:
    number = journal.begin("classic", "2009", ("A", "B"), (), "1.0.0")
    return f"number {number} is given twice" if number <= promised.given else ""


def lost_of_first(state: State, promised: Shown, coming: Shown) -> str:
    """A promise that the first places alone do not hold."""
    return lost(_with_zeros(state, lambda name: name.startswith(SECOND)), promised, coming)


def lost_of_second(state: State, promised: Shown, coming: Shown) -> str:
    """A promise that the second places alone do not hold, of those made for them."""
    rotten = _with_zeros(state, lambda name: not name.startswith(SECOND))
    journal = Journal(MEMORY, files=MemoryFiles(rotten))
    try:
        journal.finish_what_was_cut()
        for number, log in promised.copied.items():
            if number in coming.games:
                found = journal.load(number).lines
                if found[: len(log)] != log:
                    return f"the second place of game {number} has {found}, not {log}"
        return _kept(journal, promised, coming)
    except JournalError as error:
        return f"the second places cannot be read: {error}"


def _is_empty(data: bytes) -> bool:
    return bool(data) and not any(data)


def _with_zeros(state: State, wrong: Callable[[str], bool]) -> State:
    return {name: bytes(len(data)) if wrong(name) else data for name, data in state.items()}


CHECKS = (lost, lost_of_first, lost_of_second)


KINDS = (
    "begin",
    "append",
    "end",
    "second place",
    "pack",
    "rename",
    "open",
    "delete",
    "bring in",
    "settings",
    "start",
)
"""The work that is done while the power is cut."""


def steps_of(recording: Recording, kind: str) -> list[int]:
    """The steps of a kind of work; the last of each is the one after which it is promised."""
    pairs = zip(recording.shown, recording.shown[1:], strict=False)
    spans = (range(one.steps + 1, other.steps + 1) for one, other in pairs if one.what == kind)
    return [step for span in spans for step in span]


def fault_of(state: State, promised: Shown, coming: Shown) -> str:
    """A broken promise, read from both places, or from one of them if the other has rotted."""
    return next(filter(None, (check(state, promised, coming) for check in CHECKS)), "")


def cuts(
    recording: Recording, most: int, random: Random, steps: Collection[int] | None = None
) -> Iterator[tuple[int, State, Shown, Shown]]:
    """Crashes after each of these steps: the step, what is left, what was promised, what came."""
    disk, at = Disk(), 0
    last = len(recording.tape) if steps is None else max(steps, default=0)
    for step, operation in enumerate(recording.tape[:last], start=1):
        disk.do(operation)
        while at + 1 < len(recording.shown) and recording.shown[at + 1].steps <= step:
            at += 1
        if steps is None or step in steps:
            coming = recording.shown[min(at + 1, len(recording.shown) - 1)]
            for state in disk.states(most, random):
                yield step, state, recording.shown[at], coming


def syncs(tape: Sequence[Operation]) -> list[int]:
    """Where the syncs are."""
    return [at for at, one in enumerate(tape) if isinstance(one, Sync | SyncNames)]


_NEAR_STEPS, _FAR_STEPS = 6, 60
"""A sync that is missing is looked for after each of so many steps, and then, up to so many, where
something was promised."""


def found_without(recording: Recording, at: int, most: int, random: Random) -> str:
    """The loss if one sync is left out, and the power cut before the next one of its kind.

    If the same is synced again before anything is promised, that is left out, too.
    """
    out = recording.tape[at]
    promise = min((one.steps for one in recording.shown if one.steps > at), default=at)
    left_out = {n for n in range(at, promise) if recording.tape[n] == out} | {at}
    tape = [one for n, one in enumerate(recording.tape) if n not in left_out]
    shown = [
        replace(one, steps=one.steps - sum(n < one.steps for n in left_out))
        for one in recording.shown
    ]
    later = (n for n in range(at, len(tape)) if tape[n] == out)
    end = min(next(later, len(tape)), at + _FAR_STEPS)
    promised = {one.steps for one in shown if at <= one.steps <= end}
    steps = promised | {*range(at, min(end, at + _NEAR_STEPS) + 1)}
    for _, state, before, coming in cuts(Recording(tape, shown), most, random, steps):
        if fault := fault_of(state, before, coming):
            return fault
    return ""
