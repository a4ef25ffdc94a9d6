"""Nothing that is unsigned, or was changed after signing, is run as root."""

import json
import shutil
import subprocess
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.systemd.machine import (
    Machine,
    bundle,
    make_key,
    program,
    public,
    real_path,
    write,
)


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("signed")
    key = make_key(folder)
    return key, bundle(folder, "2.0", key)


@pytest.fixture
def top(release: tuple[Path, Path], tmp_path: Path) -> Path:
    """A copy that a test may change."""
    copy = tmp_path / "dicetray-2.0"
    subprocess.run(["cp", "-a", release[1], copy], check=True)
    return copy


@pytest.fixture
def fresh(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "fresh")


@pytest.fixture
def installed(tmp_path: Path, release: tuple[Path, Path]) -> Machine:
    machine = Machine(tmp_path / "installed")
    machine.install_former(release[0])
    upgrade = machine.root / "opt/dicetray/versions/1.0/share/systemd"
    for name in ("upgrade.sh", "layout.sh", "signature.sh"):
        write(upgrade / name, (ROOT / "systemd" / name).read_text())
    return machine


def fingerprint(key: Path, folder: Path) -> str:
    public(key, folder / "pub")
    done = subprocess.run(["sha256sum", folder / "pub"], capture_output=True, text=True, check=True)
    return done.stdout.split()[0]


def packed(top: Path, name: str = "") -> Path:
    file = top.parent / f"{name or top.name}.tar.gz"
    subprocess.run(["tar", "-C", top.parent, "-czf", file, top.name], check=True)
    return file


def upgrade(
    machine: Machine, *words: str | Path, text: str | None = None
) -> subprocess.CompletedProcess[str]:
    write(machine.folder / "program", text or program("2.0", 2))
    script = machine.root / "opt/dicetray/current/share/systemd/upgrade.sh"
    return machine.run(script, *words)


def test_a_first_installation_asks_for_the_fingerprint_that_is_printed(
    fresh: Machine, release: tuple[Path, Path], tmp_path: Path
) -> None:
    key, top = release
    right = fingerprint(key, tmp_path)
    done = fresh.install(top)
    assert done.returncode == 2
    assert right in done.stdout
    assert "expected --fingerprint" in done.stderr
    wrong = right[:-1] + ("0" if right[-1] != "0" else "1")
    assert fresh.install(top, "--fingerprint", wrong).returncode == 2
    assert not (fresh.root / "opt/dicetray").exists()
    done = fresh.install(top, "--fingerprint", right.upper())
    assert done.returncode == 0, done.stderr
    assert fresh.version == "2.0"


