"""Stand-ins for the programs that we start, which say what the real ones have been heard to say.

`recorded.json` is written by `tests/lab/record_programs.py`; `guessed.toml` holds what nobody could
record here, and why. There is no third way: a stand-in says what an entry of these two says.
"""

import json
import os
import shlex
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
RECORDED, GUESSED = FOLDER / "recorded.json", FOLDER / "guessed.toml"
SYSTEMS = ("bookworm", "trixie", "forky")


@dataclass(frozen=True, slots=True)
class Answer:
    """How a program ended, and what it wrote.

    Attributes:
        program: its name.
        case: what was the case.
        status: its exit status.
        out: what it wrote to standard output.
        err: what it wrote to standard error.
        systems: where it was recorded; empty for a guess.
        why: why it is a guess; empty if it was recorded.
    """

    program: str
    case: str
    status: int
    out: str
    err: str
    systems: tuple[str, ...] = ()
    why: str = ""

    def about(self, recorded: str, own: str) -> "Answer":
        """The same about a name of a test's own in place of the recorded one."""
        assert recorded in self.out
        return replace(self, out=self.out.replace(recorded, own))

    @property
    def lines(self) -> str:
        """A shell's lines that answer so."""
        out, err = shlex.quote(self.out), shlex.quote(self.err)
        return f"printf %s {out}; printf %s {err} >&2; (exit {self.status})"


@cache
def _table() -> Mapping[str, Mapping[str, tuple[Answer, ...]]]:
    recorded = json.loads(RECORDED.read_text())["programs"]
    table: dict[str, dict[str, tuple[Answer, ...]]] = {
        program: {
            name: tuple(
                Answer(
                    *(program, name, said["status"], said["out"], said["err"]),
                    systems=tuple(said["in"]),
                )
                for said in entry["answers"]
            )
            for name, entry in named.items()
        }
        for program, named in recorded.items()
    }
    for program, guesses in tomllib.loads(GUESSED.read_text()).items():
        for name, guess in guesses.items():
            named = table.setdefault(program, {})
            assert name not in named, f"{program}, {name}: it was recorded; delete the guess"
            said: dict[str, Any] = {"status": 0, "out": "", "err": ""} | guess
            named[name] = (Answer(program, name, **said),)
    return table


def programs() -> Mapping[str, Mapping[str, tuple[Answer, ...]]]:
    """All answers, by program and case."""
    return _table()


def answers(program: str, case: str) -> tuple[Answer, ...]:
    """All answers of a program in a case, one for each kind; KeyError if none was recorded."""
    return _table()[program][case]


def answer(program: str, case: str, system: str = "trixie") -> Answer:
    """What a program said in one system; a guess, where nothing could be recorded."""
    said = answers(program, case)
    return next((one for one in said if system in one.systems), said[0])


def stand_in(
    folder: Path,
    program: str,
    cases: Mapping[str, Answer | tuple[str, Answer]],
    before: str = "",
) -> Path:
    """Puts a program of this name into a folder, which answers from the table.

    Args:
        folder: where it is put.
        program: its name.
        cases: what it answers, by a shell's pattern for all its words, in their order; a shell's
            line may be run first, such as one that keeps what was read.
        before: a shell's lines that are run at each start.

    Nothing was recorded for a call that matches no pattern: it fails with status 99.
    """
    lines = ["#!/bin/sh", before, 'case "$*" in']
    for pattern, how in cases.items():
        first, said = how if isinstance(how, tuple) else (":", how)
        assert said.status in {one.status for one in answers(program, said.case)}
        lines.append(f"{pattern})\n{first}\n{said.lines}\nexit ;;")
    lines += ["esac", f'echo "{program} $*: this was never recorded" >&2', "exit 99"]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / program
    path.write_text("\n".join((*lines, "")))
    path.chmod(0o755)
    return path


def path_with(folder: Path) -> str:
    """PATH with this folder first."""
    return f"{folder}:{os.environ['PATH']}"
