#!/usr/bin/env python3
"""The virtual hardware of run_owner.sh and the player who uses it, inside its machine, as root.

owner_in_vm.py camera            feeds /dev/video10 for ever with the film that run/show names
owner_in_vm.py board             plugs the Pico in, and runs the firmware in MicroPython behind it;
                                 unplugs it while run/cable says `out`
owner_in_vm.py pins              makes the pins, once after each start
owner_in_vm.py press N... [long] presses buttons together, by their names in the configuration
owner_in_vm.py play PLAN N|back M  plays a rehearsed game from the Nth act, or as after a power cut,
                                 until M lines are saved
owner_in_vm.py saved PLAN        how many lines are saved; all must match the rehearsal
owner_in_vm.py shown PLAN        how many lines the board had shown when the power went; run outside
owner_in_vm.py sum               a checksum of all games
owner_in_vm.py drawing           what the board shows

It is on a file system of the computer outside, as are the films and the folder run/, so what was
written there is known whatever happens to the machine.
"""

import hashlib
import json
import os
import sqlite3
import sys
import time
import tomllib
import zlib
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
RUN = HERE / "run"
SHOW = RUN / "show"
CABLE = RUN / "cable"
BOARD = RUN / "board"
SEEN = RUN / "board.log"
DONE = RUN / "done.log"
GAMES = Path("/var/lib/dicetray/games.sqlite3")
FOLDER = GAMES.with_suffix("")
SIZE = (800, 450)
FPS = 6
REPEATED_REST_FRAMES = 4
"""Frames at the end of each film that are repeated in turn."""
SHORT_PRESS_S = 0.15
LONG_PRESS_S = 1.5
DOUBT = "FacePrompt"
"""The rehearsal's name for a question about a die."""
MAX_DOUBTS_PER_THROW = 5
"""Most doubts about one throw that are answered."""
PATIENCE_S = {"press": 40.0, "film": 25.0, "back": 120.0}
"""Seconds of this machine's time after which an act counts as failed."""
sys.path.insert(0, str(HERE / "demos"))


def camera() -> None:
    """Feeds frames of the film that SHOW names, then its last ones in turn."""
    from loop_cam import Feed  # type: ignore[import-not-found]

    feed = Feed(10, *SIZE)
    length = SIZE[0] * SIZE[1] * 2
    name, film, number, due_s = "", b"", 0, time.monotonic()
    while True:
        wanted = _text(SHOW) or "start"
        if wanted != name:
            film = (HERE / "films" / f"{wanted}.yuv").read_bytes()
            # What was in the tray when the power came on is still there.
            number = 0 if name else len(film) // length
            name = wanted
        count = len(film) // length
        at = number if number < count else count - 1 - number % REPEATED_REST_FRAMES
        os.write(feed.fd, film[at * length : (at + 1) * length])
        number += 1
        due_s = max(due_s + 1 / FPS, time.monotonic() - 1 / FPS)
        time.sleep(max(0.0, due_s - time.monotonic()))


def board() -> None:
    """Runs the Pico's end of the cable; what it shows goes to BOARD and SEEN."""
    sys.path[:0] = [str(HERE / "source"), str(HERE / "source" / "tests" / "lab")]
    import usb_pico  # type: ignore[import-not-found]
    from usb_in_vm import Gadget  # type: ignore[import-not-found]

    from simulator.pico import micropython
    from tests.rigs.faulty_board import FaultyBoard

    pico = FaultyBoard(
        interpreter=micropython.find_interpreter(),
        settings={"CURRENT_LIMIT_MA": 3500, "WATCHDOG_MS": 0},
        cable=Gadget(usb_pico),
    )
    seen, plugged = "", True
    while True:
        wanted = _text(CABLE) != "out"
        if wanted != plugged:
            plugged = wanted
            pico.plug() if wanted else pico.unplug()
        lights = pico.lights()
        now = "dark" if lights.dark else lights.data.hex()
        if now != seen:
            seen = now
            BOARD.write_text(now)
            with SEEN.open("a") as file:
                file.write(f"{time.monotonic():.1f} {now}\n")
        time.sleep(0.2)


