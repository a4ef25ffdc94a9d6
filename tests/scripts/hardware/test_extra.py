"""Everything missing for the printed parts is named with the command that brings it."""

import ctypes
import sys
from types import SimpleNamespace

import pytest

from scripts.hardware import make_parts, render_machine
from scripts.hardware.building import extra

MAIN = {"make_parts": make_parts.main, "render_machine": render_machine.main}


@pytest.fixture
def fresh_debian(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has neither library, seen on a minimal Debian 12."""

    def load(name: str) -> SimpleNamespace:
        if name in ("libGL.so.1", "libatomic.so.1"):
            text = "cannot open shared object file: No such file or directory"
            raise OSError(f"{name}: {text}")
        return SimpleNamespace()

    monkeypatch.setattr(ctypes, "CDLL", load)
    monkeypatch.setattr(sys, "platform", "linux")


@pytest.mark.usefixtures("fresh_debian")
@pytest.mark.parametrize(
    ("script", "packages"), [("make_parts", "libgl1"), ("render_machine", "libgl1 libatomic1")]
)
def test_libraries_of_the_system_are_named_before_anything_is_imported(
    script: str, packages: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [script])
    monkeypatch.setattr(extra, "find_spec", lambda _: "there")
    assert MAIN[script]() == 2
    told = f"dicetray: expected {packages}, found none: sudo apt install {packages}\n"
    assert capsys.readouterr().err == told


@pytest.mark.usefixtures("fresh_debian")
def test_modules_are_named_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(extra, "find_spec", lambda name: None if name == "trimesh" else "there")
    assert extra.report_missing("build123d", "trimesh") == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first.endswith("sudo apt install libgl1")
    assert second.endswith(
        "found no trimesh: .venv/bin/pip install --require-hashes -r requirements/parts.txt"
    )


def test_nothing_is_said_where_everything_is_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(extra, "find_spec", lambda _: "there")
    monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace())
    assert extra.report_missing(*extra.MODULES) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("fresh_debian")
def test_elsewhere_than_on_linux_no_package_of_debians_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert extra.missing_packages(extra.MODULES) == []
