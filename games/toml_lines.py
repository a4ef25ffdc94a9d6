"""On which lines of a TOML text its tables and keys stand, for errors that name a line."""

import re

_TOML_NAME = r"""(?:[\w-]+|"[^"]*"|'[^']*')"""
_TOML_NAMES = rf"({_TOML_NAME}(?:\s*\.\s*{_TOML_NAME})*)"
_TABLE_HEADER = re.compile(rf"\[\s*{_TOML_NAMES}\s*\]\s*(?:#.*)?$")
_KEY_LINE = re.compile(rf"{_TOML_NAMES}\s*=")

Lines = dict[tuple[str, ...], int]
"""The lines where the tables and keys of a TOML text begin, by their names, outermost first."""


def lines_of_toml(text: str) -> Lines:
    """The line, from 1, on which each table and each key of a TOML text begins.

    The text is known to be TOML. What is inside an inline table belongs to the table's line.
    """
    lines: Lines = {}
    section: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if header := _TABLE_HEADER.match(stripped):
            section = _split_names(header[1])
            lines.setdefault(section, number)
        elif key := _KEY_LINE.match(stripped):
            path = (*section, *_split_names(key[1]))
            for length in range(len(section) + 1, len(path) + 1):
                lines.setdefault(path[:length], number)
    return lines


def nearest_line(lines: Lines, path: tuple[str, ...]) -> int | None:
    """The line of a path of names, outermost first, or of the nearest thing around it, if any."""
    around = (path[:length] for length in range(len(path), 0, -1))
    return next((lines[names] for names in around if names in lines), None)


def _split_names(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))
