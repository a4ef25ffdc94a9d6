"""The drawings and tables of the building guide match the product."""

import re
import subprocess
import sys
from math import atan, degrees
from pathlib import Path

import pytest

from appliance.config.settings import Config
from calibration.markers.bundle import TOLD_TILT_DEG
from calibration.markers.lens import CAMERAS, MODULE_1
from calibration.markers.printed import MARKER_IDS
from calibration.quality.focus import MIN_DIE_EDGE_PX
from tests.paths import ROOT

DOCS = ROOT / "docs"
sys.path.insert(0, str(ROOT))

from scripts.hardware.building import mounting, parts, pins, sizes, steps  # noqa: E402

SPARE = mounting.SPARE_AROUND_MARKERS_MM
ANEW = "run scripts/hardware/draw_building.py and look at what changed"


def test_drawings_and_tables_are_those_that_the_script_makes(tmp_path: Path) -> None:
    script = str(ROOT / "scripts" / "hardware" / "draw_building.py")
    subprocess.run([sys.executable, script, "--out", str(tmp_path)], check=True)
    made = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*.*"))
    assert len(made) == 13
    for path in made:
        assert (tmp_path / path).read_bytes() == (DOCS / path).read_bytes(), f"{path}: {ANEW}"


def test_every_pin_of_the_configuration_is_on_the_header_once() -> None:
    config = Config()
    wanted = [f"GPIO{pin}" for _, pin in config.buttons.pins]
    wanted += [f"GPIO{pin}" for pin in (*config.buttons.lights, config.buzzer.pin)]
    assert sorted(pin.name for pin in pins.header() if pin.use) == sorted(wanted)
    assert len(pins.header()) == 40


def test_the_text_has_the_numbers_of_the_product() -> None:
    text = " ".join((DOCS / "building.md").read_text(encoding="utf-8").split())
    assert f"{sizes.FLOOR[0]:g} × {sizes.FLOOR[1]:g}, matte" in text
    assert f"**Rim**: {sizes.RIM:g} high" in text
    assert "print the four on" in text
    assert len(MARKER_IDS) == 4
    assert f"A ring of white LEDs, {sizes.RING[0]:g} across" in text
    assert (
        f"dice of {sizes.DIE:g} mm and pictures of {mounting.SIZE[0]} × {mounting.SIZE[1]}" in text
    )
    assert f"{sizes.LENS_HEIGHT:g} mm above the floor for this tray" in text
    wide, down = mounting.field()
    assert f"covers {wide} × {down} degrees" in text
    assert f"may be tilted by up to {TOLD_TILT_DEG}°" in text
    assert f"dice smaller than {MIN_DIE_EDGE_PX:.0f} pixels" in text


def test_the_lens_sees_what_its_maker_says() -> None:
    assert mounting.field() == (66, 41)
    matrix = mounting.lens(sizes.LENS_HEIGHT).matrix
    seen = [2 * degrees(atan(side / 2 / matrix[k, k])) for k, side in enumerate(mounting.SIZE)]
    assert seen == pytest.approx(mounting.field(), abs=2)


def test_every_camera_whose_lens_is_known_is_in_the_table_with_what_it_is_good_for() -> None:
    rows = {row[0]: row for row in mounting.camera_rows()}
    assert set(rows) == {camera.name for camera in CAMERAS}
    for camera in CAMERAS:
        fits = mounting.spare(sizes.FLOOR, sizes.LENS_HEIGHT, camera) >= SPARE
        usable = rows[camera.name][-1] == "yes"
        assert usable == (fits and camera.sharp_from_mm <= sizes.LENS_HEIGHT)
        best = mounting.best(camera)
        assert mounting.spare(sizes.FLOOR, best, camera) >= SPARE
        assert mounting.view(best, camera).die_px > MIN_DIE_EDGE_PX
        assert best >= camera.sharp_from_mm
    assert rows[MODULE_1.name][-1].startswith("no")
    assert sum(row[-1] == "yes" for row in rows.values()) == 5


def test_the_height_that_is_drawn_suits_the_tray_that_is_drawn() -> None:
    low, high = sizes.LENS_RANGE
    assert low <= sizes.LENS_HEIGHT <= high
    assert mounting.spare(sizes.FLOOR, sizes.LENS_HEIGHT) >= mounting.SPARE_AROUND_MARKERS_MM
    assert 10 * mounting.lowest(sizes.FLOOR, holder=True) <= sizes.LENS_HEIGHT
    assert 10 * mounting.highest() > sizes.LENS_HEIGHT


def test_lowest_is_lowest() -> None:
    for floor in mounting.TRAYS:
        low = 10 * mounting.lowest(floor)
        assert (
            mounting.spare(floor, low)
            >= mounting.SPARE_AROUND_MARKERS_MM
            > mounting.spare(floor, low - 10)
        )


def test_no_two_holes_of_the_panel_touch_and_none_leaves_it() -> None:
    holes = parts.holes()
    assert sum(wide == sizes.BUTTON_HOLE for *_, wide in holes) == len(Config().buttons.pins)
    for n, (_, x, y, wide) in enumerate(holes):
        assert wide / 2 < x < sizes.PANEL[0] - wide / 2
        assert wide / 2 < y < sizes.PANEL[1] - wide / 2
        for _, other_x, other_y, other in holes[:n]:
            assert (x - other_x) ** 2 + (y - other_y) ** 2 > ((wide + other) / 2 + 2) ** 2


def test_every_screw_that_a_step_names_is_counted_and_no_other() -> None:
    numbers = {"two": 2, "three": 3, "four": 4, "eight": 8}
    for step in steps.STEPS:
        said = re.findall(r"(\w+) (wood screws )?(M?\d[\d.]*×\d+)", step.says)
        named = {f"{'wood screws ' if wood else ''}{size}": numbers[n] for n, wood, size in said}
        counted = {what: many for what, many in step.takes.items() if "×" in what}
        assert counted == named, step.says
        nuts = sum("nut" in what for what in step.takes)
        assert nuts == ("nuts" in step.says)
    wanted = f"{sum(step.takes.get('M3×12', 0) for step in steps.STEPS)} M3×12"
    assert wanted in (DOCS / "building.md").read_text(encoding="utf-8")
