"""Runs for hours: plays, breaks things, checks whether all is well again, and measures."""

import logging
import socket
import subprocess
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field, fields
from itertools import cycle, takewhile
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Self

import cv2
import numpy as np

from appliance.alerts import Alert
from appliance.errors import JournalError, NoSuchGame
from appliance.inputs import Button
from appliance.journal.files import folder_of
from appliance.journal.journal import Journal
from appliance.journal.log import line_to_text
from appliance.journal.mending import PATIENCE_S
from appliance.journal.reader import JournalReader
from appliance.journal.reading import reading
from appliance.journal.scrub import DAYS
from appliance.journal.stick_copies import compare, restore_others
from appliance.journal.stick_saving import save
from appliance.journal.untold import Damage
from appliance.picture import Picture
from appliance.service.past_games import public_log_text
from appliance.service.phase import Phase
from appliance.service.ports import Happened
from appliance.simulator.people.menu_user import MenuUser, Wishes
from appliance.table.menu.options import seat_option
from appliance.table.menu.prompting import NoticePrompt
from appliance.table.prompts.turn import OverPrompt
from appliance.table.session.session import Setup
from appliance.words import Label
from firmware.config import LINK_TIMEOUT_MS
from games.registry import GAMES
from games.values import ROLL_OFF
from tests.appliance.journal.rotting import KINDS, Words, damage_file
from tests.paths import ROOT
from tests.proofs.link_faults.injector import Injector
from tests.proofs.soak.broker import Broker
from tests.proofs.soak.faults import FAULTS, Fault, WallClock, pairs_of
from tests.proofs.soak.first_use import ask_for_hints
from tests.proofs.soak.flatness import Sample
from tests.proofs.soak.ledger import Ledger
from tests.proofs.soak.measuring import take
from tests.proofs.soak.memory import Memory
from tests.proofs.soak.power import PowerCut
from tests.proofs.soak.releases import Releases
from tests.proofs.soak.render_process import RenderProcess
from tests.proofs.soak.rig import Rig
from tests.proofs.soak.rooms import DrawnRoom, Room, UnpicturedRoom
from tests.proofs.soak.systemd import RESTART_S, Systemd
from tests.rigs.faulty_board import FaultyBoard
from tests.rigs.proof.games import NAMES, SETUPS, faults_of
from tests.rigs.proof.referee import RefereeError
from tests.rigs.proof.refereed import RefereedPlayer
from tests.rigs.stored_games import games_of, summaries_of

log = logging.getLogger(__name__)

REPORT_S = 300.0
"""Seconds of room time within which a fault must be named; the disk is only written to during a
game, not while names are entered."""

LINK_S = 60.0
"""Real seconds within which the lights must show what the appliance wants them to show."""

TOLD_S = 0.02
"""Real seconds between two looks at what a broker has been told."""

LINK_PARTS = frozenset({"line", "link", "Pico"})
"""Parts of faults under which the board may give up the host."""

KEPT_S = LINK_TIMEOUT_MS / 1000 + 0.5
"""Real seconds after which a board to which nobody spoke has given up the host."""

MOST_BRIDGE_BYTES = 64 << 20
"""Memory that its unit gives what tells a broker."""

STUCK_S = 600.0
"""Seconds of room time without a new line in the log after which a game is abandoned."""

CALM_S = 2.0
"""Seconds of room time after trouble in which nobody does anything: the board first has to look at
what was thrown in the meantime."""

_SHORT = ("classic", "power", "holdem")

GOING_SHARE = 0.5
"""Share of damages that strike a game going on; others strike any file."""

STEPS_TO_CUT = 40
"""Steps of the disk until the power is cut, at most: a line takes some four."""

ACTS_WITHIN_S = 20.0
"""Seconds of room time within which either happens; then the power is cut at rest."""

SAME_MINUTE_S = 60.0
"""Seconds of room time between the beginnings of two faults that count as a pair, at most."""

LASTING = frozenset({"memory short", "starts crash until one leaves it out"})
"""Faults that end as many starts in a row as bring a safe mode."""

BETWEEN_FAULTS_S = 1.0
"""Seconds of room time between the beginnings of two faults that last at once."""

_STEPS_KEPT = 16
"""How many of the last steps are kept to explain a game that went wrong."""

_SILENT_STEP_S = 0.2
"""Seconds of room time that pass in each round without a frame."""


class _Seat:
    """The buttons of the current appliance; the players outlive it."""

    def __init__(self, now: Callable[[], Rig]) -> None:
        self._now = now

    def press(self, button: Button) -> None:
        """Presses a button and lets it go."""
        self._now().mock_buttons.press(button)

    def hold(self, button: Button) -> None:
        """Long-presses a button."""
        self._now().mock_buttons.hold(button)


