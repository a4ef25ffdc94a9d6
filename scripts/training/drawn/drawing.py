"""Dice drawn for training: textures of faces and boxes seen at an angle.

Lengths are in edges of a die. The camera looks down with a slant that is the same all over a
patch (an oblique projection), as it is in a small part of a wide picture.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from scripts.training.drawn.makes import (
    SMALL_PIP_RADIUS,
    Generator,
    Make,
    body_pattern,
    hsv,
    ivory,
    random_make,
)
from vision.frame import Image
from vision.image.arrays import Float32Array, FloatArray

TEXTURE = 64
_LATTICE: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (-1, 1), (1, 1), (0, 0)),
    6: ((-1, -1), (1, -1), (-1, 1), (1, 1), (0, -1), (0, 1)),
}
SYMBOL = 7
"""Stands for a face with a symbol in place of pips."""


LEAST_GAP_OF_ROWS = 1.3
"""Distance of a 6's rows, in diameters of a pip."""
PLAIN = Make()
PATTERNED_SHARE = {5: 0.5, 2: 0.2, 1: 0.12, 0: 0.12, 3: 0.12}
"""Share of the dice of each kind whose bodies are not of one colour; other makers' most often."""


@dataclass(frozen=True, slots=True, eq=False)
class Style:
    """How one die is made. Colours are BGR, 0 to 1.

    Attributes:
        kind: index into `KINDS`.
        body: colour of the body.
        pip: colour of the pips.
        radius: pip radius, edges.
        spread: distance of outer pips from the middle, edges.
        corner: radius of the rounded corners of a face, edges.
        translucent: how much of the bottom face's pips shines through, 0 to 1.
        gloss: strength of reflections, 0 to 1.
        print_strength: strength of lettering around the pips, 0 for none.
        make: what else its maker does.
    """

    kind: int
    body: FloatArray
    pip: FloatArray
    radius: float
    spread: float
    corner: float
    translucent: float
    gloss: float
    print_strength: float
    make: Make = PLAIN


KINDS = ("black", "red", "white", "yellow", "power", "other")


def make_style(rng: Generator, kind: int | None = None) -> Style:
    """A style of one kind, or of any."""
    if kind is None:
        kind = int(rng.choice(6, p=[0.22, 0.18, 0.16, 0.07, 0.1, 0.27]))
    style = _plain_style(rng, kind)
    small = kind != 4 and rng.random() < 0.15
    return replace(
        style,
        radius=float(rng.uniform(*SMALL_PIP_RADIUS)) if small else style.radius,
        make=random_make(rng, PATTERNED_SHARE.get(kind, 0.0)),
    )


def _plain_style(rng: Generator, kind: int) -> Style:
    """A style of one kind, its body of one colour, its pips all alike."""
    white = np.clip(rng.uniform(0.72, 1.0) + rng.normal(0, 0.03, 3), 0, 1)
    dark = np.clip(rng.uniform(0.02, 0.16) + rng.normal(0, 0.012, 3), 0.01, 1)
    translucent = 0.0
    pip = white
    if kind == 0:
        body = np.clip(rng.uniform(0.03, 0.26) + rng.normal(0, 0.015, 3), 0.01, 1)
    elif kind == 1:
        body = hsv(rng.uniform(-9, 9), rng.uniform(0.6, 1.0), rng.uniform(0.35, 0.95))
        translucent = float(rng.uniform(0.05, 0.5)) if rng.random() < 0.4 else 0.0
    elif kind == 2:
        body = np.clip(rng.uniform(0.7, 1.0) * np.array([rng.uniform(0.72, 1), 0.97, 1]), 0, 1)
        if rng.random() < 0.4:
            body = ivory(rng)
        pip = dark
    elif kind == 3:
        body = hsv(rng.uniform(42, 62), rng.uniform(0.6, 1.0), rng.uniform(0.65, 1.0))
        pip = dark
    elif kind == 4:
        body = hsv(rng.uniform(200, 240), rng.uniform(0.65, 1.0), rng.uniform(0.4, 1.0))
    else:
        body, pip = _foreign(rng, white, dark)
        translucent = float(rng.uniform(0.05, 0.5)) if rng.random() < 0.3 else 0.0
    clear = rng.random() < (0.55 if kind == 1 else 0.4)
    if kind in (1, 5) and clear:  # as thrown in casinos: sharp, clear, large pips
        if kind == 5 and rng.random() < 0.7:
            body, pip = hsv(rng.uniform(95, 260), 0.85, rng.uniform(0.1, 0.6)), white
        return Style(
            kind=kind,
            body=body,
            pip=white if kind == 1 else pip,
            radius=float(rng.uniform(0.115, 0.176)),
            spread=float(rng.uniform(0.25, 0.345)),
            corner=float(rng.uniform(0.0, 0.05)),
            translucent=float(rng.uniform(0.1, 0.9)),
            gloss=float(rng.random() ** 2),
            print_strength=float(rng.uniform(0.2, 1.0)) if rng.random() < 0.85 else 0.0,
        )
    return Style(
        kind=kind,
        body=body,
        pip=pip,
        radius=float(rng.uniform(0.072, 0.135)),
        spread=float(rng.uniform(0.2, 0.29)),
        corner=float(rng.uniform(0.0, 0.3) if rng.random() < 0.85 else rng.uniform(0.3, 0.45)),
        translucent=translucent,
        gloss=float(rng.random() ** 2),
        print_strength=float(rng.uniform(0.2, 0.8)) if translucent and rng.random() < 0.5 else 0.0,
    )


