"""Plays `dicetray play --human` by keyboard, as people who watch the screen do and as others do.

Random keys of all kinds come between sensible moves. At the end the game must be over, the record
must replay to the scores that were shown, and the terminal must be as it was found.
"""

import io
import json
import os
import re
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from random import Random

from appliance.cli.main import main
from appliance.journal.files import folder_of
from appliance.journal.going import GOING
from appliance.journal.journal import Journal
from appliance.journal.origin import Origin
from games.registry import GAMES
from tests.rigs.by_hand.terminal import Stuck, Terminal
from tests.rigs.by_hand.way_home import way_home

MIN_PLAYERS = {name: game.min_players for name, game in GAMES.items()}
"""The smallest number of players of each game."""
NAMES = ("ANNA", "BOB")
NAME_PROMPT = "Name "
BACKSPACE = b"\x7f"

WINDOW = (100, 30)
"""Columns and rows of the window while the players watch the screen."""
WINDOWS = (WINDOW, (160, 50), (80, 24), (66, 12), (20, 5), (2, 2), (300, 90))

MAX_FRAMES_TO_EFFECT = 100
"""Within these a key must show its effect."""
RANDOM_KEYS = 150
"""In each game of the tests."""
FRAMES_BETWEEN_KEYS = (0, 0, 1, 1, 2, 5, 5, 20)
"""Between random keys: none, some, and enough for a throw to come to rest."""
MAX_MOVES = 6000
"""Sensible keys after which a game is called endless: ten times as many as in the longest seen."""
MAX_IDLE_MOVES = 400
"""Sensible keys without a new line in the journal after which a game counts as stuck."""
MOVES_PER_LOT = 5
"""Sensible keys from one lot of random keys to the next."""
MOVES_BEFORE_FIRST_LOT = 3

ARROW_KEYS = (b"\x1b[C", b"\x1b[D", b"\x1bOC", b"\x1b[A", b"\x1b[B")
USUAL_KEYS = (*(bytes([c]) for c in b" t123456bhpscvx?\r\n\x7f"), *ARROW_KEYS)
LONG_PRESS_KEYS = (b"u", b"m", b"<", b">", b"!", b"@", b"#", b"$", b"%", b"o")
UNKNOWN_KEYS = (
    b"\x00\xff\xfe\x80",
    "Größe".encode(),
    b"\x1b",
    b"\x1b[",
    b"\x1b[1;5",
    b"\x1b[200~hello\x1b[201~",
    b"\x1bO",
    b"\x1b\x1b\x1b",
    b"\t\x0c\x02\x04\x13\x11",
)
PAUSE = b"\x1a"
INTERRUPT = b"\x03"
QUIT = b"q"
ENDS = {1: INTERRUPT, 3: QUIT}
"""The lots of random keys that are cut short by a key that ends the program cleanly."""


@dataclass(slots=True)
class GameReport:
    """How a game played by keyboard went.

    Attributes:
        game: its name.
        keys: keys pressed, sensible and random.
        throws: throws counted by the appliance.
        seconds: real time it took.
        starts: how often the program was started.
        stops: how often it was suspended and resumed.
        ended: what it printed at the end.
        fault: what was wrong; empty if nothing was.
    """

    game: str
    keys: int = 0
    throws: int = 0
    seconds: float = 0.0
    starts: int = 0
    stops: int = 0
    ended: str = ""
    fault: str = ""

    @property
    def shown(self) -> str:
        """The scores printed at the end; empty if none were."""
        found = re.search(r"^game over: (.*)$", self.ended, re.MULTILINE)
        return found[1] if found else ""


