"""What a slicer estimates for each printed part: plastic and time, with a profile that it ships."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from configparser import RawConfigParser
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("sliced.toml")
PRINTER = "Original Prusa i3 MK3S & MK3S+"
PRINT = "0.20mm QUALITY @MK3"
FILAMENTS = {"PLA": "Generic PLA", "PETG": "Generic PETG"}
"""PrusaSlicer's own profiles, by their names in its list of Prusa's printers."""
CHANGED = {"perimeters": "3", "fill_density": "20%", "support_material": "0"}
"""What docs/building.md asks for and the profile has otherwise."""
HOT = "camera-lamp-holder"
"""The part that must not be made of PLA."""
_NOT_SETTINGS = ("inherits", "compatible_", "default_filament", "default_print", "renamed_from")
_GRAMS = re.compile(r"^; total filament used \[g\] = ([\d.]+)$", re.MULTILINE)
_TIME = re.compile(r"^; estimated printing time \(normal mode\) = (.+)$", re.MULTILINE)
_UNITS_MIN = {"d": 1440.0, "h": 60.0, "m": 1.0, "s": 1 / 60}


@dataclass(frozen=True, slots=True)
class Estimate:
    """What one piece of a part takes.

    Attributes:
        plastic: key of `FILAMENTS`.
        grams: of plastic, with skirt and brim.
        minutes: of printing.
    """

    plastic: str
    grams: float
    minutes: float


def plastic_of(part: str) -> str:
    """The plastic that a part is sliced for."""
    return "PETG" if part == HOT else "PLA"


def settings(bundle: str, plastic: str) -> str:
    """A slicer's settings from a vendor's list of profiles, which inherit from one another.

    Args:
        bundle: the list, as PrusaSlicer ships it in `profiles/PrusaResearch.ini`.
        plastic: key of `FILAMENTS`.

    Raises:
        KeyError: the list lacks a profile.
    """
    profiles = RawConfigParser(strict=False, delimiters=("=",), comment_prefixes=("#",))
    profiles.read_string(bundle)

    def whole(kind: str, name: str) -> dict[str, str]:
        own = dict(profiles[f"{kind}:{name}"])
        found: dict[str, str] = {}
        for parent in filter(None, (part.strip() for part in own.get("inherits", "").split(";"))):
            found |= whole(kind, parent)
        return found | own

    found = whole("printer", PRINTER) | whole("print", PRINT)
    found |= whole("filament", FILAMENTS[plastic]) | CHANGED
    kept = {key: value for key, value in found.items() if not key.startswith(_NOT_SETTINGS)}
    return "".join(f"{key} = {value}\n" for key, value in kept.items())


def minutes_of(text: str) -> float:
    """A slicer's time, such as `1d 2h 15m 17s`, in minutes."""
    return sum(float(part[:-1]) * _UNITS_MIN[part[-1]] for part in text.split())


def estimate(gcode: str, plastic: str) -> Estimate:
    """What a sliced file says of itself.

    Raises:
        ValueError: it says nothing.
    """
    grams, time = _GRAMS.search(gcode), _TIME.search(gcode)
    if not grams or not time:
        raise ValueError("expected a sliced file with its plastic and time, found neither")
    return Estimate(plastic, float(grams[1]), minutes_of(time[1]))


def written(slicer: str, estimates: Mapping[str, Estimate]) -> str:
    """The file of all estimates."""
    head = "# What a slicer estimates; scripts/hardware/slice_parts.py writes it.\n\n"
    parts = [
        f'[parts.{name}]\nplastic = "{one.plastic}"\n'
        f"grams = {one.grams:.1f}\nminutes = {one.minutes:.0f}\n"
        for name, one in estimates.items()
    ]
    return "\n".join([f'{head}slicer = "{slicer}"\n', *parts])


def read(text: str | None = None) -> tuple[str, dict[str, Estimate]]:
    """The slicer's version and its estimates, from the file if no text is given."""
    found = tomllib.loads(FILE.read_text("utf-8") if text is None else text)
    return found["slicer"], {name: Estimate(**one) for name, one in found["parts"].items()}


def part_rows(parts: Sequence[tuple[str, int]]) -> list[list[str]]:
    """The printed parts, numbered as in the pictures: plastic, grams and time of all pieces."""
    _, estimates = read()
    rows, grams, minutes = [], 0.0, 0.0
    for n, (name, many) in enumerate(parts, 1):
        one = estimates[name]
        grams += many * one.grams
        minutes += many * one.minutes
        pieces = f"{many} × " if many > 1 else ""
        rows.append([f"{n}", f"{pieces}`{name}`", one.plastic, *_amounts(one, many)])
    return [*rows, ["", "**in all**", "", f"**{grams:.0f}**", f"**{minutes / 60:.0f}**"]]


def _amounts(one: Estimate, many: int) -> list[str]:
    """Grams and hours of some pieces."""
    return [f"{many * one.grams:.0f}", f"{many * one.minutes / 60:.1f}"]


def source() -> str:
    """Where the estimates are from, in a sentence."""
    slicer, _ = read()
    return f"Estimated by {slicer}, profiles {PRINTER}, {PRINT}, {' and '.join(FILAMENTS.values())}"