CHANGES = {
    "a script": "echo true >>systemd/install.sh",
    "a wheel": "echo more >>wheels/dicetray-2.0-py3-none-any.whl",
    "one more wheel": "echo evil >wheels/numpy-9-py3-none-any.whl",
    "a link": "ln -s /etc/passwd docs/b.md",
    "a pipe": "mkfifo docs/b.md",
    "a pipe for the sums": "rm SHA256SUMS && mkfifo SHA256SUMS",
    "a pipe for the signature": "rm SHA256SUMS.sig && mkfifo SHA256SUMS.sig",
    "a pipe for the key": "rm systemd/release.pub && mkfifo systemd/release.pub",
    "an empty folder": "mkdir wheels/dicetray-9.9.9-py3-none-any.whl",
    "a folder with an empty one": "mkdir -p docs/more/and/more",
    "a file less": "rm docs/a.md",
    "the sums": "sed -i 's/^./0/' SHA256SUMS",
    "one more line": "sha256sum ./SHA256SUMS.sig >>SHA256SUMS",
    "the signature": "echo x >SHA256SUMS.sig",
    "no signature": "rm SHA256SUMS.sig",
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_what_was_changed_is_refused(installed: Machine, top: Path, change: str) -> None:
    subprocess.run(["sh", "-euc", change], cwd=top, check=True)
    for done in (installed.install(top), upgrade(installed, packed(top))):
        assert done.returncode in (2, 3)
        assert "cannot be trusted" in done.stderr or "expected a signed release" in done.stderr
    assert installed.version == "1.0"
    assert {f.name for f in (installed.root / "opt/dicetray").iterdir()} == {"versions", "current"}


def test_another_key_is_refused_whatever_the_bundle_brings(
    installed: Machine, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    other = bundle(tmp_path / "other", "2.0", make_key(tmp_path / "other"))
    for done in (installed.install(other), upgrade(installed, packed(other))):
        assert done.returncode in (2, 3)
        assert "it was not signed by the key" in done.stderr


def test_a_checkout_is_installed_if_one_says_unsigned(tmp_path: Path) -> None:
    machine = Machine(tmp_path / "new")
    top = bundle(tmp_path, "2.0", None)
    shutil.rmtree(top / "wheels")
    (top / "SHA256SUMS").unlink()
    write(top / "pyproject.toml", '[project]\nname = "dicetray"\nversion = "2.0"\n')
    done = machine.install(top)
    assert (done.returncode, (machine.root / "opt/dicetray/current").exists()) == (2, False)
    assert "or say --unsigned if you made it" in done.stderr
    done = machine.install(top, "--unsigned")
    assert done.returncode == 0, done.stderr
    assert (machine.version, machine.service) == ("2.0", "running")


def test_unsigned_is_said_aloud(installed: Machine, tmp_path: Path) -> None:
    top = bundle(tmp_path, "2.0", None)
    assert installed.install(top, "--check").returncode == 2
    done = installed.install(top, "--unsigned")
    assert done.returncode == 0, done.stderr
    assert "WARNING" in done.stdout
    assert installed.version == "2.0"


def test_the_installed_version_checks_before_anything_runs(
    installed: Machine, top: Path, tmp_path: Path
) -> None:
    """The bundle's own script would leave a trace."""
    trace = tmp_path / "trace"
    script = top / "systemd/install.sh"
    script.write_text(f"touch {trace}\n")
    assert upgrade(installed, packed(top)).returncode == 3
    assert not trace.exists()


def test_an_upgrade_from_one_file(installed: Machine, release: tuple[Path, Path]) -> None:
    done = upgrade(installed, packed(release[1]))
    assert done.returncode == 0, done.stderr
    assert installed.version == "2.0"
    assert not list((installed.root / "opt/dicetray").glob("incoming.*"))


@pytest.mark.parametrize("content", [b"", b"no archive", b"\x1f\x8b\x08\x00" + bytes(40)])
def test_what_is_no_release_is_refused(installed: Machine, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "dicetray-2.0.tar.gz"
    file.write_bytes(content)
    done = upgrade(installed, file)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("dicetray: ")
    assert upgrade(installed, tmp_path / "nothing").returncode == 2
    assert not list((installed.root / "opt/dicetray").glob("incoming.*"))


class Stick:
    """A stick in a machine, from whose board an update is asked for."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._desk = machine.root / "run/dicetray"
        self.folder = machine.root / "run/dicetray-stick/sda1"
        self.folder.mkdir(parents=True)
        self.journal = ""

    def put(self, name: str, content: bytes) -> None:
        (self.folder / name).write_bytes(content)

    def update(self, text: str | None = None) -> list[str]:
        """The answer on the board; `text` is the program of what is installed."""
        write(self._desk / "update", "")
        self.journal = upgrade(self._machine, "--offered", text=text).stderr
        assert not (self._desk / "update").exists(), "it would be asked for again and again"
        title, *said = (self._desk / "answer").read_text().splitlines()
        assert title == "UPDATE"
        return said


def offer(machine: Machine, file: Path, name: str) -> list[str]:
    """The answer on the board when this file is on a stick and an update was asked for."""
    stick = Stick(machine)
    stick.put(name, file.read_bytes())
    return stick.update()


def test_a_stick_brings_a_signed_newer_version(
    installed: Machine, release: tuple[Path, Path]
) -> None:
    assert offer(installed, packed(release[1]), "dicetray-2.0.tar.gz") == ["DONE"]
    assert installed.version == "2.0"


def test_a_stick_brings_nothing_unsigned(installed: Machine, tmp_path: Path) -> None:
    other = bundle(tmp_path, "2.0", make_key(tmp_path))
    said = offer(installed, packed(other), "dicetray-2.0.tar.gz")
    assert said == ["NOT DONE", "2.0", "NOT SIGNED"]
    assert installed.version == "1.0"


def test_a_stick_brings_nothing_older_under_a_newer_name(
    installed: Machine, release: tuple[Path, Path], tmp_path: Path
) -> None:
    (tmp_path / "old").mkdir()
    old = bundle(tmp_path / "old", "0.9", release[0])
    said = offer(installed, packed(old), "dicetray-9.9.tar.gz")
    assert said == ["NOT DONE", "9.9", "NOT NEWER"]
    assert installed.version == "1.0"


def test_a_stick_brings_nothing_older_that_a_folder_makes_look_newer(
    installed: Machine, release: tuple[Path, Path], tmp_path: Path
) -> None:
    (tmp_path / "old").mkdir()
    old = bundle(tmp_path / "old", "0.9", release[0])
    (old / "wheels/dicetray-9.9.9-py3-none-any.whl").mkdir()
    said = offer(installed, packed(old), "dicetray-9.9.9.tar.gz")
    assert said == ["NOT DONE", "9.9.9", "NOT SIGNED"]
    assert installed.version == "1.0"


@pytest.mark.parametrize("name", ["2.0 (1)", "2.0(1)", "2.0-1", "2.0rc1"])
def test_a_second_copy_or_a_candidate_on_a_stick_is_found(
    installed: Machine, release: tuple[Path, Path], name: str
) -> None:
    assert offer(installed, packed(release[1]), f"dicetray-{name}.tar.gz") == ["DONE"]
    assert installed.version == "2.0"


def test_what_is_wrong_with_a_higher_file_does_not_hide_a_good_lower_one(
    installed: Machine, release: tuple[Path, Path], tmp_path: Path
) -> None:
    good = packed(release[1]).read_bytes()
    (tmp_path / "other").mkdir()
    other = packed(bundle(tmp_path / "other", "2.2", make_key(tmp_path / "other")))
    stick = Stick(installed)
    stick.put("dicetray-2.0.tar.gz", good[:-9000])
    stick.put("dicetray-2.0 (1).tar.gz", good)
    stick.put("dicetray-2.2.tar.gz", other.read_bytes())
    stick.put("dicetray-2.10.tar.gz", good[: len(good) // 2])
    # Nothing that is older by its name is looked at.
    stick.put("dicetray-0.9.tar.gz", b"old")
    assert stick.update() == ["DONE", "2.10", "DAMAGED", "2.2", "NOT SIGNED", "2.0", "DAMAGED"]
    assert installed.version == "2.0"
    kept = [line for line in stick.journal.splitlines() if line.startswith("dicetray: ")]
    assert len(kept) == 3
    for line, name in zip(kept, ("2.10", "2.2", "2.0"), strict=True):
        assert f"dicetray-{name}.tar.gz" in line
        assert "cannot be" in line


def test_a_version_that_does_not_become_healthy_does_not_hide_the_one_before(
    installed: Machine, release: tuple[Path, Path], tmp_path: Path
) -> None:
    stick = Stick(installed)
    stick.put("dicetray-2.0.tar.gz", packed(release[1]).read_bytes())
    newer = packed(bundle(tmp_path, "3.0", release[0]))
    stick.put("dicetray-3.0.tar.gz", newer.read_bytes())
    # Both have one program here, which fails the first time.
    once = '[ -e "$ROOT/failed" ] || { : >"$ROOT/failed"; exit 1; }'
    assert stick.update(program("2.0", 2, health=once)) == ["DONE", "3.0", "NOT DONE"]
    assert installed.version == "2.0"


def test_a_candidate_becomes_the_final_version_and_not_the_other_way(
    installed: Machine, release: tuple[Path, Path], tmp_path: Path
) -> None:
    (tmp_path / "candidate").mkdir()
    candidate = packed(bundle(tmp_path / "candidate", "2.0rc1", release[0]))
    stick = Stick(installed)
    stick.put("dicetray-2.0rc1.tar.gz", candidate.read_bytes())
    assert stick.update() == ["DONE"]
    assert installed.version == "2.0rc1"
    current = installed.root / "opt/dicetray/current/bin/dicetray"
    write(current, program("2.0rc1", 2), 0o755)
    stick.put("dicetray-2.0.tar.gz", packed(release[1]).read_bytes())
    assert stick.update() == ["DONE"]
    assert installed.version == "2.0"
    (stick.folder / "dicetray-2.0.tar.gz").unlink()
    assert stick.update() == ["NOT DONE"]


def revocation(folder: Path, key: Path, *words: str) -> Path:
    """A signed list as the owner of the key makes it."""
    subprocess.run(
        [ROOT / "scripts/make_revocation", *words],
        env={"RELEASE_KEY": str(key), "DIST": str(folder), "PATH": real_path()},
        check=True,
        capture_output=True,
    )
    return folder / "dicetray-releases"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["revoked=2.0"], "version 2.0 was revoked"),
        (["revoked=1.9", "least=2.1"], "version 2.0 is older than 2.1"),
        (["least=10.0"], "version 2.0 is older than 10.0"),
    ],
)
def test_a_release_that_was_revoked_is_refused_though_it_is_signed(
    installed: Machine, release: tuple[Path, Path], tmp_path: Path, words: list[str], why: str
) -> None:
    listed = revocation(tmp_path, release[0], *words)
    assert upgrade(installed, "--revoke", listed).returncode == 0
    # Whatever is taken in later takes nothing back.
    assert (
        upgrade(installed, "--revoke", revocation(tmp_path, release[0], "least=0.5")).returncode
        == 0
    )
    for done in (installed.install(release[1]), upgrade(installed, packed(release[1]))):
        assert done.returncode == 2
        assert why in done.stderr
    said = offer(installed, packed(release[1]), "dicetray-2.0.tar.gz")
    assert said == ["NOT DONE", "2.0", "REVOKED"]
    assert installed.version == "1.0"


def test_what_was_not_revoked_is_taken(
    installed: Machine, release: tuple[Path, Path], tmp_path: Path
) -> None:
    listed = revocation(tmp_path, release[0], "revoked=2.0.1", "least=2.0")
    assert upgrade(installed, "--revoke", listed).returncode == 0
    assert upgrade(installed, packed(release[1])).returncode == 0
    assert installed.version == "2.0"


def test_the_installed_version_says_which_it_takes(
    installed: Machine, release: tuple[Path, Path]
) -> None:
    home = installed.root / "opt/dicetray/versions"
    write(home / "1.0/share/systemd/releases", "dicetray releases\nleast 3.0\n")
    done = upgrade(installed, packed(release[1]))
    assert (done.returncode, installed.version) == (2, "1.0")
    assert "version 2.0 is older than 3.0, the oldest that is still taken" in done.stderr


def test_a_stick_brings_the_list_with_the_release(
    installed: Machine, release: tuple[Path, Path], tmp_path: Path
) -> None:
    stick = installed.root / "run/dicetray-stick/sda1"
    stick.parent.mkdir(parents=True)
    (tmp_path / "list").mkdir()
    listed = revocation(tmp_path / "list", release[0], "revoked=2.0")
    offered = packed(release[1])
    stick.mkdir()
    shutil.copy(listed, stick)
    shutil.copy(f"{listed}.sig", stick)
    write(installed.root / "run/dicetray/update", "")
    shutil.copy(offered, stick / "dicetray-2.0.tar.gz")
    assert "was revoked" in upgrade(installed, "--offered").stderr
    assert installed.version == "1.0"


def signed_again(listed: Path, key: Path, content: bytes) -> Path:
    """The list with another content, which the owner of the key has signed."""
    listed.write_bytes(content)
    command = ["openssl", "pkeyutl", "-sign", "-rawin", "-inkey", str(key), "-in", str(listed)]
    subprocess.run([*command, "-out", f"{listed}.sig"], check=True)
    return listed


@pytest.mark.parametrize(
    "content",
    [
        b"dicetray releases\r\nrevoked 2.0\r\n",
        b"dicetray releases\nrevoked 2.0\r\n",
        b"dicetray releases\r\nrevoked 2.0",
    ],
)
def test_a_signed_list_with_the_line_ends_of_windows_is_read(
    installed: Machine, release: tuple[Path, Path], tmp_path: Path, content: bytes
) -> None:
    listed = signed_again(revocation(tmp_path, release[0], "revoked=1.1"), release[0], content)
    done = upgrade(installed, "--revoke", listed)
    assert (done.returncode, done.stderr) == (0, "")
    assert upgrade(installed, packed(release[1])).returncode == 2
    assert installed.version == "1.0"


def test_lines_of_a_signed_list_that_are_passed_over_are_named(
    installed: Machine, release: tuple[Path, Path], tmp_path: Path
) -> None:
    content = b"# why\n\ndicetray releases\nrevoked v3.0\nrevoked 2.0\n"
    listed = signed_again(revocation(tmp_path, release[0], "revoked=1.1"), release[0], content)
    done = upgrade(installed, "--revoke", listed)
    assert done.returncode == 0
    (line,) = done.stderr.splitlines()
    assert "expected least VERSION or revoked VERSION, found revoked v3.0" in line
    assert "from now on refused: revoked 2.0," in done.stdout


def test_a_list_on_a_stick_that_is_refused_is_said(
    installed: Machine, release: tuple[Path, Path], tmp_path: Path
) -> None:
    stick = Stick(installed)
    stick.put("dicetray-releases", b"dicetray releases\nrevoked 3.0\n")
    stick.put("dicetray-releases.sig", b"nobody")
    stick.put("dicetray-2.0.tar.gz", packed(release[1]).read_bytes())
    assert stick.update() == ["DONE", "RELEASES", "REFUSED"]
    assert "dicetray-releases: it was not signed by the key" in stick.journal


def test_what_is_older_than_the_least_is_also_its_candidate(
    installed: Machine, release: tuple[Path, Path], tmp_path: Path
) -> None:
    listed = revocation(tmp_path, release[0], "least=2.1")
    assert upgrade(installed, "--revoke", listed).returncode == 0
    candidate = bundle(tmp_path, "2.1rc1", release[0])
    done = upgrade(installed, packed(candidate))
    assert "version 2.1rc1 is older than 2.1" in done.stderr
    assert installed.version == "1.0"


FORGED = {
    "another line": "echo 'revoked 9.0' >>dicetray-releases",
    "no signature": "rm dicetray-releases.sig",
    "the sums of a release": "for s in '' .sig; do cp TOP/SHA256SUMS$s dicetray-releases$s; done",
    "a pipe": "rm dicetray-releases && mkfifo dicetray-releases",
    "a pipe for the signature": "rm dicetray-releases.sig && mkfifo dicetray-releases.sig",
    "a device": "ln -sf /dev/zero dicetray-releases",
}


@pytest.mark.parametrize("change", FORGED.values(), ids=FORGED.keys())
def test_nobody_else_revokes(
    installed: Machine, release: tuple[Path, Path], tmp_path: Path, change: str
) -> None:
    listed = revocation(tmp_path, release[0], "revoked=2.0")
    subprocess.run(["sh", "-euc", change.replace("TOP", str(release[1]))], cwd=tmp_path, check=True)
    assert upgrade(installed, "--revoke", listed).returncode == 2
    assert not (installed.root / "opt/dicetray/releases").exists()


@pytest.mark.parametrize(
    "word", ["2.0", "revoked=", "least=$(id)", "revoked 2.0 least 3", "other=1"]
)
def test_a_list_is_made_of_versions_only(tmp_path: Path, word: str) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        revocation(tmp_path, make_key(tmp_path), word)


@pytest.mark.parametrize(
    ("wheels", "version"),
    [
        (["dicetray-0.9-py3-none-any"], "0.9"),
        (["dicetray-1.10.2rc1-py3-none-any", "numpy-9-cp311-cp311-linux_aarch64"], "1.10.2rc1"),
        (["dicetray-0.9-py3-none-any", "dicetray-2.0-py3-none-any"], ""),
        (["numpy-9-py3-none-any"], ""),
        (["dicetray-$(touch bad)-py3-none-any"], ""),
    ],
)
def test_the_version_is_that_of_the_one_wheel_in_the_signed_list(
    tmp_path: Path, wheels: list[str], version: str
) -> None:
    sums = "".join(f"{'0' * 64}  ./wheels/{name}.whl\n" for name in wheels)
    write(tmp_path / "SHA256SUMS", f"{'0' * 64}  ./LICENSE\n{sums}")
    write(tmp_path / "wheels/dicetray-9.9.9-py3-none-any.whl", "not listed")
    script = f". '{ROOT}/systemd/signature.sh'; bundle_version '{tmp_path}'"
    done = subprocess.run(["sh", "-euc", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == version


def test_the_release_key_is_made_outside_the_project(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "systemd").mkdir(parents=True)
    write(project / "scripts/make_key", (ROOT / "scripts/make_key").read_text(), 0o755)
    inside = subprocess.run(
        ["scripts/make_key", "release.key"], cwd=project, capture_output=True, text=True
    )
    assert inside.returncode == 2
    assert "never committed" in inside.stderr
    key = tmp_path / "home/release.key"
    for status in (0, 2):
        done = subprocess.run(
            ["scripts/make_key", key], cwd=project, stdin=subprocess.DEVNULL, capture_output=True
        )
        assert done.returncode == status, "the second time it is there already"
    assert key.stat().st_mode & 0o777 == 0o600
    assert (
        fingerprint(key, tmp_path).encode()
        in subprocess.run(
            ["sha256sum", project / "systemd/release.pub"], capture_output=True, check=True
        ).stdout
    )


def test_a_bundle_names_what_it_is_made_of(tmp_path: Path) -> None:
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    for name, version, licence in (("dicetray", "2.0", "MIT"), ("numpy", "9.1", "")):
        said = f"Metadata-Version: 2.4\nName: {name}\nVersion: {version}\n"
        said += f"License-Expression: {licence}\n" if licence else ""
        with zipfile.ZipFile(wheels / f"{name}-{version}-py3-none-any.whl", "w") as archive:
            archive.writestr(f"{name}-{version}.dist-info/METADATA", said)
            if name == "numpy":
                archive.writestr("numpy.libs/libopenblasp-r0-59ffcd50.3.15.so", b"library")
                archive.writestr(
                    "numpy-9.1.dist-info/sboms/auditwheel.cdx.json",
                    json.dumps({"components": [{"name": "blas", "purl": "pkg:rpm/x/blas@1"}]}),
                )
    (tmp_path / "dicetray-firmware-1.2.zip").write_bytes(b"firmware")
    script = ROOT / "scripts/make_sbom.py"
    command = ["python3", "-I", str(script), str(tmp_path), "--version"]
    texts = []
    for _ in range(2):
        subprocess.run([*command, "2.0", "--time", "1700000000"], check=True)
        texts.append((tmp_path / "sbom.cdx.json").read_text())
    assert texts[0] == texts[1]
    found = json.loads(texts[0])
    assert (found["bomFormat"], found["specVersion"]) == ("CycloneDX", "1.6")
    own = found["metadata"]["component"]
    assert (own["name"], own["version"]) == ("dicetray", "2.0")
    assert own["licenses"] == [{"expression": "MIT"}]
    parts = {part["name"]: part for part in found["components"]}
    sums = subprocess.run(
        ["sha256sum", wheels / "numpy-9.1-py3-none-any.whl"], capture_output=True, text=True
    )
    assert parts["numpy"]["hashes"] == [{"alg": "SHA-256", "content": sums.stdout.split()[0]}]
    library, named = parts["numpy"]["components"]
    assert (library["name"], library["version"]) == ("libopenblas", "0.3.15")
    assert library["licenses"] == [{"expression": "BSD-3-Clause"}]
    assert library["hashes"] == [{"alg": "SHA-256", "content": sha256(b"library").hexdigest()}]
    assert (named["name"], named["purl"]) == ("blas", "pkg:rpm/x/blas@1")
    assert parts["dicetray-firmware"]["version"] == "1.2"
    assert {"python3-picamera2", "python3-lgpio"} <= parts.keys()
    other = subprocess.run([*command, "3.0", "--time", "1"], capture_output=True, text=True)
    assert other.returncode == 2
    assert "expected one wheel of dicetray, of 3.0, found 2.0" in other.stderr
    with zipfile.ZipFile(wheels / "numpy-9.1-py3-none-any.whl", "a") as archive:
        archive.writestr("numpy.libs/libunheardof-59ffcd50.so.1", b"library")
    done = subprocess.run([*command, "2.0", "--time", "1"], capture_output=True, text=True)
    assert (done.returncode, "libunheardof" in done.stderr) == (2, True)
