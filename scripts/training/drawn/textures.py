"""Pictures of single faces: body, pips, lettering, what shines through, what is mirrored.

Lengths are in edges of a die.
"""

import cv2
import numpy as np

from scripts.training.drawn.makes import Generator, body_pattern, hsv
from scripts.training.drawn.printing import draw_lettering, draw_symbol
from scripts.training.drawn.styles import SYMBOL, TEXTURE, Style, differ
from vision.image.arrays import Float32Array, FloatArray

_LATTICE: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (-1, 1), (1, 1), (0, 0)),
    6: ((-1, -1), (1, -1), (-1, 1), (1, 1), (0, -1), (0, 1)),
}
LEAST_GAP_OF_ROWS = 1.3
"""Distance of a 6's rows, in diameters of a pip."""


def texture(
    rng: Generator, style: Style, face: int, below: int | None = None, *, mirrors: bool = False
) -> Float32Array:
    """One face, (TEXTURE, TEXTURE, 4): BGR and coverage, 0 to 1; it may mirror a lamp."""
    n = TEXTURE
    out = np.empty((n, n, 4), dtype=np.float32)
    slope = rng.normal(0, 0.12, 2)
    ramp = np.linspace(-0.5, 0.5, n)
    shade = (1 + ramp[:, None] * slope[0] + ramp[None] * slope[1]).astype(np.float32)
    out[..., :3] = style.body * shade[..., None]
    if style.make.pattern != "plain":
        second = np.clip(style.body * np.exp(rng.normal(0, 0.5)), 0, 1)
        if style.kind == 5 and rng.random() < 0.4:
            second = hsv(rng.uniform(0, 360), 0.6, rng.uniform(0.1, 0.8))
        mask = body_pattern(rng, style.make.pattern, n)[..., None]
        mask *= np.float32(rng.uniform(0.3, 1.0))
        out[..., :3] = out[..., :3] * (1 - mask) + second * mask
    if rng.random() < 0.45:
        _bevel(rng, out)
    if below is not None and style.translucent > 0:
        _shine_through(rng, out, style, below)
    if style.print_strength and rng.random() < 0.8:
        draw_lettering(rng, out, style, face)
    if mirrors:
        _mirror(rng, out)
    if face == SYMBOL:
        draw_symbol(rng, out, style.pip)
    else:
        _pips(rng, out, style, face)
    out[..., 3] = _rounded(style.corner)
    return out


def _pips(rng: Generator, out: Float32Array, style: Style, face: int) -> None:
    """The pips of a face, printed or engraved, with rims or as rings where the maker does that."""
    make, across = style.make, bool(rng.integers(2))
    grown = make.one_radius if face == 1 else 1.0
    colour = style.pip
    if (
        make.odd_colour is not None
        and face in make.odd_faces
        and differ(make.odd_colour, style.body)
    ):
        colour = make.odd_colour
    plain = out[..., :3].copy()
    if make.rim:
        round_them = _disc_mask(face, style, rng, across, grown=grown * (1 + make.rim))
        out[..., :3] += (np.float32(make.rim_tone) - out[..., :3]) * round_them[..., None] * 0.7
    mask = _disc_mask(face, style, rng, across, grown=grown)
    if make.hollow:
        mask = mask * (1 - _disc_mask(face, style, rng, across, grown=grown * make.hollow))
        out[..., :3] += (plain - out[..., :3]) * mask[..., None]
    out[..., :3] += (colour * rng.uniform(0.85, 1.1) - out[..., :3]) * mask[..., None]
    if make.engraved:  # one side of each pip is shaded, or catches the light
        turn = rng.uniform(0, 2 * np.pi)
        offset = 0.3 * style.radius * np.array([np.cos(turn), np.sin(turn)])
        lit = _disc_mask(
            face, style, rng, across, offset=offset, grown=grown * rng.uniform(0.25, 0.8)
        )
        tone = np.float32(rng.uniform(0.0, 0.9))
        out[..., :3] += (tone - out[..., :3]) * (lit * mask * make.engraved)[..., None]


def _shine_through(rng: Generator, out: Float32Array, style: Style, below: int) -> None:
    """The pips of the bottom face: paler or darker, or a brighter spot of the body's own colour."""
    spread = 0.06
    faint = style.body + (style.pip - style.body) * style.translucent * rng.uniform(-0.5, 1)
    if rng.random() < 0.5:
        # Seen at an angle through a clear body they lie beside the top's, and farther in.
        spread = 0.14
        faint = np.clip(style.body * (1 + 2.5 * style.translucent * rng.random()), 0, 1)
        out[..., :3] *= np.float32(rng.uniform(0.35, 1.0))
    where = _disc_mask(below, style, rng, bool(rng.integers(2)), offset=rng.normal(0, spread, 2))
    out[..., :3] += (faint - style.body) * where[..., None]


