"""Each package shows how to use it: what its example imports exists, and whole examples run."""

import ast
import builtins
import re
import textwrap
from importlib import import_module
from pathlib import Path

import pytest

from tests.paths import ROOT

ROOMS = ("appliance", "calibration", "firmware", "games", "simulator", "vision")
PACKAGES = sorted(
    path.parent.relative_to(ROOT)
    for room in ROOMS
    for path in (ROOT / room).rglob("__init__.py")
    if path.parent.name != "weights"
)
LONGEST = 6
"""Most lines of an example, without its imports."""


def example(package: Path) -> ast.Module:
    text = (import_module(".".join(package.parts)).__doc__ or "").split("\n")
    lines = [line for line in text if not line or line.startswith("    ")]
    return ast.parse(textwrap.dedent("\n".join(lines)))


def names(used: ast.Module, context: type[ast.expr_context]) -> set[str]:
    return {
        node.id
        for node in ast.walk(used)
        if isinstance(node, ast.Name) and isinstance(node.ctx, context)
    }


def given(used: ast.Module) -> set[str]:
    """The names that an example leaves to its reader, such as a picture or a port."""
    imported = {
        alias.asname or alias.name
        for node in ast.walk(used)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    known = imported | names(used, ast.Store) | set(dir(builtins))
    return names(used, ast.Load) - known


WHOLE = [package for package in PACKAGES if not given(example(package))]


def marks(package: Path) -> tuple[pytest.MarkDecorator, ...]:
    """Rendering takes time."""
    return (pytest.mark.slow,) if "simulator" in package.parts else ()


@pytest.mark.parametrize("package", PACKAGES, ids=str)
def test_a_package_shows_its_use(package: Path) -> None:
    used = example(package)
    imports = [node for node in used.body if isinstance(node, ast.ImportFrom)]
    calls = {
        re.split(r"\W", ast.unparse(n.func))[0] for n in ast.walk(used) if isinstance(n, ast.Call)
    }
    if package in WHOLE:
        # It is run, so it is enough that a name occurs at all.
        calls = names(used, ast.Load)
    assert imports
    used_for = [n for n in used.body if not isinstance(n, ast.Import | ast.ImportFrom)]
    assert sum(len(ast.unparse(node).splitlines()) for node in used_for) <= LONGEST
    for node in imports:
        for name in node.names:
            assert hasattr(import_module(str(node.module)), name.name)
            assert name.name in calls, "an example calls what it imports"


@pytest.mark.parametrize("package", [pytest.param(p, marks=marks(p), id=str(p)) for p in WHOLE])
def test_a_whole_example_runs(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(example(package), str(package), "exec"), {})
