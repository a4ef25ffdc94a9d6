"""The table drives any game without knowing which: random people at a simulated tray."""

import random
from collections import Counter

import pytest

from appliance.inputs import Button, Pressed
from appliance.screens.draw import pages
from appliance.table.prompts.betting import BettingPrompt
from appliance.table.prompts.turn import ChoicePrompt
from appliance.table.session.listing import ranked_choices
from appliance.table.session.prompting import prompt
from appliance.table.session.recording import undo_count
from appliance.table.session.session import (
    Drawn,
    Session,
    Setup,
    asks_colours,
    new_session,
    replay,
    resume,
    slot_kinds,
)
from appliance.table.session.step import Input, step
from games.chance import draw
from games.registry import GAMES
from games.values import Choose, DieKind, Draw, Face, Keep, Reveal, Rolled, Shown, Throw
from tests.rigs.examples import examples
from tests.rigs.listed import buttons_to
from vision.events import Cleared, Roll, TrackedDie, TrackId
from vision.reading import POWER_FACES, Candidate, DieReading, DieState, Kind

PLAYERS = {name: min(game.min_players + 1, game.max_players) for name, game in GAMES.items()}
EVENTS = 400


class Tray:
    """Dice by number (0 to 4 black, 5 the odd one) and the tracker's slots for them."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lying: dict[int, TrackedDie] = {}

    def throw(self, dice: dict[int, tuple[DieKind, Face]], doubt: float) -> Roll:
        for number in dice:
            self.lying.pop(number, None)
        taken = {d.track_id for d in self.lying.values()}
        free = [slot for slot in range(8) if slot not in taken]
        places = {number: self.rng.uniform(0, 600) for number in dice}
        self.lying = {n: TrackedDie(d.track_id, d.reading, False) for n, d in self.lying.items()}
        for slot, number in zip(free, sorted(places, key=places.__getitem__), strict=False):
            kind, face = dice[number]
            state = DieState.UNSURE if self.rng.random() < doubt else DieState.OK
            self.lying[number] = TrackedDie(
                TrackId(slot),
                DieReading(
                    Kind(kind.value),
                    face,
                    state,
                    (Candidate(face, 0.7),),
                    0.9,
                    (places[number], 0.0),
                    (),
                ),
                True,
            )
        return Roll(0, 0.0, tuple(sorted(self.lying.values(), key=lambda d: d.track_id)), 0)

    def face(self, number: int) -> Face | None:
        return self.lying[number].reading.value


class People:
    """Throw what is asked for, hold and choose at random, and know what they threw."""

    def __init__(self, game: str, seed: int, doubt: float = 0.0) -> None:
        self.rng = random.Random(seed)
        names = tuple("ABCDEF"[: PLAYERS[game]])
        self.session = new_session(Setup(game, names))
        self.tray = Tray(self.rng)
        self.doubt = doubt
        self.slots: dict[int, int] = {}

    def do(self, happened: Input) -> Session:
        self.session = step(self.session, happened)
        assert pages(prompt(self.session))
        return self.session

    def press(self, *buttons: Button) -> None:
        for button in buttons:
            self.do(Pressed(button))

    def throw(self, numbers: list[int], kinds: dict[int, DieKind]) -> None:
        dice: dict[int, tuple[DieKind, Face]] = {}
        for number in numbers:
            faces: tuple[Face, ...] = (
                POWER_FACES if kinds[number] is DieKind.POWER else (1, 2, 3, 4, 5, 6)
            )
            dice[number] = kinds[number], self.rng.choice(faces)
        before = len(self.session.record.events)
        self.do(self.tray.throw(dice, self.doubt))
        while len(self.session.record.events) == before:
            # Every doubt is a question about one die, and its proposal is what it shows.
            self.press(Button.OK)
        last = self.session.record.events[-1]
        assert isinstance(last, Rolled)
        assert sorted(map(str, last.faces)) == sorted(str(f) for _, f in dice.values())

    def turn(self) -> None:
        """One step: a lot, a throw or a choice."""
        session = self.session
        rules, state = session.record.rules, session.record.state
        ask = rules.ask(state)
        if isinstance(ask, Draw):
            self.do(Drawn(self.rng.choice(ask.lots)))
        elif isinstance(ask, Throw | Reveal) and asks_colours(ask):
            self.show()
        elif isinstance(ask, Throw):
            self.throw([d.slot for d in ask.dice], {d.slot: d.kind for d in ask.dice})
            self.slots = {d.slot: d.slot for d in ask.dice}
        elif isinstance(ask, Choose):
            keeps = [c for c in rules.choices(state) if isinstance(c, Keep)]
            if keeps and self.rng.random() < 0.5:
                self.throw_again(keeps)
            else:
                self.choose()

    def show(self) -> None:
        """Dice from the bag, alone in the tray; the board asks about those in doubt."""
        shown = draw(self.session.record.rules, self.session.record.state, self.rng)
        self.tray.lying = {}
        self.do(Cleared(0, 0.0))
        numbers, before = dict(enumerate(shown.dice)), len(self.session.record.events)
        self.do(self.tray.throw({n: (d.kind, d.face) for n, d in numbers.items()}, self.doubt))
        while len(self.session.record.events) == before:
            self.press(Button.OK)
        last = self.session.record.events[-1]
        assert isinstance(last, Shown)
        assert Counter(last.dice) == Counter(shown.dice)

    def throw_again(self, keeps: list[Keep]) -> None:
        session = self.session
        kinds = dict(enumerate(slot_kinds(session)))
        faces = session.record.dice
        # The kinds and the tracker's order tell which die is in which slot.
        places = session.tracked.slots
        numbers: dict[int, int] = {
            places[d.track_id]: n for n, d in self.tray.lying.items() if d.track_id in places
        }
        keep = self.rng.choice(keeps)
        thrown = [s for s in kinds if s not in keep.slots]
        by_buttons = self.rng.random() < 0.5
        if by_buttons:
            self.press(*(list(Button)[slot] for slot in keep.slots))
        for slot in keep.slots:
            assert self.tray.face(numbers[slot]) == faces[slot]
        self.throw([numbers[s] for s in thrown], {numbers[s]: kinds[s] for s in thrown})
        assert self.session.record.events[-2] == keep

    def choose(self) -> None:
        ranked = ranked_choices(self.session)
        wanted = self.rng.choice(ranked)
        before = len(self.session.record.events)
        if not isinstance(prompt(self.session), ChoicePrompt | BettingPrompt):
            self.press(Button.OK)
        if len(self.session.record.events) > before:
            # There was nothing but to pass.
            assert self.session.record.events[-1] == wanted
            return
        self.press(*buttons_to(self.session, wanted))
        self.press(Button.OK)
        if len(self.session.record.events) == before:
            self.press(Button.OK)
        assert self.session.record.events[-1] == wanted


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("doubt", [0.0, 0.3])
def test_random_people_play_any_game(game: str, doubt: float) -> None:
    for seed in range(examples(1, 3)):
        people = People(game, seed, doubt)
        while people.session.record.ask and len(people.session.record.log) < EVENTS:
            people.turn()
        session = people.session
        assert replay(session.record.setup, session.record.events) == session.record.state
        assert resume(session.record.setup, session.record.log).record.state == session.record.state
        assert len(session.record.log) >= 40


@pytest.mark.parametrize("game", GAMES)
def test_every_step_can_be_undone(game: str) -> None:
    people = People(game, 9)
    while people.session.record.ask and len(people.session.record.log) < 150:
        people.turn()
    for _ in range(10):
        before = people.session
        gone = undo_count(before, 1)
        people.press(Button.BACK, Button.OK)
        after = people.session
        assert after.record.events == before.record.events[: len(before.record.events) - gone]
        assert isinstance(after.record.ask, Choose)
        assert not isinstance(after.record.ask, Draw)
        assert resume(after.record.setup, after.record.log).record.state == after.record.state


@pytest.mark.parametrize("game", GAMES)
def test_every_sheet_can_be_paged_through(game: str) -> None:
    people = People(game, 4)
    for _ in range(40):
        people.turn()
    people.do(Pressed(Button.OK, long=True))
    for _ in range(60):
        people.press(people.rng.choice([Button.RIGHT, Button.LEFT, Button.OK]))
    people.press(Button.BACK)
