"""Best scores are counted of the games that can be read."""

from pathlib import Path

from appliance.journal.best_scores import BestScores
from appliance.journal.journal import Journal
from appliance.table.menu.console import Console


def test_a_finished_game_that_cannot_be_read_any_more_keeps_nobody_from_counting(
    tmp_path: Path,
) -> None:
    with Journal(tmp_path / "games.sqlite3") as journal:
        number = journal.begin("classic", "2009", ["ANNA"], [("first", 0)], "0.1.0")
        journal.append(number, 0, ["no line of any game"], ended=True)
        console = BestScores(journal).with_records(Console(), lambda: True)
    assert console.records == ()
