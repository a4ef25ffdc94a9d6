"""A tray without pictures: what lies in it is reported as the watcher would report it.

The dice have places, faces and kinds; after each act of the hand the real tracker compares what
lies there now with what lay there before. Only reading the picture is left out.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from games.values import Face
from simulator.motion.acts import Mishap
from tests.builders import reading
from vision.events import Cleared, Moved, PickedUp, Roll, TrayChanged, TrayEvent
from vision.reading import Candidate, DieReading, DieState, Kind, TrayState
from vision.watch.tracker import Tracker

EDGE = 16.0
"""Edge of a die, in the tray's unit."""
FLOOR_WIDTH = 216.0
"""In the unit of `EDGE`."""
FLOOR_DEPTH = 152.0
HOLDER_X = FLOOR_WIDTH + 12.0
"""Where dice stand in the holder on the right."""

_APART = 1.6 * EDGE
_FAR = 3 * EDGE


@dataclass(frozen=True, slots=True)
class Lying:
    """A die in or beside the tray.

    Attributes:
        place: its centre.
        face: what it shows; None for one that leans or is stacked.
        state: how it is read.
        seen: whether the reader finds it at all.
        guess: what the reader takes it for, if it is in doubt.
    """

    place: tuple[float, float]
    face: Face | None
    state: DieState = DieState.OK
    seen: bool = True
    guess: Face | None = None