class Player:
    """Presses keys at a terminal in which a game is running.

    Args:
        terminal: where it is played.
        game: its name.
        journal: what the program has saved; shows the cards to players of Showdown.
        random: source of randomness.
    """

    def __init__(self, terminal: Terminal, game: str, journal: Path, random: Random) -> None:
        self._terminal = terminal
        self._game = game
        self._journal = journal
        self._random = random
        self._from_fold = False
        self.keys = 0

    @property
    def guide(self) -> str:
        """The screen's line on what can be done now; empty if there is none."""
        lines = self._terminal.screen
        found = [n for n, line in enumerate(lines) if line.startswith(("q quit", "Ctrl-C quit"))]
        return lines[found[0] - 1] if found else ""

    def wait(self, until: Callable[[], bool], frames: int = MAX_FRAMES_TO_EFFECT) -> bool:
        """Reads frames until a condition holds; returns False after this many or at the end."""
        last = self._terminal.frames + frames
        while not until():
            if self._terminal.frames >= last or not self._terminal.read():
                return False
        return True

    def begin(self) -> bool:
        """Waits until the screen says what can be done; False if the program has ended."""
        self._terminal.resize(*WINDOW)
        return self.wait(lambda: bool(self.guide))

    def press(self, keys: bytes) -> None:
        """Presses keys and waits until the screen says something else, or patience runs out."""
        before = self.guide
        self._terminal.press(keys)
        self.keys += 1
        self.wait(lambda: self.guide != before)

    def move(self) -> bool:
        """Presses one sensible key; False once the game is over or the program has ended."""
        if self._terminal.status is not None:
            return False
        guide = self.guide
        if guide.startswith("The game is over"):
            return False
        key = self._key(guide)
        if key:
            self.press(key)
        else:
            self.wait(lambda: self.guide != guide)
        return True

    def _key(self, guide: str) -> bytes:
        if "s puts your own dice" in guide:
            return b"s"
        if re.search(r"1-\d hold", guide):
            return self._hold(guide)
        if "which number?" in guide or "which colour?" in guide:
            return b"\x1b[C"
        if "is it" in guide:
            return b"\r"
        if "SPACE" in guide:
            return b" "
        if guide.startswith(NAME_PROMPT):
            return BACKSPACE
        if re.match(r"New|Shut|Undo", guide) or "b goes back" in guide or "really Fold" in guide:
            return b"b"
        if "is not possible" in guide:
            return b"\x1b[D"
        if re.search(r"ENTER chooses (Check|Bet|Call|Raise|All in|Fold)", guide):
            return self._bet(guide)
        if "ENTER" in guide:
            return b"\r"
        # A message that disappears by itself.
        return b""

    def _hold(self, guide: str) -> bytes:
        """Holds a die, throws the others, or takes the roll as it lies."""
        if self._game == "showdown":
            wanted = way_home(self._journal)
            if wanted is None:
                return b"\r"
            found = re.search(r"now ([\d ]+)\)", guide)
            held = {int(slot) - 1 for slot in found[1].split()} if found else set()
            unlike = sorted(held ^ set(wanted))
            return b"%d" % (unlike[0] + 1) if unlike else b" "
        again = self._random.random() < 0.25
        held_key = self._random.choice((b"1", b"3")) if "now" not in guide else b" "
        return held_key if again else b"\r"

    def _bet(self, guide: str) -> bytes:
        """Chooses the highest bet possible; bets stand before Fold, the last of the list."""
        if "Fold" in guide:
            self._from_fold = True
            return b"\x1b[D"
        if self._from_fold:
            self._from_fold = False
            return b"\r"
        return b"\x1b[D"

    def press_at_random(self, count: int) -> None:
        """Presses keys of all kinds without looking at what they do."""
        for _ in range(count):
            if self._terminal.status is not None:
                return
            self.keys += 1
            what = self._random.random()
            if what < 0.72:
                self._terminal.press(self._random.choice(USUAL_KEYS))
            elif what < 0.80:
                self._terminal.press(self._random.choice(ARROW_KEYS) * self._random.randint(5, 60))
            elif what < 0.86:
                self._terminal.resize(*self._random.choice(WINDOWS))
            elif what < 0.90:
                self._terminal.press(self._random.choice(UNKNOWN_KEYS))
            elif what < 0.93:
                self._terminal.press(PAUSE)
            else:
                self._terminal.press(self._random.choice(LONG_PRESS_KEYS))
            self.wait(lambda: False, self._random.choice(FRAMES_BETWEEN_KEYS))
        self._terminal.resize(*WINDOW)
        self.wait(lambda: False, 3)

    def end(self, key: bytes) -> bool:
        """Ends the program with a key; False if it does not end.

        A key that completes a sequence begun by random keys does nothing, so it is pressed again.
        """
        for _ in range(3):
            if self.guide.startswith(NAME_PROMPT):
                # While a name is asked for, every character is one of its letters.
                self._terminal.press(BACKSPACE * 20)
            self._terminal.press(key)
            self.keys += 1
            if not self.wait(lambda: False) and self._terminal.status is not None:
                return True
        return False


