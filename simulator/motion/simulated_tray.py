"""The simulated tray over time: a hand throws dice and takes them away again."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType

import numpy as np

from simulator.motion import throwing
from simulator.motion.acts import Act, HandKey, Mishap
from simulator.motion.placing import draw_free_place, leaning_die
from simulator.motion.pushing import lay_dice_apart, plan_push, turned_about_vertical
from simulator.render.dice_model import (
    EDGE_MM,
    STANDARD_STYLES,
    DieBody,
    DieStyle,
    flat_die,
)
from simulator.render.hand import Grip, HandPose
from simulator.render.prints import Print
from simulator.render.renderer import LIVE_QUALITY, Quality, render, with_metered_exposure
from simulator.render.scene import Moment, Scene, with_exposure_share
from simulator.render.sensor import Sensor
from vision.frame import Frame
from vision.reading import Face, Kind

STANDARD_KINDS: Mapping[int, Kind] = dict.fromkeys(range(5), Kind.BLACK) | {5: Kind.POWER}
"""Which die each slot is: 0 to 4 the numbered dice, 5 the Power die."""


_SHUTTER_READOUT_S = 0.012
"""Time between the first and the last row of a frame (rolling shutter)."""

_KNUCKLES_TO_HIDDEN_DIE_MM = 18.0
"""From the knuckles towards the fingertips, to where the hand hides a die completely."""

RIM_TO_HOLDER_DIE_MM = 12.0
"""From the rim to the centre of a die in the holder, which stands at the floor's height."""

_KNUCKLES_TO_RELEASE_MM = 42.0
"""From the knuckles to where dice leave a cupped hand."""


