"""The record of proofs that passed: the files that each used, with hashes of what they held."""

import json
import re
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import Self

NAMES = ".git/index"
"""Stands for the names of all tracked files."""
EVERYTHING = ".git/objects/"
"""Stands for all contents, as a clone has them, but for what is never counted."""
RECORD = "tests/proofs.json"
LIST = "tests/proof.txt"
NOT_USED = re.compile(r"tests/(slow|longest|proof)\.txt|tests/proofs\.json")
"""Files that are never counted: pytest opens them for every proof, to order tests."""

_COMPILED = re.compile(r"(?P<folder>.*/|)__pycache__/(?P<name>[^/.]+)\.[^/]*\.pyc")
_DIGEST_BYTES = 6


def read_proofs(root: Path) -> frozenset[str]:
    """The files of tests that are proofs, relative to the checkout."""
    lines = (root / LIST).read_text().splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


@dataclass(frozen=True, slots=True)
class Checkout:
    """The tracked files of a checkout.

    Attributes:
        root: the checkout.
        names: their paths, relative to it.
    """

    root: Path
    names: frozenset[str]
    _hashes: dict[str, str] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def at(cls, root: Path) -> Self:
        """The files that git tracks there; CalledProcessError where it is no checkout."""
        listed = subprocess.run(
            ["git", "-C", str(root), "ls-files", "-z"],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        names = (name for name in listed.stdout.split("\0") if (root / name).is_file())
        return cls(root, frozenset(names))

    @property
    def folders(self) -> frozenset[str]:
        """The folders with tracked files in them, at any depth; `.` is the checkout."""
        return frozenset(str(up) for name in self.names for up in PurePosixPath(name).parents)

    def hash_of(self, path: str) -> str:
        """A hash of a file's content, or of the names in a folder; empty if it is not there."""
        if path not in self._hashes:
            self._hashes[path] = self._compute_hash(path)
        return self._hashes[path]

    def _compute_hash(self, path: str) -> str:
        if path == EVERYTHING:
            counted = (name for name in sorted(self.names) if not NOT_USED.fullmatch(name))
            contents = "".join(map(self.hash_of, counted))
            return _digest(contents.encode())
        if path == NAMES:
            return _digest("\n".join(sorted(self.names)).encode())
        if path.endswith("/"):
            return _digest("\n".join(sorted(self._names_in(path))).encode())
        return _digest((self.root / path).read_bytes()) if path in self.names else ""

    def _names_in(self, folder: str) -> set[str]:
        inside = "" if folder == "./" else folder
        return {
            name.removeprefix(inside).partition("/")[0]
            for name in self.names
            if name.startswith(inside)
        }

    def used(self, opened: Iterable[str], proof: str) -> frozenset[str]:
        """The tracked files and folders, or what stands for more, among paths that were opened.

        Args:
            opened: relative to the root; folders have a slash at the end.
            proof: the tests that were run, which are used in any case.
        """
        found = {proof}
        folders = self.folders
        for path in opened:
            compiled = _COMPILED.fullmatch(path)
            path = f"{compiled['folder']}{compiled['name']}.py" if compiled else path
            if path in (NAMES, EVERYTHING):
                found.add(path)
            elif path.endswith("/"):
                if path.rstrip("/") in folders and not self._holds_tests(path):
                    found.add(path)
            elif path in self.names and not NOT_USED.fullmatch(path):
                found.add(path)
        return frozenset(found)

    def _holds_tests(self, folder: str) -> bool:
        """True for the folders that pytest itself lists."""
        return folder in ("./", "tests/") or any(
            name.startswith("test_") for name in self._names_in(folder)
        )


def _digest(content: bytes) -> str:
    return blake2b(content, digest_size=_DIGEST_BYTES).hexdigest()


@dataclass(frozen=True, slots=True)
class Record:
    """Which proofs passed, and with what.

    Attributes:
        used: the hash of everything that a proof used, by path, by proof.
    """

    used: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Self:
        """The record in a file; an empty one if there is none, or it cannot be understood."""
        try:
            raw = json.loads(path.read_text())
            files = [(str(name), str(content)) for name, content in raw["files"]]
            return cls(
                {
                    str(proof): dict(files[place] for place in places)
                    for proof, places in raw["proofs"].items()
                }
            )
        except (OSError, ValueError, KeyError, IndexError, TypeError, AttributeError):
            return cls()

    def write(self, path: Path) -> None:
        """Writes it, each file with a hash once, each proof a line."""
        files = sorted({item for used in self.used.values() for item in used.items()})
        place = {file: number for number, file in enumerate(files)}
        rows = ",\n".join(f"  {json.dumps(file)}" for file in files)
        proofs = ",\n".join(
            f"  {json.dumps(proof)}: {json.dumps(sorted(place[item] for item in used.items()))}"
            for proof, used in sorted(self.used.items())
        )
        path.write_text(f'{{"files": [\n{rows}\n],\n"proofs": {{\n{proofs}\n}}}}\n')

    def with_proof(self, proof: str, checkout: Checkout, used: Iterable[str]) -> "Record":
        """The record once a proof has passed that used these files."""
        hashes = {path: checkout.hash_of(path) for path in used}
        return Record({**self.used, proof: hashes})

    def without(self, proofs: Iterable[str]) -> "Record":
        """The record without proofs that are none any more."""
        gone = frozenset(proofs)
        return Record({proof: used for proof, used in self.used.items() if proof not in gone})

    def demanded(self, proofs: Iterable[str], checkout: Checkout) -> dict[str, str]:
        """The proofs that have to be run, each with the reason."""
        demanded = {}
        for proof in proofs:
            used = self.used.get(proof)
            if used is None:
                demanded[proof] = "never recorded"
                continue
            for path, content in used.items():
                if checkout.hash_of(path) != content:
                    demanded[proof] = f"{path} has changed"
                    break
        return demanded
