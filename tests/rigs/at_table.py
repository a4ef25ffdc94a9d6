"""A table whose appliance sees no pictures: dice are thrown as asked, people press OK."""

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from appliance.inputs import Button, Pressed
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.service.appliance import Appliance
from appliance.service.devices import Devices, Tray
from appliance.service.environment import Environment
from appliance.table.prompts.turn import OverPrompt
from appliance.table.session.session import Session, Setup, has_decided, is_computers_turn
from games.chance import draw, throw
from games.values import DieKind, Reveal, Throw
from tests.appliance.table.scripted import ScriptedKeys, ScriptedWatcher
from tests.builders import die, roll
from tests.rigs.dropped import closed_when_dropped
from tests.rigs.memory_scoreboard import MemoryScoreboard
from vision.events import TrackedDie
from vision.frame import Frame
from vision.reading import DieState, Kind

BLANK = np.zeros((4, 4, 3), np.uint8)
STEP_S = 0.8


class AtTable:
    """An appliance with a journal; creating another one is a restart.

    Args:
        path: the journal's file, or the journal; ":memory:" for one that is not kept.
        setup: what is played.
        chance: random seed of the dice and of the appliance.
        environment: what is settled before.
        devices: besides board and keys.
    """

    def __init__(
        self,
        path: Path | str | Journal,
        setup: Setup | None,
        chance: int = 0,
        environment: Environment | None = None,
        **devices: Any,
    ) -> None:
        self.journal = path if isinstance(path, Journal) else Journal(path)
        closed_when_dropped(self.journal.files)
        self.random = Random(chance)
        self.watcher, self.keys = ScriptedWatcher(), ScriptedKeys()
        self.board = MemoryScoreboard()
        self.appliance = Appliance(
            Devices(self.board, self.keys, chance=self.random, **devices),
            Tray(self.watcher),
            self.journal,
            environment,
            session=load_session(self.journal, setup),
        )
        self.appliance.start()
        self.frames = 0
        self.time_s = 0.0

    @property
    def session(self) -> Session:
        """The current game."""
        return self.appliance.session

    def wait(self, frames: int = 1, step_s: float = STEP_S) -> None:
        """Lets time pass."""
        for _ in range(frames):
            self.frames += 1
            self.time_s += step_s
            self.appliance.feed(Frame(BLANK, self.time_s, self.frames))

    def press(self, *buttons: Button, long: bool = False) -> None:
        """Presses buttons in quick succession."""
        for button in buttons:
            self.keys.presses.append(Pressed(button, long))
            self.wait(step_s=0.01)

    def throw(self, last: DieState = DieState.OK) -> None:
        """Throws the dice that the board asks for, whoever's turn it is; the last may be unsure."""
        session = self.session
        rules, state = session.record.rules, session.record.state
        ask = rules.ask(state)
        lying: list[TrackedDie] = []
        if has_decided(session):
            for slot, face in enumerate(rules.dice(state)):
                kind = Kind(rules.dice_kinds[slot].value)
                if slot in session.record.holds:
                    lying.append(die(slot, face or 1, kind, thrown=False))
                else:
                    power = kind is Kind.POWER
                    new = self.random.choice(("1", "2", "double") if power else (1, 2, 3, 4, 5, 6))
                    lying.append(die(slot, new, kind))
        elif isinstance(ask, Reveal) or (isinstance(ask, Throw) and ask.coloured):
            known = zip(rules.kinds(state), rules.dice(state), strict=True)
            for slot, (colour, face) in enumerate(known):
                if colour is not None and slot < 5 and face is not None:
                    lying.append(die(slot, face, Kind(colour.value), thrown=False))
            if len(lying) == 3 and len(ask.dice) == 3:
                lying.clear()
            shown = draw(rules, state, self.random).dice
            for asked, one in zip(ask.dice, shown, strict=True):
                lying.append(die(asked.slot, one.face, Kind(one.kind.value)))
        elif isinstance(ask, Throw):
            faces = throw(ask.dice, self.random).faces
            for number, (asked, face) in enumerate(zip(ask.dice, faces, strict=True)):
                kind = Kind(asked.kind.value) if asked.kind is not DieKind.BLACK else Kind.BLACK
                lying.append(die(number, face, kind))
        if lying:
            lying[-1] = replace(lying[-1], reading=replace(lying[-1].reading, state=last))
        self.watcher.events = [roll(*lying)]
        self.wait()

    def go_on(self) -> bool:
        """Makes the next throw or press, or waits for a computer; False once the game is over."""
        prompt, session = self.appliance.prompt, self.session
        if isinstance(prompt, OverPrompt):
            return False
        asked = session.record.ask
        if is_computers_turn(session) and not has_decided(session):
            self.wait()
        elif isinstance(asked, Throw | Reveal) or has_decided(session):
            self.throw()
        else:
            # Once it could be read.
            self.wait()
            self.press(Button.OK)
        return True

    def play(self, steps: int = 5000) -> None:
        """Plays on to the end, for at most this many steps."""
        for _ in range(steps):
            if not self.go_on():
                return
