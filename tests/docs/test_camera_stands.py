"""The drawing of how a camera hangs over dice is the one that its script makes."""

from pathlib import Path

import pytest

from scripts.hardware import draw_camera_stands
from tests.paths import ROOT


def test_the_drawing_is_the_one_that_the_script_makes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["draw_camera_stands.py", "--out", str(tmp_path)])
    draw_camera_stands.main()
    name = "camera-stands.svg"
    assert (tmp_path / name).read_bytes() == (ROOT / "docs/pictures" / name).read_bytes()


def test_the_lid_is_in_the_picture_from_there() -> None:
    assert draw_camera_stands.half_width_mm() > draw_camera_stands.TRAY_MM[0] / 2 + 50
