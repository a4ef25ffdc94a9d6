"""An interpreter is found, or the user is told plainly why there is none."""

import shutil
import subprocess
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pytest

from simulator.pico import micropython
from tests.paths import ROOT

Find = Callable[[Mapping[str, str]], micropython.Interpreter]
SCRIPT = ROOT / "scripts" / "get-micropython"


def fake(path: Path, answer: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho '{answer}'\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def tools(tmp_path: Path) -> str:
    """A PATH with what scripts need, and no MicroPython, whatever is installed here."""
    folder = tmp_path / "tools"
    folder.mkdir()
    for tool in ("sh", "dirname", "sed", "mkdir", "chmod", "mktemp", "rm", "sleep"):
        (folder / tool).symlink_to(shutil.which(tool) or tool)
    return str(folder)


@pytest.fixture
def find(tmp_path: Path) -> Find:
    """`micropython.find_interpreter` with an empty cache and without the script."""
    return partial(
        micropython.find_interpreter, cache=tmp_path / "cache", script=tmp_path / "no-script"
    )


def test_the_environment_comes_first(tmp_path: Path, find: Find) -> None:
    named = fake(tmp_path / "mine" / "mpy", "micropython 1 26 0")
    fake(tmp_path / "bin" / "micropython", "micropython 1 25 0")
    found = find({micropython.INTERPRETER_VARIABLE: str(named), "PATH": str(tmp_path / "bin")})
    assert (found.path, found.real) == (named, True)
    assert "1.26.0" in found.sentence


def test_then_the_path_then_the_cache(tmp_path: Path, find: Find) -> None:
    on_path = fake(tmp_path / "bin" / "micropython", "micropython 1 25 0")
    cached = fake(tmp_path / "cache" / "micropython", "micropython 1 25 0")
    environment = {"PATH": str(tmp_path / "bin")}
    assert find(environment).path == on_path
    on_path.unlink()
    assert find(environment).path == cached


@pytest.mark.parametrize(
    "answer", ["micropython 1 12 0", "cpython 3 11 2", "", "micropython a b c"]
)
def test_something_else_of_that_name_is_not_used(tmp_path: Path, find: Find, answer: str) -> None:
    fake(tmp_path / "bin" / "micropython", answer)
    found = find({"PATH": str(tmp_path / "bin")})
    assert not found.real


@pytest.mark.parametrize("named", ["/missing/micropython", "/bin/true"])
def test_a_wrong_name_in_the_environment_is_said(named: str, find: Find) -> None:
    found = find({micropython.INTERPRETER_VARIABLE: named})
    assert not found.real
    assert f"{named}, named by {micropython.INTERPRETER_VARIABLE}" in found.sentence


def test_what_the_script_fetches_is_used(tmp_path: Path, tools: str) -> None:
    script = tmp_path / "script"
    script.write_text(
        'mkdir -p "$1"\n'
        "printf '#!/bin/sh\\necho micropython 1 25 0\\n' > \"$1/micropython\"\n"
        'chmod +x "$1/micropython"\n'
    )
    cache = tmp_path / "cache"
    found = micropython.find_interpreter({"PATH": tools}, cache=cache, script=script)
    assert found.real
    assert found.path == cache / "micropython"


def test_why_the_script_failed_is_said(tmp_path: Path, tools: str) -> None:
    script = tmp_path / "script"
    script.write_text("echo 'first line' >&2\necho 'no network here' >&2\nexit 1\n")
    found = micropython.find_interpreter({"PATH": tools}, cache=tmp_path / "c", script=script)
    assert not found.real
    assert "no network here" in found.sentence
    assert found.sentence.startswith("CPython ")


@pytest.mark.slow
def test_what_a_script_has_begun_ends_with_it(
    tmp_path: Path, tools: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it is interrupted: here by its time being up."""
    script = tmp_path / "fetch"
    script.write_text("mktemp >made; sleep 600 & echo $! >begun; wait\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(micropython, "_DOWNLOAD_TIMEOUT_S", 1.0)
    found = micropython.find_interpreter({"PATH": tools}, cache=tmp_path / "c", script=script)
    assert "could not be fetched" in found.sentence
    # One that nobody has waited for yet has no command any more.
    begun = Path("/proc", (tmp_path / "begun").read_text().strip(), "cmdline")
    assert not begun.exists() or not begun.read_bytes()
    assert not Path((tmp_path / "made").read_text().strip()).exists()


def test_nothing_is_fetched_when_that_is_not_wanted(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text(f"touch {tmp_path / 'ran'}\n")
    micropython.find_interpreter({"PATH": ""}, cache=tmp_path / "c", script=script, download=False)
    assert not (tmp_path / "ran").exists()


def test_the_script_leaves_a_running_interpreter_alone(tmp_path: Path) -> None:
    launcher = fake(tmp_path / "cache" / "micropython", "1")
    done = subprocess.run(
        ["sh", str(SCRIPT), str(launcher.parent)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == str(launcher)


def test_the_script_gives_up_cleanly_where_there_is_no_debian(tmp_path: Path, tools: str) -> None:
    target = tmp_path / "cache" / "micropython"
    done = subprocess.run(
        ["/bin/sh", str(SCRIPT), str(target)],
        capture_output=True,
        text=True,
        env={"PATH": tools},
        check=False,
    )
    assert done.returncode == 1
    assert "is missing" in done.stderr
    assert not target.exists()
