"""A proof is demanded until it has passed with the very files that it used."""

import subprocess
import sys
from pathlib import Path

import pytest

from scripts.choose_proofs import is_passed, settled
from scripts.proofs.opened import OpenedFiles
from scripts.proofs.record import EVERYTHING, NAMES, RECORD, Checkout, Record

PROOF = "tests/test_laid_out.py"
FILES = {
    PROOF: "proof",
    "tests/test_other.py": "other",
    "appliance/cli/run.py": "run",
    "appliance/cli/play.py": "play",
    "systemd/install.sh": "install",
    "docs/a.md": "words",
}


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    for name, content in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    git = ["git", "-C", str(tmp_path)]
    subprocess.run([*git, "init", "--quiet"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    return Checkout.at(tmp_path)


def changed(checkout: Checkout, name: str, content: str | None) -> Checkout:
    """The checkout once a file has other content, or is new; gone with None."""
    path = checkout.root / name
    if content is None:
        path.unlink()
    else:
        path.write_text(content)
    subprocess.run(["git", "-C", str(checkout.root), "add", "--all"], check=True)
    return Checkout.at(checkout.root)


def test_what_never_passed_is_demanded(checkout: Checkout) -> None:
    assert Record().demanded([PROOF], checkout) == {PROOF: "never recorded"}


@pytest.mark.parametrize(
    ("name", "content", "demanded"),
    [
        ("appliance/cli/run.py", "another", True),
        ("appliance/cli/run.py", None, True),
        ("appliance/cli/new.py", "beside what was used", True),
        ("docs/a.md", "another", False),
        ("docs/new.md", "new", False),
        ("tests/test_other.py", "another", False),
        ("tests/test_new.py", "new", False),
        (PROOF, "another", True),
    ],
)
def test_a_change_demands_the_proofs_that_used_what_it_changes(
    checkout: Checkout, name: str, content: str | None, demanded: bool
) -> None:
    opened = {"appliance/cli/", "appliance/cli/__pycache__/run.cpython-311.pyc", "tests/", "/etc/x"}
    used = checkout.used(opened, PROOF)
    assert used == {PROOF, "appliance/cli/", "appliance/cli/run.py"}
    record = Record().with_proof(PROOF, checkout, used)
    assert record.demanded([PROOF], checkout) == {}
    now = changed(checkout, name, content)
    assert (PROOF in record.demanded([PROOF], now)) is demanded


@pytest.mark.parametrize(("path", "name"), [(EVERYTHING, "docs/a.md"), (NAMES, "docs/new.md")])
def test_a_clone_uses_everything_and_a_list_of_files_their_names(
    checkout: Checkout, path: str, name: str
) -> None:
    record = Record().with_proof(PROOF, checkout, checkout.used({path}, PROOF))
    assert record.demanded([PROOF], checkout) == {}
    assert PROOF in record.demanded([PROOF], changed(checkout, name, "another"))


@pytest.mark.parametrize(
    ("runs", "used"),
    [
        ([{"a"}], {"a"}),
        ([{"a", EVERYTHING}, {"b"}], {"a", "b"}),
        ([{"a", EVERYTHING}, {"a", EVERYTHING}], {"a", EVERYTHING}),
        ([{"a", EVERYTHING}, None], None),
        ([None], None),
    ],
)
def test_a_clone_by_somebody_else_meanwhile_is_not_the_proof_s(
    runs: list[set[str] | None], used: set[str] | None
) -> None:
    left = list(runs)

    def run() -> frozenset[str] | None:
        found = left.pop(0)
        return None if found is None else frozenset(found)

    assert settled(run) == used
    assert left == []


def test_the_record_itself_is_not_counted(checkout: Checkout) -> None:
    record = Record().with_proof(PROOF, checkout, checkout.used({EVERYTHING}, PROOF))
    (checkout.root / RECORD).write_text("a record")
    recorded = Checkout(checkout.root, checkout.names | {RECORD})
    assert record.demanded([PROOF], recorded) == {}


def test_a_record_is_read_as_it_was_written(checkout: Checkout, tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    record = Record().with_proof(PROOF, checkout, [PROOF, "appliance/cli/"])
    record = record.with_proof("tests/test_other.py", checkout, ["docs/a.md", "appliance/cli/"])
    record.write(path)
    assert Record.read(path) == record
    assert set(record.without([PROOF]).used) == {"tests/test_other.py"}


@pytest.mark.parametrize("content", ["", "{", "[]", '{"files": [], "proofs": {"a": [0]}}'])
def test_a_record_that_cannot_be_understood_demands_everything(
    checkout: Checkout, tmp_path: Path, content: str
) -> None:
    (tmp_path / "record.json").write_text(content)
    assert Record.read(tmp_path / "record.json").demanded([PROOF], checkout)


@pytest.mark.parametrize(
    ("tests", "passed"),
    [
        ("def test_a(): pass", True),
        ("def test_a(): pass\ndef test_b(): assert 0", False),
        ("import pytest\ndef test_a(): pytest.skip('no browser')", False),
        ("import pytest\ndef test_a(): pytest.skip('no browser')\ndef test_b(): pass", True),
        ("import no_such_module", False),
        ("", False),
    ],
)
def test_what_is_skipped_as_a_whole_proves_nothing(
    tmp_path: Path, tests: str, passed: bool
) -> None:
    (tmp_path / "test_it.py").write_text(tests)
    report = tmp_path / "report.xml"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        f"--rootdir={tmp_path}",
    ]
    subprocess.run([*command, f"--junitxml={report}", "test_it.py"], cwd=tmp_path, check=False)
    assert is_passed(report) is passed


@pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")
def test_what_a_child_opens_and_lists_is_seen(checkout: Checkout) -> None:
    with OpenedFiles(checkout.root, checkout.folders) as opened:
        code = "import os; open('systemd/install.sh'); os.listdir('appliance/cli')"
        subprocess.run([sys.executable, "-c", code], cwd=checkout.root, check=True)
    assert {"systemd/install.sh", "appliance/cli/"} <= opened.paths
    assert "docs/a.md" not in opened.paths
    assert opened.complete
