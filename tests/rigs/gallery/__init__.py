"""A gallery of all screens, grouped by situation: for the documents and for the golden pictures."""

from dataclasses import dataclass

from appliance.picture import HEIGHT, WIDTH, Picture
from appliance.screens.draw import film
from appliance.table.prompts.prompt import Prompt
from tests.rigs.gallery.asides import ASIDES
from tests.rigs.gallery.scenes import Scene
from tests.rigs.gallery.turns import TURNS

_MOVING_S = 0.2
"""Pictures shown for less than this belong to an animation: every third of them is shown."""
_EVERY = 3
_MOST = 9
_ACROSS = 3
_GAP = 2
_SCALE = 4
_STYLE = "stroke:#ff3a28;stroke-width:.8;stroke-linecap:round"


@dataclass(frozen=True, slots=True)
class Situation:
    """Scenes that belong together, under a title."""

    title: str
    scenes: tuple[Scene, ...]


SITUATIONS = tuple(Situation(title, scenes) for title, scenes in (*TURNS, *ASIDES))


def kinds_of_prompts(base: type[Prompt] = Prompt) -> dict[str, type[Prompt]]:
    """Every kind of prompt in the product, by name: a class with slots is the second of two."""
    kinds: dict[str, type[Prompt]] = {}
    for kind in base.__subclasses__():
        if kind.__module__.startswith("appliance."):
            kinds |= kinds_of_prompts(kind) or {kind.__name__: kind}
    return kinds


def pictures(scene: Scene) -> tuple[Picture, ...]:
    """The different pictures of a scene in order of appearance."""
    shown = film(scene.prompt)
    found: list[Picture] = []
    moved = 0
    for still in (*shown.opening, *shown.loop):
        if still.seconds < _MOVING_S:
            moved += 1
            if moved % _EVERY != 2:
                continue
        if still.picture not in found:
            found.append(still.picture)
    return tuple(found)


def svg(shown: tuple[Picture, ...]) -> str:
    """Pictures side by side as a drawing of round lights; at most nine of them."""
    some = shown[:_MOST]
    across = min(len(some), _ACROSS)
    down = -(-len(some) // _ACROSS)
    width = across * (WIDTH + _GAP) - _GAP + 2
    height = down * (HEIGHT + _GAP) - _GAP + 2
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * _SCALE}" '
        f'height="{height * _SCALE}" viewBox="0 0 {width} {height}">',
        '<pattern id="o" width="1" height="1" patternUnits="userSpaceOnUse">'
        '<circle cx=".5" cy=".5" r=".36" fill="#2b1a18"/></pattern>',
    ]
    for number, picture in enumerate(some):
        x = 1 + number % _ACROSS * (WIDTH + _GAP)
        y = 1 + number // _ACROSS * (HEIGHT + _GAP)
        size = f'width="{WIDTH}" height="{HEIGHT}"'
        parts.append(f'<rect x="{x}" y="{y}" {size} fill="#0d0c0c"/>')
        parts.append(f'<rect x="{x}" y="{y}" {size} fill="url(#o)"/>')
        lights = "".join(
            f"M{x + column}.5 {y + row}.5h0"
            for row in range(HEIGHT)
            for column in range(WIDTH)
            if picture.is_lit(column, row)
        )
        parts.append(f'<path style="{_STYLE}" d="{lights}"/>')
    return "\n".join([*parts, "</svg>\n"])


def page(folder: str) -> str:
    """The gallery as a Markdown document, its drawings in `folder` beside it."""
    parts = [
        "# What the board shows\n",
        "Drawn by the program itself. Several pictures alternate from left to right."
        " Held dice are underlined; a bar shows the place in a list or sheet.\n",
    ]
    for situation in SITUATIONS:
        parts.append(f"## {situation.title}\n")
        for scene in situation.scenes:
            parts.append(f"{scene.says}\n\n![{scene.name}]({folder}/{scene.name}.svg)\n")
    return "\n".join(parts)


def drawings() -> dict[str, str]:
    """The drawings of all scenes, by file name."""
    return {
        f"{scene.name}.svg": svg(pictures(scene))
        for situation in SITUATIONS
        for scene in situation.scenes
    }
