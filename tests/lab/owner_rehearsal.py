#!/usr/bin/env python3
"""Plays the games of run_owner.sh on this machine first; records what each act must lead to.

    .venv/bin/python tests/lab/owner_rehearsal.py FOLDER GAME...

Games follow each other in one journal. The real watcher, session, journal and screens take in
rendered frames while a simulated player throws and presses. The output is films/*.yuv (packed YUYV,
what the camera will be fed), profile.json (what a calibration would have found) and GAME.json:
every act in order, how many lines the journal has after it, and which pictures the board may show
then. After every line the game is also resumed from the journal, as after a power cut, with the
dice of this throw and of the next one in the tray.
"""

import argparse
import copy
import json
import sys
import tempfile
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from appliance.cli.shared.starting import environment_from
from appliance.config import Config
from appliance.inputs import Button, Chord, Pressed
from appliance.journal.journal import Journal
from appliance.journal.log import line_to_text
from appliance.journal.sessions import load_session
from appliance.picture import Picture
from appliance.service.appliance import Appliance
from appliance.service.devices import Devices, Tray
from appliance.service.installation import CalibratedTray
from appliance.service.ports import Happened
from appliance.simulator.people.better import Better
from appliance.simulator.people.chooser import Chooser
from appliance.simulator.people.menu_user import MenuUser, Wishes
from appliance.simulator.people.player import SimulatedPlayer
from appliance.simulator.people.ports import kinds_of_dice_in
from appliance.table.menu.prompting import NoticePrompt
from appliance.table.prompts.betting import BetPrompt
from appliance.table.prompts.turn import DicePrompt
from appliance.table.session.session import Session
from games.values import Face
from simulator.motion.acts import Mishap
from simulator.motion.simulated_tray import SimulatedTray
from simulator.motion.watched_tray import WatchedTray, geometry_of_tray
from simulator.render.scene import Scene
from simulator.render.sensor import Sensor
from tests.rigs.stored_games import games_of
from vision.frame import Frame, Image
from vision.geometry.profile_file import save_profile

SIZE = (800, 450)
FPS = 6
TRAY_MAGNIFICATION = 1.35
"""How much larger the tray is in these pictures than in the simulator's own."""
FRAMES_BEFORE_THROW = 8
"""Frames from picking up the last die to the throw."""
REPEATED_REST_FRAMES = 4
"""Frames of a tray at rest that are repeated in turn; each has its own noise, like a sensor's."""
FRAMES_UNTIL_READ = 16
"""Frames at rest after which everything has been read."""
LOOKS_S = 14.0
"""Seconds within which every page of a prompt has been shown."""
APART_MM = 10.0
"""Gap between dice at rest: what is tested here is the appliance, not the reader."""
ORDER_MM = 4.0
"""Least left-to-right distance between two dice."""
STOP_ROLLING_SHARE = 0.85
"""Share of throws after which the player does not throw again: the machine is slow."""
PLAYERS = ("PLAYER 1", "PLAYER 2")
GAMES: Mapping[str, tuple[Wishes, int]] = {
    "classic": (Wishes("CLASSIC", PLAYERS, first="PLAYER 1"), 3),
    "holdem": (Wishes("HOLD'EM", PLAYERS, first="PLAYER 1", rules={"CHIPS EACH": "50"}), 5),
}


class Nobody:
    """A board that nobody sees; what is shown is taken from the appliance."""

    def show(self, picture: Picture) -> None:
        """Takes a picture."""


class Queue:
    """Buttons, and whoever presses them."""

    def __init__(self) -> None:
        self.made: list[Pressed] = []
        self._waiting: list[Pressed | Chord] = []

    def press(self, button: Button) -> None:
        """Presses and releases a button."""
        self.made.append(Pressed(button))

    def hold(self, button: Button) -> None:
        """Gives a button a long press."""
        self.made.append(Pressed(button, long=True))

    def give(self, press: Pressed) -> None:
        """Hands a press to the appliance."""
        self._waiting.append(press)

    def poll(self) -> tuple[Pressed | Chord, ...]:
        """The presses since the last call."""
        taken, self._waiting = tuple(self._waiting), []
        return taken

    def stuck(self) -> frozenset[Button]:
        """None of them."""
        return frozenset()

    def light(self, slots: frozenset[int]) -> None:
        """Has no lamps."""


