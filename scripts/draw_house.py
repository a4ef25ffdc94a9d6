#!/usr/bin/env python3
"""Writes the part of docs/house.md on rooms: what each owns, in layers, and a drawing.

    .venv/bin/python scripts/draw_house.py

What a room owns is the first sentence of its docstring; layers are those in pyproject.toml, which
`lint-imports` checks; the drawing shows the actual imports.
"""

import ast
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PAGE = Path("docs/house.md")
PICTURE = Path("docs/pictures/house.svg")
BEGIN_MARK = "<!-- rooms: made by scripts/draw_house.py -->"
END_MARK = "<!-- end of rooms -->"
OTHERS = {
    "examples/": "short programs that import `dicetray` and nothing else of ours",
    "requirements/": "exact versions of packages, with hashes; `scripts/lock` writes them",
    "systemd/": "unit, udev and polkit rules, scripts that install and remove",
    "tests/": "mirrors the rooms; `rigs/` for tests and scripts, `proofs/`, `lab/` for long runs",
    "scripts/": "what developers run: checks, benches, proofs, drawings, releases",
}
"""Folders that ship no Python, or are not shipped."""
BOX_WIDTH = 150
BOX_HEIGHT = 44
BOX_GAP = 24
TOP_MARGIN = 16


@dataclass(frozen=True, slots=True)
class Room:
    """A package, or a module of values at the top of the appliance.

    Attributes:
        name: dotted.
        layer: from the top, 0 is the highest.
    """

    name: str
    layer: int

    @property
    def path(self) -> str:
        """Its path, relative to the root of the checkout."""
        path = self.name.replace(".", "/")
        return f"{path}/" if (ROOT / path).is_dir() else f"{path}.py"


def contracts(kind: str) -> list[dict[str, Any]]:
    """The contracts of a kind in pyproject.toml."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return [c for c in settings["tool"]["importlinter"]["contracts"] if c["type"] == kind]


def layers() -> list[list[Room]]:
    """The rooms by layer as in the contract, the highest first."""
    [contract] = contracts("layers")
    return [
        [Room(name.strip(), number) for name in line.split("|")]
        for number, line in enumerate(contract["layers"])
    ]


def short(name: str) -> str:
    """A room's name as it is shown; whole, where a folder at the top has the short one."""
    without = name.removeprefix("appliance.")
    return name if (ROOT / without).is_dir() else without


def owns(path: Path) -> str:
    """The first sentence of a package's or module's docstring, without its full stop."""
    file = path / "__init__.py" if path.is_dir() else path
    text = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
    first = " ".join(text.split("\n\n")[0].split())
    return first.split(". ")[0].removesuffix(".").removesuffix(":")


def table(rooms: list[list[Room]]) -> Iterator[str]:
    """The lines of the page: a number for each layer, the lowest first."""
    for number, layer in enumerate(reversed(rooms), start=1):
        said = (f"`{room.path}`: {owns(ROOT / room.path)}." for room in layer)
        yield f"{number}. {' '.join(said)}"
    yield ""
    yield from sub_folders()
    yield ""
    for name, what in OTHERS.items():
        yield f"- `{name}`: {what}"


def sub_packages() -> set[str]:
    """The packages inside the rooms, dotted."""
    places = (room.path for layer in layers() for room in layer if room.path.endswith("/"))
    return {
        ".".join(file.parent.relative_to(ROOT).parts)
        for place in places
        for file in (ROOT / place).glob("*/__init__.py")
    }


def guarded() -> dict[str, set[str]]:
    """The internal ones of these, each with who may look inside, from the contracts."""
    return {
        name.removesuffix(".*"): set(contract["allowed_importers"])
        for contract in contracts("protected")
        for name in contract["protected_modules"]
    }


