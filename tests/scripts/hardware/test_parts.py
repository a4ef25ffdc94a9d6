"""Printed parts: closed, printable as they lie, holes in place, clear of each other."""

import shutil
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.paths import ROOT

sys.path.insert(0, str(ROOT))

pytest.importorskip("build123d", reason="needs the extra `parts`")
trimesh = pytest.importorskip("trimesh", reason="needs the extra `parts`")

from scripts.hardware.building import parts, pictures, printing, sizes, steps  # noqa: E402
from scripts.hardware.building.solids import assembly, catalogue, scoreboard, stand, tray  # noqa: E402

pytestmark = pytest.mark.slow
TOUCHING_MM3 = 0.5
Hole = tuple[float, float, float]


@pytest.fixture(scope="module")
def printed() -> dict[str, catalogue.Part]:
    return catalogue.printed()


@pytest.fixture(scope="module")
def meshes(printed: dict[str, catalogue.Part]) -> dict[str, Any]:
    """Each part as it is assembled, as a mesh."""
    return {name: mesh_of(part.solid) for name, part in printed.items()}


def mesh_of(solid: Any) -> Any:
    vertices, triangles = solid.tessellate(0.02, 0.1)
    return trimesh.Trimesh([(v.X, v.Y, v.Z) for v in vertices], triangles)


def test_every_part_prints_as_it_lies(printed: dict[str, catalogue.Part]) -> None:
    for name, part in printed.items():
        mesh = mesh_of(part.laid())
        assert not printing.judge(mesh).faults, name
        assert mesh.bounds[0][2] == pytest.approx(0, abs=1e-6)


def test_a_part_that_cannot_be_printed_is_told(printed: dict[str, catalogue.Part]) -> None:
    upside_down = mesh_of(printed["column-foot"].laid())
    upside_down.apply_transform(trimesh.transformations.rotation_matrix(np.pi, (1, 0, 0)))
    upside_down.apply_translation((0, 0, -upside_down.bounds[0][2]))
    assert "overhang" in printing.judge(upside_down).faults[0]
    long = trimesh.creation.box((221, 10, 10))
    assert "221.0 x 10.0" in " ".join(printing.judge(long).faults)
    open_box = trimesh.Trimesh(long.vertices, long.faces[1:])
    assert "gaps" in " ".join(printing.judge(open_box).faults)


def holes() -> list[tuple[str, float, list[Hole]]]:
    """Parts, heights to cut them at, and all holes there: x, y and diameter."""
    wood = tray.post_screws()
    front = [(x, y, sizes.PANEL_SCREW) for x, y in parts.front_screws()]
    middle = parts.front_size()[0] / 2
    corner = sizes.OPENING[0] / 2 + sizes.PLATE / 2
    assert wood[0] == (-corner, sizes.OPENING[1] / 2 + sizes.PLATE / 2)
    inside = scoreboard.pcb_level() + 2
    pico, board = scoreboard.pico_middle(), scoreboard.perfboard_middle()
    return [
        ("button-panel", 1.5, [(x, y, wide) for _, x, y, wide in parts.holes()]),
        ("rim-left", 10, [(x, y, 3.6) for x, y in wood if x < 0]),
        ("rim-right", 10, [(x, y, 3.6) for x, y in wood if x > 0]),
        ("rail", 0.5, [(x, y, 3.6) for x, y in tray.rail_screws()]),
        ("column-foot", 3, [(x, y, 4.4) for x, y in stand.foot_screws()]),
        ("scoreboard-front-left", 2.5, [hole for hole in front if hole[0] < middle]),
        ("scoreboard-front-right", 2.5, [hole for hole in front if hole[0] > middle]),
        ("camera-lamp-holder", -6.5, [(x, y, 1.7) for x, y in stand.CAMERA_HOLES]),
        ("camera-lamp-holder", -2, [(x, y, 4.4) for x, y in stand.ARM_HOLES]),
        ("pi-plate", 7, [(x, y, 2.1) for x, y in {*stand.PI_HOLES, *stand.ZERO_HOLES}]),
        (
            "pico-carrier",
            inside,
            [(pico[0] + x, pico[1] + y, 1.7) for x, y in scoreboard.PICO_HOLES]
            + [(board[0] + x, board[1] + y, 1.7) for x, y in scoreboard.PERFBOARD_HOLES],
        ),
    ]


@pytest.mark.parametrize(("name", "height", "wanted"), holes(), ids=lambda v: str(v)[:24])
def test_holes_are_where_the_settings_say(
    meshes: dict[str, Any], name: str, height: float, wanted: list[Hole]
) -> None:
    points = printing.outline(meshes[name], height)
    for x, y, wide in wanted:
        found = printing.measured_hole(points, (x, y), wide)
        assert found is not None, (x, y)
        assert found == pytest.approx((x, y, wide), abs=0.05)
        assert printing.measured_hole(points, (x + 2 * wide, y), wide) is None


