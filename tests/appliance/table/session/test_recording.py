"""News that choices leave behind, and who may join."""

import pytest

from appliance.table.session.recording import choose, play, why_nobody_can_join
from appliance.table.session.session import Session, Setup, new_session
from games.values import Keep, Rolled


def session_of(players: str) -> Session:
    return new_session(Setup("power", tuple(players), (("first", 0),)))


@pytest.mark.parametrize(("players", "full"), [("ABCDE", False), ("ABCDEF", True)])
def test_a_table_is_full_with_its_last_seat_taken(players: str, full: bool) -> None:
    session = session_of(players)
    assert session.record.rules.max_players == 6
    assert why_nobody_can_join(session) == (("THE TABLE", "IS FULL") if full else None)


def test_a_choice_that_scores_nothing_leaves_no_points() -> None:
    session = play(new_session(Setup("classic", ("ANNA",))), Rolled((1, 2, 3, 4, 6)))
    keep = next(c for c in session.record.choices if isinstance(c, Keep))
    assert session.record.rules.preview(session.record.state, keep) is None
    scored = choose(session, keep).scored
    assert scored is not None
    assert (scored.points, scored.celebrated) == (0, False)
