"""The drawings in docs show the firmware's current settings."""

import subprocess
import sys
from pathlib import Path

from tests.paths import ROOT


def test_the_drawings_are_those_that_the_script_makes(tmp_path: Path) -> None:
    script = str(ROOT / "scripts" / "hardware" / "draw_wiring.py")
    subprocess.run([sys.executable, script, "--out", str(tmp_path)], check=True)
    made = sorted(tmp_path.iterdir())
    assert len(made) == 3
    for path in made:
        assert path.read_bytes() == (ROOT / "docs" / "pictures" / path.name).read_bytes(), path.name