class UnpicturedTray:
    """Dice in a tray, and events about them.

    Args:
        rng: decides where dice come to rest and what is in doubt about them.
        kinds: the kind of each die, by number.
        doubt: share of thrown dice that the reader is unsure of or does not find.
    """

    busy = False

    def __init__(self, rng: Random, kinds: Mapping[int, Kind], doubt: float = 0.0) -> None:
        self._rng = rng
        self._kinds = dict(kinds)
        self._doubt = doubt
        self._dice: dict[int, Lying] = {}
        self._places: dict[int, tuple[float, float]] = {}
        self._tracker = Tracker()
        self._events: list[TrayEvent] = []

    def events(self) -> list[TrayEvent]:
        """The events since the last call."""
        events, self._events = self._events, []
        return events

    def kind(self, die: int) -> Kind:
        """Which kind of die this is."""
        return self._kinds[die]

    def lying(self) -> dict[int, tuple[tuple[float, float], Face | None]]:
        """Dice in and beside the tray: their place, and their face; None if it has none."""
        return {die: (lying.place, lying.face) for die, lying in self._dice.items()}

    def places(self) -> dict[int, tuple[float, float]]:
        """Where each die lies, or lay before it was picked up."""
        return self._places

    def throw(self, faces: Mapping[int, Face], mishaps: Mapping[int, Mishap]) -> None:
        """Takes these dice and throws them; they show these faces unless something goes wrong."""
        before = {die: self._dice.pop(die).place for die in faces if die in self._dice}
        if before:
            self._rest()
        for die, face in faces.items():
            self._dice[die] = self._fallen(die, face, mishaps.get(die), before.get(die))
        self._report(TrayState.ROLLING)
        self._rest(rolled=faces)

    def rest_hand(self) -> None:
        """Lets a hand rest in the tray for a while."""
        self._report(TrayState.HAND)
        self._rest()

    def knock(self, die: int) -> None:
        """Pushes a die aside; its face stays up."""
        if die in self._dice:
            far = self._rng.choice((0.8, 1.8, 2.6)) * EDGE
            x, y = self._dice[die].place
            taken = [d.place for k, d in self._dice.items() if k != die]
            for dx, dy in ((far, 0), (-far, 0), (0, far), (0, -far)):
                place = (x + dx, y + dy)
                if _inside(place) and _free(place, taken, _APART):
                    self._dice[die] = replace(self._dice[die], place=place)
                    break
        self._rest()

    def turn(self, die: int, face: Face) -> None:
        """Turns a die where it lies, so that it shows another face."""
        self._dice[die] = Lying(self._dice[die].place, face)
        self._rest()

    def set_aside(self, dice: Sequence[int]) -> None:
        """Puts dice into the holder, as they lie."""
        for die in dice:
            taken = [d.place for d in self._dice.values()]
            y = next(y for y in range(12, 400, 20) if _free((HOLDER_X, y), taken, _APART / 2))
            self._dice[die] = replace(self._dice[die], place=(HOLDER_X, float(y)))
        self._rest()

    def pick_up(self, dice: Sequence[int]) -> None:
        """Takes these dice away."""
        for die in dice:
            self._dice.pop(die, None)
        self._rest()

    def _fallen(
        self, die: int, face: Face, mishap: Mishap | None, before: tuple[float, float] | None
    ) -> Lying:
        place = self._place(before)
        if mishap is Mishap.LEANING:
            return Lying(place, None, DieState.LEANING, guess=face)
        if mishap is Mishap.STACKED:
            return Lying(place, None, DieState.STACKED, guess=face)
        if mishap is Mishap.OUTSIDE:
            near = self._rng.random() < 0.5
            x = -14.0 if near else -60.0
            taken = [d.place for d in self._dice.values()]
            y = next(y for y in range(8, 400, 18) if _free((x, y), taken, _APART / 2))
            return Lying((x, float(y)), face, seen=near)
        if self._rng.random() >= self._doubt:
            return Lying(place, face)
        kind = self._rng.choice(("unsure", "covered", "unseen"))
        if kind == "unseen":
            return Lying(place, face, DieState.COVERED, seen=False)
        guess = face if self._rng.random() < 0.7 or isinstance(face, str) else face % 6 + 1
        state = DieState.UNSURE if kind == "unsure" else DieState.COVERED
        return Lying(place, face, state, guess=guess)

    def _place(self, before: tuple[float, float] | None) -> tuple[float, float]:
        taken = [die.place for die in self._dice.values()]
        while True:
            place = (
                self._rng.uniform(EDGE, FLOOR_WIDTH - EDGE),
                self._rng.uniform(EDGE, FLOOR_DEPTH - EDGE),
            )
            far = before is None or _free(place, [before], _FAR)
            if far and _free(place, taken, _APART):
                return place

    def _reading(self, die: int, lying: Lying) -> DieReading:
        shown = lying.face if lying.state is DieState.OK else lying.guess
        sure = lying.state is DieState.OK
        seen = reading(
            shown,
            lying.place,
            kind=self._kinds[die],
            state=lying.state,
            candidates=() if shown is None else (Candidate(shown, 0.99 if sure else 0.6),),
            confidence=0.99 if sure else 0.5,
            edge=EDGE,
        )
        return replace(seen, mm=lying.place, aside=not _inside(lying.place))

    def _report(self, state: TrayState) -> None:
        self._events.append(TrayChanged(0, 0.0, state))

    def _rest(self, rolled: Collection[int] = ()) -> None:
        """Reports what has changed since the last rest, as the watcher does.

        Args:
            rolled: dice that no hand laid down.
        """
        self._report(TrayState.HAND)
        self._places |= {die: lying.place for die, lying in self._dice.items()}
        there = {self._dice[die].place for die in rolled}
        self._events += events_of_rest(self._tracker, self._readings(), there)

    def _readings(self) -> list[DieReading]:
        """Of all dice that are seen, as they lie now."""
        return [self._reading(k, d) for k, d in sorted(self._dice.items()) if d.seen]


def events_of_rest(
    tracker: Tracker, readings: Sequence[DieReading], rolled: Collection[tuple[float, float]]
) -> Iterator[TrayEvent]:
    """The watcher's events for dice that have come to rest; some `rolled` to their places."""
    tracked = tracker.dice
    now = tracker.compare(readings)
    if now.gone:
        yield PickedUp(0, 0.0, now.gone)
    if tracked and not now.dice:
        yield Cleared(0, 0.0)
    if now.moved:
        yield Moved(0, 0.0, tuple(d.track_id for d in now.moved), now.moved)
    yield TrayChanged(0, 0.0, TrayState.STILL if now.dice else TrayState.EMPTY)
    if now.thrown:
        fallen = (replace(d, rolled=d.thrown and d.reading.center in rolled) for d in now.dice)
        yield Roll(0, 0.0, tuple(fallen), 0)


def _inside(place: tuple[float, float]) -> bool:
    return 0 <= place[0] <= FLOOR_WIDTH and 0 <= place[1] <= FLOOR_DEPTH


def _free(place: tuple[float, float], taken: Sequence[tuple[float, float]], apart: float) -> bool:
    return all((place[0] - x) ** 2 + (place[1] - y) ** 2 >= apart**2 for x, y in taken)
