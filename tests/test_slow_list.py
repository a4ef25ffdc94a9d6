"""The list of slow tests names only tests that exist."""

import ast
from functools import cache
from itertools import chain

from tests.conftest import SLOW
from tests.paths import ROOT


@cache
def defined(file: str) -> set[str]:
    """The tests in a file; those in a class as pytest names them."""
    tree = ast.parse((ROOT / file).read_text())
    methods = (
        (f"{node.name}::{inner.name}", node.name + "::runTest")
        for node in tree.body
        if isinstance(node, ast.ClassDef)
        for inner in node.body
        if isinstance(inner, ast.FunctionDef)
    )
    plain = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assigned = {
        f"{target.id}::runTest"
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return plain | assigned | set(chain.from_iterable(methods))


def test_every_slow_test_exists() -> None:
    assert len(SLOW) > 100
    gone = [test for test in SLOW if test.partition("::")[2] not in defined(test.split("::")[0])]
    assert gone == []
