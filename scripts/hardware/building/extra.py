"""The advice of scripts where the extra `parts` is not installed or the system lacks what it loads.

    python3 scripts/hardware/building/extra.py

It needs no package and names Debian's packages that `make_parts.py` lacks, one a line. The wheels
of two modules load libraries of the system that a fresh Debian does not have (`readelf -d`).
"""

import ctypes
import sys
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from types import MappingProxyType

MODULES = ("build123d", "trimesh", "schemdraw")
"""The modules that `make_parts.py` imports."""
LIBRARIES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {"build123d": ("libGL.so.1", "libgl1"), "mitsuba": ("libatomic.so.1", "libatomic1")}
)
"""By module: the library that it loads, and Debian's package with it."""


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def missing_packages(modules: Iterable[str]) -> list[str]:
    """Debian's packages that the system lacks for these modules; elsewhere nobody knows."""
    if sys.platform != "linux":
        return []
    wanted = (LIBRARIES[name] for name in modules if name in LIBRARIES)
    return [package for library, package in wanted if not _loads(library)]


def report_missing(*modules: str) -> int:
    """Says on stderr what is missing and how to get it.

    Returns the exit status: 2, or 0 if everything is there.
    """
    absent = [name for name in modules if find_spec(name) is None]
    if packages := " ".join(missing_packages(modules)):
        print(
            f"dicetray: expected {packages}, found none: sudo apt install {packages}",
            file=sys.stderr,
        )
    if absent:
        print(
            f"dicetray: expected the extra `parts`, found no {', '.join(absent)}: "
            ".venv/bin/pip install --require-hashes -r requirements/parts.txt",
            file=sys.stderr,
        )
    return 2 if packages or absent else 0


if __name__ == "__main__":
    print("\n".join(missing_packages(MODULES)), end="")