def _foreign(rng: Generator, white: FloatArray, dark: FloatArray) -> tuple[FloatArray, FloatArray]:
    which = int(rng.integers(7))
    if which == 0:  # black, grey or brown with red pips, or with other coloured ones
        pip = hsv(rng.uniform(-10, 10) if rng.random() < 0.6 else rng.uniform(20, 330), 0.8, 0.75)
        tint = np.clip(rng.normal(1, 0.08, 3), 0.7, 1.3)
        return np.clip(rng.uniform(0.04, 0.35) * tint, 0, 1), pip * rng.uniform(0.6, 1.2)
    if which == 1:  # brown, bronze, orange, olive with black pips
        return hsv(rng.uniform(15, 60), rng.uniform(0.3, 0.9), rng.uniform(0.25, 0.7)), dark
    if which == 2:  # any two colours that differ
        return _two_colours(rng)
    if which == 3 and rng.random() < 0.5:  # pale with coloured pips
        return np.full(3, rng.uniform(0.75, 1.0)), hsv(rng.uniform(-10, 240), 0.8, 0.6)
    if which == 4:  # blue, green, violet, red with golden, yellow, red or silver pips
        body = hsv(rng.uniform(90, 370), rng.uniform(0.5, 1.0), rng.uniform(0.15, 0.8))
        hue = rng.uniform(38, 58) if rng.random() < 0.6 else rng.uniform(-10, 10)
        pip = hsv(hue, rng.uniform(0.3, 0.9), rng.uniform(0.6, 1.0))
        return (body, pip) if _differ(body, pip) else (body, white)
    return hsv(rng.uniform(75, 330), rng.uniform(0.45, 1.0), rng.uniform(0.2, 0.9)), white


def _two_colours(rng: Generator) -> tuple[FloatArray, FloatArray]:
    while True:
        body, pip = (
            hsv(rng.uniform(0, 360), rng.uniform(0.3, 1.0), rng.uniform(0.15, 0.95))
            for _ in range(2)
        )
        if _differ(body, pip):
            return body, pip


def _differ(one: FloatArray, other: FloatArray) -> bool:
    """Whether people would tell pips of one colour from a body of the other."""
    return float(np.abs(one - other).max()) > 0.3


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
        _lettering(rng, out, style, face)
    if mirrors:
        _mirror(rng, out)
    if face == SYMBOL:
        _symbol(rng, out, style.pip)
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
        and _differ(make.odd_colour, style.body)
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


def _lettering(rng: Generator, out: Float32Array, style: Style, face: int) -> None:
    """What makers print beside the pips: most often where a face has room for it."""
    ink = np.zeros((TEXTURE, TEXTURE), dtype=np.uint8)
    if face in _USUAL and rng.random() < 0.7:
        usual = _USUAL[face]
        usual[int(rng.integers(len(usual)))](rng, ink)
    else:
        (_mark, _logo, _ring, _word)[int(rng.choice(4, p=(0.2, 0.2, 0.25, 0.35)))](rng, ink)
    if rng.random() < 0.5:  # it may lie any way round
        ink = np.asarray(np.rot90(ink, int(rng.integers(1, 4))), dtype=np.uint8)
    weight = ink.astype(np.float32)[..., None] / 255 * style.print_strength
    out[..., :3] += (style.pip - out[..., :3]).astype(np.float32) * weight


