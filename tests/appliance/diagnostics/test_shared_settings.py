"""The configuration as it may leave the house: no text of the owner's, whatever the key."""

import tomllib
from dataclasses import fields
from typing import Any

import pytest

from appliance.cli.config import default_text
from appliance.config import Config
from appliance.diagnostics.own_words import SET
from appliance.diagnostics.shared_settings import MAY_GO, shared_settings

SETTINGS = [
    (section.name, setting.name, getattr(getattr(Config(), section.name), setting.name))
    for section in fields(Config())
    for setting in fields(getattr(Config(), section.name))
]


def listed(text: str) -> dict[str, Any]:
    return tomllib.loads(shared_settings(text))


def test_what_may_go_is_a_setting() -> None:
    assert MAY_GO.keys() <= {f"{section}.{key}" for section, key, _ in SETTINGS}


@pytest.mark.parametrize(("section", "key", "usual"), SETTINGS, ids=str)
@pytest.mark.parametrize("value", ['"geheim"', "482913", '["geheim"]', '{ ok = "geheim" }', "true"])
def test_no_setting_lets_out_what_somebody_has_entered(
    section: str, key: str, usual: object, value: str
) -> None:
    shown = shared_settings(f"[{section}]\n{key} = {value}\n")
    assert "geheim" not in shown
    assert "482913" not in shown
    if not isinstance(usual, bool) and value == "true":
        assert f'{key} = "{SET}"  # line 2: expected' in shown
    assert f"{key} = " in shown


def test_defaults_are_shown() -> None:
    shown, usual = listed(default_text()), tomllib.loads(default_text())
    assert shown == usual


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("pi", "pi"),
        ("pi:?size=1536x864&fps=30&x=geheim", "pi:?size=1536x864&fps=30"),
        ("v4l2:/dev/video2?view=78", "v4l2:/dev/video2?view=78"),
        ("v4l2:/dev/v4l/by-id/usb-C920_1A2B", f"v4l2:{SET}"),
        ("file:/home/anna/throw.mp4", f"file:{SET}"),
        ("http://anna:geheim@cam/?x=1", f"http:{SET}"),
        ("RTSP://cam/", SET),
        ("geheim:1", SET),
    ],
)
def test_of_a_camera_its_kind_is_shown(source: str, shown: str) -> None:
    assert listed(f'[camera]\nsource = "{source}"\n') == {"camera": {"source": shown}}


def test_what_is_wrong_is_named_with_its_line() -> None:
    shown = shared_settings("[web]\n\nprot = 1\nserve = 3\n[wep]\n[games]\ngeheim = 1\n")
    assert "# line 3: unknown key, perhaps port\n" in shown
    assert f'serve = "{SET}"  # line 4: expected a text, found a whole number\n' in shown
    assert "# line 5: unknown section, perhaps web\n" in shown
    assert "# line 7: unknown key\n" in shown
    assert "wrong at line 2, column" in shared_settings("[web]\nport geheim\n")
    assert "wrong at an unknown place" in shared_settings(f"a = {'[' * 900}")
