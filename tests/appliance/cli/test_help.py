"""Each command's help: what it does, and examples that can be given as they stand."""

import argparse
import shlex
from collections.abc import Iterator

import pytest

from appliance.cli.commands import EXAMPLES
from appliance.cli.main import main, parser


def commands(above: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Those that take no action, however deep."""
    for action in above._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield from commands(each)
            return
    yield above


ALL = parser()
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