class _Lots:
    """The random keys of a game, in lots that come between sensible moves.

    Args:
        keys: number of random keys.
        bursts: number of lots.
        random: source of randomness.
    """

    def __init__(self, keys: int, bursts: int, random: Random) -> None:
        self._keys = keys
        self._bursts = bursts
        self._random = random
        self._keys_left = keys
        self.left = bursts

    def next(self) -> tuple[int, bytes | None]:
        """How many keys the next lot has, and the key that ends the program after it, if any."""
        self.left -= 1
        count = min(self._keys_left, self._keys // self._bursts) if self.left else self._keys_left
        ending_key = ENDS.get(self._bursts - self.left)
        if ending_key is not None:
            count = self._random.randint(0, count)
        self._keys_left -= count
        return count, ending_key


class _Progress:
    """Counts sensible moves, and notices when they lead nowhere.

    Args:
        journal: grows while the game goes on.
    """

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._size = _size(journal)
        self._moves_at_last_line = 0
        self.moves = 0

    def count(self, terminal: Terminal) -> None:
        """Counts a move; raises `Stuck` after too many, or too many without a new line."""
        self.moves += 1
        if (now := _size(self._journal)) != self._size:
            self._size, self._moves_at_last_line = now, self.moves
        if self.moves > MAX_MOVES or self.moves > self._moves_at_last_line + MAX_IDLE_MOVES:
            raise Stuck(
                f"no end after {self.moves} moves, no line since move "
                f"{self._moves_at_last_line}; last:\n" + _seen(terminal)
            )


def _interrupt_at_random(player: Player, terminal: Terminal, lots: _Lots) -> bool:
    """Presses the next lot of random keys; returns whether a key after it has ended the program."""
    count, ending_key = lots.next()
    player.press_at_random(count)
    if ending_key is None or terminal.status is not None:
        return False
    if not player.end(ending_key):
        raise Stuck(f"{ending_key!r} did not end the program")
    return True


def _play_until_program_ends(
    player: Player, terminal: Terminal, lots: _Lots, progress: _Progress
) -> bool:
    """Plays on; returns whether the game is over, else the program ended and can go on with it."""
    while True:
        interrupted = over = False
        if lots.left and progress.moves % MOVES_PER_LOT == MOVES_BEFORE_FIRST_LOT:
            interrupted = _interrupt_at_random(player, terminal, lots)
        if not interrupted:
            over = not player.move() and not lots.left and terminal.status is None
            interrupted = terminal.status is not None
        progress.count(terminal)
        if interrupted or over:
            return over


def play(game: str, folder: Path, *, seed: int, keys: int, bursts: int = 5) -> GameReport:
    """Plays a game to its end, with this many random keys on the way, and checks it.

    Args:
        game: its name.
        folder: for the journal and everything else that is kept.
        seed: random seed.
        keys: number of random keys.
        bursts: number of lots in which they are pressed; Ctrl-C comes somewhere in the first and q
            in the third, and each time the program is started again and resumes the game.
    """
    report = GameReport(game)
    started = time.monotonic()
    random = Random(f"{game} {seed}")
    journal = folder / f"{game}.sqlite3"
    new = ["--new", "--game", game, "--players", *NAMES[: MIN_PLAYERS[game]], "--first", "1"]
    lots = _Lots(keys, bursts, random)
    progress = _Progress(journal)
    over = False
    try:
        while not over and not report.fault:
            first = new if not report.starts else []
            with Terminal(_program(journal, seed, first), _environment(folder), WINDOW) as terminal:
                report.starts += 1
                player = Player(terminal, game, journal, random)
                player.begin()
                over = _play_until_program_ends(player, terminal, lots, progress)
                if over:
                    terminal.press(QUIT)
                report.ended = terminal.ended()
                report.keys += player.keys
                report.stops += terminal.stops
                report.fault = _fault(terminal, report)
    except Stuck as stuck:
        report.fault = str(stuck)
    report.seconds = time.monotonic() - started
    if not report.fault:
        report.throws, report.fault = _checked(journal, report)
    return report


def check_by_hand(game: str, folder: Path) -> None:
    """Plays a whole game with 150 random keys and Ctrl-C, after which it is resumed."""
    report = play(game, folder, seed=1, keys=RANDOM_KEYS)
    assert report.fault == "", f"{report.fault}\n{report}"
    assert report.keys > RANDOM_KEYS
    assert report.starts >= 2
    assert report.throws >= 5


def _program(journal: Path, seed: int, more: list[str]) -> list[str]:
    quick = ["--speed", "0", "--picture", "small", "--seed", str(seed)]
    command = ["-m", "appliance.cli.program", "play", "--human", "--journal", str(journal)]
    return [sys.executable, *command, *quick, *more]


def _environment(folder: Path) -> dict[str, str]:
    # The size that counts is that of the window the program is in.
    others = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    return {**others, "TERM": "xterm-256color", "XDG_STATE_HOME": str(folder)}


def _size(journal: Path) -> dict[str, int]:
    """Bytes of each game that has a file of its own; a new line changes one of them."""
    return {file.name: file.stat().st_size for file in (folder_of(journal) / GOING).glob("*.game")}


def _seen(terminal: Terminal) -> str:
    return "\n".join(terminal.screen)


def _fault(terminal: Terminal, report: GameReport) -> str:
    if "Traceback" in report.ended or terminal.status != 0:
        return f"exit status {terminal.status}: {report.ended[-2000:]}\nlast:\n{_seen(terminal)}"
    return f"{terminal.unlike}\nlast:\n{_seen(terminal)}" if terminal.unlike else ""


def _checked(journal: Path, report: GameReport) -> tuple[int, str]:
    """The number of recorded throws, and how the replay differs from the scores shown."""
    if not report.shown:
        return 0, f"expected a game that is over, found: {report.ended[-500:]}"
    with Journal(journal, origin=Origin.KEYBOARD) as games:
        last = games.last()
    assert last is not None
    file = journal.with_suffix(".txt")
    file.write_text(_printed("games", "export", str(last.id), "--journal", str(journal)))
    record = json.loads(_printed("replay", "--json", str(file)))
    scores = zip(record["players"], record["scores"], strict=True)
    replayed = ", ".join(f"{name} {points}" for name, points in scores)
    throws = sum(event.startswith(("roll ", "show ")) for event in record["events"])
    if not record["over"] or replayed != report.shown:
        return throws, f"expected the scores {report.shown}, found {replayed} in the record"
    return throws, ""


def _printed(*arguments: str) -> str:
    out = io.StringIO()
    with redirect_stdout(out):
        status = main(arguments)
    assert status == 0, f"dicetray {' '.join(arguments)}: exit status {status}"
    return out.getvalue()
