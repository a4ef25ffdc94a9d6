"""Whatever a command prints or logs about a network camera, its password is not in it."""

import logging
from pathlib import Path

import pytest

from appliance.cli.main import main
from appliance.cli.shared.failing import report_text
from appliance.errors import DiscreetFormatter

SECRETS = ("anna", "geheim", "tok1", "folder1")
ADDRESS = "http://anna:geheim@127.0.0.1:1/folder1?t=tok1"


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    file = tmp_path / "dicetray.toml"
    file.write_text(f'[camera]\nsource = "{ADDRESS}"\n')
    return file


def told(capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> str:
    said = capsys.readouterr()
    logged = map(DiscreetFormatter().format, caplog.records)
    return "\n".join((said.out, said.err, *logged))


@pytest.mark.parametrize(
    "arguments",
    [
        ("look", "--camera", "htp://anna:geheim@127.0.0.1:1/folder1?t=tok1"),
        ("look", "--camera", "http://anna:geheim@127.0.0.1:1/folder1?t=tok1#view=wide"),
        ("look", "--camera", "http:anna:geheim@127.0.0.1"),
        (
            "run",
            "--board",
            "none",
            "--buttons",
            "none",
            "--camera",
            "rtsp://anna:geheim@:9/folder1",
        ),
        ("doctor", "--only", "camera", "--config"),
        ("config", "check"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_no_command_says_it(
    config: Path,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    arguments: tuple[str, ...],
) -> None:
    needs_file = arguments[-1] in ("--config", "check")
    main([*arguments, *([str(config)] if needs_file else [])])
    said = told(capsys, caplog)
    assert said.strip()
    assert not [secret for secret in SECRETS if secret in said], said


@pytest.mark.parametrize(
    "text",
    [
        f'[camera]\nsource = ["{ADDRESS}"]\n',
        '[mqtt]\nbroker = "mqtt://anna:geheim@home"\n',
        '[camera]\nsource = "htp://anna:geheim@home/folder1?t=tok1"\n',
    ],
)
def test_no_mistake_in_the_configuration_repeats_it(
    config: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    config.write_text(text)
    assert main(["config", "check", str(config)]) == 2
    said = capsys.readouterr().err
    assert "line 2" in said
    assert not [secret for secret in ("anna", "geheim", "tok1") if secret in said], said


def test_a_report_for_developers_has_only_the_scheme() -> None:
    try:
        raise RuntimeError(f"cannot open {ADDRESS!r} or http://anna:ge heim@home")
    except RuntimeError as error:
        text = report_text(error, ["look", "--camera", ADDRESS])
    assert "RuntimeError: cannot open 'http://..." in text
    assert "--camera http://..." in text
    assert not [secret for secret in (*SECRETS, "127.0.0.1", "heim") if secret in text], text


def test_a_traceback_in_the_log_does_not_say_it(caplog: pytest.LogCaptureFixture) -> None:
    try:
        raise RuntimeError(f"cannot open {ADDRESS}")
    except RuntimeError:
        logging.getLogger("any").exception("the program has failed with %s", ADDRESS)
    said = DiscreetFormatter().format(caplog.records[-1])
    assert "Traceback" in said
    assert "http://127.0.0.1:1/folder1?..." in said
    assert "geheim" not in said
