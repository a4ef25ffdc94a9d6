"""The table of what tests cost, and the lists that are kept of it."""

import json
from pathlib import Path
from typing import Any

import pytest

from scripts.list_costs import longest_files, not_run, read_costs, slow_tests, table


def cost(cpu_s: float, children_s: float = 0.0, wall_s: float = 1.0, **seconds: float) -> Any:
    return {
        "tests": 2,
        "cpu_s": cpu_s,
        "children_cpu_s": children_s,
        "wall_s": wall_s,
        "started": {"sh": 3} if children_s else {},
        "seconds": seconds,
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    first = {"": cost(10.0), "tests/a.py": cost(3.0, wall_s=7.0, test_x=0.3, test_y=0.2)}
    second = {"": cost(20.0), "tests/b.py": cost(1.0, 8.0, 60.0), "tests/c.py": cost(0.5)}
    for name, costs in (("1", first), ("2", second)):
        (tmp_path / f"{name}.json").write_text(json.dumps(costs))
    return tmp_path


def test_the_dearest_file_comes_first_after_the_sums_of_both_jobs(folder: Path) -> None:
    rows = table(*read_costs(folder), frozenset({"tests/b.py"}))
    assert [row.split() for row in rows[1:]] == [
        ["3.5", "0.0", "8.0", "4", "core"],
        ["9.0", "8.0", "60.0", "2", "proof"],
        ["25.5", "start", "and", "collection"],
        ["9.0", "8.0", "60.0", "2", "tests/b.py", "*", "sh", "3"],
        ["3.0", "0.0", "7.0", "2", "tests/a.py"],
        ["0.5", "0.0", "1.0", "2", "tests/c.py"],
    ]


def test_slow_tests_and_long_files_are_kept_the_longest_first(folder: Path) -> None:
    costs, _ = read_costs(folder)
    assert slow_tests(costs) == ["tests/a.py::test_x"]
    assert longest_files(costs) == ["tests/b.py", "tests/a.py"]


def test_files_that_the_run_left_out_keep_their_lines_while_they_exist(folder: Path) -> None:
    costs, _ = read_costs(folder)
    here = "tests/scripts/test_list_costs.py"
    listed = ["tests/a.py::test_x", f"{here}::test_y", "tests/gone.py::test_z"]
    assert not_run(listed, costs) == [f"{here}::test_y"]
