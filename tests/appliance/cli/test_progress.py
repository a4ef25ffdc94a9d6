"""The line that shows how far a long task has got."""

import io
import sys
from collections.abc import Iterator

import pytest

from appliance.cli.shared.progress import with_progress


class Terminal(io.StringIO):
    """A stream that says whether it is a terminal."""

    def __init__(self, isatty: bool) -> None:
        super().__init__()
        self._isatty = isatty

    def isatty(self) -> bool:
        return self._isatty


def said(
    monkeypatch: pytest.MonkeyPatch,
    each_s: float,
    *,
    terminal: bool = True,
    prints: bool = False,
    total: int | None = 10,
) -> list[str]:
    """The lines shown while ten pieces of work take this long each."""
    err = Terminal(terminal)
    monkeypatch.setattr(sys, "stderr", err)
    monkeypatch.setattr(sys, "stdout", Terminal(True))
    times: Iterator[float] = iter([each_s * n for n in (0, *range(11))])

    def clock() -> float:
        return next(times)

    work: Iterator[int] = with_progress(
        iter(range(10)), "pictures", total, prints=prints, clock=clock
    )
    assert list(work) == list(range(10))
    return [part.strip() for part in err.getvalue().split("\r") if part]


def test_work_that_takes_long_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = said(monkeypatch, 2.0)
    assert shown[0] == "3 of 10 pictures, about 14 s left"
    assert shown[-2:] == ["9 of 10 pictures, about 2 s left", ""]
    assert said(monkeypatch, 2.0, total=None)[0] == "3 pictures"


def test_the_line_does_not_flicker(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(said(monkeypatch, 0.6)) == 2
    assert len(said(monkeypatch, 0.7)) == 3


def test_nothing_is_shown_where_it_would_disturb(monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(monkeypatch, 0.5) == []
    assert said(monkeypatch, 2.0, terminal=False) == []
    assert said(monkeypatch, 2.0, prints=True) == []
