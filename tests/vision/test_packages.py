"""Each package of vision and calibration shows its use; what the examples import exists."""

import ast
import re
import textwrap
from importlib import import_module
from pathlib import Path

import pytest

from tests.paths import ROOT

PACKAGES = sorted(
    path.parent.relative_to(ROOT)
    for room in ("vision", "calibration", "appliance/dataset")
    for path in (ROOT / room).rglob("__init__.py")
    if path.parent.name != "weights"
)


def example(package: Path) -> ast.Module:
    text = (import_module(".".join(package.parts)).__doc__ or "").split("\n")
    lines = [line for line in text if not line or line.startswith("    ")]
    return ast.parse(textwrap.dedent("\n".join(lines)))


@pytest.mark.parametrize("package", PACKAGES, ids=str)
def test_a_package_shows_its_use(package: Path) -> None:
    used = example(package)
    imports = [node for node in used.body if isinstance(node, ast.ImportFrom)]
    calls = {
        re.split(r"\W", ast.unparse(n.func))[0] for n in ast.walk(used) if isinstance(n, ast.Call)
    }
    assert imports
    for node in imports:
        for name in node.names:
            assert hasattr(import_module(str(node.module)), name.name)
            assert name.name in calls, "an example calls what it imports"
