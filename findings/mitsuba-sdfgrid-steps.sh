#!/bin/sh
# One would guess: a ball given to Mitsuba's `sdfgrid` is met by rays whatever the grid's numbers of steps are. With
# different numbers along its axes no ray meets it, and nothing is said.
# Seen with mitsuba 3.9.1, scalar_rgb, on x86-64.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet mitsuba==3.9.1 numpy
"$folder/venv/bin/python" - <<'PYTHON'
import mitsuba
import numpy as np

mitsuba.set_variant("scalar_rgb")


def is_hit(*steps: int) -> bool:
    """Whether a ray through the middle of a ball meets it, given as a grid over the unit cube."""
    axes = [np.linspace(-1, 1, many) for many in steps]
    away = np.sqrt(sum(axis**2 for axis in np.meshgrid(*axes, indexing="ij"))) - 0.7
    grid = mitsuba.TensorXf(np.ascontiguousarray(away[..., None], np.float32))
    scene = mitsuba.load_dict({"type": "scene", "ball": {"type": "sdfgrid", "grid": grid}})
    ray = mitsuba.Ray3f(mitsuba.Point3f(0.51, 0.51, 9), mitsuba.Vector3f(0, 0, -1))
    return bool(scene.ray_intersect(ray).is_valid())


print("16 x 16 x 16 steps, is the ball hit?", is_hit(16, 16, 16))
print("16 x 32 x 24 steps, is the ball hit?", is_hit(16, 32, 24))
assert is_hit(16, 16, 16)
assert not is_hit(16, 32, 24), "it is seen now: `GRID_STEPS` need not be one number"
PYTHON