def press(names: list[str], long: bool) -> None:
    """Presses buttons together and releases them."""
    import gpio_sim  # type: ignore[import-not-found]

    pins = tomllib.loads(Path("/etc/dicetray.toml").read_text())["buttons"]["pins"]
    chip = f"/sys/devices/platform/{_text(Path(gpio_sim.C) / 'dev_name')}"
    bank = f"{chip}/{_text(Path(gpio_sim.C) / 'bank' / 'chip_name')}"
    lines = [Path(f"{bank}/sim_gpio{pins[name]}/pull") for name in names]
    for line in lines:
        line.write_text("pull-down")
    time.sleep(LONG_PRESS_S if long else SHORT_PRESS_S)
    for line in lines:
        line.write_text("pull-up")
    time.sleep(SHORT_PRESS_S)


def logs_in(file: Path) -> dict[str, list[str]]:
    """The lines of each game in a file, by the game's identity.

    Raises:
        SystemExit: a line has not the checksum that it should have.
    """
    games: dict[str, list[str]] = {}
    log: list[str] = []
    before = 0
    for number, line in enumerate(_whole_text(file).split("\n")[:-1], start=1):
        text, _, stored = line.rpartition("  #")
        own = text.startswith(("dicetray pack ", "== game "))
        if own or text.startswith("[Identity "):
            before = 0
        before = zlib.crc32(text.encode(), zlib.crc32(b"\n", before))
        if stored != f"{before:08x}":
            raise SystemExit(f"{file}: line {number} has another checksum: {line}")
        if text.startswith("[Identity "):
            log = games.setdefault(text, [])
            log.clear()
        elif not own and not text.startswith("["):
            log.append(text)
    return games


def going() -> list[Path]:
    """The games that have files of their own, the one opened last at the end."""
    return sorted((FOLDER / "going").glob("*.game"))


def all_logs() -> list[list[str]]:
    """The lines of all games; also of those that an earlier version keeps in a database."""
    if not FOLDER.exists():
        numbers = [number for (number,) in ask("SELECT id FROM games")]
        lines = "SELECT text FROM lines WHERE game={} ORDER BY seq"
        return sorted([text for (text,) in ask(lines.format(number))] for number in numbers)
    found: dict[str, list[str]] = {}
    for file in (*(FOLDER / "packs").glob("*.pack"), *going()):
        found |= logs_in(file)
    return sorted(found.values())


def ask(question: str) -> list[Any]:
    """The answer of an earlier version's database, read as the user who owns it."""
    if not GAMES.exists():
        return []
    # Reading creates files beside the database; they must not belong to root.
    os.seteuid(GAMES.stat().st_uid)
    try:
        with closing(sqlite3.connect(f"file:{GAMES}?mode=ro", uri=True, timeout=30)) as games:
            return games.execute(question).fetchall()
    finally:
        os.seteuid(0)


def saved() -> list[str]:
    """The lines of the last game."""
    files = going()
    return next(iter(logs_in(files[-1]).values()), []) if files else []


