from pathlib import Path

import pytest

from scripts.training import train_faces
from scripts.training.card import CARDS


def test_training_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    work, out = tmp_path / "work", tmp_path / "out"

    def step(words: list[str], share: float) -> int:
        """Writes a file; the last step of the second network fails the first time."""
        if words[0] == "fails" and not (work / "failed").exists():
            (work / "failed").touch()
            return 2
        Path(words[-1]).write_text(f"{words[0]} {share}")
        return 0

    whole = train_faces.main
    monkeypatch.setattr(train_faces, "main", step)
    first, second, third = (card.file for card in CARDS)
    recipe = (
        ("renders {work}/views",),
        (f"one {{work}}/{first}",),
        (f"two {{work}}/{second}", f"fails {{work}}/{second}"),
        (f"three {{work}}/{third}",),
    )
    monkeypatch.setattr(train_faces, "RECIPE", recipe)
    command = ["all", "--work", str(work), "--out", str(out), "--share", "0.5"]
    with pytest.raises(SystemExit, match="a step failed"):
        whole(command)
    assert not list(out.iterdir())
    assert len(list(work.glob("*.done"))) == 4
    capfd.readouterr()
    assert whole(command) == 0
    assert capfd.readouterr().out.split()[:3] == ["step", "04:", "fails"]
    command[-1] = "1"
    assert whole(command) == 2
    assert "'share': 1.0} makes, found it made with share 0.5;" in capfd.readouterr().err
    written = [(out / card.file).read_text() for card in CARDS]
    assert written == ["one 0.5", "fails 0.5", "three 0.5"]


def test_what_a_share_of_the_work_trains_is_not_written_over_what_ships() -> None:
    with pytest.raises(SystemExit, match="expected --out as well"):
        train_faces.main(["all", "--work", "unused", "--share", "0.5"])