def _letters(rng: Generator, count: int) -> str:
    return "".join(chr(int(c)) for c in rng.integers(65, 91, count))


def _mark(rng: Generator, ink: Image) -> None:
    """A maker's mark where the third pip of a 2 would be: a letter, or two in one."""
    size, thick = float(rng.uniform(0.6, 1.3)), int(rng.integers(1, 6))
    for letter in _letters(rng, 1 if rng.random() < 0.6 else 2):
        where = _write(ink, letter, size, thick)
        if thick > 3 and rng.random() < 0.5:  # only the outline
            cv2.putText(ink, letter, where, cv2.FONT_HERSHEY_SIMPLEX, size, 0, thick - 3)


def _logo(rng: Generator, ink: Image) -> None:
    """A maker's picture in the middle: linked loops, a letter in a badge, a star."""
    n = TEXTURE
    size, thick = float(rng.uniform(0.09, 0.2)) * n, int(rng.integers(2, 7))
    turn, flat = float(rng.uniform(0, 180)), float(rng.uniform(0.6, 1.0))
    which = rng.random()
    axis = np.array((np.cos(np.radians(turn)), np.sin(np.radians(turn))))
    if which < 0.6:
        apart = axis * size * rng.uniform(0.6, 1.1)
        shapes = [
            (n / 2 + sign * apart, (size, size * flat), float(rng.uniform(200, 360)))
            for sign in (-1, 1)
        ]
    else:
        shapes = [(np.full(2, n / 2), (1.5 * size, 1.5 * size * flat), 360.0)]
    for middle, reach, arc in shapes:
        start = float(rng.uniform(0, 360))
        for wide, tone in ((thick, 255), (thick - 3, int(rng.choice((0, 110, 255))))):
            if wide > 0:
                at = (round(float(middle[0])), round(float(middle[1])))
                half = (round(reach[0]), round(reach[1]))
                cv2.ellipse(ink, at, half, turn, start, start + arc, tone, wide, cv2.LINE_AA)
    if which >= 0.8:
        _star(ink, 5, 0.45 * size, size, rng.uniform(0, 2 * np.pi))
    elif which >= 0.6:
        _letter(rng, ink, size)


def _write(
    ink: Image, text: str, size: float, thick: int, font: int = cv2.FONT_HERSHEY_SIMPLEX
) -> tuple[int, int]:
    """Writes letters in the middle of a face; returns where they begin."""
    (w, h), _ = cv2.getTextSize(text, font, size, thick)
    where = (TEXTURE - w) // 2, (TEXTURE + h) // 2
    cv2.putText(ink, text, where, font, size, 255, thick, cv2.LINE_AA)
    return where


def _letter(rng: Generator, ink: Image, size: float) -> None:
    _write(ink, _letters(rng, 1), size / 12, int(rng.integers(1, 4)))


def _star(ink: Image, spikes: int, inner: float, outer: float, turn: float = 0.0) -> None:
    angle = np.arange(2 * spikes) * np.pi / spikes + turn
    radius = np.where(np.arange(2 * spikes) % 2, inner, outer)
    points = np.stack([np.cos(angle), np.sin(angle)], 1) * radius[:, None] + TEXTURE / 2
    cv2.fillPoly(ink, [points.astype(np.int32)], 255, cv2.LINE_AA)


def _ring(rng: Generator, ink: Image) -> None:
    """Letters round the middle, as on the 1 of many casino dice."""
    reach, count = rng.uniform(11, 23), int(rng.integers(8, 16))
    size, thick = float(rng.uniform(0.28, 0.5)), int(rng.integers(1, 4))
    for k in range(count):
        angle = 2 * np.pi * k / count
        at = (int(30 + reach * np.cos(angle)), int(34 + reach * np.sin(angle)))
        letter = _letters(rng, 1)
        cv2.putText(ink, letter, at, cv2.FONT_HERSHEY_SIMPLEX, size, 255, thick, cv2.LINE_AA)


def _word(rng: Generator, ink: Image) -> None:
    """A word anywhere."""
    size = float(rng.uniform(0.4, 1.0))
    where = (int(rng.integers(4, 24)), int(rng.integers(24, 48)))
    word = _letters(rng, int(rng.integers(1, 6)))
    cv2.putText(ink, word, where, cv2.FONT_HERSHEY_SIMPLEX, size, 255, 2, cv2.LINE_AA)


