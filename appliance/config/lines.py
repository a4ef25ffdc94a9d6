"""Where in a TOML text a setting stands; `tomllib` gives values without their places."""

import re

_SECTION = re.compile(r"\s*\[\s*([A-Za-z0-9_.\-\s]+?)\s*\]\s*(?:#.*)?$")
_KEY = re.compile(r"\s*([A-Za-z0-9_\-]+(?:\s*\.\s*[A-Za-z0-9_\-]+)*)\s*=")


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in dotted.split("."))


def line_of(text: str, path: tuple[str, ...]) -> int | None:
    """The line, from 1, on which a setting stands, or failing that the nearest thing around it.

    The path has names from the outermost, such as ("buttons", "pins", "ok"). None when not even the
    section is found, as with quoted names.
    """
    section: tuple[str, ...] = ()
    best: tuple[int, int] | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        if found := _SECTION.match(line):
            section = here = _parts(found[1])
        elif found := _KEY.match(line):
            here = (*section, *_parts(found[1]))
        else:
            continue
        # An inline table has its keys on the line of the table's own name.
        if path[: len(here)] == here and (best is None or len(here) > best[0]):
            best = (len(here), number)
    return best[1] if best else None
