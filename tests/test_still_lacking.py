"""Everything that a new game, alert, setting or camera still lacks, all of it at once.

Each has tests of its own, which say more; they name one place at a time.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from importlib.resources import files
from typing import Any

import pytest

from appliance.alerts import Alert
from appliance.config import Config
from appliance.devices.camera.kinds import CameraKind, kinds
from appliance.words import read_language
from games.game import Game
from games.registry import GAMES, find_game
from tests.paths import ROOT

DE = (ROOT / "appliance/languages/de.toml").read_text(encoding="utf-8")
GERMAN = read_language(ROOT / "appliance/languages/de.toml")
DEFAULT_TOML = files("appliance.config").joinpath("default.toml").read_text("utf-8")


def text_of(name: str) -> str:
    """A document; empty if it is not there."""
    file = ROOT / name
    return file.read_text(encoding="utf-8") if file.exists() else ""


def lacks(checks: Iterable[tuple[bool, str]]) -> list[str]:
    """The things that are not there, in words."""
    return [what for there, what in checks if not there]


def keys_of(game: Game[Any]) -> Iterator[str]:
    """Some keys of a game that the board shows: its rows, its options, what is rarest."""
    yield from (game.name, *game.rarest)
    for words in game.option_words.values():
        yield from (words.title, *words.values.values())
    yield from (row.key for row in game.sheet(game.start(("A", "B"), {}), 0).rows)


def has_german_label(key: str) -> bool:
    """True if German has all words of a key."""
    words = (word for word in key.split() if re.search("[a-z]{2}", word))
    return all({word, f"... {word}"} & GERMAN.labels.keys() for word in words)


def of_game(game: Game[Any]) -> Iterator[tuple[bool, str]]:
    """The needs of a game that is to be finished."""
    name, folder = game.name, game.name.replace("-", "_")
    yield (
        f"{name}.md" in text_of("docs/rules/index.md"),
        "a line in docs/rules/index.md (scripts/list_games.py)",
    )
    yield (
        f"(docs/rules/{name}.md)" in text_of("README.md"),
        "a line in README.md (scripts/list_games.py)",
    )
    yield (
        f"(rules/{name}.md)" in text_of("docs/owner.md"),
        "a line in docs/owner.md (scripts/list_games.py)",
    )
    yield bool(text_of(f"docs/rules/{name}.md")), f"its page docs/rules/{name}.md"
    yield (
        f"rules/{name}.md" in text_of("mkdocs.yml"),
        "its page in mkdocs.yml (scripts/list_games.py)",
    )
    yield len(game.telling) == 5, "five short pages that tell it, in its wording"
    yield name in DEFAULT_TOML, "its name in appliance/config/default.toml (scripts/list_games.py)"
    yield all(map(has_german_label, keys_of(game))), "its German labels in its wording"
    tests = ROOT / "tests/games" / folder
    yield tests.is_dir(), f"tests of its printed rules in {tests.relative_to(ROOT)}/"
    yield type(game).hint is not Game.hint or bool(game.solver), "a hint, or a solver"
    one_file = not (ROOT / "games" / folder).is_dir()
    own = one_file or f"games.{folder}.*" in text_of("pyproject.toml")
    yield own, "its contract in pyproject"


def of_alert(alert: Alert) -> Iterator[tuple[bool, str]]:
    """The needs of an alert."""
    page = text_of("docs/troubleshooting.md").replace(",", "")
    yield f"**{' '.join(alert.lines)}**" in page, "a line in docs/troubleshooting.md"
    for line in alert.lines:
        yield f'"{line}" = ' in DE, f"{line!r} in appliance/languages/de.toml"


def settings(config: object = None, section: str = "") -> Iterator[tuple[str, str]]:
    """The settings as section and name."""
    config = Config() if config is None else config
    assert is_dataclass(config)
    for field in fields(config):
        value = getattr(config, field.name)
        if is_dataclass(value) and not section:
            yield from settings(value, field.name)
        elif section:
            yield section, field.name


def of_setting(setting: tuple[str, str]) -> Iterator[tuple[bool, str]]:
    """The needs of a setting."""
    section, name = setting
    known = tomllib.loads(DEFAULT_TOML).get(section, {})
    explained = f"\n{name} = " in DEFAULT_TOML or f"\n# {name} = " in DEFAULT_TOML
    yield (
        name in known or explained or f"[{section}.{name}]" in DEFAULT_TOML,
        (f"{name} under [{section}] in appliance/config/default.toml"),
    )


def of_camera(kind: CameraKind) -> Iterator[tuple[bool, str]]:
    """The needs of a kind of camera."""
    guide = text_of("docs/developing.md")
    there = f"`{kind.name}:" in guide or f"`{kind.name}`" in guide
    yield there, "its name under Ports in docs/developing.md"
    plain = kind.name.replace("https", "http").replace("rtsps", "rtsp")
    explained = re.search(rf"^# .*\b{plain}\b.* {{2,}}\S", DEFAULT_TOML, re.MULTILINE)
    yield bool(explained), "a line under [camera] in appliance/config/default.toml"


KINDS: tuple[tuple[str, Iterable[Any], Callable[[Any], Iterator[tuple[bool, str]]]], ...] = (
    ("game", GAMES.values(), of_game),
    ("alert", Alert, of_alert),
    ("setting", sorted(settings()), of_setting),
    ("camera", kinds().values(), of_camera),
)


@pytest.mark.parametrize(("kind", "things", "needs"), KINDS, ids=[kind for kind, _, _ in KINDS])
def test_nothing_is_lacking(
    kind: str, things: Iterable[Any], needs: Callable[[Any], Iterator[tuple[bool, str]]]
) -> None:
    missing = {
        str(getattr(thing, "NAME", getattr(thing, "name", thing))): found
        for thing in things
        if (found := lacks(needs(thing)))
    }
    assert not missing, f"a {kind} still lacks: {missing}"


def test_what_a_new_game_lacks_is_named_at_once() -> None:
    empty = replace(find_game("yatzy"), name="no-game", rarest=("no-luck",), wording={}, solver="")
    found = lacks(of_game(empty))
    assert found == [
        "a line in docs/rules/index.md (scripts/list_games.py)",
        "a line in README.md (scripts/list_games.py)",
        "a line in docs/owner.md (scripts/list_games.py)",
        "its page docs/rules/no-game.md",
        "its page in mkdocs.yml (scripts/list_games.py)",
        "five short pages that tell it, in its wording",
        "its name in appliance/config/default.toml (scripts/list_games.py)",
        "its German labels in its wording",
        "tests of its printed rules in tests/games/no_game/",
        "a hint, or a solver",
    ]
