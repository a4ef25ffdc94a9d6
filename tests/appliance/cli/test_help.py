"""Each command's help: what it does, and examples that can be typed as they are."""

import argparse
import shlex
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.cli.main import main, parser
from tests.paths import ROOT


def commands(above: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """The commands without subcommands, at any depth."""
    for action in above._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield from commands(each)
            return
    yield above


ALL = parser()
EXAMPLES = (ROOT / "appliance" / "cli" / "examples.txt").read_text(encoding="utf-8").splitlines()
NAMES = [each.prog for each in commands(ALL)]


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_can_be_given(example: str) -> None:
    command = example.partition("  ")[0].partition(" > ")[0]
    assert len(example) <= 78
    ALL.parse_args(shlex.split(command)[1:])


@pytest.mark.parametrize("name", NAMES)
def test_each_command_has_an_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main([*name.split()[1:], "--help"])
    assert end.value.code == 0
    said = capsys.readouterr().out
    assert f"\nexamples:\n  {name} " in f"{said} " or f"\nexamples:\n  {name}\n" in said


@pytest.mark.parametrize("name", sorted({name.split()[1] for name in NAMES}))
def test_each_command_is_described(name: str) -> None:
    (subparsers,) = (a for a in ALL._actions if isinstance(a, argparse._SubParsersAction))
    assert subparsers.choices[name].description


@pytest.fixture(scope="module")
def bash_completion(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The completion script for bash."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("XDG_DATA_HOME", "BASH_COMPLETION_USER_DIR"):
            patch.delenv(name, raising=False)
        patch.setenv("HOME", str(home))
        patch.setenv("SHELL", "/usr/bin/bash")
        assert main(["completion", "--save"]) == 0
    return home / ".local/share/bash-completion/completions/dicetray"


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("dicetray ga", ["games"]),
        ("dicetray play --hu", ["--human"]),
        ("dicetray play --game sh", ["showdown"]),
        ("dicetray games ex", ["export"]),
        ("dicetray completion --sa", ["--save"]),
        ("dicetray config check ./scr", ["./scripts"]),
        ("dicetray run --profile ./pyp", ["./pyproject.toml"]),
        ("dicetray games list --journal ./pyp", ["./pyproject.toml"]),
        ("dicetray read ./pyp", ["./pyproject.toml"]),
    ],
)
def test_the_tab_key_completes(typed: str, offered: list[str], bash_completion: Path) -> None:
    words = typed.split()
    shell = (
        f"source {bash_completion}; COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}; "
        'set -- $(complete -p dicetray); while [ "$1" != -F ]; do shift; done; "$2"; '
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "-c", shell], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == offered


@pytest.mark.parametrize(
    ("shell", "file"),
    [
        ("bash", "data/bash-completion/completions/dicetray"),
        ("zsh", ".zfunc/_dicetray"),
        ("fish", "settings/fish/completions/dicetray.fish"),
    ],
)
def test_a_script_for_the_tab_key_is_saved_where_its_shell_looks(
    shell: str,
    file: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("BASH_COMPLETION_USER_DIR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    assert main(["completion", shell]) == 0
    printed = capsys.readouterr().out
    assert main(["completion", shell, "--save"]) == 0
    assert (tmp_path / file).read_text(encoding="utf-8") == printed
    assert f"{tmp_path / file} is saved" in capsys.readouterr().out


def test_a_script_for_the_tab_key_that_cannot_be_saved_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".zfunc").write_text("a file where a folder must be", encoding="utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert main(["completion", "zsh", "--save"]) == 2
    assert "_dicetray: cannot be written" in capsys.readouterr().err


def test_the_program_itself_needs_what_makes_the_scripts() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert any(each.startswith("shtab") for each in project["dependencies"])