class Bold(Better):
    """Bets everything it has."""

    def bet(self, prompt: BetPrompt) -> None:
        self._turned += 1
        bold = prompt.possible and prompt.label.startswith(("BET", "RAISE", "ALL"))
        timid = prompt.label == "FOLD" or not prompt.possible
        # After a full round there is nothing bolder than this.
        if not bold and (self._turned <= prompt.count or timid):
            self._buttons.press(Button.RIGHT)
            return
        self._turned = self._intent.looks = 0
        super().bet(prompt)

    _turned = 0


class Eager(Chooser):
    """Throws less often than it could."""

    def plan_slots_to_keep(self, prompt: DicePrompt) -> tuple[int, ...]:
        """The slots to keep; often all."""
        keeps = super().plan_slots_to_keep(prompt)
        if float(self._hands.rng.random()) < STOP_ROLLING_SHARE:
            return tuple(range(len(prompt.dice)))
        return keeps


class Dice(WatchedTray):
    """The tray as the player sees it; throws are filmed piece by piece.

    Attributes:
        thrown: the dice of the throw to be made.
    """

    thrown: Mapping[int, Face] = {}

    def throw(
        self,
        faces: Mapping[int, Face],
        mishaps: Mapping[int, Mishap] = MappingProxyType({}),
        *,
        apart_mm: float | None = None,
    ) -> None:
        """Notes these dice and faces for the next throw; with `apart_mm` given, throws them."""
        if apart_mm is None:
            self.thrown = dict(faces)
        else:
            super().throw(faces, mishaps, apart_mm=apart_mm)


class Table:
    """An appliance at work: frames and presses in, pictures out."""

    def __init__(
        self,
        profile: Path,
        journal: Journal,
        session: Session | None,
        listen: Callable[[Happened], None] | None = None,
    ) -> None:
        self.keys = Queue()
        tray = CalibratedTray(profile)
        environment = replace(
            environment_from(Config()),
            health=lambda: (),
        )
        self.appliance = Appliance(
            Devices(Nobody(), self.keys, dim=lambda _: None, chance=Random(8)),
            Tray(tray.guard.watcher(), tray.guard.watcher, tray.calibrate),
            journal,
            environment,
            session=session,
            listen=listen,
        )
        self.time_s = 0.0
        self._index = 0
        self.appliance.start()

    @property
    def lines(self) -> int:
        """How many lines the present game has."""
        session = self.appliance.console.session
        return 0 if session is None else len(session.record.log)

    @property
    def shown(self) -> str:
        """The picture on the board, in hexadecimal digits."""
        picture = self.appliance.picture
        return "" if picture is None else picture.data.hex()

    def look(self, image: Image) -> None:
        """Feeds it a frame."""
        self.time_s += 1 / FPS
        self._index += 1
        self.appliance.feed(Frame(image, self.time_s, self._index))

    def rest(self) -> list[str]:
        """Lets time pass until all pages have been shown; returns their pictures, in order."""
        seen = [self.shown]
        end = self.time_s + LOOKS_S
        while self.time_s < end:
            self.time_s += 0.1
            self.appliance.tick(self.time_s)
            if isinstance(self.appliance.prompt, NoticePrompt):
                end = self.time_s + LOOKS_S
            seen.append(self.shown)
        return list(dict.fromkeys(seen))