class Play:
    """The acts of a rehearsed game, and what each must lead to."""

    def __init__(self, game: str) -> None:
        self._plan: dict[str, Any] = json.loads((HERE / f"{game}.json").read_text())
        self._acts: list[dict[str, Any]] = self._plan["acts"]

    def go(self, start: str, until: int) -> None:
        """Performs the acts from one number onwards, until this many lines are saved.

        Raises:
            SystemExit: an act did not lead to what the rehearsal says.
        """
        at = self._back() if start == "back" else int(start)
        while at < len(self._acts) and not (at and self._acts[at - 1]["lines"] >= until):
            act = self._acts[at]
            if act["do"] == "film":
                # The power went while this throw was in the tray but not yet saved.
                lost = start == "back" and _text(SHOW) == act["film"]
                SHOW.write_text(f"{act['film']}-again" if lost else act["film"])
            else:
                press([act["button"]], act["long"])
            at = self._expect(at, act["do"]) + 1
        print(f"{len(saved())} of {len(self._plan['lines'])} lines saved", flush=True)

    def check(self) -> None:
        """Checks that the saved lines are the first ones of the rehearsal.

        Raises:
            SystemExit: they are not.
        """
        lines = saved()
        if lines != self._plan["lines"][: len(lines)]:
            raise SystemExit(f"other lines than rehearsed: {lines}")
        for file in going():
            number = file.name.split("-")[1]
            second = FOLDER / "second" / "going" / f"{number}.game"
            if not _whole_text(file).startswith(_whole_text(second)):
                raise SystemExit(f"{second} has other lines than {file}")
        print(len(lines))

    def shown(self) -> int:
        """How many lines the board had shown, from the pictures it has shown since the start."""
        lines = 0
        done = [line.split() for line in _text(DONE).splitlines()]
        seen = [line.split()[1] for line in _text(SEEN).splitlines()]
        if done:
            lines = int(done[-1][2])
            # Pictures from before that act prove no later one: they may come again.
            pages = self._acts[int(done[-1][0])]["pages"]
            since = [k for k, picture in enumerate(seen) if picture in pages]
            seen = seen[since[-1] :] if since else seen
        to_come = [act for act in self._acts if act["proof"] and act["lines"] > lines]
        for picture in seen:
            if to_come and picture in to_come[0]["proof"]:
                lines = to_come.pop(0)["lines"]
        return lines

    def _back(self) -> int:
        lines = len(self._wait_for(PATIENCE_S["back"], lambda: saved() or None) or [])
        self.check()
        back = self._plan["back"][str(lines)]
        # It asks for the same thing; what else it says depends on what is in the tray: dice of a
        # throw that was not saved may be counted.
        says = self._acts[back["act"]]["says"]
        pages = [page for act in self._acts if act["says"] == says for page in act["pages"]]
        for other in self._plan["back"].values():
            if self._acts[other["act"]]["says"] == says:
                pages += other["pages"]
        return self._expect(back["act"], "back", [*pages, *back["pages"]]) + 1

    def _expect(self, number: int, what: str, pages: Sequence[str] = ()) -> int:
        """Waits for what an act must lead to; returns the number of the act done by then."""
        start = time.monotonic()
        known = [(number, {*self._acts[number]["pages"], *pages})]
        if what == "film":
            # What was in doubt in the rehearsal need not be in doubt here.
            for later, act in enumerate(self._acts[number + 1 :], start=number + 1):
                if act["do"] == "film" or not self._acts[later - 1]["says"].startswith(DOUBT):
                    break
                known.append((later, set(act["pages"])))

        def there() -> int | None:
            picture, lines = _text(BOARD), len(saved())
            for at, pictures in known:
                # Before its first line, the last game may still be the previous one.
                if picture in pictures and self._acts[at]["lines"] in (0, lines):
                    return at
            return None

        found = self._wait_for(PATIENCE_S[what], there)
        asked = 0
        due = max(self._acts[at]["lines"] for at, _ in known)
        while (
            what == "film"
            and number
            and found is None
            and asked < MAX_DOUBTS_PER_THROW
            and len(saved()) < due
        ):
            # The board may ask whether a die was read right; a player who sees that it was says so.
            asked += 1
            press(["ok"], False)
            found = self._wait_for(PATIENCE_S["press"] / 4, there)
        act = self._acts[number if found is None else found]
        if found is None:
            raise SystemExit(
                f"act {number}, {what}: expected {act['lines']} lines and {act['says']}, found "
                f"{len(saved())} lines and on the board\n{_drawn(_text(BOARD))}"
            )
        with DONE.open("a") as file:
            summary = f"{found} {what} {act['lines']} {time.monotonic() - start:.1f} s"
            doubts = f"({asked} doubts) " if asked else ""
            file.write(f"{summary} {doubts}{act['says']}\n")
        return int(found)

    @staticmethod
    def _wait_for(seconds: float, condition: Callable[[], Any]) -> Any:
        end = time.monotonic() + seconds
        while (found := condition()) is None and time.monotonic() < end:
            time.sleep(0.2)
        return found


def _drawn(picture: str) -> str:
    if picture in ("", "dark"):
        return picture or "nothing"
    bits = "".join(f"{int(digit, 16):04b}" for digit in picture)
    rows = (bits[i : i + 64] for i in range(0, len(bits), 64))
    return "\n".join(row.replace("0", ".").replace("1", "#") for row in rows)


def _text(path: Path) -> str:
    return _whole_text(path).strip()


def _whole_text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


def main() -> None:
    """Does what the first argument names."""
    what, *words = sys.argv[1:]
    RUN.mkdir(exist_ok=True)
    if what == "camera":
        camera()
    elif what == "board":
        board()
    elif what == "pins":
        import gpio_sim

        gpio_sim.fake_pi()
        print(gpio_sim.Sim().chip)
    elif what == "press":
        press([name for name in words if name != "long"], "long" in words)
    elif what == "play":
        Play(words[0]).go(words[1], int(words[2]))
    elif what == "saved":
        Play(words[0]).check()
    elif what == "shown":
        print(Play(words[0]).shown())
    elif what == "sum":
        logs = all_logs()
        print(sum(map(len, logs)), hashlib.sha256(repr(logs).encode()).hexdigest()[:16])
    elif what == "drawing":
        print(_drawn(_text(BOARD)))


if __name__ == "__main__":
    main()
