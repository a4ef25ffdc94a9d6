"""The examples: short, of one import beside the standard library, and they run."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
LONGEST = 16
"""Most lines of an example, without its docstring, imports and empty lines."""
PRINTED = {
    "engine": r"GREEDY +ROBO \*\*\n[\s\S]*total +\d+ +\d+\n",
    "photograph": r"black 3\nblack 3\nblack 3\n[\s\S]*full-house 25\n",
    # Not the full house: in it go three alike, whose three are high.
    "position": r"three-alike: 28 now, 254\.0 total\nfull-house: 25 now, 253\.9 total\n",
    "second_roll": r"the second roll is worth 4\.\d points\n",
    "tournament": r"(ROBO \*+ ROBO \*+ \d+ \d+\n){6}fun: \S+, well: \S+, best: \S+\n",
}
"""What each prints, or part of it: so an example that does something else is noticed."""


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_prints_what_it_is_for(path: Path) -> None:
    done = subprocess.run(
        [sys.executable, path],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error::DeprecationWarning"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(PRINTED[path.stem], done.stdout), done.stdout


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_short_and_imports_one_thing_of_ours(path: Path) -> None:
    used = ast.parse(path.read_text(encoding="utf-8"))
    imports = [node for node in used.body if isinstance(node, ast.Import | ast.ImportFrom)]
    assert ast.get_docstring(used)
    named = {
        *(alias.name for node in imports if isinstance(node, ast.Import) for alias in node.names),
        *(str(node.module) for node in imports if isinstance(node, ast.ImportFrom)),
    }
    assert "dicetray" in named
    assert named - {"dicetray"} <= sys.stdlib_module_names
    rest = "\n".join(ast.unparse(node) for node in used.body[1:] if node not in imports)
    assert len([line for line in rest.splitlines() if line.strip()]) <= LONGEST


def test_each_is_listed_in_the_guide_to_the_library() -> None:
    text = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    assert re.findall(r"\(\.\./examples/(\w+)\.py\)", text) == [path.stem for path in EXAMPLES]
    assert PRINTED.keys() == {path.stem for path in EXAMPLES}
