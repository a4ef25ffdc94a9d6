"""From a version that keeps games in one file to one that keeps them in a folder, and back."""

import shutil
from pathlib import Path

import pytest

from tests.systemd.machine import SAVED, Machine, counting, program, steps, write
from tests.systemd.test_upgrade_cut_off import release

__all__ = ("release",)

STATE = "var/lib/dicetray"
OLD = "\n".join(["1", *SAVED, ""])

FOLDER = """#!/bin/sh
# A version that keeps games in a folder, and takes in those of the one file that there was.
state=${ELSEWHERE:-$ROOT/var/lib/dicetray}
file=$state/games.sqlite3
all=$state/games/all
is_old() { [ -f "$file" ] && read -r format <"$file" && [ "$format" = 1 ]; }
case "$1 ${2:-}" in
"--version ") echo "dicetray VERSION" ;;
"config default") echo '[camera]' ;;
"config check") ;;
"games list")
    if is_old; then sed 1d "$file" >"$ROOT/list"; else cat "$all" >"$ROOT/list" || exit 2; fi
    number=0
    while read -r name; do
        number=$((number + 1))
        echo "    $number  classic  begun  $name"
    done <"$ROOT/list" ;;
"run ")
    mkdir -p "$state/games"
    if is_old; then
        sed 1d "$file" | cat - "$all" 2>/dev/null | sort -u >"$all.united"
        touch "$state/games/deleted"
        grep -vxFf "$state/games/deleted" "$all.united" >"$all.new"
        mv "$all.new" "$all"
        mv "$file" "$file.before-1"
    fi
    echo 4 >"$file"
    PLAYS ;;
esac
"""


@pytest.fixture
def machine(tmp_path: Path, release: tuple[Path, Path]) -> Machine:
    made = Machine(tmp_path / "machine")
    made.install_former(release[0])
    text = program("1.0", 1).replace("dicetray/games", "dicetray/games.sqlite3")
    write(made.root / "opt/dicetray/versions/1.0/bin/dicetray", text, 0o755)
    (made.root / STATE / "games").rename(made.root / STATE / "games.sqlite3")
    return made


def folder_program(plays: str = "") -> str:
    return FOLDER.replace("VERSION", "2.0").replace("PLAYS", plays or ":")


PLAYS_AND_FAILS = 'echo dora >>"$state/games/all"; exit 1'


def test_a_game_played_in_a_trial_that_fails_comes_back_with_the_next_upgrade(
    machine: Machine, release: tuple[Path, Path]
) -> None:
    done = machine.install(release[1], text=folder_program(PLAYS_AND_FAILS))
    assert done.returncode == 2
    assert "games played with 2.0 are kept, and come back with the next upgrade" in done.stderr
    assert machine.version == "1.0"
    assert machine.games() == SAVED
    with (machine.root / STATE / "games.sqlite3").open("a") as file:
        file.write("emil\n")
    assert machine.install(release[1], text=folder_program()).returncode == 0
    assert machine.games() == [*SAVED, "dora", "emil"]


def test_a_trial_cut_off_anywhere_leaves_its_game_and_all_others(
    machine: Machine, release: tuple[Path, Path], tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    shutil.copytree(machine.root, kept, symlinks=True)
    run = counting(tmp_path / "run")
    machine.install(release[1], text=folder_program(PLAYS_AND_FAILS), STEPS=str(run), KEEP="yes")
    log = dict(steps(run))
    first = next(n for n, line in log.items() if line == "systemctl restart dicetray")
    for number in log:
        if number <= first:
            continue
        shutil.rmtree(machine.root)
        shutil.copytree(run / str(number), machine.root, symlinks=True)
        machine.boot()
        assert machine.version == "1.0"
        assert machine.games() == SAVED, log[number]
        found = machine.root.glob(f"{STATE}*/games/all")
        assert any("dora" in file.read_text() for file in found), log[number]


def test_without_games_before_the_version_before_can_still_play_after_it_went_back(
    machine: Machine, release: tuple[Path, Path]
) -> None:
    (machine.root / STATE / "games.sqlite3").unlink()
    assert machine.install(release[1], text=folder_program("exit 1")).returncode == 2
    assert machine.version == "1.0"
    # It has begun anew.
    assert (machine.root / STATE / "games.sqlite3").read_text() == "1\n"


def test_games_that_lie_elsewhere_get_their_name_again(
    machine: Machine, release: tuple[Path, Path], tmp_path: Path
) -> None:
    elsewhere = tmp_path / "disk"
    elsewhere.mkdir()
    (machine.root / STATE / "games.sqlite3").rename(elsewhere / "games.sqlite3")
    binary = machine.root / "opt/dicetray/versions/1.0/bin/dicetray"
    binary.write_text(binary.read_text().replace("$ROOT/var/lib/dicetray", str(elsewhere)))
    journal = elsewhere / "games.sqlite3"
    write(machine.root / "etc/dicetray.toml", f'[games]\njournal = "{journal}"\n')
    text = folder_program(PLAYS_AND_FAILS)
    done = machine.install(release[1], text=text, ELSEWHERE=str(elsewhere))
    assert done.returncode == 2
    assert journal.read_text() == OLD
    assert machine.games() == SAVED


def test_games_deleted_since_are_not_missed(machine: Machine, release: tuple[Path, Path]) -> None:
    """Who went back by hand has those in the old file that the newer version had deleted."""
    write(machine.root / STATE / "games/deleted", "ben\n")
    assert machine.install(release[1], text=folder_program()).returncode == 0
    assert machine.games() == ["anna", "cleo"]


def test_without_room_for_a_second_copy_nothing_is_changed(
    machine: Machine, release: tuple[Path, Path]
) -> None:
    write(machine.bin / "df", "#!/bin/sh\necho Avail\necho 760\n", 0o755)
    write(machine.bin / "du", "#!/bin/sh\nprintf '21\\tsomething\\n'\n", 0o755)
    before = {file: file.read_bytes() for file in machine.root.rglob("*") if file.is_file()}
    done = machine.install(release[1])
    assert done.returncode == 2
    said = "expected 763 MB free in /opt, 63 of them for a second copy of games and profile"
    assert said in done.stderr
    assert "nothing was changed" in done.stderr
    assert {file: file.read_bytes() for file in machine.root.rglob("*") if file.is_file()} == before
