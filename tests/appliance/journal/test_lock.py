"""One program at a time plays with a journal; others are refused in a sentence."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from appliance.alerts import Alert
from appliance.cli.main import main
from appliance.errors import JournalError
from appliance.journal.journal import Journal
from appliance.journal.lock import claimed
from appliance.journal.reading import reading
from tests.rigs.stored_games import summaries_of

HOLDER = """
import sys
from appliance.journal.lock import claimed
with claimed(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_one_is_refused_until_the_first_has_ended(tmp_path: Path) -> None:
    path = tmp_path / "games"
    with claimed(path):
        with (
            pytest.raises(JournalError, match="another dicetray is using these games") as refused,
            claimed(path),
        ):
            pass
        assert refused.value.alert is Alert.GAMES_BUSY
        with claimed(tmp_path / "others"), claimed(":memory:"), claimed(":memory:"):
            pass
    with claimed(path):
        pass


def test_the_lock_ends_with_the_process_that_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "games"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(JournalError), claimed(path):
            pass
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        # Like a power cut, this leaves the file behind.
        assert path.with_name("games.lock").exists()
        with claimed(path):
            pass


def test_games_are_read_while_somebody_plays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games"
    with claimed(path), Journal(path) as journal:
        journal.begin("classic", "2009", ("ANNA",), (), "0.1.0")
        with reading(path) as read:
            assert len(summaries_of(read)) == 1
        for command in ("games list", "games export", "stats"):
            assert main([*command.split(), "--journal", str(path)]) == 0


def test_on_a_card_that_is_read_only_a_lock_that_is_there_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, later = tmp_path / "games", tmp_path / "later"
    later.with_name("later.lock").touch()
    real = os.open

    def read_only(file: str, flags: int, mode: int = 0o777) -> int:
        if flags & (os.O_CREAT | os.O_WRONLY | os.O_RDWR):
            raise OSError(30, "Read-only file system")
        return real(file, flags, mode)

    monkeypatch.setattr(os, "open", read_only)
    # Without a lock, the journal itself says that nothing can be written.
    with claimed(path), claimed(path):
        pass
    with claimed(later), pytest.raises(JournalError), claimed(later):
        pass


@pytest.mark.parametrize("command", ["play --no-view --picture small", "run --camera dir:."])
def test_a_second_program_says_so_in_a_sentence_and_does_not_start(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games"
    with claimed(path):
        assert main([*command.split(), "--journal", str(path)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert "another dicetray is using these games; end that one first" in printed.err
    assert not path.exists()
