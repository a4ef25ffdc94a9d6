"""What scripts/play says where it cannot set up its environment."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.paths import ROOT
from tests.systemd.machine import write

NOBODY = 65534
"""A user who may write nothing; root may write everywhere."""


@pytest.fixture
def checkout() -> Iterator[Path]:
    """What `prepare` needs of one, in a folder that others may enter, and a stand-in for Python."""
    with TemporaryDirectory() as text:
        folder = Path(text)
        (folder / "requirements").mkdir()
        for name in ("requirements/base.txt", "requirements/web.txt", "pyproject.toml"):
            shutil.copy(ROOT / name, folder / name)
        (folder / "scripts").mkdir()
        shutil.copy(ROOT / "scripts/environment.sh", folder / "scripts")
        write(folder / "python", "#!/bin/sh\necho 3.11\n", 0o755)
        folder.chmod(0o555)
        yield folder
        folder.chmod(0o755)


def test_a_folder_that_cannot_be_written_is_named(checkout: Path) -> None:
    done = subprocess.run(
        ["sh", "-euc", ". scripts/environment.sh; prepare requirements/web.txt"],
        cwd=checkout,
        env={**os.environ, "PYTHON": str(checkout / "python")},
        user=NOBODY if os.geteuid() == 0 else None,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    # Not: python3-venv is missing.
    assert done.stderr == (
        f"dicetray: {checkout} cannot be written, and packages have to go into .venv there: "
        "copy the folder to a place of your own\n"
    )
