"""Score page and MQTT without a camera: what `play` and `run --camera sim` publish, and say."""

from pathlib import Path
from typing import Any

import pytest

from appliance.cli.main import main
from appliance.cli.play import UNSAID
from appliance.cli.shared.extras import how_to_add
from appliance.cli.shared.publishing import how_to_follow
from appliance.config import Config
from appliance.config.settings import MqttConfig, WebConfig
from appliance.service.broadcast import PAGE_WANTED_FILE, SOCKET_FILE, listen
from tests.appliance.web.program import running

CONFIG = """\
[web]
serve = "here"
port = 8123

[mqtt]
broker = "mqtt://127.0.0.1:1"
"""
PLAYED = ("--game", "classic", "--players", "ANNA", "BOB", "--new")


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ("run", "--camera", "sim", "--board", "browser", "--buttons", "browser"),
        ("play", "--browser", "--no-open", "--human", "--picture", "small"),
    ],
)
def test_a_game_without_a_camera_is_published_as_configured(
    tmp_path: Path, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    config = tmp_path / "my dicetray.toml"
    config.write_text(CONFIG)
    with running(tmp_path, *command, "--config", str(config), *PLAYED) as (_, process):
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(3)]
        folder = tmp_path / "dicetray"
        while not (folder / PAGE_WANTED_FILE).exists():
            assert process.poll() is None
        lines = iter(listen(folder / SOCKET_FILE))
        hello = first_with(lines, "hello")
        assert {"host": "127.0.0.1", "port": 8123}.items() <= hello.items()
        assert f"open http://localhost:8123/, PIN {hello['pin'][:6]}." in said[1]
        assert f"mqtt --config '{config}' in another terminal" in said[2]
        snapshot = first_with(lines, "snapshot")
        assert [sheet["player"] for sheet in snapshot["sheets"]] == ["ANNA", "BOB"]


def first_with(lines: Any, kind: str) -> Any:
    return next(line[kind] for line in lines if kind in line)


def test_without_settings_nothing_is_said() -> None:
    assert how_to_follow(UNSAID, Config(), "") == []
    broker = Config(mqtt=MqttConfig(broker="mqtt://there"))
    (said,) = how_to_follow(UNSAID, broker, "")
    assert said.startswith("MQTT: ")


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("appliance.cli.shared.publishing.find_spec", lambda _: None)
    (said,) = how_to_follow(UNSAID, Config(web=WebConfig(serve="here")), "")
    assert said == f"The score page needs more packages: {how_to_add('web')}"


@pytest.mark.parametrize(
    "wrong", [("--board", "/dev/ttyACM0"), ("--buttons", "gpio"), ("--board", "browsr")]
)
def test_what_a_simulated_camera_cannot_be_played_with_is_said(
    capsys: pytest.CaptureFixture[str], wrong: tuple[str, str]
) -> None:
    assert main(["run", "--camera", "sim", *wrong]) == 2
    said = capsys.readouterr().err
    assert "expected for a simulated camera a --board of browser, terminal" in said
    assert said.count("\n") == 1
