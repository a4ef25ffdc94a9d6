"""Cut off or failing at any step, an upgrade leaves the old or new version whole, and all games."""

import os
import pty
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.systemd.machine import (
    GAMES,
    SAVED,
    Machine,
    bundle,
    counting,
    make_key,
    program,
    steps,
    write,
)


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A key, and version 2.0 signed with it."""
    folder = tmp_path_factory.mktemp("release")
    key = make_key(folder)
    return key, bundle(folder, "2.0", key)


@pytest.fixture
def machine(tmp_path: Path, release: tuple[Path, Path]) -> Machine:
    made = Machine(tmp_path / "machine")
    made.install_former(release[0])
    return made


def unsynced(machine: Machine, list_: Path) -> None:
    """Empties the files that were not synced but keeps their names, as ext4 does."""
    for name in list_.read_text().splitlines():
        file = Path(name)
        # The program syncs its games itself.
        if file.is_file() and file != machine.root / GAMES:
            file.write_bytes(b"")


def half_done(before: Path, after: Path, root: Path) -> None:
    """Deletes half of the files that go; copies half of those that come, and one only in part."""

    def regular(top: Path) -> set[Path]:
        return {p.relative_to(top) for p in top.rglob("*") if p.is_file() and not p.is_symlink()}

    there, then = regular(before), regular(after)
    gone, new = sorted(there - then), sorted(then - there)
    for file in gone[::2]:
        (root / file).unlink(missing_ok=True)
    for file in new[::2]:
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(after / file, root / file)
    if new:
        (root / new[0]).write_bytes((after / new[0]).read_bytes()[:3])


def everything(root: Path) -> object:
    """All paths, with their contents or link targets."""
    return frozenset(
        (str(p), str(p.readlink()) if p.is_symlink() else p.is_file() and p.read_bytes())
        for p in root.rglob("*")
    )


def test_a_cut_at_any_step_leaves_the_old_or_the_new_version_whole(
    machine: Machine, release: tuple[Path, Path], tmp_path: Path
) -> None:
    run = counting(tmp_path / "run")
    old = machine.files("1.0")
    done = machine.install(release[1], STEPS=str(run), KEEP="yes")
    assert done.returncode == 0, done.stderr
    machine.check_whole("2.0", new := machine.files("2.0"))
    log = dict(steps(run))
    used: list[str] = []
    seen: set[object] = set()
    for number, command in log.items():
        for how in ("cut", "unsynced", "half"):
            nothing_is_half = command.split()[0] not in ("cp", "rm") or number + 1 not in log
            if how == "half" and nothing_is_half:
                continue
            shutil.rmtree(machine.root)
            subprocess.run(["cp", "-a", run / str(number), machine.root], check=True)
            if how == "unsynced":
                unsynced(machine, run / f"{number}.unsynced")
            if how == "half":
                half_done(run / str(number), run / str(number + 1), machine.root)
            if (state := everything(machine.root)) in seen:
                continue
            seen.add(state)
            machine.boot()
            used.append(machine.version)
            try:
                machine.check_whole(machine.version, {"1.0": old, "2.0": new}[machine.version])
                assert not (machine.root / "opt/dicetray/trial").exists()
            except AssertionError as error:
                raise AssertionError(f"{how} at {number}, {command}: {error}") from error
    assert used == sorted(used)
    assert set(used) == {"1.0", "2.0"}
    assert len(used) > 60, len(used)


def test_all_that_is_saved_is_the_services_afterwards(
    machine: Machine, release: tuple[Path, Path], tmp_path: Path
) -> None:
    """What `uninstall.sh --keep-games` leaves is root's."""
    run = counting(tmp_path / "run")
    assert machine.install(release[1], STEPS=str(run)).returncode == 0
    saved = machine.root / "var/lib/dicetray"
    assert f"chown -R dicetray:dicetray {saved}" in dict(steps(run)).values()


def test_after_a_cut_the_next_run_goes_through(
    machine: Machine, release: tuple[Path, Path], tmp_path: Path
) -> None:
    """Without a start in between, so that it meets the trial itself."""
    run = counting(tmp_path / "run")
    assert machine.install(release[1], STEPS=str(run), KEEP="yes").returncode == 0
    new = machine.files("2.0")
    numbers = [
        n for n, line in steps(run) if "trial" in line or "before" in line or "current" in line
    ]
    for number in numbers[::6]:
        shutil.rmtree(machine.root)
        subprocess.run(["cp", "-a", run / str(number), machine.root], check=True)
        done = machine.install(release[1])
        assert done.returncode == 0, done.stderr
        assert machine.service == "running"
        machine.check_whole(machine.version, new)


