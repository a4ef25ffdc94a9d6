"""Stand-ins of programs say what the real ones have said, and nothing that a test has made up."""

import ast
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.rigs.programs import RECORDED, SYSTEMS, answer, programs, stand_in

OURS = (
    *("espeak-ng", "aplay", "nmcli", "openssl", "systemctl", "busctl", "journalctl"),
    *("raspi-config", "mpremote", "ssh-keygen", "udevadm", "chromium"),
)
ELSEWHERE = ("tests/rigs/programs/", "tests/lab/", "tests/test_stand_ins.py", "tests/docs/")
"""Where answers are recorded, and where nothing stands for a program."""

COMPLAINS = re.compile(
    r"(error: |audio \w+ error|Error: |ALSA lib |mpremote: |aplay: |Call (to \w+ )?failed"
    r"|Failed to (connect|stop|start|restart|disable|set|send)|Connection '|systemd \d|s \"\w+\""
    r"|(not(Before|After))=|-- No entries|LoadState=|\d+ \w+\.target )"
)
"""How what these programs write begins."""


def sources() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted((ROOT / "tests").rglob("*.py")):
        name = str(path.relative_to(ROOT))
        if not name.startswith(ELSEWHERE):
            yield name, ast.parse(path.read_text())


def texts(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def made_by_hand(tree: ast.AST) -> list[str]:
    """Programs of our list that are written into a folder without the rig, as files of their name.

    Their names stand in `folder / "nmcli"` or `"bin/nmcli"`, in a statement that writes or beside
    one; the rig is given them as an argument.
    """
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            right = node.right
            if isinstance(right, ast.Constant) and isinstance(right.value, str):
                name = right.value.rsplit("/", 1)[-1]
                found += [name] if name in OURS else []
    return found


def recorded_text() -> str:
    named = programs().values()
    return "\n".join(
        f"{one.out}\n{one.err}" for cases in named for said in cases.values() for one in said
    )


def test_no_test_makes_up_a_program_of_its_own() -> None:
    machine = {"systemctl"}  # run by the machine's counted commands, and made by the rig
    found = {
        name: made
        for name, tree in sources()
        if (made := set(made_by_hand(tree)))
        and not (name == "tests/systemd/machine.py" and made <= machine)
    }
    assert found == {}


def test_what_a_program_says_in_a_test_is_what_it_has_said() -> None:
    known = recorded_text()
    made_up = {
        f"{name}: {line}"
        for name, tree in sources()
        for text in texts(tree)
        for line in text.splitlines()
        if COMPLAINS.match(line) and line not in known
    }
    assert made_up == set()


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ('(folder / "bin/nmcli").write_text("#!/bin/sh")', ["nmcli"]),
        ('program = folder / "systemctl"', ["systemctl"]),
        ('stand_in(folder / "bin", "nmcli", cases)', []),
    ],
)
def test_the_check_sees_what_is_made_by_hand(source: str, wrong: list[str]) -> None:
    assert made_by_hand(ast.parse(source)) == wrong


@pytest.mark.parametrize(
    ("line", "known"),
    [
        ("Error: Secrets were not right", False),
        ("Error: NetworkManager is not running.", True),
        ("error: No such device", True),
    ],
)
def test_the_check_sees_what_was_never_said(line: str, known: bool) -> None:
    assert COMPLAINS.match(line)
    assert (line in recorded_text()) is known


def test_each_program_was_heard_when_all_is_well_and_in_five_bad_cases() -> None:
    few = {}
    for program in OURS:
        heard = [name for name, said in programs().get(program, {}).items() if said[0].systems]
        well = any(answer(program, name).status == 0 for name in heard)
        if len(heard) < 6 or not well:
            few[program] = sorted(heard)
    # The first is asked one thing; the second is nowhere but on a Pi.
    assert few.keys() == {"journalctl", "raspi-config"}


def test_every_answer_says_where_it_was_heard_and_what_ran_beside() -> None:
    table = json.loads(RECORDED.read_text())
    for program, cases in table["programs"].items():
        for name, entry in cases.items():
            assert entry["beside"], (program, name)
            heard = [system for said in entry["answers"] for system in said["in"]]
            everywhere = ["pypi"] if program == "mpremote" else list(SYSTEMS)
            assert sorted(heard) == sorted(everywhere), (program, name)
            assert set(heard) <= table["versions"][program].keys()


def test_every_guess_says_why_it_is_none_of_those_that_were_heard() -> None:
    guesses = [
        one
        for cases in programs().values()
        for said in cases.values()
        for one in said
        if not one.systems
    ]
    assert all(one.why for one in guesses)
    assert {one.program for one in guesses} >= {"nmcli", "raspi-config"}


def test_a_stand_in_fails_where_nothing_was_recorded(tmp_path: Path) -> None:
    said = answer("systemctl", "version")
    program = stand_in(tmp_path, "systemctl", {"--version": said})
    for words, status, out in (("--version", 0, said.out), ("frobnicate", 99, "")):
        done = subprocess.run([program, words], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (status, out)
    with pytest.raises(KeyError):
        answer("systemctl", "a case that nobody has recorded")
