"""Memory of several processes is counted page by page, each once."""

from pathlib import Path

import numpy as np
import pytest

from scripts.bench_memory import PAGE_BYTES, Held, camera_buffers, environment_of, held_by

PAGE_MB = PAGE_BYTES / 1e6


def numbers(*some: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    return np.array(some, np.uint64)


def test_a_page_of_two_units_counts_once_and_half_for_each() -> None:
    held = Held(numbers(7, 8, 8), numbers(0, 0, 1), numbers(0, 1, 1), ("", "libcv.so"))
    assert held.megabytes == pytest.approx(2 * PAGE_MB)
    assert list(held.by(held.units)[:2]) == pytest.approx([1.5 * PAGE_MB, 0.5 * PAGE_MB])
    assert list(held.by(held.files)[:2]) == pytest.approx([PAGE_MB, PAGE_MB])


def test_without_root_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel then gives every page the number 0."""
    hidden = [("", numbers(0, 0))]
    monkeypatch.setattr("scripts.bench_memory._pages_of", lambda pid: iter(hidden))
    with pytest.raises(SystemExit, match="expected root"):
        held_by([[1]], tmp_path)


def test_units_run_with_what_systemd_sets_for_them() -> None:
    assert environment_of("dicetray")["MALLOC_ARENA_MAX"] == "2"
    assert "RUNTIME_DIRECTORY" not in environment_of("dicetray-mqtt")


def test_a_buffer_has_three_pictures() -> None:
    assert camera_buffers() == pytest.approx(3 * (3.98 + 0.09 + 3.73), rel=0.01)