@dataclass(slots=True)
class Tally:
    """Counts of what has happened.

    Attributes:
        faults: how often each was tried.
        pairs: how often the second of two began while the first lasted.
        named: longest room time, in seconds, until the board named it.
        healed: the same until all was well again.
        wrong: what was not as it should be.
        games: games finished with the true scores, by name.
        stuck: games that were abandoned, by name, or why.
        throws: number of throws made.
        slips: what the players did wrong.
        rots: damages to the games' files by kind, those that something was said about, and lines
            that are gone or others.
        starts: number of starts of the appliance.
        crashed: starts that crashed, as they were made to.
        safe: safe modes that nobody asked for, by the faults that brought them.
        cuts: power cuts.
        starved: allocations that failed, and how often want of memory ended the appliance.
        lost: lines that were shown and are gone.
        untrue: losses that were told and that nothing gave reason for.
        frames: number of frames taken.
        room_s: seconds that passed in the rooms.
    """

    faults: Counter[str] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    named: dict[str, float] = field(default_factory=dict)
    healed: dict[str, float] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    games: Counter[str] = field(default_factory=Counter)
    stuck: Counter[str] = field(default_factory=Counter)
    throws: int = 0
    slips: Counter[str] = field(default_factory=Counter)
    rots: Counter[str] = field(default_factory=Counter)
    starts: int = 0
    crashed: int = 0
    safe: Counter[str] = field(default_factory=Counter)
    cuts: int = 0
    starved: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)
    untrue: Counter[str] = field(default_factory=Counter)
    frames: int = 0
    room_s: float = 0.0

    def add(self, other: "Tally") -> None:
        """Adds what has happened elsewhere."""
        for part in fields(self):
            mine, others = getattr(self, part.name), getattr(other, part.name)
            if isinstance(mine, Counter):
                mine.update(others)
            elif isinstance(mine, dict):
                mine |= {name: max(s, mine.get(name, 0.0)) for name, s in others.items()}
            else:
                setattr(self, part.name, mine + others)


