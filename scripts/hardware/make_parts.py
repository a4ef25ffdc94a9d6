#!/usr/bin/env python3
"""Makes the printed parts as STL, 3MF and STEP, SVG to cut and drill by; needs the extra `parts`.

    .venv/bin/python scripts/hardware/make_parts.py --out dist/parts
    .venv/bin/python scripts/hardware/make_parts.py --out dist/parts --pictures docs/pictures

All sizes come from scripts/hardware/building/sizes.py. Each part lies as it is printed; one that is
not closed, too large for the bed or in need of support is named, and the exit status is 1.
Templates to cut and drill by are also tiled, on sheets of A4 and Letter with a ruler.
`--pictures` draws the parts, the exploded view, the steps of assembly, and the schematic.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

MESH_TOLERANCE_MM = 0.05
"""How far a mesh may deviate from its solid, millimetres."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--out", type=Path, default=ROOT / "dist" / "parts", help="folder to write to"
    )
    parser.add_argument("--pictures", type=Path, help="folder for pictures; none without")
    arguments = parser.parse_args()
    from scripts.hardware.building.extra import MODULES, report_missing

    if status := report_missing(*MODULES):
        return status
    import trimesh
    from build123d import ExportSVG, Mesher, Plane, Pos, export_step, export_stl

    from scripts.hardware.building import tiling
    from scripts.hardware.building.printing import judge
    from scripts.hardware.building.solids import catalogue

    out: Path = arguments.out
    out.mkdir(parents=True, exist_ok=True)
    printed = catalogue.printed()
    faults = 0
    for name, part in printed.items():
        lying = part.laid()
        export_stl(lying, out / f"{name}.stl", tolerance=MESH_TOLERANCE_MM)
        export_step(lying, out / f"{name}.step")
        mesher = Mesher()
        mesher.add_shape(lying, linear_deflection=MESH_TOLERANCE_MM)
        mesher.write(out / f"{name}.3mf")
        verdict = judge(trimesh.load_mesh(out / f"{name}.stl"))
        wide, deep, high = verdict.size
        faults += len(verdict.faults)
        print(
            f"{part.many} x {name:22} {wide:6.1f} x {deep:6.1f} x {high:5.1f} mm "
            f"{lying.volume / 1000:6.1f} cm3  {'; '.join(verdict.faults) or 'ok'}"
        )
    for name, part in catalogue.cut().items():
        lying = part.laid()
        level = lying.bounding_box().max.Z - 2
        drawing = ExportSVG(line_weight=0.1)
        drawing.add_shape(Pos(0, 0, -level) * lying.intersect(Plane.XY.offset(level)))
        drawing.write(out / f"{name}.svg")
        template = (out / f"{name}.svg").read_text("utf-8")
        for paper in tiling.PAPERS:
            for n, sheet in enumerate(tiling.sheets(template, paper, name), 1):
                (out / f"{name}-{paper}-{n}.svg").write_text(sheet, "utf-8")
        print(f"cut {name}")
    if arguments.pictures:
        from scripts.hardware.building import pictures, schematic

        arguments.pictures.mkdir(parents=True, exist_ok=True)
        schematic.write(arguments.pictures / "schematic.svg")
        for path in pictures.draw_pictures(printed, arguments.pictures):
            print(path.name, path.stat().st_size)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