def _between(rng: Generator, ink: Image) -> None:
    """A name or number between the two rows of a 6."""
    size, thick = float(rng.uniform(0.35, 0.75)), int(rng.integers(1, 4))
    word = "".join(chr(int(c)) for c in rng.integers(48, 91, int(rng.integers(2, 5))))
    _write(ink, word, size, thick)


_USUAL: dict[int, tuple[Callable[[Generator, Image], None], ...]] = {
    1: (_ring,),
    2: (_mark, _logo),
    3: (_logo,),
    6: (_between,),
}
"""What is printed most often beside the pips of a face."""


def _symbol(rng: Generator, out: Float32Array, colour: FloatArray) -> None:
    ink = np.zeros((TEXTURE, TEXTURE), dtype=np.uint8)
    n = TEXTURE
    which = int(rng.integers(6))
    if which <= 1:
        font = int(rng.integers(0, 8)) + 16 * int(rng.integers(2))
        text = str(rng.choice(["1", "2", "3", "P", "x2", "D", "F", "P3", "A", "W", "III", "VI"]))
        thick = int(rng.integers(3, 9))
        size = float(rng.uniform(1.0, 1.9)) * (0.65 if len(text) > 1 else 1)
        _write(ink, text, size, thick, font)
    elif which == 2:  # star or sun
        _star(ink, int(rng.integers(4, 11)), rng.uniform(5, 14), rng.uniform(15, 24))
    elif which == 3:  # snowflake, anchor: strokes
        arms = int(rng.integers(3, 7))
        for k in range(arms):
            tip = (
                int(n / 2 + 22 * np.cos(2 * np.pi * k / arms)),
                int(n / 2 + 22 * np.sin(2 * np.pi * k / arms)),
            )
            cv2.line(ink, (n // 2, n // 2), tip, 255, int(rng.integers(3, 7)), cv2.LINE_AA)
    elif which == 4:  # overlapping boxes
        for dx in (-7, 7):
            corner = (n // 2 - 11 + dx, n // 2 - 11 + dx)
            far = (n // 2 + 11 + dx, n // 2 + 11 + dx)
            cv2.rectangle(ink, corner, far, 255, -1 if rng.random() < 0.5 else 4)
    else:  # bolt, sails: a random polygon
        points = rng.normal(n / 2, 13, (int(rng.integers(4, 8)), 2))
        cv2.fillPoly(ink, [points.astype(np.int32)], 255, cv2.LINE_AA)
    weight = ink.astype(np.float32)[..., None] / 255
    out[..., :3] += (colour - out[..., :3]).astype(np.float32) * weight


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


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """How a patch is seen.

    Attributes:
        scale: pixels per edge, at the height of the tops.
        slant: shift of a point one edge higher, edges, (2,).
        depth: growth of a length one edge higher.
        squeeze: (2, 2) map for the camera's own tilt.
    """

    scale: float
    slant: FloatArray
    depth: float
    squeeze: FloatArray

    def project(self, points: FloatArray, origin: FloatArray) -> FloatArray:
        """Points (n, 3), edges, z = 1 at the tops, to pixels (n, 2)."""
        high = points[:, 2:] - 1
        flat = (points[:, :2] * (1 + self.depth * high) + high * self.slant) @ self.squeeze.T
        return np.asarray(flat * self.scale + origin, dtype=np.float64)


# Corners of a unit box centred on the origin of x and y, z from 0 to 1.
_BOX = np.array([(x, y, z) for z in (0, 1) for y in (-0.5, 0.5) for x in (-0.5, 0.5)], float)
# Top, then the four sides; each quad so that its texture's corners run clockwise seen from
# outside.
_QUADS = ((4, 5, 7, 6), (1, 0, 4, 5), (3, 1, 5, 7), (2, 3, 7, 6), (0, 2, 6, 4))


def draw_die(
    rng: Generator,
    canvas: Float32Array,
    view: View,
    origin: FloatArray,
    place: FloatArray,
    turn: float,
    style: Style,
    value: int,
    tilt: FloatArray | None = None,
    size: float = 1.0,
    mirrors: float = 0.0,
) -> FloatArray:
    """Draws one die into the canvas.

    Args:
        rng: source of randomness.
        canvas: picture to draw into, (h, w, 3), 0 to 1.
        view: how it is seen.
        origin: pixel of the world's (0, 0, 1).
        place: x, y of its middle, edges.
        turn: yaw, radians.
        style: its make.
        value: its top, 1 to 6 or `SYMBOL`.
        tilt: a further rotation (3, 3) for dice that lean.
        size: its edge, in edges of the dice that the view is for.
        mirrors: the chance that its top mirrors a lamp or the ceiling.

    Returns:
        Corners of the top face, pixels, (4, 2).
    """
    spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    box = (_BOX - [0, 0, 0.5]) @ spin.T
    if tilt is not None:
        box = box @ tilt.T
    box = (box - [0, 0, box[:, 2].min()]) * size + [*place, 0.0]
    corners = view.project(box, origin)
    hull = cv2.convexHull(corners.astype(np.float32)).reshape(-1, 2)
    soft = (hull - hull.mean(axis=0)) * (1 - 0.35 * style.corner) + hull.mean(axis=0)
    edge_tone = np.clip(style.body * rng.uniform(0.4, 1.1) + rng.uniform(0, 0.08), 0, 1)
    cv2.fillPoly(canvas, [(soft * 16).astype(np.int32)], edge_tone.tolist(), cv2.LINE_AA, shift=4)
    others = [v for v in range(1, 7) if v not in (value, 7 - value)]
    sides = rng.permutation(others) if value != SYMBOL else np.full(4, SYMBOL)
    light = rng.uniform(0.35, 1.1, 4)
    order = sorted(range(5), key=lambda q: float(box[list(_QUADS[q]), 2].mean()))
    for q in order:
        quad = corners[list(_QUADS[q])]
        if _area(quad) * (1 if q == 0 else -1) <= 2 * 16:
            continue
        below = 7 - value if q == 0 and value != SYMBOL else None
        face = value if q == 0 else int(sides[q - 1])
        mirror = q == 0 and mirrors > 0 and rng.random() < mirrors
        picture = texture(rng, style, face, below, mirrors=mirror)
        gain = rng.uniform(0.75, 1.25) if q == 0 else light[q - 1]
        picture[..., :3] *= gain
        _gloss(rng, picture, style.gloss * (1.0 if q == 0 else 0.6))
        _paste(canvas, picture, quad)
    return np.asarray(corners[list(_QUADS[0])], dtype=np.float64)


def _area(quad: FloatArray) -> float:
    x, y = quad[:, 0], quad[:, 1]
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))


def _gloss(rng: Generator, picture: Float32Array, strength: float) -> None:
    """A reflection: a soft veil over the whole face, and a bright soft spot."""
    if strength < 0.05:
        return
    veil = np.float32(strength * rng.uniform(0, 0.6))
    picture[..., :3] += (np.float32(1) - picture[..., :3]) * veil
    if rng.random() < 0.3:  # a rough lamp, a frosted top: a scatter of small bright specks
        fine = rng.random((TEXTURE, TEXTURE)).astype(np.float32)
        specks = (fine > 1 - 0.12 * strength * rng.random()).astype(np.float32)
        soft = cv2.GaussianBlur(specks, (0, 0), float(rng.uniform(0.4, 1.0)))[..., None]
        picture[..., :3] += (1 - picture[..., :3]) * np.clip(soft * rng.uniform(0.5, 2), 0, 1)
    if rng.random() < 0.5:
        middle, wide = rng.uniform(0, 1, 2), rng.uniform(0.1, 0.5)
        axis = (np.arange(TEXTURE) + 0.5) / TEXTURE
        bump = np.exp(-((axis[:, None] - middle[0]) ** 2 + (axis[None] - middle[1]) ** 2) / wide**2)
        weight = (bump * strength * rng.uniform(0.2, 1.0)).astype(np.float32)[..., None]
        picture[..., :3] += (1 - picture[..., :3]) * weight


_SQUARE = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=np.float32) * TEXTURE - 0.5


def _paste(canvas: Float32Array, picture: Float32Array, quad: FloatArray) -> None:
    low = np.floor(quad.min(axis=0)).astype(int) - 1
    high = np.ceil(quad.max(axis=0)).astype(int) + 2
    low = np.maximum(low, 0)
    high = np.minimum(high, [canvas.shape[1], canvas.shape[0]])
    if (high - low).min() < 2:
        return
    matrix = cv2.getPerspectiveTransform(_SQUARE, (quad - low).astype(np.float32))
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    warped = cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_LINEAR)
    part = canvas[low[1] : high[1], low[0] : high[0]]
    part += (np.clip(warped[..., :3], 0, 1) - part) * warped[..., 3:]
