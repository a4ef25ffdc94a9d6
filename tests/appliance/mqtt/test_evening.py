"""`dicetray club` with a real broker."""

import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from appliance.cli.main import main
from scripts.bench_club import evening
from tests.rigs.mosquitto import PROGRAM, Mosquitto, free_port


@pytest.mark.slow
@pytest.mark.skipif(PROGRAM is None, reason="mosquitto is not installed")
def test_an_evening_with_kills_loses_nothing_and_counts_nothing_twice(tmp_path: Path) -> None:
    assert evening(tmp_path, 3, 5.0, 30.0, kills=True, quiet_s=6.0)


@pytest.mark.slow
@pytest.mark.skipif(PROGRAM is None, reason="mosquitto is not installed")
def test_the_page_answers_only_who_asks_for_an_own_name(tmp_path: Path) -> None:
    broker, port, config = Mosquitto(tmp_path), free_port(), tmp_path / "club.toml"
    config.write_text(f'[mqtt]\nbroker = "{broker.url}"\n', encoding="utf-8")
    arguments = ("--config", config, "--games", tmp_path / "games", "--port", port)
    command = (sys.executable, "-m", "appliance.cli.main", "club", *map(str, arguments))
    page = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert page.stderr is not None
        assert any("connected" in line for line in page.stderr)
        url = f"http://127.0.0.1:{port}/"
        with urllib.request.urlopen(url, timeout=10) as answer:
            assert b'id="league"' in answer.read()
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        for foreign in ({"Host": "evil.example"}, {"Origin": "http://evil.example"}):
            with pytest.raises(urllib.error.HTTPError, match=r"421|403"):
                urllib.request.urlopen(urllib.request.Request(url, headers=foreign), timeout=10)
        with pytest.raises(urllib.error.HTTPError, match=r"40[35]"):
            urllib.request.urlopen(url, data=b"x", timeout=10)
    finally:
        page.kill()
        page.wait()
        broker.stop(kill=True)
        assert page.stderr is not None
        page.stderr.close()


def test_what_the_page_cannot_begin_with_is_said_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "club.toml"
    config.write_text("[mqtt]\n")
    for arguments in (
        ("--games", "/nonexistent/games"),
        ("--games", str(tmp_path / "games"), "--port", "99999"),
        ("--games", str(tmp_path / "games"), "--host", "192.0.2.1"),
        ("--games", str(tmp_path / "games"), "--port", "0"),
    ):
        assert main(["club", "--config", str(config), *arguments]) == 2
        said = capsys.readouterr().err
        assert said.startswith("dicetray: ")
        assert "expected" in said
        assert said.count("\n") == 1
