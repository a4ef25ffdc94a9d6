"""Results of a campaign: kept line by line, resumed, merged, each seed counted once."""

from pathlib import Path

import pytest

from appliance.dataset.evaluation.vision import Tally
from scripts.bench_rendered import main
from scripts.campaign.results import (
    CampaignError,
    Counts,
    Found,
    Results,
    begun,
    load,
    most_likely_below,
)

SETTINGS = {"reader": "ab", "known": True}


def found(unit: str, dice: int = 7, wrong: int = 0) -> Found:
    rows = {
        "hard": Tally(dice=dice, right=dice - 3, wrong=wrong, ms=[20.0]),
        "hard · red": Tally(dice=dice, right=dice - 3, wrong=wrong),
    }
    return Found(unit, SETTINGS, rows, ["hard: wrong"] * wrong)


def test_a_unit_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "found"
    units = [found("hard 1"), found("hard 2", wrong=1)]
    path.write_text("".join(one.line() for one in units), "utf-8")
    assert list(load(path)) == units


def test_a_seed_that_comes_twice_is_counted_once() -> None:
    results = Results()
    for unit in ("hard 1", "hard 2", "hard 1"):
        results.add(found(unit, wrong=1))
    assert (results.dice, results.wrong, results.repeated) == (14, 2, {"hard 1"})
    assert results.claimed == 10  # what is never claimed says nothing about claims
    assert results.counts["hard"].ms == [20.0, 20.0]
    assert len(results.faults) == 2


def test_what_is_missing_is_named_in_the_order_of_the_campaign() -> None:
    results = Results()
    results.add(found("hard 9"))
    assert results.missing(["hard 10", "hard 9", "close 9/2"]) == ["hard 10", "close 9/2"]
    assert results.missing(["hard 9"]) == []
    with pytest.raises(CampaignError, match="hard 9: expected a unit of this campaign"):
        results.missing(["hard 10"])


def test_another_reader_s_results_are_not_added() -> None:
    results = Results()
    results.add(found("hard 1"))
    other = Found("hard 2", {"reader": "cd", "known": True}, {}, [])
    with pytest.raises(CampaignError, match="cd"):
        results.add(other)
    assert results.units == {"hard 1"}


def test_a_line_that_was_cut_off_is_done_again(tmp_path: Path) -> None:
    path = tmp_path / "found"
    path.write_text(found("hard 1").line() + found("hard 2").line()[:-9], "utf-8")
    assert begun(path, SETTINGS).units == {"hard 1"}
    with path.open("a", encoding="utf-8") as file:
        file.write(found("hard 2").line())
    assert begun(path, SETTINGS).units == {"hard 1", "hard 2"}


def test_a_file_of_another_reader_is_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "found"
    path.write_text(found("hard 1").line(), "utf-8")
    with pytest.raises(CampaignError, match="by themselves"):
        begun(path, {"reader": "cd", "known": True})


@pytest.mark.parametrize("line", ["no results", "[1, 2]", '["a", {}, {"hard": {"dies": 1}}, []]'])
def test_what_is_no_result_ends_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    path = tmp_path / "found"
    path.write_text(line + "\n", "utf-8")
    assert main(["--merge", str(path)]) == 2
    assert "line 1" in capsys.readouterr().err
    assert main(["--merge", str(tmp_path / "missing")]) == 2
    assert "missing" in capsys.readouterr().err


def test_the_limit_is_that_of_clopper_and_pearson() -> None:
    # None of n: 1 - 0.05^(1/n), "three over n".
    assert most_likely_below(0, 1000) == pytest.approx(1 - 0.05 ** (1 / 1000), rel=1e-9)
    # From tables of the binomial distribution.
    assert most_likely_below(1, 20) == pytest.approx(0.21611, abs=1e-5)
    assert most_likely_below(3, 100) == pytest.approx(0.07571, abs=1e-5)
    assert most_likely_below(4, 300_000) == pytest.approx(3.05e-5, abs=1e-7)
    assert most_likely_below(5, 5) == 1


USUAL = ["--pictures", "0", "--close", "2", "--seed", "77", "--known", "--jobs", "1"]


def test_parts_are_measured_gone_on_with_and_merged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / "first", tmp_path / "second"]
    for k, path in enumerate(files, 1):
        assert main([*USUAL, "--part", f"{k}/2", "--out", str(path)]) == 0
    assert [[one.unit for one in load(path)] for path in files] == [["close 77/0"], ["close 77/1"]]
    before = files[0].read_bytes()
    assert main([*USUAL, "--part", "1/2", "--out", str(files[0])]) == 0
    assert files[0].read_bytes() == before
    whole = tmp_path / "whole"
    assert main([*USUAL, "--out", str(whole)]) == 0
    assert counted([whole]) == counted(files) == counted([*files, files[0]])
    capsys.readouterr()
    assert main([*USUAL, "--merge", *map(str, files), str(files[0])]) == 0
    text = capsys.readouterr().out
    assert "2 seeds, " in text
    assert "came twice and counted once: close 77/0\n" in text
    assert "missing" not in text
    assert main([*USUAL, "--merge", str(files[1])]) == 1
    assert "1 of 2 seeds are missing: close 77/0\n" in capsys.readouterr().out
    assert main(["--pictures", "0", "--close", "1", "--seed", "77", "--merge", str(files[1])]) == 2
    assert "close 77/1: expected a unit of this campaign" in capsys.readouterr().err


def counted(files: list[Path]) -> tuple[set[str], Counts]:
    """The contents of files together, without how long each reading took."""
    results = Results()
    for path in files:
        for one in load(path):
            results.add(one)
    for tally in results.counts.values():
        tally.ms = []
    return results.units, results.counts


def test_parts_of_other_settings_are_refused_at_the_merge(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / "first", tmp_path / "second"]
    other = Found("hard 2", {"reader": "cd", "known": True}, {}, [])
    for path, one in zip(files, (found("hard 1"), other), strict=True):
        path.write_text(one.line(), "utf-8")
    assert main(["--merge", *map(str, files)]) == 2
    answer = capsys.readouterr()
    assert "'cd'" in answer.err
    assert answer.out == ""
