#!/usr/bin/env python3
"""Lists the assertions in tests that changed since a commit, whatever was moved or renamed.

    .venv/bin/python scripts/compare_assertions.py 8708561 --renames tests/renames.txt

Compares every `assert`, `pytest.raises` and call of an `assert_...` or `check_...` function, by the
name of its test, whichever file it is in. Names are first changed by the file of renames, which has
a line `old new` for each. A name may be dotted; `.old .new` is an attribute of anything;
`test_a*::old` is changed only in these tests, given by their new names. # begins a comment. Exit
status 1 if anything differs.
"""

import argparse
import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

Assertions = Counter[tuple[str, str]]
"""How often a test, by its name, makes an assertion."""


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
    """The assertions of the functions in these files; helpers count under their own names."""
    found: Assertions = Counter()
    for text in texts:
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                found.update((node.name, check) for check in _checks(node))
                if node.name.startswith("test_"):
                    found[node.name, "(a test)"] += 1
    return found


Renames = list[tuple[str, str, str]]
"""A pattern for the new names of tests, the old name, and the new one."""


@cache
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    # An attribute follows an expression, other names do not. Longer names come before their parts.
    starts = ((r"(?<=[\w)\]])" if name[0] == "." else r"(?<![\w.])", name) for name in names)
    longest = sorted(starts, key=lambda start: len(start[1]), reverse=True)
    return re.compile("|".join(rf"{start}{re.escape(name)}(?!\w)" for start, name in longest))


def _changed(text: str, renames: dict[str, str]) -> str:
    """The text with new names; repeated renames are followed to the last name."""
    before = ""
    while text != before:
        before, names = text, tuple(name for name in renames if name in text)
        if names:
            text = _pattern(names).sub(lambda match: renames[match[0]], text)
    return text


def renamed(found: Assertions, renames: Renames) -> Assertions:
    """The assertions under their new names."""
    everywhere = {old: new for tests, old, new in renames if tests == "*"}
    after: Assertions = Counter()
    for (test, text), count in found.items():
        name = everywhere.get(test, test)
        here = {old: new for tests, old, new in renames if fnmatchcase(name, tests)}
        after[name, _changed(text, here)] += count
    return after


def read_renames(path: Path) -> Renames:
    """Old and new names, and the tests they apply to; names with spaces need an arrow."""
    lines = (line.partition("#")[0].strip() for line in path.read_text("utf-8").splitlines())
    found = []
    for line in filter(None, lines):
        old, new = line.split(" -> ") if " -> " in line else line.split()
        tests, _, name = old.rpartition("::")
        found.append((tests or "*", name, new))
    return found


def main() -> int:
    """Prints what was lost with -, what is new with +."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("revision", help="the commit to compare with")
    parser.add_argument("--renames", type=Path, help="file of old and new names")
    args = parser.parse_args()
    renames = read_renames(args.renames) if args.renames else []
    old, new = (renamed(assertions(_files(r)), renames) for r in (args.revision, None))
    for sign, differing in (("-", old - new), ("+", new - old)):
        for (test, text), count in sorted(differing.items()):
            print(sign, test, f"x{count}:" if count > 1 else ":", text)
    print(f"{old.total()} before, {new.total()} now, {(old & new).total()} the same")
    return int(old != new)


if __name__ == "__main__":
    sys.exit(main())
