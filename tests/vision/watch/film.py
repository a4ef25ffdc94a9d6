"""Short films of a drawn tray whose truth is known, and a reader that knows it."""

from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from vision.events import Roll, TrayChanged, TrayEvent
from vision.frame import Frame, Image
from vision.reading import Candidate, DieReading, DieState, Kind, TrayReading, TrayState
from vision.watch.watcher import Watcher

WIDTH, HEIGHT, FPS, EDGE = 480, 270, 30.0, 17.0
BODIES = {Kind.BLACK: (30, 30, 30), Kind.RED: (40, 40, 190), Kind.WHITE: (225, 228, 230)}
SKIN = (110, 140, 195)
_PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, -1), (0, 1)],
}


_GRAIN = np.random.default_rng(1).normal(0, 1, (HEIGHT + 200, WIDTH + 200, 3)).astype(np.float32)


@dataclass(frozen=True)
class Die:
    """A drawn die: middle in pixels, turn in degrees, and how the reader sees it."""

    x: float
    y: float
    value: int
    turn: float = 0.0
    kind: Kind = Kind.RED
    state: DieState = DieState.OK

    def corners(self, size: float = EDGE) -> np.ndarray:
        a = np.deg2rad(self.turn)
        axes = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
        square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * size / 2
        return np.asarray(square @ axes + np.array([self.x, self.y]))

    def reading(self) -> DieReading:
        outline = tuple((float(x), float(y)) for x, y in self.corners())
        sure = self.state is DieState.OK
        candidates = (Candidate(self.value, 0.9 if sure else 0.5),)
        return DieReading(
            self.kind, self.value, self.state, candidates, 0.9, (self.x, self.y), outline
        )


