"""News that choices leave behind, and who may join."""

from random import Random

import pytest

from appliance.table.session.recording import (
    choose,
    may_undo,
    play,
    undo_count,
    why_nobody_can_join,
)
from appliance.table.session.session import Session, Setup, new_session
from games.chance import random_event
from games.free_for_all.state import Take
from games.registry import GAMES
from games.values import Choice, Draw, Keep, Rolled


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


@pytest.mark.slow
@pytest.mark.parametrize("game", [name for name in GAMES if name != "holdem"])
@pytest.mark.parametrize("seed", range(3))
def test_what_is_announced_is_what_the_total_has_grown_by(game: str, seed: int) -> None:
    session = new_session(Setup(game, ("ANNA", "BEN", "CLEO"), (("first", 0),)))
    random, announced, chosen = Random(seed), [0, 0, 0], 0
    while (event := random_event(session.record.rules, session.record.state, random)) is not None:
        before = session.record.rules.scores(session.record.state)
        lot = isinstance(session.record.ask, Draw)
        chooses = not lot and not isinstance(event, Keep)
        if isinstance(event, Choice) and chooses:
            session = choose(session, event)
        else:
            chooses, session = False, play(session, event)
        after, scored, ask = (
            session.record.rules.scores(session.record.state),
            session.scored if chooses else None,
            session.record.ask,
        )
        if scored is not None:
            assert scored.points == after[scored.seat] - before[scored.seat]
            announced[scored.seat] += scored.points
            chosen += 1
        if session.banked and ask is not None and (scored is None or scored.seat != ask.seat):
            announced[ask.seat] += session.banked
        if game != "showdown":
            # There a card that somebody takes is another's loss.
            assert announced == [*after]
    assert chosen > 10


def test_a_card_of_free_for_all_brings_its_points_once_when_it_is_banked() -> None:
    session = new_session(Setup("free-for-all", ("ANNA", "BEN"), (("first", 0),)))
    random = Random(1)
    while not (takes := [c for c in session.record.choices if isinstance(c, Take)]):
        event = random_event(session.record.rules, session.record.state, random)
        assert event is not None
        session = play(session, event)
    take = takes[0]
    worth = session.record.rules.preview(session.record.state, take)
    assert worth is not None
    assert worth.points > 0
    taken = choose(session, take)
    assert taken.scored is not None
    assert (taken.scored.points, taken.scored.later) == (0, True)


@pytest.mark.parametrize("game", GAMES)
def test_whether_there_is_a_choice_to_take_back_is_known_without_playing_it_all_again(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = new_session(Setup(game, ("ANNA", "BEN")))
    random, rules, played = Random(5), session.record.rules, list[object]()
    for _ in range(40):
        event = random_event(rules, session.record.state, random)
        if event is None:
            break
        session = play(session, event)
        assert may_undo(session) is (undo_count(session, 1) > 0)
    assert len(session.record.events) > 20
    apply = type(rules).apply

    def counted(self: object, state: object, event: object) -> object:
        played.append(event)
        return apply(self, state, event)  # type: ignore[arg-type]

    monkeypatch.setattr(type(rules), "apply", counted)
    assert may_undo(session)
    assert len(played) < 15
