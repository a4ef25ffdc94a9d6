"""Pictures of the board, compared with those kept beside the tests."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from appliance.picture import Picture


def assert_golden(path: Path, screens: Mapping[str, Iterable[Picture]]) -> None:
    """Compares the pages of each screen with a kept file, which must hold the same screens.

    With DICETRAY_UPDATE_GOLDEN set, the file is rewritten, for inspection.

    Args:
        path: the kept file.
        screens: the pages of each screen, by its name.
    """
    now = {
        f"{name} {number}": "\n".join(picture.rows())
        for name, pages in screens.items()
        for number, picture in enumerate(pages, start=1)
    }
    if os.environ.get("DICETRAY_UPDATE_GOLDEN"):
        path.write_text("\n\n".join(f"{name}\n{rows}" for name, rows in now.items()) + "\n")
    golden = dict(block.split("\n", 1) for block in path.read_text().strip().split("\n\n"))
    assert list(now) == list(golden)
    for name, rows in now.items():
        assert rows == golden[name], f"{name}:\n{rows}"