class SimulatedTray:
    """A tray watched by a simulated camera, with its own clock.

    Nothing here sleeps or reads a clock: `advance` moves time forward. Acts are queued and run one
    after another; their outcome is known when they are queued.

    Args:
        seed: for everything random here; the caller chooses the faces.
        kinds: which die each slot is.
        scene: tray, light and camera; the standard ones by default.
        styles: how dice of each kind are made.
        exposure_s: of a frame; makes motion blur.
        plan: how thrown dice move and where they come to rest; by default simulated physics.
        dice: those that lie in the tray at the start, by slot.
    """

    def __init__(
        self,
        seed: int = 0,
        kinds: Mapping[int, Kind] = STANDARD_KINDS,
        scene: Scene | None = None,
        styles: Mapping[Kind, DieStyle] = STANDARD_STYLES,
        exposure_s: float = 0.008,
        plan: throwing.ThrowPlanner = throwing.plan_throw,
        dice: Mapping[int, DieBody] | None = None,
    ) -> None:
        base = scene if scene is not None else Scene(sensor=Sensor(contrast=0.2))
        self._base = replace(base, dice=(), hand=None, smear=())
        self._seed = seed
        self._rng = np.random.default_rng((seed, 1))
        self._kinds = dict(kinds)
        self._styles = dict(styles)
        self._exposure_s = exposure_s
        self._time_s = 0.0
        self._index = 0
        self._acts: list[Act] = []
        self._plan = plan
        self._resting: Mapping[int, DieBody] = dict(dice or {})

    @cached_property
    def _empty_scene(self) -> Scene:
        """The scene with nothing in the tray, as bright as the camera makes it.

        To measure that takes half a second: nobody waits for it before the first picture.
        """
        return with_metered_exposure(self._base, 0.15)

    def play_with(self, kinds: Mapping[int, Kind]) -> None:
        """Changes which die each slot is, from the next throw on; dice in the tray stay."""
        self._kinds = dict(kinds)

    @property
    def time_s(self) -> float:
        """The simulated time, seconds."""
        return self._time_s

    @property
    def busy(self) -> bool:
        """True while something is moving or has yet to move."""
        return bool(self._acts)

    @property
    def rolling(self) -> bool:
        """True while dice are rolling, or are yet to be thrown."""
        ends = (path.end_s for act in self._acts for path in act.paths.values())
        return any(end_s > self._time_s for end_s in ends)

    @property
    def act(self) -> Act | None:
        """The act in progress or the next one; None if there is none."""
        return self._acts[0] if self._acts else None

    @property
    def resting(self) -> Mapping[int, DieBody]:
        """The dice as they lay when all were last at rest; the same object until that changes."""
        return self._resting

    @property
    def slots(self) -> tuple[int, ...]:
        """Slots of the dice that will lie in or beside the tray after everything queued."""
        return tuple(sorted(self._planned_dice()))

    def _planned_dice(self) -> Mapping[int, DieBody]:
        return self._acts[-1].after if self._acts else self._resting

    def _next_start(self) -> float:
        return self._acts[-1].end_s if self._acts else self._time_s

    def throw(
        self,
        faces: Mapping[int, Face],
        mishaps: Mapping[int, Mishap] = MappingProxyType({}),
        *,
        apart_mm: float | None = None,
    ) -> None:
        """Queues a throw; those of its dice that lie in the tray are picked up first.

        Args:
            faces: what each slot will show. The other dice stay.
            mishaps: what goes wrong with some of them.
            apart_mm: for dice that are laid rather than thrown: the least gap between them.

        Raises:
            ValueError: there is no such slot, or its die has no such face.
        """
        if not faces:
            return
        thrown = {slot: self._die_to_throw(slot, face) for slot, face in sorted(faces.items())}
        lying_there = [slot for slot in thrown if slot in self._planned_dice()]
        if lying_there:
            self.pick_up(lying_there)
            self.wait(0.15)
        before = self._planned_dice()
        start = self._next_start()
        half = self._base.tray.half
        along = float(self._rng.uniform(-0.35, 0.35)) * half[0]
        release = (along, half[1] - 52.0)
        opened = start + 0.95
        good = [slot for slot in thrown if slot not in mishaps]
        paths: dict[int, throwing.DiePath] = {}
        if good and apart_mm is not None:
            laid = lay_dice_apart(
                self._rng, [thrown[slot] for slot in good], before, half, apart_mm
            )
            paths = {
                slot: throwing.plan_path_to(self._rng, rest, release, opened)
                for slot, rest in zip(good, laid, strict=True)
            }
        elif good:
            planned = self._plan(
                self._rng,
                [thrown[slot] for slot in good],
                [d for d in before.values() if -half[0] < d.position[0] < half[0]],
                half,
                release,
                opened,
            )
            paths = dict(zip(good, planned, strict=True))
        for slot in thrown:
            if slot in mishaps:
                rests = {**before, **{s: p.rest for s, p in paths.items()}}
                rest = self._pose_after_mishap(mishaps[slot], thrown[slot], list(rests.values()))
                paths[slot] = throwing.plan_path_to(self._rng, rest, release, opened)
        after = {**before, **{slot: path.rest for slot, path in paths.items()}}
        keys = self._hand_keys_of_throw(release, start, opened)
        end = max(keys[-1].time_s, *(p.end_s for p in paths.values())) + 0.02
        self._acts.append(Act(start, end, dict(before), after, paths, {}, keys))

    def pick_up(self, slots: Iterable[int]) -> None:
        """Queues a hand that takes dice out of the tray.

        Raises:
            ValueError: a slot has no die there.
        """
        before = dict(self._planned_dice())
        wanted = list(dict.fromkeys(slots))
        missing = [s for s in wanted if s not in before]
        if missing:
            raise ValueError(f"expected slots that lie in the tray {sorted(before)}, got {missing}")
        if not wanted:
            return
        time = self._next_start()
        start = time
        x, y = 0.0, self._base.tray.half[1]
        keys = [HandKey(time, self._hand_pose(self._outside_tray(x), 30.0, Grip.PINCH))]
        gone = {}
        left = list(wanted)
        while left:
            slot = min(left, key=lambda s: self._distance_mm(before[s], x, y))
            left.remove(slot)
            x, y = before[slot].position[:2]
            time += (
                0.45 if len(keys) == 1 else 0.12 + 0.0015 * self._distance_mm(before[slot], x, y)
            )
            over = self._hand_pose((x, y + _KNUCKLES_TO_HIDDEN_DIE_MM), 9.0, Grip.PINCH)
            keys += [HandKey(time, over), HandKey(time + 0.12, over)]
            gone[slot] = time + 0.06
            time += 0.12
        keys.append(HandKey(time + 0.45, self._hand_pose(self._outside_tray(x), 35.0, Grip.CUPPED)))
        after = {s: d for s, d in before.items() if s not in gone}
        self._acts.append(Act(start, keys[-1].time_s + 0.02, before, after, {}, gone, tuple(keys)))

    @property
    def sheets(self) -> tuple[Print, ...]:
        """Those that were laid on it."""
        return self._empty_scene.prints[len(self._base.prints) :]

    def lay_sheets(self, sheets: tuple[Print, ...]) -> None:
        """Lays these printed sheets on the tray, in place of any laid before."""
        self._empty_scene = replace(self._empty_scene, prints=(*self._base.prints, *sheets))

    def clear(self) -> None:
        """Queues a hand that takes all dice out of the tray."""
        self.pick_up(self._planned_dice())

    def wait(self, seconds: float) -> None:
        """Queues a pause in which nothing happens."""
        start, dice = self._next_start(), self._planned_dice()
        self._acts.append(Act(start, start + seconds, dice, dice))

    def take_back(self, thrown: Collection[int]) -> None:
        """Drops everything queued, and the hand leaves: with those of the thrown dice that left it.

        Those that it has not picked up yet stay where they lie.
        """
        dice, hand = self._dice_and_hand_at(self._time_s)
        awaited = {s for a in self._acts for s, p in a.paths.items() if p.start_s > self._time_s}
        left = {*thrown} - awaited
        self._resting = {slot: die for slot, die in dice.items() if slot not in left}
        self._acts.clear()
        if hand is not None:
            away = self._hand_pose(self._outside_tray(hand.place[0]), 40.0, Grip.CUPPED)
            keys = (HandKey(self._time_s, hand), HandKey(self._time_s + 0.4, away))
            dice, start_s = dict(self._resting), self._time_s
            self._acts.append(Act(start_s, keys[-1].time_s + 0.02, dice, dice, {}, {}, keys))

    def rest_hand(self, seconds: float = 1.5) -> None:
        """Queues a hand that comes into the tray, rests there and leaves, touching nothing."""
        start, dice = self._next_start(), self._planned_dice()
        x = float(self._rng.uniform(-0.5, 0.5)) * self._base.tray.half[0]
        outside = self._hand_pose(self._outside_tray(x), 40.0, Grip.OPEN)
        inside = self._hand_pose((x, self._base.tray.half[1] * 0.4), 20.0, Grip.OPEN)
        keys = (
            HandKey(start, outside),
            HandKey(start + 0.5, inside),
            HandKey(start + 0.5 + seconds, inside),
            HandKey(start + 1.0 + seconds, outside),
        )
        self._acts.append(Act(start, keys[-1].time_s + 0.02, dice, dice, {}, {}, keys))

    def knock(self, slot: int, by_mm: float = 18.0) -> None:
        """Queues a hand that pushes a die aside by mistake; its face stays up.

        Raises:
            ValueError: the die does not lie there, or has nowhere to go.
        """
        die = self._die_lying(slot)
        taken = [
            throwing.place_of_flat_die(d) for s, d in self._planned_dice().items() if s != slot
        ]
        for _ in range(200):
            x, y, _ = draw_free_place(self._rng, self._base.tray.half, taken)
            if 0.4 * by_mm < self._distance_mm(die, x, y) < 1.6 * by_mm:
                break
        else:
            raise ValueError(f"die {slot} has no room to be pushed by {by_mm:g} mm")
        yaw = float(self._rng.uniform(-0.5, 0.5))
        self._queue_push(
            slot, replace(turned_about_vertical(die, yaw), position=(x, y, die.position[2]))
        )

    def turn(self, slot: int, face: Face) -> None:
        """Queues a hand that turns a die where it lies, so that it shows another face.

        Raises:
            ValueError: the die does not lie there, or has no such face.
        """
        die = self._die_lying(slot)
        style = self._styles[self._kinds[slot]]
        place = (die.position[0], die.position[1])
        yaw = float(self._rng.uniform(-3, 3))
        self._queue_push(slot, flat_die(self._kinds[slot], face, place, yaw, style))

    def set_aside(self, slots: Sequence[int]) -> None:
        """Queues a hand that puts dice, unturned, into the holder, in a row beside the tray.

        Raises:
            ValueError: a die does not lie there.
        """
        x = self._base.tray.rim_outer[0] + RIM_TO_HOLDER_DIE_MM
        for slot in slots:
            die = self._die_lying(slot)
            taken = [d.position for s, d in self._planned_dice().items() if s != slot]
            rows = np.linspace(-0.9, 0.9, 9) * self._base.tray.half[1]
            y = next(
                float(y) for y in rows if all(np.hypot(x - t[0], y - t[1]) > EDGE_MM for t in taken)
            )
            self._queue_push(slot, replace(die, position=(x, y, -EDGE_MM / 2)))

    def _die_lying(self, slot: int) -> DieBody:
        planned = self._planned_dice()
        if slot not in planned:
            raise ValueError(f"expected a slot that lies in the tray {sorted(planned)}, got {slot}")
        return planned[slot]

    def _queue_push(self, slot: int, rest: DieBody) -> None:
        before = self._planned_dice()
        outside = self._hand_pose(self._outside_tray(before[slot].position[0]), 30.0, Grip.OPEN)
        self._acts.append(plan_push(before, slot, rest, self._next_start(), outside))

    def _die_to_throw(self, slot: int, face: Face) -> throwing.DieToThrow:
        if slot not in self._kinds:
            raise ValueError(f"expected one of the slots {sorted(self._kinds)}, got {slot}")
        kind = self._kinds[slot]
        style = self._styles[kind]
        flat_die(kind, face, (0.0, 0.0), 0.0, style)
        return throwing.DieToThrow(kind, face, style)

    def _pose_after_mishap(
        self, mishap: Mishap, die: throwing.DieToThrow, others: Sequence[DieBody]
    ) -> DieBody:
        half = self._base.tray.half
        taken = [throwing.place_of_flat_die(o) for o in others]
        match mishap:
            case Mishap.LEANING:
                # Against the far wall, where no other die lies.
                spots = [
                    x
                    for x in np.linspace(-0.85, 0.85, 35) * half[0]
                    if all(np.hypot(x - p[0], -half[1] + 9 - p[1]) > 26 for p in taken)
                ]
                along = float(spots[int(self._rng.integers(len(spots)))]) if spots else 0.0
                tilt = float(np.radians(self._rng.uniform(22, 42)))
                return leaning_die(die.kind, die.face, half[1], along, 3, tilt, die.style)
            case Mishap.STACKED if others:
                below = others[int(self._rng.integers(len(others)))]
                place = (below.position[0] + 3.0, below.position[1] - 2.0)
                yaw = float(self._rng.uniform(-3, 3))
                return flat_die(die.kind, die.face, place, yaw, die.style, floor=EDGE_MM)
            case _:
                outer = self._base.tray.rim_outer
                place = (
                    float(self._rng.choice((-1, 1)) * (outer[0] + 22.0)),
                    float(self._rng.uniform(-0.8, 0.3) * half[1]),
                )
                yaw = float(self._rng.uniform(-3, 3))
                return flat_die(
                    die.kind, die.face, place, yaw, die.style, floor=-self._base.tray.base
                )

    def _distance_mm(self, die: DieBody, x: float, y: float) -> float:
        return float(np.hypot(die.position[0] - x, die.position[1] - y))

    def _outside_tray(self, x: float) -> tuple[float, float]:
        return (x, self._base.tray.half[1] + 260.0)

    def _hand_pose(self, place: tuple[float, float], height: float, grip: Grip) -> HandPose:
        yaw = -np.pi / 2 + 0.0015 * place[0]
        return HandPose(place, float(yaw), height, grip, size=0.88)

    def _hand_keys_of_throw(
        self, release: tuple[float, float], start: float, opened: float
    ) -> tuple[HandKey, ...]:
        x, y = release[0], release[1] + _KNUCKLES_TO_RELEASE_MM
        cupped, spread = Grip.CUPPED, Grip.OPEN
        return (
            HandKey(start, self._hand_pose(self._outside_tray(x), 55.0, cupped)),
            HandKey(start + 0.45, self._hand_pose((x, y + 25.0), 48.0, cupped)),
            HandKey(start + 0.58, self._hand_pose((x + 14.0, y + 32.0), 50.0, cupped)),
            HandKey(start + 0.70, self._hand_pose((x - 12.0, y + 30.0), 48.0, cupped)),
            HandKey(start + 0.82, self._hand_pose((x, y + 34.0), 50.0, cupped)),
            HandKey(opened, self._hand_pose((x, y), 42.0, cupped)),
            HandKey(opened + 0.12, self._hand_pose((x, y + 12.0), 46.0, spread)),
            HandKey(opened + 0.55, self._hand_pose(self._outside_tray(x), 60.0, spread)),
        )

    def advance(self, dt_s: float) -> None:
        """Moves time forward by some seconds."""
        if dt_s < 0:
            raise ValueError(f"time only moves on: expected 0 or more seconds, got {dt_s:g}")
        self._time_s += dt_s
        while self._acts and self._time_s >= self._acts[0].end_s:
            self._resting = self._acts.pop(0).after

    def _dice_and_hand_at(self, time_s: float) -> tuple[dict[int, DieBody], HandPose | None]:
        if not self._acts or time_s < self._acts[0].start_s:
            return dict(sorted(self._resting.items())), None
        act = self._acts[0]
        return act.dice_at(time_s), act.hand_at(time_s)

    def scene(self, size: tuple[int, int] | None = None) -> Scene:
        """The scene now, as the camera would see it."""
        base = self._empty_scene.with_size(size) if size else self._empty_scene
        dice, hand = self._dice_and_hand_at(self._time_s)
        bodies = tuple(dice.values())
        if not self._acts or not (self._acts[0].paths or self._acts[0].hand):
            return replace(base, dice=bodies, hand=hand)
        moments = [
            self._moment_exposed(base, dice, share * self._exposure_s) for share in (-0.5, 0.0, 0.5)
        ]
        still = all(m.dice == bodies and m.hand == hand for m in moments)
        mid = moments[1]
        return replace(base, dice=mid.dice, hand=mid.hand, smear=() if still else tuple(moments))

    def _moment_exposed(self, base: Scene, dice: Mapping[int, DieBody], offset_s: float) -> Moment:
        """The dice when the rows that show them are read (rolling shutter), and the hand."""
        act = self._acts[0]
        height = base.camera.size[1]
        places = np.array([d.position for d in dice.values()]).reshape(-1, 3)
        rows = base.camera.project(places)[:, 1] / height if len(places) else np.zeros(0)
        now = self._time_s + offset_s
        bodies = []
        for (slot, die), row in zip(dice.items(), rows, strict=True):
            later = now + _SHUTTER_READOUT_S * float(np.clip(row - 0.5, -0.5, 0.5))
            bodies.append(act.die_at(slot, later) or die)
        return Moment(tuple(bodies), act.hand_at(now))

    def frame(
        self,
        size: tuple[int, int] = (640, 360),
        quality: Quality = LIVE_QUALITY,
        share: float = 1.0,
    ) -> Frame:
        """Takes a picture now, with a share of the usual exposure."""
        rng = np.random.default_rng((self._seed, 2, self._index))
        image = render(with_exposure_share(self.scene(size), share), None, rng, quality)
        found = Frame(image, self._time_s, self._index, exposure=share)
        self._index += 1
        return found

    def present(self) -> dict[int, DieBody]:
        """The dice in view now, by slot."""
        return self._dice_and_hand_at(self._time_s)[0]
