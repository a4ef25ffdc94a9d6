#!/usr/bin/env python3
"""Counts how large the shipped Python is, and how it is written, at any commit.

    .venv/bin/python scripts/count_size.py [REV ...] [--under appliance/]

A row for each commit, the files as they are now if none is named. Every tracked file counts that is
not below examples/, scripts/ or tests/, wherever it stands. Docstrings are no statements; lines are
all lines.
"""

import argparse
import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean

ROOT = Path(__file__).parents[1]
NOT_SHIPPED = ("examples/", "scripts/", "tests/", "setup.py")
LONG_FILE = 500

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(slots=True)
class Size:
    """Counts of some code.

    Attributes:
        lines: all lines.
        statements: all of them but docstrings.
        functions: how many lines each has, by its file and name.
        docstring_words: words in the docstrings of functions.
        long_files: files of more than 500 lines.
        packed: assignments that name several constants, such as `A, B = 1, 2`.
        silenced: `noqa` and `fmt: off`.
    """

    lines: int = 0
    statements: int = 0
    functions: dict[str, int] = field(default_factory=dict)
    docstring_words: int = 0
    long_files: int = 0
    packed: int = 0
    silenced: int = 0

    def add(self, path: str, text: str) -> None:
        """Counts a file."""
        lines, tree = text.count("\n"), ast.parse(text)
        self.lines += lines
        self.long_files += lines > LONG_FILE
        self.silenced += len(re.findall(r"# (?:noqa|fmt: off)", text))
        for node in ast.walk(tree):
            self.statements += isinstance(node, ast.stmt) and not _is_docstring(node)
            self.packed += _names_several_constants(node)
            if isinstance(node, Function):
                self.functions[f"{path}:{node.name}:{node.lineno}"] = _lines_of(node)
                self.docstring_words += len((ast.get_docstring(node) or "").split())

    def row(self, name: str) -> str:
        """The counts as a row of a table."""
        longest = max(self.functions, key=lambda one: self.functions[one])
        path, function, _ = longest.rsplit(":", 2)
        values = (
            self.lines,
            self.statements,
            f"{self.lines / self.statements:.2f}",
            f"{mean(self.functions.values()):.1f}",
            f"{self.functions[longest]} ({Path(path).name}, {function})",
            self.long_files,
            self.packed,
            self.silenced,
            f"{self.docstring_words / len(self.functions):.1f}",
        )
        return f"| {name} | {' | '.join(map(str, values))} |"


HEADER = (
    "| | lines | statements | lines a statement | mean function | longest | files over "
    f"{LONG_FILE} | packed constants | silenced | docstring words a function |\n{'|---' * 10}|"
)


def _lines_of(function: Function) -> int:
    assert function.end_lineno is not None
    return function.end_lineno - function.lineno + 1


def _is_docstring(node: ast.AST) -> bool:
    """True if it is one of a module, class or function, or below an attribute."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _names_several_constants(node: ast.AST) -> bool:
    names: list[str] = []
    for target in node.targets if isinstance(node, ast.Assign) else ():
        if isinstance(target, ast.Tuple):
            names += (name.id for name in target.elts if isinstance(name, ast.Name))
    return bool(names) and all(name.isupper() for name in names)


def files_at(revision: str | None, under: str) -> Iterator[tuple[str, str]]:
    """Paths and texts of the shipped files; CalledProcessError for no commit of this checkout."""
    listing = ("ls-files",) if revision is None else ("ls-tree", "-r", "--name-only", revision)
    for path in _git(*listing).splitlines():
        if path.endswith(".py") and path.startswith(under) and not path.startswith(NOT_SHIPPED):
            now = revision is None
            yield path, (ROOT / path).read_text() if now else _git("show", f"{revision}:{path}")


def _git(*arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(ROOT), *arguments], check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("revisions", nargs="*", metavar="REV")
    parser.add_argument("--under", default="", help="only files whose paths begin so")
    args = parser.parse_args()
    print(HEADER)
    for revision in args.revisions or (None,):
        size = Size()
        for path, text in files_at(revision, args.under):
            size.add(path, text)
        print(size.row(revision or "now"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