class Rehearsal:
    """Plays one game and records every act."""

    def __init__(self, folder: Path, game: str, journal: Path) -> None:
        self._folder, self._game = folder, game
        self._wishes, seed = GAMES[game]
        (folder / "films").mkdir(parents=True, exist_ok=True)
        kinds = kinds_of_dice_in(game)
        scene = _closer(Scene(sensor=Sensor(contrast=0.2)))
        self._tray = self._dice = Dice(seed, kinds, scene, size=SIZE)
        self._profile = folder / "profile.json"
        save_profile(geometry_of_tray(self._tray, SIZE), self._profile)
        self._path = journal
        self._journal = Journal(self._path)
        self._news: list[Happened] = []
        self._table = Table(self._profile, self._journal, None, self._notice)
        self._user = MenuUser(self._table.keys, self._wishes, think_s=0.0)
        self._player = SimulatedPlayer(
            self._dice,
            self._table.keys,
            np.random.default_rng(seed),
            chooser=Eager,
            better=Bold,
        )
        self._acts: list[dict[str, Any]] = []
        self._rendered: list[Image] = []

    def _notice(self, happened: Happened) -> None:
        self._player.notice(happened)

    def play(self) -> None:
        """Plays until the end and writes the plan."""
        film = self._rested(self._tray)
        self._write("start", film)
        for image in film * 4:
            self._table.look(image)
        self._note({"do": "film", "film": "start"}, self._table.rest())
        while not self._player.done:
            self._once()
        lines = self._lines()
        plan = {
            "game": self._game,
            "lines": lines,
            "acts": self._acts,
            "back": {str(n): self._back(n) for n in sorted({a["lines"] for a in self._acts})},
        }
        (self._folder / f"{self._game}.json").write_text(json.dumps(plan))
        throws = sum(a["do"] == "film" for a in self._acts) - 1
        print(f"{self._game}: {len(self._acts)} acts, {throws} throws, {len(lines)} lines")

    def _once(self) -> None:
        table = self._table
        if not self._user.act(table.appliance.prompt, table.time_s):
            self._player.act(table.appliance.prompt, table.time_s)
        if self._tray.busy or self._dice.thrown:
            self._throw()
        for press in table.keys.made:
            table.keys.give(press)
            table.appliance.tick(table.time_s)
            self._note({"do": "press", "button": press.button, "long": press.long}, table.rest())
        table.keys.made.clear()
        table.time_s += 1.0
        table.appliance.tick(table.time_s)

    def _throw(self) -> None:
        before, table, tray = self._table.lines, self._table, self._tray
        name = f"{self._game}{len(self._acts):03d}"
        self._begin_film(name)
        film = self._filmed(tray)
        thrown, self._dice.thrown = self._dice.thrown, {}
        if thrown:
            film += self._taken_up(tray, thrown)
            _throw_in_order(tray, thrown)
            roll = self._filmed(tray)
            film += roll
        film += self._rested(tray)
        if np.abs(film[-1].astype(int) - _yuv(tray.frame(SIZE).image)).mean() > 4:
            raise SystemExit(f"{name}.yuv is of other dice: delete the films")
        self._write(name, film)
        early, late = set(), list[str]()
        for image in (
            *film,
            *(film[-1 - i % REPEATED_REST_FRAMES] for i in range(FRAMES_UNTIL_READ)),
        ):
            table.look(image)
            if table.lines > before:
                late.append(table.shown)
            else:
                early.add(table.shown)
        if thrown:
            self._begin_film(f"{name}-again")
            again = self._taken_up(copy.deepcopy(tray), thrown)
            self._write(f"{name}-again", [*again, *roll, *film[-REPEATED_REST_FRAMES:]])
        pages = list(dict.fromkeys((*late, *table.rest())))
        self._note({"do": "film", "film": name}, pages, early)

    def _note(self, act: dict[str, Any], pages: list[str], early: Collection[str] = ()) -> None:
        first: dict[str, Any] = {"lines": 0, "pages": [], "film": ""}
        last = self._acts[-1] if self._acts else first
        lines = self._table.lines
        act |= {"lines": lines, "pages": pages, "says": str(self._table.appliance.prompt)[:80]}
        act.setdefault("film", last["film"])
        new = lines > last["lines"]
        # Pictures that cannot have been shown before these lines were written.
        act["proof"] = (
            [p for p in pages if p not in last["pages"] and p not in early] if new else []
        )
        self._acts.append(act)
        print(
            len(self._acts),
            act["do"],
            act.get("button", act["film"]),
            lines,
            act["says"],
            flush=True,
        )

    def _taken_up(self, tray: SimulatedTray, dice: Collection[int]) -> list[Image]:
        """Films the dice being picked up and shaken for a while."""
        tray.pick_up([die for die in dice if die in tray.slots])
        film = self._filmed(tray)
        rests = self._rested(tray)
        # Of a film that was kept, skip the frames that are repeated.
        del self._rendered[
            len(self._rendered)
            - REPEATED_REST_FRAMES * (FRAMES_BEFORE_THROW // REPEATED_REST_FRAMES - 1) :
        ]
        return film + rests * (FRAMES_BEFORE_THROW // REPEATED_REST_FRAMES)

    def _begin_film(self, name: str) -> None:
        """Loads what an earlier rehearsal rendered, so that it is not rendered again."""
        there = (self._folder / "films" / f"{name}.yuv").exists()
        self._rendered = self._read(name)[::-1] if there else []

    def _frame(self, tray: SimulatedTray) -> Image:
        return self._rendered.pop() if self._rendered else _yuv(tray.frame(SIZE).image)

    def _filmed(self, tray: SimulatedTray) -> list[Image]:
        film = []
        while tray.busy:
            film.append(self._frame(tray))
            tray.advance(1 / FPS)
        return film

    def _rested(self, tray: SimulatedTray) -> list[Image]:
        tray.advance(0.5)
        film = []
        for _ in range(REPEATED_REST_FRAMES):
            film.append(self._frame(tray))
            tray.advance(1 / FPS)
        return film

    def _write(self, name: str, film: list[Image]) -> None:
        with (self._folder / "films" / f"{name}.yuv").open("wb") as file:
            for image in film:
                file.write(cv2.cvtColor(image, cv2.COLOR_BGR2YUV_YUYV).tobytes())

    def _lines(self) -> list[str]:
        saved = self._journal.last()
        return [] if saved is None else list(saved.lines)

    def _back(self, lines: int) -> dict[str, Any]:
        """The board's pages when the game is resumed after this many lines."""
        at = next(i for i, act in enumerate(self._acts) if act["lines"] == lines)
        if not lines or at == len(self._acts) - 1:
            return {"act": at, "pages": self._acts[at]["pages"]}
        table = self._table_after(lines)
        for image in self._read(self._acts[at]["film"])[-REPEATED_REST_FRAMES:] * 4:
            table.look(image)
        pages = table.rest()
        if table.lines != lines:
            raise SystemExit(f"act {at}: the same dice in the tray were taken for a throw")
        follows = next(a for a in self._acts[at + 1 :] if a["lines"] > lines)
        if follows["do"] == "film":
            self._try_again(lines, follows)
        return {"act": at, "pages": pages}

    def _try_again(self, lines: int, act: dict[str, Any]) -> None:
        """The power went after a throw but before it was saved: it is made again."""
        table = self._table_after(lines)
        for image in self._read(act["film"])[-REPEATED_REST_FRAMES:] * 4:
            table.look(image)
        found = table.lines
        table.rest()
        film = self._read(f"{act['film']}-again")
        for image in (*film, *film[-REPEATED_REST_FRAMES:] * 4):
            table.look(image)
        session = table.appliance.session
        logged = [line_to_text(session.record.setup, line) for line in session.record.log]
        if logged != self._lines()[: act["lines"]]:
            print(
                f"{act['film']} made again: {found} lines, then {logged[lines:]}, "
                f"expected {self._lines()[lines : act['lines']]}"
            )

    def _table_after(self, lines: int) -> Table:
        saved = self._journal.last()
        assert saved is not None
        journal = Journal(":memory:")
        journal.bring_in([(game.id, game) for game in games_of(self._journal) if game.ended])
        number = journal.begin(
            saved.game, saved.edition, saved.players, saved.options, saved.version
        )
        journal.append(number, 0, saved.lines[:lines])
        return Table(self._profile, journal, load_session(journal, None))

    def _read(self, name: str) -> list[Image]:
        width, height = SIZE
        raw = np.fromfile(self._folder / "films" / f"{name}.yuv", np.uint8)
        packed = raw.reshape(-1, height, width, 2)
        return [np.asarray(cv2.cvtColor(f, cv2.COLOR_YUV2BGR_YUYV), np.uint8) for f in packed]


def _throw_in_order(tray: SimulatedTray, thrown: Mapping[int, Face]) -> None:
    """Throws dice so that each comes to rest clearly left or right of every other.

    After a start the appliance counts dice from left to right; if two are level, which one comes
    first may differ between here and the machine.
    """
    for tenths in range(80):
        apart_mm = APART_MM + tenths / 10
        trial = copy.deepcopy(tray)
        trial.throw(thrown, apart_mm=apart_mm)
        while trial.busy:
            trial.advance(0.5)
        across = sorted(die.position[0] for die in trial.resting.values())
        if all(right - left >= ORDER_MM for left, right in pairwise(across)):
            break
    tray.throw(thrown, apart_mm=apart_mm)


def _closer(scene: Scene) -> Scene:
    fx, fy = scene.camera.focal
    return replace(
        scene,
        camera=replace(scene.camera, focal=(fx * TRAY_MAGNIFICATION, fy * TRAY_MAGNIFICATION)),
    )


def _yuv(image: Image) -> Image:
    """The picture as it will come out of the camera."""
    packed = cv2.cvtColor(image, cv2.COLOR_BGR2YUV_YUYV)
    return np.asarray(cv2.cvtColor(packed, cv2.COLOR_YUV2BGR_YUYV), np.uint8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("games", nargs="+", choices=sorted(GAMES))
    options = parser.parse_args()
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as scratch:
        # The later game begins where the earlier one was played.
        for game in options.games:
            Rehearsal(options.folder, game, Path(scratch) / "games.sqlite3").play()


if __name__ == "__main__":
    main()