def test_a_full_card_at_any_step_leaves_the_service_running(
    machine: Machine, release: tuple[Path, Path], tmp_path: Path
) -> None:
    run = counting(tmp_path / "run")
    kept = tmp_path / "kept"
    subprocess.run(["cp", "-a", machine.root, kept], check=True)
    old = machine.files("1.0")
    assert machine.install(release[1], STEPS=str(run)).returncode == 0
    new = machine.files("2.0")
    takes_room = [n for n, line in steps(run) if line.split()[0] in ("cp", "mkdir", "ln", "sync")]
    assert len(takes_room) > 20
    for number in takes_room[:: len(takes_room) // 12]:
        shutil.rmtree(machine.root)
        subprocess.run(["cp", "-a", kept, machine.root], check=True)
        again = counting(tmp_path / f"run{number}")
        done = machine.install(release[1], STEPS=str(again), BREAK=str(number))
        assert done.returncode, "the run must not hide it"
        assert "No space left" in done.stderr
        if machine.version == "1.0":
            assert "version 1.0 is still in use" in done.stderr
            machine.check_whole("1.0", old)
        else:
            assert "version 2.0 runs" in done.stderr
            machine.check_whole("2.0", new)
        assert machine.service == "running"


@pytest.mark.parametrize("health", ["exit 3", "rm -f $games", 'echo 2 >"$games"; exit'])
def test_a_version_that_is_not_healthy_or_loses_games_goes_back(
    machine: Machine, release: tuple[Path, Path], health: str
) -> None:
    old = machine.files("1.0")
    done = machine.install(release[1], text=program("2.0", 2, health))
    assert done.returncode == 2
    assert "back to 1.0 with its games" in done.stderr
    machine.check_whole("1.0", old)
    assert machine.service == "running"
    assert not (machine.root / "opt/dicetray/versions/2.0").exists()


def test_a_version_that_does_not_start_a_second_time_goes_back(
    machine: Machine, release: tuple[Path, Path]
) -> None:
    old = machine.files("1.0")
    once = '[ ! -f "$games.once" ] || exit 1; touch "$games.once"'
    done = machine.install(release[1], text=program("2.0", 2, once))
    assert done.returncode == 2
    machine.check_whole("1.0", old)
    kept = machine.root / "var/lib/dicetray.2.0/games"
    assert kept.read_text().startswith("2\n"), "what the new one had written is kept"


def test_what_was_played_meanwhile_stays_where_the_version_before_can_read_it(
    machine: Machine, release: tuple[Path, Path]
) -> None:
    plays = 'echo dora >>"$games"; exit 1'
    assert machine.install(release[1], text=program("2.0", 2, plays)).returncode == 2
    assert machine.version == "1.0"
    assert machine.games() == [*SAVED, "dora"]


def test_what_was_kept_aside_is_never_overwritten(
    machine: Machine, release: tuple[Path, Path]
) -> None:
    write(machine.root / "var/lib/dicetray.2.0/games", "of an earlier try")
    broken = program("2.0", 2, 'echo 2 >"$games"; exit 1')
    assert machine.install(release[1], text=broken).returncode == 2
    assert (machine.root / "var/lib/dicetray.2.0/games").read_text() == "of an earlier try"
    assert (machine.root / "var/lib/dicetray.2.0.2/games").read_text() == "2\n"
    assert machine.games() == SAVED


@pytest.mark.parametrize("signal", ["INT", "TERM"])
def test_who_breaks_it_off_gets_the_version_before(
    machine: Machine, release: tuple[Path, Path], tmp_path: Path, signal: str
) -> None:
    old = machine.files("1.0")
    kept = tmp_path / "kept"
    subprocess.run(["cp", "-a", machine.root, kept], check=True)
    run = counting(tmp_path / "run")
    assert machine.install(release[1], STEPS=str(run)).returncode == 0
    restart = next(n for n, line in steps(run) if line == "systemctl restart dicetray")
    shutil.rmtree(machine.root)
    subprocess.run(["cp", "-a", kept, machine.root], check=True)
    again = counting(tmp_path / "again")
    done = machine.install(release[1], STEPS=str(again), BREAK=str(restart), SIGNAL=signal)
    assert done.returncode in (130, 143), done.stderr
    assert "back to 1.0" in done.stderr
    machine.check_whole("1.0", old)
    assert machine.service == "running"


def test_a_terminal_that_hangs_up_does_not_end_it(
    machine: Machine, release: tuple[Path, Path], tmp_path: Path
) -> None:
    """The terminal goes before the first output; the hang-up comes when the service has stopped."""
    run = counting(tmp_path / "run")
    assert machine.install(release[1], "--check").returncode == 0
    write(machine.folder / "program", program("2.0", 2))
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        ["sh", release[1] / "systemd/install.sh"],
        env=machine.environment(STEPS=str(run), BREAK="20", SIGNAL="HUP"),
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    os.close(ours)
    assert process.wait(60) == 0
    assert machine.version == "2.0"
    assert machine.games() == SAVED


def test_a_second_installation_at_the_same_time_is_refused(
    machine: Machine, release: tuple[Path, Path]
) -> None:
    lock = machine.root / "opt/dicetray/lock"
    with subprocess.Popen(["flock", lock, "cat"], stdin=subprocess.PIPE) as holder:
        while not lock.exists() or not subprocess.run(["flock", "-n", lock, "true"]).returncode:
            pass
        done = machine.install(release[1])
        assert holder.stdin is not None
        holder.stdin.close()
    assert done.returncode == 2
    assert "another installation is running" in done.stderr
    assert machine.version == "1.0"
    assert machine.service == "running"


def test_the_version_before_stays_and_older_ones_go(
    machine: Machine, release: tuple[Path, Path]
) -> None:
    write(machine.root / "opt/dicetray/versions/0.9/bin/dicetray", "older")
    assert machine.install(release[1]).returncode == 0
    versions = machine.root / "opt/dicetray/versions"
    assert {folder.name for folder in versions.iterdir()} == {"1.0", "2.0"}
    assert not (machine.root / "etc/systemd/system/dicetray.service").exists()
    assert (machine.root / GAMES).read_text().splitlines()[0] == "2"
    assert not (machine.root / "var/lib/dicetray.before").exists()
