"""Counts of instructions are those between two marks."""

import shutil
import subprocess
from pathlib import Path

import pytest

from scripts.count_instructions import (
    END,
    FIRST_MARK,
    FRAMES,
    PLUGIN,
    SLOW,
    SLOWER,
    Row,
    make_plugin,
    of_a_frame,
    print_table,
    rows_of,
)

LOG = """mark 0 1000000 100000 200000 0
something else that qemu says
mark 1 3000000 600000 900000 500000
mark 2 3000000 600000 900000 500000
mark 3 7000000 900000 1900000 500000
"""
READ = "stills\t29\t8\nstills\t31\t6\n"


def test_a_reading_has_what_was_counted_between_its_marks() -> None:
    first, second = rows_of(LOG, READ)
    assert first == Row("stills", 29, 8, {"all": 2.0, "vector": 0.5, "memory": 0.7, "dot": 0.5})
    assert second.millions == {"all": 4.0, "vector": 0.3, "memory": 1.0, "dot": 0.0}


def test_the_table_has_medians(capsys: pytest.CaptureFixture[str]) -> None:
    print_table("cortex-a72", rows_of(LOG, READ))
    assert "| stills | 2 | 30 | 7 | 3 | 0 | 1 | 0 |" in capsys.readouterr().out


def test_a_frame_is_counted_without_what_the_clock_adds_while_qemu_is_slow() -> None:
    own, of_a_second = 2.0, 12.0
    times_s = {SLOW: 5.0, SLOWER: 5.0 + FRAMES / 4, END: 5.0 + FRAMES / 4 + FRAMES / 2}
    marks = {SLOW: 900.0}
    marks[SLOWER] = marks[SLOW] + FRAMES * (own + of_a_second / 4)
    marks[END] = marks[SLOWER] + FRAMES * (own + of_a_second / 2)
    assert of_a_frame(marks, times_s) == pytest.approx(own + of_a_second / 30)


def test_both_sides_know_the_same_marks() -> None:
    assert f"#define FIRST_MARK 0x{FIRST_MARK:X}u" in PLUGIN.read_text()


@pytest.mark.skipif(shutil.which("cc") is None, reason="skipped: no C compiler")
def test_the_plugin_compiles_and_says_its_version(tmp_path: Path) -> None:
    plugin = make_plugin(tmp_path)
    names = subprocess.run(["nm", "-D", str(plugin)], capture_output=True, text=True, check=True)
    assert "qemu_plugin_version" in names.stdout
    assert "qemu_plugin_install" in names.stdout