def sub_folders() -> Iterator[str]:
    """The lines of the page that say which sub-folders are public and which are internal."""
    inside = guarded()
    public, internal = dict[str, list[str]](), dict[str, list[str]]()
    for name in sorted(sub_packages()):
        room, _, folder = name.rpartition(".")
        others = " and ".join(f"`{short(one)}`" for one in sorted(inside.get(name, set()) - {room}))
        group = f"{short(room)} (but for {others})" if others else short(room)
        (internal if name in inside else public).setdefault(group, []).append(f"`{folder}`")
    for title, found in (("Public", public), ("Internal", internal)):
        rooms = (f"{group}: {', '.join(folders)}" for group, folders in found.items())
        yield f"- {title} sub-folders: {'; '.join(rooms)}"


def imports(rooms: list[Room]) -> set[tuple[str, str]]:
    """Which room imports from which, read from the code."""
    names = sorted((room.name for room in rooms), key=len, reverse=True)

    def room_of(module: str) -> str | None:
        return next((n for n in names if module == n or module.startswith(f"{n}.")), None)

    found = set()
    for room in rooms:
        place = ROOT / room.path
        for file in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.module:
                    other = room_of(node.module) or room_of(f"{node.module}.{node.names[0].name}")
                    if other is not None and other != room.name:
                        found.add((room.name, other))
    return found


def implied(upper: str, lower: str, direct: set[tuple[str, str]]) -> bool:
    """True if one room also reaches another through a third: such lines are left out."""
    seen, ahead = set(), {b for a, b in direct if a == upper and b != lower}
    while ahead:
        seen |= ahead
        ahead = {b for a, b in direct if a in ahead} - seen
    return lower in seen


def drawing(rooms: list[list[Room]]) -> str:
    """Layers as rows of boxes, imports that no longer path implies as lines down, as SVG."""
    wide = 2 * BOX_GAP + max(len(layer) for layer in rooms) * (BOX_WIDTH + BOX_GAP)
    places: dict[str, tuple[float, float]] = {}
    for row, layer in enumerate(rooms):
        start = (wide - len(layer) * (BOX_WIDTH + BOX_GAP) + BOX_GAP) / 2
        for column, room in enumerate(layer):
            places[room.name] = (
                start + column * (BOX_WIDTH + BOX_GAP),
                TOP_MARGIN + row * (BOX_HEIGHT + 2 * BOX_GAP),
            )
    high = TOP_MARGIN + len(rooms) * (BOX_HEIGHT + 2 * BOX_GAP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" '
        f'font-family="sans-serif" font-size="15">'
        f'<rect width="{wide}" height="{high}" fill="#fff"/>'
    ]
    direct = imports([room for layer in rooms for room in layer])
    for upper, lower in sorted(direct):
        if implied(upper, lower, direct):
            continue
        (x1, y1), (x2, y2) = places[upper], places[lower]
        parts.append(
            f'<path d="M{x1 + BOX_WIDTH / 2:.0f} {y1 + BOX_HEIGHT:.0f}'
            f'L{x2 + BOX_WIDTH / 2:.0f} {y2:.0f}" '
            'stroke="#9ab" stroke-width="1.2"/>'
        )
    for name, (x, y) in places.items():
        parts.append(
            f'<rect x="{x:.0f}" y="{y:.0f}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" '
            f'rx="6" fill="#eef3f8" '
            f'stroke="#345"/><text x="{x + BOX_WIDTH / 2:.0f}" y="{y + BOX_HEIGHT / 2 + 5:.0f}" '
            f'text-anchor="middle">{short(name)}</text>'
        )
    return "\n".join([*parts, "</svg>", ""])


def page() -> str:
    """The page with its table regenerated."""
    text = (ROOT / PAGE).read_text("utf-8")
    before, rest = text.split(BEGIN_MARK)
    after = rest.split(END_MARK)[1]
    return f"{before}{BEGIN_MARK}\n{chr(10).join(table(layers()))}\n{END_MARK}{after}"


def main() -> int:
    """Writes both."""
    (ROOT / PAGE).write_text(page(), encoding="utf-8")
    (ROOT / PICTURE).write_text(drawing(layers()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
