"""The boot counter and the request for the REPL survive a restart, and damage."""

from pathlib import Path
from types import ModuleType

import pytest


def test_it_counts(modules: dict[str, ModuleType], tmp_path: Path) -> None:
    path = str(tmp_path / "boots")
    assert [modules["boots"].count_boot(path) for _ in range(3)] == [1, 2, 3]


@pytest.mark.parametrize("content", [b"", b"\xff", b"12345"])
def test_a_damaged_file_counts_from_one(
    modules: dict[str, ModuleType], tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "boots"
    path.write_bytes(content)
    assert modules["boots"].count_boot(str(path)) == 1
    assert modules["boots"].count_boot(str(path)) == 2


def test_it_wraps(modules: dict[str, ModuleType], tmp_path: Path) -> None:
    path = tmp_path / "boots"
    path.write_bytes(((1 << 30) - 1).to_bytes(4, "little"))
    assert modules["boots"].count_boot(str(path)) == 0


def test_without_a_file_system_it_says_so(modules: dict[str, ModuleType], tmp_path: Path) -> None:
    assert modules["boots"].count_boot(str(tmp_path / "missing" / "boots")) == 0


def test_service_is_asked_for_once(modules: dict[str, ModuleType], tmp_path: Path) -> None:
    path = str(tmp_path / "service")
    assert not modules["boots"].service_asked(path)
    modules["boots"].ask_for_service(path)
    assert modules["boots"].service_asked(path)
    assert not modules["boots"].service_asked(path)


def test_local_settings_replace_the_defaults(
    modules: dict[str, ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import importlib

    (tmp_path / "layout.py").write_text('START = "bottom-left"\nROTATION = 90\n')
    (tmp_path / "local_config.py").write_text(
        "ROTATION = 180\nUNKNOWN = 1\n_apply_settings_in = 5\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    config = importlib.reload(modules["config"])
    assert config.START == "bottom-left"
    assert config.ROTATION == 180, "the owner's own settings have the last word"
    assert config.COLUMNS == 8
    assert not hasattr(config, "UNKNOWN")
    assert callable(config._apply_settings_in)
