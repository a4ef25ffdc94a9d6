"""A camera that hangs in the kernel: the machine restarts itself, once, and says so after."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from appliance.errors import PowerError
from appliance.service.loop import RESTART_PROGRAM_AFTER_S
from appliance.service.stuck import PAGES, WORKS_AFTER_S, StuckCamera, threads_in_kernel
from tests.appliance.service.test_loop import GONE, HANGS, Bench, Script, frame

TURNS = int(RESTART_PROGRAM_AFTER_S * 10) + 100
"""Of a tenth of a second each: longer than the loop waits for a camera that hangs."""


@dataclass
class Machine:
    """Counts its restarts; `refuses` says why it does not."""

    restarts: int = 0
    refuses: str = ""

    def restart(self) -> None:
        if self.refuses:
            raise PowerError(self.refuses)
        self.restarts += 1


def hung(machine: Machine, mark: Path, threads: frozenset[int] = frozenset({7})) -> Bench:
    """After ten minutes and ten seconds of a camera that hangs."""
    stuck = StuckCamera(machine, mark, lambda: threads)
    bench = Bench(Script([frame(0), *[HANGS] * TURNS]), stuck=stuck)
    bench.turns(TURNS)
    return bench


def test_after_ten_minutes_in_the_kernel_the_machine_restarts_once(tmp_path: Path) -> None:
    machine, mark = Machine(), tmp_path / "mark"
    bench = hung(machine, mark)
    assert machine.restarts == 1
    assert bench.notifier.beats == TURNS, "the watchdog would end what is going down"
    assert StuckCamera(machine, mark).pages() == PAGES
    assert StuckCamera(machine, mark).pages() == (), "said once"
    again = hung(machine, mark)
    assert machine.restarts == 1, "it did not help, so it is not done again"
    assert again.notifier.beats < TURNS, "the watchdog ends the program, as ever"


def test_a_driver_that_only_waits_is_no_reason(tmp_path: Path) -> None:
    machine = Machine()
    bench = hung(machine, tmp_path / "mark", frozenset())
    assert machine.restarts == 0
    assert bench.notifier.beats < TURNS
    assert StuckCamera(machine, tmp_path / "mark").pages() == ()


def test_threads_that_take_turns_in_the_kernel_are_no_reason(tmp_path: Path) -> None:
    """Those that write to a slow disk are there for a moment each."""
    machine, looks = Machine(), list[int]()

    def threads() -> frozenset[int]:
        looks.append(0)
        return frozenset({len(looks)})

    stuck = StuckCamera(machine, tmp_path / "mark", threads)
    Bench(Script([frame(0), *[HANGS] * TURNS]), stuck=stuck).turns(TURNS)
    assert len(looks) > 50
    assert machine.restarts == 0


def test_a_camera_that_is_away_is_no_reason(tmp_path: Path) -> None:
    machine = Machine()
    stuck = StuckCamera(machine, tmp_path / "mark", lambda: frozenset({7}))
    Bench(Script([frame(0), *[GONE] * TURNS]), stuck=stuck).turns(TURNS)
    assert machine.restarts == 0


def test_players_who_enter_throws_by_hand_are_not_interrupted(tmp_path: Path) -> None:
    machine = Machine()
    stuck = StuckCamera(machine, tmp_path / "mark", lambda: frozenset({7}))
    bench = Bench(Script([frame(0), *[HANGS] * TURNS]), stuck=stuck)
    bench.appliance.idle_s = 30.0
    bench.turns(TURNS)
    assert machine.restarts == 0


def test_a_camera_that_has_worked_for_an_hour_may_hang_anew(tmp_path: Path) -> None:
    machine, mark = Machine(), tmp_path / "mark"
    hung(machine, mark)
    stuck = StuckCamera(machine, mark, lambda: frozenset({7}))
    stuck.works(0.0)
    stuck.works(WORKS_AFTER_S - 1.0)
    assert mark.exists()
    stuck.works(WORKS_AFTER_S)
    assert not mark.exists()
    stuck.hangs(WORKS_AFTER_S + 1.0)
    assert stuck.restart_machine()


def test_one_that_hangs_in_between_begins_its_hour_anew(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    mark.write_text("restarted")
    stuck = StuckCamera(Machine(), mark, frozenset)
    stuck.works(0.0)
    stuck.hangs(10.0)
    stuck.works(20.0)
    stuck.works(WORKS_AFTER_S + 1.0)
    assert mark.exists()


@pytest.mark.parametrize("why", ["systemd refuses", "no systemd"])
def test_where_it_may_not_restart_all_is_as_before(tmp_path: Path, why: str) -> None:
    machine, mark = Machine(refuses=why), tmp_path / "mark"
    bench = hung(machine, mark)
    assert not mark.exists()
    assert bench.notifier.beats < TURNS


def test_without_a_mark_it_would_go_on_for_ever(tmp_path: Path) -> None:
    machine = Machine()
    hung(machine, tmp_path / "missing" / "mark")
    assert machine.restarts == 0


def test_threads_are_told_apart_by_the_kernels_letter(tmp_path: Path) -> None:
    for number, name, state in ((10, "python", "S"), (11, "camera pi", "D"), (12, "a) D (b", "R")):
        folder = tmp_path / "self/task" / str(number)
        folder.mkdir(parents=True)
        (folder / "stat").write_text(f"{number} ({name}) {state} 1 1 0")
    (tmp_path / "self/task/13").mkdir()
    assert threads_in_kernel(tmp_path) == {11}
    assert threads_in_kernel(tmp_path / "none") == frozenset()