@dataclass
class Film:
    """Draws frame after frame; what lies in the tray is state, everything else is per frame."""

    seed: int = 0
    floor: tuple[int, int, int] = (120, 150, 60)
    noise: float = 2.0
    dice: list[Die] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    truth: dict[int, tuple[DieReading, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.chance = np.random.default_rng(self.seed)
        image = np.empty((HEIGHT, WIDTH, 3), np.float32)
        image[:] = self.floor
        texture = self.chance.normal(0, 6, (HEIGHT // 4 + 1, WIDTH // 4 + 1)).astype(np.float32)
        image += cv2.resize(texture, (WIDTH, HEIGHT))[:, :, None]
        cv2.rectangle(image, (30, 15), (WIDTH - 30, HEIGHT - 15), (60, 80, 100), 6)
        self.background = image
        self._drawn: tuple[object, np.ndarray, tuple[DieReading, ...]] | None = None

    def show(
        self,
        count: int = 1,
        *,
        hand: tuple[float, float] | None = None,
        cup: tuple[float, float] | None = None,
        shadow: float | None = None,
        gain: float = 1.0,
        bands: float | None = None,
        shift: tuple[float, float] = (0.0, 0.0),
    ) -> int:
        """Adds frames of one situation; returns the index of the first of them."""
        start = len(self.frames)
        for _ in range(count):
            self._add(hand, cup, shadow, gain, bands, shift)
        return start

    def repeat_last(self) -> None:
        """The camera delivers the same picture once more."""
        image = self.frames[-1].image.copy()
        self._keep(image, self.truth[id(self.frames[-1].image)])

    def move_hand(
        self, start: tuple[float, float], end: tuple[float, float], frames: int = 8
    ) -> None:
        for t in np.linspace(0, 1, frames):
            self.show(hand=(start[0] + t * (end[0] - start[0]), start[1] + t * (end[1] - start[1])))

    def reach_in(self, to: tuple[float, float], take: list[Die], put: list[Die]) -> None:
        """A hand comes in, takes dice away or lays dice down under it, and leaves."""
        self.move_hand((to[0], HEIGHT + 60.0), to)
        self.show(3, hand=to)
        for die in take:
            self.dice.remove(die)
        self.dice += put
        self.move_hand(to, (to[0], HEIGHT + 60.0))
        self.show(1)

    def throw(self, dice: list[Die], frames: int = 14) -> int:
        """Dice fly in from the left, roll and settle; returns the first frame of rest."""
        lying = list(self.dice)
        turns = self.chance.uniform(-500, 500, len(dice))
        for t in np.linspace(0, 1, frames):
            left = (1 - t) ** 2
            rolling = []
            for die, turn in zip(dice, turns, strict=True):
                value = die.value if t > 0.85 else int(self.chance.integers(1, 7))
                x = die.x - left * (die.x + 30)
                rolling.append(replace(die, x=x, turn=die.turn + left * turn, value=value))
            self.dice = lying + rolling
            self.show(1)
        self.dice = lying + list(dice)
        return len(self.frames) - 1

    def _add(
        self,
        hand: tuple[float, float] | None,
        cup: tuple[float, float] | None,
        shadow: float | None,
        gain: float,
        bands: float | None,
        shift: tuple[float, float],
    ) -> None:
        situation = (tuple(self.dice), hand, cup, shadow, gain, bands, shift)
        if self._drawn is None or self._drawn[0] != situation:
            self._drawn = (situation, *self._draw(hand, cup, shadow, gain, bands, shift))
        _, still, seen = self._drawn
        # New noise for every frame would take longer than all the rest; windows of one field do.
        y, x = self.chance.integers(0, 200, 2)
        image = cv2.scaleAdd(_GRAIN[y : y + HEIGHT, x : x + WIDTH], self.noise, still)
        self._keep(np.clip(image, 0, 255, out=image).astype(np.uint8), seen)

    def _draw(
        self,
        hand: tuple[float, float] | None,
        cup: tuple[float, float] | None,
        shadow: float | None,
        gain: float,
        bands: float | None,
        shift: tuple[float, float],
    ) -> tuple[np.ndarray, tuple[DieReading, ...]]:
        """A picture without noise, and what a reader sees in it."""
        image = self.background.copy()
        for die in self.dice:
            _draw(image, die)
        if shadow is not None:
            y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
            depth = 0.45 * np.exp(-(((x - shadow) / 70) ** 4)) * (y > 40)
            image *= (1 - cv2.GaussianBlur(depth, (0, 0), 12))[:, :, None]
        cover = np.zeros((HEIGHT, WIDTH), np.uint8)
        if hand is not None:
            _hand(cover, hand)
            image[cover > 0] = SKIN
        if cup is not None:
            center = (round(cup[0]), round(cup[1]))
            cv2.circle(cover, center, 38, 255, -1)
            cv2.circle(image, center, 38, (200, 60, 40), -1)
            cv2.circle(image, center, 30, (150, 40, 20), -1)
        if bands is not None:
            rows = 1 + 0.12 * np.sin(np.linspace(0, 5, HEIGHT) + bands)
            image *= rows.astype(np.float32)[:, None, None]
        if gain != 1.0:
            image *= gain
        if shift != (0.0, 0.0):
            matrix = np.array([[1.0, 0.0, shift[0]], [0.0, 1.0, shift[1]]])
            image = cv2.warpAffine(
                image, matrix, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE
            ).astype(np.float32)
        seen = []
        for die in self.dice:
            moved = replace(die, x=die.x + shift[0], y=die.y + shift[1])
            x, y = round(die.x), round(die.y)
            if 0 <= x < WIDTH and 0 <= y < HEIGHT and not cover[y, x]:
                seen.append(moved.reading())
        return image, tuple(seen)

    def _keep(self, image: Image, dice: tuple[DieReading, ...]) -> None:
        index = len(self.frames)
        self.frames.append(Frame(image, index / FPS, index))
        self.truth[id(image)] = tuple(sorted(dice, key=lambda die: die.center))


class FilmReader:
    """Knows the truth of every frame of a film."""

    def __init__(self, film: Film) -> None:
        self.film = film
        self.count = 0

    def read(self, image: Image) -> TrayReading:
        self.count += 1
        dice = self.film.truth[id(image)]
        return TrayReading(TrayState.STILL if dice else TrayState.EMPTY, dice)


def watch(film: Film, watcher: Watcher | None = None) -> list[TrayEvent]:
    """All events of a film."""
    watcher = watcher or Watcher(FilmReader(film))
    return [event for frame in film.frames for event in watcher.feed(frame)]


def of_dice(events: list[TrayEvent]) -> list[TrayEvent]:
    """Events that a game cares about."""
    return [event for event in events if not isinstance(event, TrayChanged)]


def rolls(events: list[TrayEvent]) -> list[Roll]:
    return [event for event in events if isinstance(event, Roll)]


def values(roll: Roll) -> list[object]:
    return [die.reading.value for die in roll.dice]


def _draw(image: np.ndarray, die: Die) -> None:
    def fixed(points: np.ndarray) -> np.ndarray:
        return np.round(points * 16).astype(np.int32)

    cv2.fillConvexPoly(image, fixed(die.corners()), BODIES[die.kind], cv2.LINE_AA, 4)
    pip = (40, 40, 40) if die.kind is Kind.WHITE else (235, 235, 235)
    a = np.deg2rad(die.turn)
    axes = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    for point in _PIPS[die.value]:
        x, y = np.array(point) * EDGE * 0.27 @ axes + np.array([die.x, die.y])
        center = (round(x * 16), round(y * 16))
        cv2.circle(image, center, round(EDGE * 0.1 * 16), pip, -1, cv2.LINE_AA, 4)


def _hand(mask: np.ndarray, tip: tuple[float, float]) -> None:
    """An arm from below with a palm and four fingers, its tip at a point."""
    x, y = round(tip[0]), round(tip[1])
    cv2.line(mask, (x, y + 70), (x, HEIGHT + 200), 255, 44)
    cv2.ellipse(mask, (x, y + 45), (34, 40), 0, 0, 360, 255, -1)
    for k in (-24, -8, 8, 24):
        cv2.line(mask, (x + k, y + 30), (x + round(1.2 * k), y - 10), 255, 13)
