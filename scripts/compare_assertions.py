#!/usr/bin/env python3
"""Which assertions of the tests changed since another commit, whatever moved or was renamed.

    .venv/bin/python scripts/compare_assertions.py 8708561 --renames docs/renames.txt

Compares every `assert`, `pytest.raises` and call of an `assert_...` or `check_...` function, by the
name of its test, wherever the test lies. Names are first changed as the file of renames says: lines
of an old and a new name, dotted or not; # begins a comment. Exit status 1 if anything differs.
"""

import argparse
import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

Assertions = Counter[tuple[str, str]]
"""How often a test, by its name, asserts a text."""


def _files(revision: str | None) -> Iterator[str]:
    """The texts of all test files of a commit, or of the working tree."""
    if revision is None:
        for path in sorted(Path("tests").rglob("*.py")):
            yield path.read_text(encoding="utf-8")
        return
    listed = subprocess.check_output(
        ["git", "ls-tree", "-r", "--name-only", revision, "tests"], text=True
    )
    for name in listed.splitlines():
        if name.endswith(".py"):
            yield subprocess.check_output(["git", "show", f"{revision}:{name}"], text=True)


def _checks(function: ast.AST) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            yield ast.unparse(node)
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if re.fullmatch(r"pytest\.(raises|warns)|(.*\.)?(assert|check)_\w+", called):
                yield ast.unparse(node)


def assertions(texts: Iterator[str]) -> Assertions:
    """What the functions in these files assert; helpers count under their own names."""
    found: Assertions = Counter()
    for text in texts:
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                found.update((node.name, check) for check in _checks(node))
                if node.name.startswith("test_"):
                    found[node.name, "(a test)"] += 1
    return found


def renamed(found: Assertions, renames: dict[str, str]) -> Assertions:
    """The same under new names."""
    if not renames:
        return found
    names = "|".join(sorted(map(re.escape, renames), key=len, reverse=True))
    pattern = re.compile(rf"(?<![\w.])({names})(?!\w)")
    after: Assertions = Counter()
    for (test, text), count in found.items():
        after[test, pattern.sub(lambda match: renames[match[1]], text)] += count
    return after


def read_renames(path: Path) -> dict[str, str]:
    """Old names and new ones."""
    lines = (line.partition("#")[0].split() for line in path.read_text("utf-8").splitlines())
    return {words[0]: words[1] for words in lines if words}


def main() -> int:
    """Prints what was lost with -, what is new with +."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("revision", help="the commit to compare with")
    parser.add_argument("--renames", type=Path, help="file of old and new names")
    args = parser.parse_args()
    renames = read_renames(args.renames) if args.renames else {}
    old, new = (renamed(assertions(_files(r)), renames) for r in (args.revision, None))
    for sign, differing in (("-", old - new), ("+", new - old)):
        for (test, text), count in sorted(differing.items()):
            print(sign, test, f"x{count}:" if count > 1 else ":", text)
    print(f"{old.total()} before, {new.total()} now, {(old & new).total()} the same")
    return int(old != new)


if __name__ == "__main__":
    sys.exit(main())
