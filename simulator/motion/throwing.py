"""Plans throws: the dice roll physically, and come to rest on the requested faces.

A throw is simulated with blank cubes. When it has come to rest, each die is fitted into its cube by
a rotation of the cube that brings the requested face up. The rotation is a proper one, so the die
remains the same die, and which face comes up is left to the caller.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from simulator.motion.physics import Bodies, Track, simulate_roll
from simulator.motion.placing import Place, separation, wall_gap
from simulator.render import dice_model
from simulator.render.pinhole import as_vector
from vision.image.arrays import FloatArray
from vision.reading import Face, Kind

_LAST_WOBBLE_S = 0.1
_GAP_MM = 0.05
_HAND_MM = 34.0  # of the hand above the floor
_MAX_THROWS_PLANNED = 40


@dataclass(frozen=True, slots=True, eq=False)
class DiePath:
    """A die in motion.

    Attributes:
        start_s: when it appears.
        step_s: between two poses.
        x: centres, (rows, 3).
        q: orientations, (rows, 4), signs chosen so that neighbours are close.
        rest: the die when it has come to rest.
    """

    start_s: float
    step_s: float
    x: FloatArray
    q: FloatArray
    rest: dice_model.DieBody

    @property
    def end_s(self) -> float:
        """When it comes to rest."""
        return self.start_s + (len(self.x) - 1) * self.step_s

    def at(self, time_s: float) -> dice_model.DieBody:
        """The die at a time; at rest from `end_s` on."""
        if time_s >= self.end_s:
            return self.rest
        place = max(0.0, (time_s - self.start_s) / self.step_s)
        row = min(int(place), len(self.x) - 2)
        share = place - row
        x = self.x[row] * (1 - share) + self.x[row + 1] * share
        q = self.q[row] * (1 - share) + self.q[row + 1] * share
        q /= np.linalg.norm(q)
        orientation = (float(q[0]), float(q[1]), float(q[2]), float(q[3]))
        return replace(self.rest, position=as_vector(x), orientation=orientation)


@dataclass(frozen=True, slots=True)
class DieToThrow:
    """A die to be thrown: what it is and the face it will show."""

    kind: Kind
    face: Face
    style: dice_model.DieStyle


ThrowPlanner = Callable[..., list[DiePath]]
"""Plans how dice are thrown; takes the arguments of `plan_throw`."""


def _with_continuous_signs(q: FloatArray) -> FloatArray:
    """Quaternions (n, 4) with signs such that neighbours lie close together."""
    flips = np.einsum("ij,ij->i", q[1:], q[:-1]) < 0
    signs = np.concatenate([[1.0], np.where(np.cumsum(flips) % 2 == 1, -1.0, 1.0)])
    return np.asarray(q * signs[:, None])


def _bodies_leaving_hand(
    rng: np.random.Generator, count: int, release: tuple[float, float], fixed: Bodies
) -> Bodies:
    """Dice as they leave the hand, followed by those that already lie fixed."""
    x = np.array(
        [
            (
                release[0] + 19.0 * (k % 3 - 1) + rng.uniform(-1, 1),
                release[1] - 19.0 * (k // 3),
                -_HAND_MM - rng.uniform(0, 8),
            )
            for k in range(count)
        ]
    )
    r, _ = np.linalg.qr(rng.standard_normal((count, 3, 3)))
    r *= np.linalg.det(r)[:, None, None]
    speed = rng.uniform(450, 1000)
    v = np.stack(
        [
            rng.normal(-0.9 * release[0], 130, count),
            -speed * rng.uniform(0.75, 1.15, count),
            rng.uniform(-50, 250, count),
        ],
        axis=1,
    )
    w = rng.normal(0, 22, (count, 3))
    rest = len(fixed.x)
    return Bodies(
        np.concatenate([x, fixed.x]),
        np.concatenate([r, fixed.r]),
        np.concatenate([v, np.zeros((rest, 3))]),
        np.concatenate([w, np.zeros((rest, 3))]),
        np.concatenate([np.zeros(count, np.bool_), np.ones(rest, np.bool_)]),
    )


def _fixed_bodies(dice: Sequence[dice_model.DieBody]) -> Bodies:
    """Dice at rest as bodies that cannot be moved."""
    count = len(dice)
    return Bodies(
        np.array([d.position for d in dice], np.float64).reshape(count, 3),
        np.array([d.rotation for d in dice], np.float64).reshape(count, 3, 3),
        np.zeros((count, 3)),
        np.zeros((count, 3)),
        np.ones(count, np.bool_),
    )


def place_of_flat_die(die: dice_model.DieBody) -> Place:
    """Where a flat die lies; its yaw is that of the cube, up to quarter turns."""
    r = die.rotation
    side = r[:, int(np.abs(r[2]).argmin())]
    return (die.position[0], die.position[1], float(np.arctan2(side[1], side[0])))


def _move_apart(
    places: Sequence[Place], fixed: Sequence[Place], half: tuple[float, float]
) -> list[Place] | None:
    """Moves flat dice apart until none overlaps another or a wall; None if that fails."""
    now = [np.array(p) for p in places]
    for _ in range(200):
        worst = 0.0
        for i in range(len(now)):
            mine = as_vector(now[i])
            for j, other in enumerate([*now, *[np.array(f) for f in fixed]]):
                if j == i:
                    continue
                space, axis = separation(mine, as_vector(other))
                if space < _GAP_MM:
                    worst = max(worst, _GAP_MM - space)
                    now[i][:2] -= axis * (_GAP_MM - space) * (0.52 if j < len(now) else 1.02)
                    mine = as_vector(now[i])
            room = wall_gap(mine, half)
            if room < _GAP_MM:
                worst = max(worst, _GAP_MM - room)
                for k, (x, y) in enumerate(((mine[0], 0.0), (0.0, mine[1]))):
                    over = wall_gap((x, y, mine[2]), half)
                    if over < _GAP_MM:
                        now[i][k] -= np.sign(now[i][k]) * (_GAP_MM - over)
        if worst < 1e-9:
            return [as_vector(p) for p in now]
    return None


def plan_throw(
    rng: np.random.Generator,
    dice: Sequence[DieToThrow],
    lying_already: Sequence[dice_model.DieBody],
    half: tuple[float, float],
    release: tuple[float, float],
    start_s: float,
) -> list[DiePath]:
    """Plans how dice fly, roll and come to rest on the requested faces.

    Args:
        rng: randomness of the motion; the faces are given.
        dice: the dice that are thrown.
        lying_already: dice that stay where they are.
        half: half the floor's width and depth, millimetres.
        release: where the hand opens.
        start_s: when it opens.

    Raises:
        ValueError: no throw came to rest flat: the tray is too full.
    """
    fixed = _fixed_bodies(lying_already)
    taken = [place_of_flat_die(d) for d in lying_already]
    for _ in range(_MAX_THROWS_PLANNED):
        track = simulate_roll(_bodies_leaving_hand(rng, len(dice), release, fixed), half)
        if not track.settled:
            continue
        turns = [_cube_rotation_to_face(rng, track.r[-1, k], d) for k, d in enumerate(dice)]
        ends = [_yaw_when_flat(d, track.r[-1, k] @ turns[k]) for k, d in enumerate(dice)]
        wanted = [
            (float(track.x[-1, k, 0]), float(track.x[-1, k, 1]), yaw) for k, yaw in enumerate(ends)
        ]
        places = _move_apart(wanted, taken, half)
        if places is None:
            continue
        shift = max(
            float(np.hypot(a[0] - b[0], a[1] - b[1])) for a, b in zip(places, wanted, strict=True)
        )
        if shift < 2.0:
            rests = [
                dice_model.flat_die(d.kind, d.face, places[k][:2], ends[k], d.style)
                for k, d in enumerate(dice)
            ]
            return [
                _path_from_track(track, k, turns[k], rest, start_s) for k, rest in enumerate(rests)
            ]
    raise ValueError(
        f"no throw of {len(dice)} dice beside {len(lying_already)} came to rest flat in "
        f"{_MAX_THROWS_PLANNED} tries; use a larger tray or fewer dice"
    )


def _cube_rotation_to_face(
    rng: np.random.Generator, end: FloatArray, die: DieToThrow
) -> FloatArray:
    """One of the four rotations of the cube that bring the requested face up."""
    up = end.T @ np.array((0.0, 0.0, -1.0))
    slot = dice_model.slot_of(die.kind, die.face, die.style.power)
    fitting = [
        q for q in dice_model.cube_rotations() if (q @ dice_model.FACE_NORMALS[slot]) @ up > 0.7
    ]
    return fitting[int(rng.integers(len(fitting)))]


def _yaw_when_flat(die: DieToThrow, rotation: FloatArray) -> float:
    """The yaw that `flat_die` needs for a die that came to rest almost flat."""
    slot = dice_model.slot_of(die.kind, die.face, die.style.power)
    right = rotation @ dice_model.FACE_RIGHT[slot]
    return float(np.arctan2(right[1], right[0]))


def _path_from_track(
    track: Track, which: int, turn: FloatArray, rest: dice_model.DieBody, start_s: float
) -> DiePath:
    x = track.x[:, which]
    q = np.array([dice_model.as_quaternion(r @ turn) for r in track.r[:, which]])
    rows = max(2, round(_LAST_WOBBLE_S / track.step_s))
    share = np.linspace(0, 1, rows + 1)[1:, None]
    end = np.array(rest.orientation)
    if end @ q[-1] < 0:
        end = -end
    # The last wobble: from almost flat to flat.
    x = np.concatenate([x, x[-1] * (1 - share) + np.array(rest.position) * share])
    q = np.concatenate([q, q[-1] * (1 - share) + end * share])
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    return DiePath(start_s, track.step_s, x, _with_continuous_signs(q), rest)


def plan_path_to(
    rng: np.random.Generator,
    rest: dice_model.DieBody,
    release: tuple[float, float],
    start_s: float,
    lasting_s: float = 0.8,
    rows: int = 60,
) -> DiePath:
    """A die that tumbles to a given pose (leaning, on another die, outside) on a simple curve."""
    s = np.linspace(0, 1, rows)
    way = 1 - (1 - s) ** 2
    end = np.array(rest.position)
    begin = np.array((release[0], release[1], -_HAND_MM))
    x = begin + (end - begin) * way[:, None]
    hops = np.abs(np.sin(np.pi * (1 - (1 - s) ** 1.5) * 2.5)) * (1 - s) * 24.0
    x[:, 2] = np.minimum(x[:, 2], end[2]) - hops
    travel = end - begin
    axis = np.array((-travel[1], travel[0], 0.0))
    axis = axis / max(float(np.linalg.norm(axis)), 1e-6)
    angle = (1 - way) * rng.uniform(4, 9)
    q = []
    for a in angle:
        k = np.array(
            ((0, -axis[2], axis[1]), (axis[2], 0, -axis[0]), (-axis[1], axis[0], 0)), np.float64
        )
        q.append(
            dice_model.as_quaternion(
                (np.eye(3) + np.sin(a) * k + (1 - np.cos(a)) * (k @ k)) @ rest.rotation
            )
        )
    return DiePath(start_s, lasting_s / (rows - 1), x, _with_continuous_signs(np.array(q)), rest)