def test_holes_of_a_part_are_those_of_the_part_that_it_meets(meshes: dict[str, Any]) -> None:
    # Box under the front, box under the panel, back of the box under the carrier.
    for name, height, places in (
        ("scoreboard-box-left", 10, parts.front_screws()[:4]),
        ("scoreboard-box-right", 10, parts.front_screws()[4:]),
        ("button-box", 10, [(x, y) for name, x, y, _ in parts.holes() if name == "screw"]),
        ("scoreboard-box-right", scoreboard.depth() - 4, scoreboard.carrier_screws()),
    ):
        points = printing.outline(meshes[name], height)
        for place in places:
            found = printing.measured_hole(points, place, 2.6)
            assert found == pytest.approx((*place, 2.6), abs=0.05), (name, place)


def test_nothing_is_where_something_else_is(printed: dict[str, catalogue.Part]) -> None:
    items = assembly.items(printed)
    boxes = {name: item.solid.bounding_box() for name, item in items.items()}
    met = 0
    for one, other in combinations(items, 2):
        if not (items[one].printed or items[other].printed) or apart(boxes[one], boxes[other]):
            continue
        met += 1
        shared = items[one].solid.intersect(items[other].solid)
        volume = sum(solid.volume for solid in shared.solids()) if shared else 0.0
        assert volume < TOUCHING_MM3, f"{one} and {other}: {volume:.1f} mm3"
    assert met > 20


def apart(one: Any, other: Any) -> bool:
    return any(
        getattr(one.max, axis) <= getattr(other.min, axis) + 0.01
        or getattr(other.max, axis) <= getattr(one.min, axis) + 0.01
        for axis in "XYZ"
    )


def test_the_lens_hangs_where_it_should() -> None:
    items = assembly.items(catalogue.printed())
    camera = items["camera"].solid.bounding_box()
    floor = items["floor"].solid.bounding_box().max.Z
    assert camera.min.Z - floor == pytest.approx(sizes.LENS_HEIGHT, abs=1)
    cuts = parts.profile_cuts()
    assert pytest.approx(cuts["column"]) == items["column"].solid.bounding_box().size.Z
    assert pytest.approx(cuts["arm"]) == items["arm"].solid.bounding_box().size.Y


def test_the_page_lists_the_parts_that_are_made(printed: dict[str, catalogue.Part]) -> None:
    assert [(name, part.many) for name, part in printed.items()] == [
        (name, many) for name, many in steps.PARTS
    ]


def test_every_step_of_assembly_adds_something_that_there_is() -> None:
    everything = set(assembly.items(catalogue.printed()))
    before: set[str] = set()
    assert len(steps.STEPS) == 20
    for step in steps.STEPS:
        there, new = pictures.shown(step, before, everything)
        assert there
        assert bool(new) == bool(step.adds)
        assert not new & before
        before |= new
    assert before == everything


def test_other_sizes_are_one_file(tmp_path: Path) -> None:
    # A tray too large for two pieces, and buttons of another kind.
    ours, theirs = ROOT / "scripts" / "hardware", tmp_path / "scripts" / "hardware"
    shutil.copytree(ours / "building", theirs / "building")
    shutil.copy(ours / "make_parts.py", theirs)
    settings = theirs / "building" / "sizes.py"
    text = settings.read_text(encoding="utf-8")
    for old, new in (
        ("TRAY = TrayModel()", "TRAY = TrayModel(half=(125.0, 88.0))"),
        ("BUTTON_HOLE = 16.2", "BUTTON_HOLE = 12.2"),
        ("PITCH = 28.0", "PITCH = 24.0"),
    ):
        assert old in text
        text = text.replace(old, new)
    settings.write_text(text, encoding="utf-8")
    out = tmp_path / "parts"
    command = [sys.executable, str(theirs / "make_parts.py"), "--out", str(out)]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    rims = sorted(path.stem for path in out.glob("rim*.stl"))
    assert rims == ["rim-far-left", "rim-far-right", "rim-near-left", "rim-near-right"]
    rim = trimesh.load_mesh(out / "rim-near-left.stl")
    assert rim.extents[0] == pytest.approx(125 + 1.76 + sizes.PLATE + 6, abs=0.05)
    panel = trimesh.load_mesh(out / "button-panel.stl")
    points = printing.outline(panel, 1.5) + np.array(sizes.PANEL) / 2
    start = (sizes.PANEL[0] - 5 * 24 - sizes.SPLIT) / 2
    assert printing.measured_hole(points, (start, sizes.HOLD_BUTTONS_Y), 12.2) == pytest.approx(
        (start, sizes.HOLD_BUTTONS_Y, 12.2), abs=0.05
    )
    assert {path.suffix for path in out.iterdir()} == {".stl", ".step", ".svg"}


def test_the_board_has_its_size_and_its_holes() -> None:
    from build123d import Plane

    board = catalogue.cut()["board"].laid()
    wide = sizes.OPENING[0] + 2 * (sizes.PLATE + sizes.BOARD_EDGE)
    assert pytest.approx(wide) == board.bounding_box().size.X
    cut = board.intersect(Plane.XY.offset(5))
    circles = [edge for face in cut.faces() for wire in face.inner_wires() for edge in wire.edges()]
    assert len(circles) == 4 + 4 + 4