class Soak:
    """The appliance in its room, played with and broken at random.

    Args:
        folder: where its games and pictures are kept.
        seed: random seed.
        load: share of one core that may be used, 0 to 1; 1 is as fast as possible.
        drawn: share of games played through rendered pictures.
        clumsy: share of acts in which the players slip.
        faults: what may happen.

    Attributes:
        tally: what has happened.
        samples: what the process used at quiet moments.
        faults: what may happen.
        told: what the board has named since the last attempt began.
        ledger: every line that was shown.
    """

    def __init__(
        self,
        folder: Path,
        seed: int = 0,
        *,
        load: float = 1.0,
        drawn: float = 0.3,
        clumsy: float = 0.1,
        faults: Sequence[Fault] = FAULTS,
    ) -> None:
        self.chance = Random(seed)
        self.tally = Tally()
        self.samples: list[Sample] = []
        self._load, self._drawn = load, drawn
        self.faults = list(faults)
        self._lasting: list[Fault] = []
        self._releases = Releases(folder)
        self._journal = folder / "var/lib/dicetray/games.sqlite3"
        self._journal.parent.mkdir(parents=True)
        self._now_s = 0.0
        self._game = ""
        self._decks: dict[bool, list[str]] = {False: [], True: []}
        self._people = {
            name: cycle(range(2, rules.max_players + 1)) for name, rules in GAMES.items()
        }
        self._checked = 0
        self._trail: deque[str] = deque(maxlen=_STEPS_KEPT)
        self._next_press_s = 0.0
        self._calm_s = 0.0
        self._length = (0, 0)
        self._line_s = 0.0
        self._started_s = time.monotonic()
        self._lines: Mapping[int, tuple[str, ...]] = {}
        self._kind = ""
        self._words = Words()
        self.told = set[str]()
        self.ledger = Ledger()
        self._memory = Memory(self.chance, lambda: self.pico.still())
        self._broker: Broker | None = None
        self._systemd = Systemd(folder / "run")
        self._pico_s: float | None = None
        self._pico_every_s = 0.0
        self._sleeper: socket.socket | None = None
        self._bounces: Random | None = None
        self._other_tray = folder / "other"
        self._stack = ExitStack()
        with ExitStack() as stack:
            self.injector = Injector(seed + 1)
            self.pico = stack.enter_context(
                FaultyBoard(to_board=self.injector.to_board, to_host=self.injector.to_host)
            )
            self._renderer = RenderProcess()
            stack.callback(self._renderer.close)
            self._wall = WallClock()
            stack.callback(self._wall.close)
            logging.getLogger("appliance").addHandler(self._words)
            stack.callback(logging.getLogger("appliance").removeHandler, self._words)
            rng = np.random.default_rng(seed)
            self._seat = _Seat(lambda: self.rig)
            rooms: list[Room] = [UnpicturedRoom(seed)]
            if drawn:
                rooms.insert(0, DrawnRoom(seed, self._renderer))
            self._rooms: tuple[tuple[Room, RefereedPlayer], ...] = tuple(
                (
                    room,
                    RefereedPlayer(room.tray, self._seat, rng, think_s=0.2, clumsy=clumsy),
                )
                for room in rooms
            )
            # With pictures first, if at all: loading the reader's networks belongs to the warm-up.
            self._room, self._player = self._rooms[0]
            self._user = self._new_user()
            self._rig = self._start()
            self._bouncing = self._rig, 0
            self._stack = stack.pop_all()

    @property
    def rig(self) -> Rig:
        """The current appliance."""
        return self._rig

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._rig.close()
        self._stack.close()

    # What faults act on.

    def restart(
        self, between: Callable[[], None] = lambda: None, closed: Button | None = None
    ) -> None:
        """Stops the appliance, does something, and starts it again, perhaps with a stuck button."""
        self._start_again(between, closed, self._systemd.note_end)

    def _start_again(
        self,
        between: Callable[[], None] = lambda: None,
        closed: Button | None = None,
        note: Callable[[], None] = lambda: None,
    ) -> None:
        """Ends the appliance in some way, which systemd notes, and starts it again."""
        old = self._rig
        camera_fault = old.lens.camera_fault
        with suppress(PowerCut):
            old.close()
        note()
        known = _untold(self._journal)
        between()
        self._rig = self._start(closed)
        # What camera, card and supply suffer from outlives the appliance.
        self._rig.lens.camera_fault = camera_fault
        self._rig.files.slow, self._rig.low_voltage = old.files.slow, old.low_voltage
        self._rig.bounce(self._bounces)
        fresh = _untold(self._journal) - known
        if fresh and not any(fault.part == "files" for fault in self._lasting):
            lasting = " + ".join(fault.name for fault in self._lasting)
            self.tally.untrue[f"{lasting}: {sorted(map(str, fresh))}"] += 1
        session = self._rig.appliance.console.session
        if session is not None:
            number = session.record.serial
            if len(session.record.log) != self.ledger.count(number):
                # What was written was not shown: the players know less than the disk.
                self._leave("", "more on disk than shown")

    def play_until_begun(self) -> None:
        """Plays until a game that is not over is on the disk; gives up where nobody can play."""
        since_s = self._now_s
        while self._now_s - since_s < STUCK_S:
            console = self._rig.appliance.console
            if console.session is not None and console.session.record.log and not console.over:
                break
            self.round()

    def rot(self) -> None:
        """Damages a file of the games, in one of its places, while they are in use."""
        self._note_lines()
        self._damage_file()

    def rot_at_rest(self) -> None:
        """Damages such a file while the appliance is off, and checks that nothing went."""
        self._note_lines()
        self.look_for_lines(self._damage_file)

    def _note_lines(self) -> None:
        """Notes all lines, with a game going on."""
        self.play_until_begun()
        self._words.said.clear()
        self._lines = {saved.id: saved.lines for saved in games_of(self._rig.journal)}

    def _damage_file(self) -> None:
        files = self._game_files()
        if self.chance.random() < GOING_SHARE:
            files = [file for file in files if file.parent.name == "going"] or files
        file = self.chance.choice(files)
        self._kind = self.chance.choice(tuple(KINDS))
        log.info("%s in %s", self._kind, file)
        damage_file(file, KINDS[self._kind], self.chance)

    def _game_files(self) -> list[Path]:
        """Everything that is kept of the games; the lock holds nothing."""
        found = (p for p in folder_of(self._journal).rglob("*") if p.is_file() and p.name != "lock")
        return sorted(path for path in found if path.parent.name != "damaged")

    def look_for_lines(self, between: Callable[[], None] = lambda: None) -> None:
        """Starts again, with something done in between, and checks that no damage took lines."""
        session = self._rig.appliance.console.session
        known, self._lines = dict(self._lines), {}
        if session is not None:
            texts = (line_to_text(session.record.setup, line) for line in session.record.log)
            known[session.record.serial] = tuple(texts)
        self.restart(between)
        if self._rig.mended is not None:
            self._words.said.append(self._rig.mended.sentence)
        lost = {number: count for number, count in self._lost(known).items() if count}
        self.tally.rots[self._kind] += 1
        self.tally.rots["reported"] += bool(self._words.said)
        self.tally.rots["lines lost"] += sum(lost.values())
        if lost:
            # What is damaged in one place is in the other.
            said = "" if self._words.said else " without a word"
            self.tally.wrong.append(f"{self._kind}: lost{said}: {lost}")
        self._mend_all()
        if session is not None and session.record.serial in lost:
            # The players know more of it than the appliance.
            self._leave("")

    def _mend_all(self) -> None:
        """Mends both places of everything, as the appliance does each month."""
        with Journal(self._journal) as journal:
            for day in range(DAYS + 1):
                while journal.scrub(86_400.0 * day):
                    pass

    def _lost(self, known: Mapping[int, tuple[str, ...]]) -> dict[int, int]:
        """How many lines of each game are gone or others."""
        lost = dict[int, int]()
        for number, lines in known.items():
            pairs = zip(lines, self._lines_of(number), strict=False)
            same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
            lost[number] = len(lines) - same
        return lost

    def _lines_of(self, number: int) -> tuple[str, ...]:
        try:
            return self._rig.journal.load(number).lines
        except NoSuchGame:
            return ()
        except JournalError as error:
            self._words.said.append(str(error))
            return ()

    def read_games(self) -> None:
        """Reads all games as `dicetray games` does, and checks that they are there."""
        with reading(self._journal) as journal:
            found = _count_lines(journal)
        if found != (wanted := _count_lines(self._rig.journal)):
            self.tally.wrong.append(f"read: {found} of {wanted} lines")

    def kill_another(self) -> None:
        """Has another process write lines into the journal endlessly, and kills it."""
        with Journal(self._journal) as journal:
            present = journal.last()
        command = [sys.executable, "-m", "tests.proofs.soak.journal_writer", str(self._journal)]
        writer = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        assert writer.stdout is not None
        lines = [writer.stdout.readline() for _ in range(self.chance.randint(3, 60))]
        writer.kill()
        lines += writer.stdout.readlines()
        writer.wait()
        writer.stdout.close()
        game, count = (int(word) for word in [t for t in lines if t.endswith("\n")][-1].split())
        with Journal(self._journal) as journal:
            saved = len(journal.load(game).lines)
            if saved < count:
                self.tally.wrong.append(f"killed: {saved} of {count} lines are there")
            journal.delete(game)
            if present is not None:
                journal.open(present.id)

    def cut_power(self) -> None:
        """Plays until the power fails at some write, and starts again on what that has left."""
        files = self._rig.files
        files.cut_after(self.chance.randrange(STEPS_TO_CUT))
        since_s = self._now_s
        while files.cut_is_due and self._now_s - since_s < ACTS_WITHIN_S:
            self.round()
        if files.cut_is_due:
            self._lose_power()

    def _lose_power(self) -> None:
        files = self._rig.files
        self.tally.cuts += 1
        leave = lambda: files.leave_state(self.chance)  # noqa: E731
        self._start_again(leave, note=self._systemd.note_end)
        self.tally.lost += self.ledger.lost(self._rig.journal)

    def fail_allocation(self) -> None:
        """Plays until an allocation fails somewhere in the appliance."""
        failing = self._memory.allocation
        failing.wanted = True
        since_s = self._now_s
        while failing.wanted and self._now_s - since_s < ACTS_WITHIN_S:
            self.round()
        self.tally.starved["allocations"] += not failing.wanted
        failing.wanted = False

    def starve(self, short: bool) -> None:
        """Leaves the appliance next to no memory from now on, or enough."""
        self._memory.space.short = short

    def bounce(self, bounces: bool) -> None:
        """Makes all contacts bounce from now on, or none; each press must have come once."""
        while self._rig.mock_buttons.busy:
            self.round()
        rig, before = self._bouncing
        self._bouncing = self._rig, self._rig.unpressed
        if not bounces and rig is self._rig and rig.unpressed > before:
            self._blame("contacts bounce", f"{rig.unpressed - before} presses nobody made")
        self._bounces = self.chance if bounces else None
        self._rig.bounce(self._bounces)

    def stop_broker(self) -> None:
        """Stops the broker, cleanly or not; the first time it has to begin before."""
        if self._broker is None:
            self._broker = self._stack.enter_context(closing(Broker(self._journal.parent)))
        self._broker.stop(kill=self.chance.random() < 0.5)

    def turn_broker_hostile(self) -> None:
        """Lets a hostile broker take its place; the first time it has to begin before."""
        if self._broker is None:
            self._broker = self._stack.enter_context(closing(Broker(self._journal.parent)))
        session = self._rig.appliance.console.session
        self._broker.turn_hostile(self.chance, session.record.serial if session else 0)
        since_s = time.monotonic()
        while not self._broker.harmed and _since(since_s) < LINK_S:
            # In the room it is the same minute.
            time.sleep(0.01)
        if not self._broker.harmed:
            self._blame("broker", "nobody comes to a hostile one")

    def start_broker(self) -> None:
        """Starts it again; it must come to know the whole game that is played."""
        broker = self._broker
        assert broker is not None
        broker.start()
        since_s = time.monotonic()
        if broker.runs and broker.most_bytes > MOST_BRIDGE_BYTES:
            self._blame("broker", f"the bridge takes {broker.most_bytes} bytes")
        while lacks := self._unknown_to(broker):
            self.round()
            # What is waited for is real: whoever plays faster meanwhile only has more to tell.
            time.sleep(TOLD_S)
            if _since(since_s) > LINK_S or not broker.runs:
                self._blame("broker", lacks)
                break
        broker.hang_up()

    def _unknown_to(self, broker: Broker) -> str:
        session = self._rig.appliance.console.session
        if session is None:
            return ""
        record = session.record
        lines = [public_log_text(record.setup, line) for line in record.log]
        return broker.lacks(record.serial, lines)

    def _crash(self) -> None:
        self.tally.starved["ended it"] += 1
        self._start_again(note=self._systemd.note_crash)
        self.tally.lost += self.ledger.lost(self._rig.journal)

    def crash_starts(self, count: int) -> None:
        """Starts again; the first so many starts crash in some phase, unless it is left out."""
        self._systemd.phase = self.chance.choice((Phase.VOICE, Phase.PLUG_INS, Phase.SETTINGS))
        self._systemd.failing = count
        self.restart()

    def reboot_pico_every(self, seconds: float) -> None:
        """Resets the Pico now and so often, in real seconds; 0 for no more."""
        self._pico_every_s, self._pico_s = seconds, time.monotonic() - seconds

    def upgrade(self) -> None:
        """Switches to another release, which is on trial."""
        self.restart(self._releases.upgrade)

    def go_back(self) -> None:
        """Starts with the trial not over, and so with the release before."""
        self.restart(self._boot)

    def cut_upgrade(self) -> None:
        """Has an upgrade cut off at some step, and starts."""

        def between() -> None:
            self._releases.cut_upgrade(self.chance)
            self._boot()

        self.restart(between)

    def _boot(self) -> None:
        if wrong := self._releases.boot():
            self._blame("release", wrong)

    def bring_games(self) -> None:
        """Restores a stick with games of another tray, and checks that they came.

        To a tray without games the stick would be its own.
        """
        self.play_until_begun()
        stick = self._other_tray / "stick"
        stick.mkdir(parents=True, exist_ok=True)
        with Journal(self._other_tray / "games.sqlite3") as other:
            number = other.begin("power", "2009", ["ZOE"], (), "1.0.0")
            other.append(number, 0, ["roll 1 2 3 4 5 power"])
            brought = other.load(number)
            save(other, stick, self._other_tray / "none")
        with Journal(self._journal, patience_s=PATIENCE_S) as journal:
            found = compare(journal, stick, calibrated=True)
            restore_others(journal, found)
        if not any(game.identity == brought.identity for game in games_of(self._rig.journal)):
            self.tally.wrong.append("a game of another tray did not come")

    def listen_asleep(self) -> None:
        """Connects to the event stream as a page does, and reads nothing."""
        self._sleeper = socket.socket(socket.AF_UNIX)
        self._sleeper.connect(str(self._rig.stream))

    def hang_up(self) -> None:
        """Ends that connection."""
        if self._sleeper is not None:
            self._sleeper.close()

    def lose_other_games(self) -> None:
        """Notes that all games but the present one are gone for good."""
        self.ledger.forget_others()

    def set_wall_clock(self, time_s: float) -> None:
        """Makes it this time of day, seconds since 1970."""
        self._set_clock(lambda: self._wall.set(time_s))

    def jump(self, seconds: float) -> None:
        """Makes the frames' clock jump ahead."""
        self._now_s += seconds
        self._line_s += seconds

    def shift_wall_clock(self, seconds: float) -> None:
        """Makes the time of day wrong by this much from now on."""
        self._set_clock(lambda: self._wall.shift(seconds))

    def _set_clock(self, change: Callable[[], None]) -> None:
        before_s = time.time()
        change()
        others = any(fault.part in LINK_PARTS for fault in self._lasting)
        if time.time() < before_s and not others and self._rig.board.status.connected:
            self._await_pings()

    def _await_pings(self) -> None:
        """Shows nothing new for so long that only pings keep the board from giving up the host."""
        until_s = time.monotonic() + KEPT_S
        while (now_s := time.monotonic()) < until_s:
            try:
                self._rig.board.wait(lambda status: not status.connected, KEPT_S / 20)
            except TimeoutError:
                if _since(now_s) > KEPT_S / 4:
                    # This machine is too busy to tell.
                    return
            else:
                self._blame("clock set back", "the board is not kept linked")
                return

    def _any_room(self) -> tuple[Room, RefereedPlayer]:
        return self._rooms[0 if self.chance.random() < self._drawn else -1]

    @property
    def _pictured(self) -> bool:
        return isinstance(self._room, DrawnRoom)

    def _start(self, closed: Button | None = None) -> Rig:
        systemd, room = self._systemd, self._room
        self.tally.starts += 1
        while not systemd.begin():
            self.tally.starts += 1
            self._now_s += RESTART_S
            if systemd.failed_for_good:
                self.tally.wrong.append("no start left out what crashes")
        self.tally.crashed = systemd.crashed
        rig = Rig(
            self._journal,
            self.pico,
            room,
            lambda: self._now_s,
            self._pass_time,
            self._listen,
            0,
            closed,
            safe=systemd.starts.safe,
        )
        systemd.note_running()
        session = rig.appliance.console.session
        if session is not None:
            room.play_with(session.record.setup.game)
        return rig

    def _pass_time(self, seconds: float) -> None:
        self._now_s += seconds

    def _listen(self, happened: Happened) -> None:
        with self._memory.enough():
            self._hear(happened)

    def _hear(self, happened: Happened) -> None:
        if self._systemd.starts.safe:
            # The game that lies on the table is not the menu's that is shown meanwhile.
            return
        self.ledger.note(happened.session)
        session = happened.session
        before = self._game
        self._game = session.record.setup.game if session is not None else ""
        if self._game != before:
            log.info("at the table: %s", self._game or "no game")
            self._room.play_with(self._game)
        self._trail.append(f"{happened.time_s:.0f} {happened.input}")
        self._player.notice(happened)

    # Playing.

    def _new_user(self) -> MenuUser:
        # A throw through pictures takes a second of work, so those games are short ones.
        drawn = self._pictured
        games, deck = (_SHORT if drawn else tuple(SETUPS)), self._decks[drawn]
        if not deck:
            # Each comes once before any comes again, so that all are loaded early.
            deck += self.chance.sample(games, len(games))
        game = deck.pop()
        setup: Setup = SETUPS[game][0]
        if not drawn:
            setup = Setup(game, NAMES[: next(self._people[game])])
        first = dict(setup.options).get(seat_option(game), ROLL_OFF)
        who = setup.players[first] if isinstance(first, int) else "ROLL-OFF"
        return MenuUser(self._seat, Wishes(Label(setup.game), setup.players, who))

    def round(self) -> None:
        """One round of the appliance's loop; then the players do what they want to."""
        rig, trouble = self._rig, self._memory.troubled
        try:
            with self._memory.running_out():
                rig.loop.once()
            self.told |= rig.notifier.told
            rig.notifier.told.clear()
            self._systemd.starts.alive(self._now_s)
        except PowerCut:
            self._lose_power()
            return
        except RefereeError as error:
            self._leave(f"{self._game}: {error}")
            return
        except (MemoryError, SystemError, TypeError, RuntimeError, OSError, cv2.error) as error:
            # So Python, threads, the system, and OpenCV say that memory is wanting; TypeError what
            # makes a path of an object (CPython 3.11.7, `os.scandir`).
            if not trouble:
                raise
            log.info("ended by %r", error)
            self._crash()
            return
        with rig.lock:
            if rig.saw_frame:
                step_s = self._room.advance()
            else:
                self._room.go_on_unseen()
                step_s = _SILENT_STEP_S
            self._now_s += step_s
            self.tally.room_s += step_s
            self.tally.frames += rig.saw_frame
        rig.mock_buttons.release_held()
        if self._pico_every_s and _since(self._pico_s or 0.0) >= self._pico_every_s:
            self._pico_s = time.monotonic()
            self.pico.reboot()
        if not rig.well:
            self._calm_s = self._now_s + CALM_S
            # Nobody plays meanwhile.
            self._line_s += step_s
        if rig.mock_buttons.busy:
            # How long a finger stays down is timed by gpiozero's own clock.
            time.sleep(0.02)
        elif self._now_s >= self._calm_s and rig.saw_frame:
            # Players wait while the board says that something is wrong, or stands still: otherwise
            # a throw that is reported late would be counted after the next one was made.
            self._act()
        self._spare()

    def _act(self) -> None:
        rig = self._rig
        session = rig.appliance.console.session
        length = (session.record.serial, len(session.record.log)) if session is not None else (0, 0)
        if length != self._length:
            self._length, self._line_s = length, self._now_s
        elif self._now_s - self._line_s > STUCK_S:
            self._leave("")
            return
        prompt = rig.appliance.prompt
        if isinstance(prompt, OverPrompt) and not self._player.regrets:
            self._finish()
        elif isinstance(prompt, NoticePrompt) and not prompt.passing and self._player.done:
            # The player has left the table, and what is told of a loss stays until it is read.
            if self._now_s >= self._next_press_s:
                self._next_press_s = self._now_s + 0.5
                self._rig.mock_buttons.press(Button.OK)
        elif not self._user.act(prompt, self._now_s):
            with rig.lock:
                self._player.act(prompt, self._now_s)

    def _finish(self) -> None:
        """A game is over: checks it, and lets the next one begin, perhaps in the other room."""
        session, player = self._rig.appliance.session, self._player
        if session.record.serial == self._checked:
            if self._now_s >= self._next_press_s:
                self._next_press_s = self._now_s + 0.5
                self._rig.mock_buttons.hold(Button.OK)
            return
        self._checked = session.record.serial
        if fault := faults_of(session, player.referee):
            self.tally.wrong.append(f"{session.record.setup.game}: {fault}")
            log.warning("wrong: %s, after %s", fault, self._account())
        else:
            self.tally.games[session.record.setup.game] += 1
        self.count()
        player.done = False
        room, player = self._any_room()
        if room is not self._room:
            self._room, self._player = room, player
            self.restart()
        self._user = self._new_user()

    def _leave(self, why: str, stuck: str = "") -> None:
        """Abandons a game that makes no progress, for a new one."""
        if why:
            self.tally.wrong.append(why)
            log.warning("left: %s, after %s", why, self._account())
        else:
            self.tally.stuck[stuck or self._game or "menu"] += 1
            log.warning("left at %s", self._rig.appliance.prompt)
        self.count()
        self._line_s = self._now_s
        self._user = self._new_user()
        self._rig.mock_buttons.hold(Button.OK)

    def _account(self) -> str:
        """The latest events, the last lines of the log, and the end of the true record."""
        session, referee = self._rig.appliance.console.session, self._player.referee
        texts: list[str] = []
        if session is not None:
            texts = [
                line_to_text(session.record.setup, line)
                for line in session.record.log[-_STEPS_KEPT:]
            ]
        events = [] if referee is None else referee.events[-_STEPS_KEPT:]
        return "; ".join((*self._trail, "the log:", *texts, "the truth:", *map(str, events)))

    def count(self) -> None:
        """Adds to the tally what the players' hands have done since this was last called."""
        for _, player in self._rooms:
            hands = player.hands
            self.tally.throws += hands.throws
            self.tally.slips += hands.slips
            hands.throws = 0
            hands.slips.clear()

    def _spare(self) -> None:
        """Waits so that no more of the machine is used than allowed."""
        if self._load < 1:
            used_s = time.process_time() + self._renderer.cpu_s
            ahead_s = used_s / self._load - _since(self._started_s)
            time.sleep(max(0.0, min(ahead_s, 1.0)))

    # Breaking.

    def attempt(self, *faults: Fault) -> None:
        """Makes faults happen, each while those before it last; mends them in any order.

        Each must be named, whatever else lasts, but for a disk while the players wait for another:
        nothing is written then; and but for the camera that a safe mode does without. Once all are
        over, everything must be well.
        """
        name = " + ".join(fault.name for fault in faults)
        log.info("%s", name)
        self._lasting = lasting = list[Fault]()
        if any(fault.part == "files" for fault in faults):
            # Later nobody may begin one: players wait while anything is wrong.
            self.play_until_begun()
        self.told.clear()
        begun_s = list[float]()
        for fault in faults:
            if lasting:
                self.play_on(BETWEEN_FAULTS_S)
            self.tally.faults[fault.name] += 1
            lasting.append(fault)
            fault.begin(self)
            begun_s.append(self.tally.room_s)
        if len(faults) == 2 and begun_s[1] - begun_s[0] <= SAME_MINUTE_S:
            self.tally.pairs[faults[0].name, faults[1].name] += 1
        for fault in self.chance.sample(faults, len(faults)):
            self._await_names(name, lasting)
            fault.end(self)
            lasting.remove(fault)
        if self._systemd.starts.safe:
            # Starts that failed in a row: it stays safe until somebody starts it again.
            self.tally.safe[name] += not any(fault.name in LASTING for fault in faults)
            self.restart()
        self._heal(name, max(fault.heals_s for fault in faults))
        gone = Alert.GAMES_GONE.sentence
        if gone in self.told and not any(fault.part == "files" for fault in faults):
            self.tally.untrue[f"{name}: {gone}"] += 1

    def play_on(self, seconds: float) -> None:
        since_s = self._now_s
        while self._now_s - since_s < seconds:
            self.round()

    def set_date(self, time_s: float) -> None:
        """Makes this the true time of day, seconds since 1970."""
        self._wall.set_date(time_s)

    @property
    def throws(self) -> int:
        """Throws so far."""
        return self.tally.throws + sum(player.hands.throws for _, player in self._rooms)

    @property
    def games_over(self) -> int:
        """Games that were finished or given up so far."""
        return self.tally.games.total() + self.tally.stuck.total()

    def _await_names(self, name: str, lasting: Sequence[Fault]) -> None:
        """Plays until the board has named the faults, and each could do its worst."""
        since_s, real_s = self._now_s, time.monotonic()
        safe = any(fault.names is Alert.SAFE_MODE for fault in lasting)
        named = [
            fault
            for fault in lasting
            # A safe mode leaves the camera out.
            if fault.names is not None and not (safe and fault.part == "camera")
        ]
        wanted = {
            fault.names.sentence
            for fault in named
            if fault.names is not None and (fault.part != "disk" or len(named) == 1)
        }
        least_s = max(fault.lasts_s for fault in lasting)
        least_real_s = max(fault.real_s for fault in lasting)
        while (
            (untold := wanted - self.told)
            or self._now_s - since_s < least_s
            or _since(real_s) < least_real_s
        ):
            self.round()
            if untold and untold <= self.told:
                self._note(self.tally.named, name, self._now_s - since_s)
            elif untold and self._now_s - since_s > REPORT_S and _since(real_s) > least_real_s:
                self._blame(name, f"the board did not say {' and '.join(sorted(untold))}")
                return

    def _heal(self, name: str, within_s: float) -> None:
        since_s = self._now_s
        while not self._rig.well:
            self.round()
            if self._now_s - since_s > within_s:
                self._blame(name, f"it is not over: {self._rig.notifier.said}")
                break
        self._note(self.tally.healed, name, self._now_s - since_s)
        real_s = time.monotonic()
        while not self._lights_are_right():
            self.round()
            if _since(real_s) > LINK_S:
                self._blame(name, f"the lights are wrong: {self._rig.board.status}")
                return
        log.info("%s: lights right after %.1f s", name, _since(real_s))

    def _lights_are_right(self) -> bool:
        """True if the chips come to show the appliance's picture within a moment."""
        for _ in range(30):
            if Picture(self.pico.lights().data) == self._rig.appliance.picture:
                return True
            time.sleep(0.01)
        return False

    def _note(self, longest: dict[str, float], name: str, seconds: float) -> None:
        longest[name] = max(seconds, longest.get(name, 0.0))

    def _blame(self, name: str, what: str) -> None:
        self.tally.wrong.append(f"{name}: {what}")

    # Measuring.

    def measure(self) -> None:
        """Takes a sample."""
        lines = _count_lines(self._rig.journal)
        time_s = _since(self._started_s)
        self.samples.append(take(time_s, self._journal, lines, self._pictured))

    def run(
        self,
        seconds: float,
        sample_every_s: float = 20.0,
        gap_s: float = 20.0,
        report: Callable[[Sample], None] = lambda _: None,
        *,
        pairs: bool = False,
    ) -> None:
        """Asks for hints for all games, then plays for this long, with a fault after each gap.

        Args:
            seconds: real seconds.
            sample_every_s: real seconds between samples, or more until one is comparable.
            gap_s: seconds of room time between faults, on average.
            report: called with each sample.
            pairs: two faults at a time instead of one, of all pairs in both orders.
        """
        ask_for_hints(self.chance)
        tried = pairs_of(self.faults) if pairs else [(fault,) for fault in self.faults]
        deck: list[tuple[Fault, ...]] = []
        next_s = time.monotonic()
        end_s = next_s + seconds
        while time.monotonic() < end_s:
            until_s = self._now_s + self.chance.expovariate(1 / gap_s)
            while self._now_s < until_s and time.monotonic() < end_s:
                self.round()
                if time.monotonic() >= next_s and self._room.comparable:
                    next_s = time.monotonic() + sample_every_s
                    self.measure()
                    report(self.samples[-1])
            if not deck:
                deck = self.chance.sample(tried, len(tried))
            self.attempt(*deck.pop())
        self.count()


def _since(start_s: float) -> float:
    return time.monotonic() - start_s


def _untold(path: Path) -> set[Damage]:
    """The losses of which nobody has been told."""
    try:
        with reading(path) as journal:
            return set(journal.untold())
    except JournalError:
        return set()


def _count_lines(journal: JournalReader) -> int:
    return sum(game.lines for game in summaries_of(journal))