def _bevel(rng: Generator, out: Float32Array) -> None:
    """A line of light or shade where the face curves into its edges."""
    line = np.zeros((TEXTURE, TEXTURE), dtype=np.uint8)
    wide = int(rng.integers(1, 4))
    if rng.random() < 0.75:
        low = int(rng.integers(0, 9))
        cv2.rectangle(line, (low, low), (TEXTURE - 1 - low, TEXTURE - 1 - low), 255, wide)
    else:
        middle = (TEXTURE // 2, TEXTURE // 2)
        cv2.circle(line, middle, int(rng.integers(24, 33)), 255, wide, cv2.LINE_AA)
    if rng.random() < 0.5:  # lit from one side only
        line[int(rng.integers(8, TEXTURE)) :] = 0
    tone = np.float32(rng.choice([0.0, 1.0]))
    weight = line.astype(np.float32)[..., None] * np.float32(rng.uniform(0.1, 0.6) / 255)
    out[..., :3] += (tone - out[..., :3]) * weight


def _mirror(rng: Generator, out: Float32Array) -> None:
    """A polished body's reflection of a lamp or the ceiling; pips, which are dull, lie over it."""
    n = TEXTURE
    tone = np.clip(rng.uniform(0.5, 1.0) + rng.normal(0, 0.05, 3), 0, 1).astype(np.float32)
    weight = np.full((n, n), rng.uniform(0.3, 1.0), np.float32)
    cells = int(rng.integers(3, 10))
    field = cv2.resize(
        rng.random((cells, cells)).astype(np.float32), (n, n), interpolation=cv2.INTER_CUBIC
    )
    if rng.random() < 0.4:  # a part of it, with a border
        from_border = field - np.float32(rng.uniform(0.2, 0.7))
        weight *= 1 / (1 + np.exp(-from_border * np.float32(rng.uniform(6, 40))))
    else:
        weight += (field - np.float32(0.5)) * np.float32(rng.uniform(0, 0.6))
    if rng.random() < 0.5:  # a surface like orange peel
        fine = rng.standard_normal((n, n)).astype(np.float32)
        grain = np.asarray(cv2.GaussianBlur(fine, (0, 0), float(rng.uniform(0.5, 1.3))), np.float32)
        weight += grain * np.float32(rng.uniform(0, 0.25) / max(float(grain.std()), 1e-6))
    inset = int(rng.integers(0, 7))
    if inset:  # where the face curves it reflects something else
        flat = np.zeros((n, n), np.float32)
        side = n - 2 * inset
        small = cv2.resize(_rounded(float(rng.uniform(0, 0.35))), (side, side))
        flat[inset : inset + side, inset : inset + side] = small
        weight *= flat
    out[..., :3] += (tone - out[..., :3]) * np.clip(weight, 0, 1)[..., None]


def pip_places(style: Style, face: int, across: bool) -> FloatArray:
    """Where the pips of a face lie from its middle, edges, (n, 2); a 6 has rows across or along."""
    places = np.array(_LATTICE[face], np.float64)
    if face == 6:
        # However close the rows are, pips of one row do not touch those of the other.
        places[:, 1] *= max(style.make.rows, LEAST_GAP_OF_ROWS * style.radius / style.spread)
    return np.asarray((places[:, ::-1] if across else places) * style.spread, np.float64)


def _disc_mask(
    face: int,
    style: Style,
    rng: Generator,
    across: bool,
    offset: FloatArray | None = None,
    grown: float = 1.0,
) -> Float32Array:
    """Where the pips of a face are, (TEXTURE, TEXTURE), 0 to 1.

    Args:
        face: 1 to 6.
        style: gives their places and radius.
        rng: source of randomness: no pip lies quite where it should.
        across: whether the rows of a 6 lie the other way.
        offset: shift of all of them, edges, (2,).
        grown: factor on their radius.
    """
    mask = np.zeros((TEXTURE, TEXTURE), dtype=np.uint8)
    move = np.zeros(2) if offset is None else offset
    for at in pip_places(style, face, across):
        place = (at + move + 0.5) * TEXTURE - 0.5
        place += rng.normal(0, 0.25, 2)
        cv2.circle(
            mask,
            (int(place[0] * 16), int(place[1] * 16)),
            int(style.radius * TEXTURE * 16 * grown),
            255,
            -1,
            cv2.LINE_AA,
            4,
        )
    return mask.astype(np.float32) / np.float32(255)


_CORNERS: dict[int, Float32Array] = {}


def _rounded(corner: float) -> Float32Array:
    """Coverage of a square with rounded corners; cached, as there are only a few steps."""
    step = int(corner * TEXTURE)
    if step not in _CORNERS:
        mask = np.full((TEXTURE, TEXTURE), 255, dtype=np.uint8)
        if step:
            mask[:] = 0
            far = TEXTURE - 1 - step
            cv2.rectangle(mask, (step, 0), (far, TEXTURE - 1), 255, -1)
            cv2.rectangle(mask, (0, step), (TEXTURE - 1, far), 255, -1)
            for x in (step, far):
                for y in (step, far):
                    cv2.circle(mask, (x, y), step, 255, -1, cv2.LINE_AA)
        _CORNERS[step] = mask.astype(np.float32) / np.float32(255)
    return _CORNERS[step]
