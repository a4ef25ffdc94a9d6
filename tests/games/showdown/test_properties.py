"""Properties of every game of Showdown, whatever is thrown and chosen."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.words import Label
from games import showdown
from games.chance import random_event, random_game
from games.checks import is_exactly
from games.record import read_record, replay, write_record
from games.showdown import Card, MoveOn, Place, Raise, State, Stay, Step, Take
from games.showdown.board import board
from games.values import Choice, Choose, Corrected, Event, IllegalEvent, Keep, Pass, Rolled, Throw
from tests.builders import record_for
from tests.rigs.examples import examples

SEEDS = st.integers(0, 2**32)
PLAYERS = st.integers(2, 4)
CARD_USES = (Place, Take, Raise)


def names(players: int) -> list[str]:
    return [f"P{seat}" for seat in range(players)]


LUCKY = ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6), (4, 4, 4, 4, 4), (2, 2, 2, 2, 3), (6, 6, 6, 5, 5))


def lively_event(state: State, random: Random) -> Event | None:
    """Like random play, but with luckier dice and players who seldom let a roll go.

    Such games are ten times shorter, and the rarer rules come up more often.
    """
    uses = [choice for choice in showdown.GAME.choices(state) if isinstance(choice, CARD_USES)]
    if uses and random.random() < 0.7:
        return random.choice(uses)
    if state.step is Step.ROLL and not state.held and random.random() < 0.4:
        faces = list(random.choice(LUCKY))
        random.shuffle(faces)
        return Rolled(tuple(faces))
    return random_event(showdown.GAME, state, random)


def walk(seed: int, players: int) -> list[tuple[State, Event | None]]:
    """Every state of a game with the event that follows it."""
    random = Random(seed)
    options = {"first": seed % players, "showdown_raise_continues": bool(seed % 2)}
    state = showdown.GAME.start(names(players), options)
    steps: list[tuple[State, Event | None]] = []
    while (event := lively_event(state, random)) is not None:
        steps.append((state, event))
        state = showdown.GAME.apply(state, event)
    return [*steps, (state, None)]


@cache
def few_games(seed: int, players: int) -> list[tuple[State, Event | None]]:
    return walk(seed, players)


def any_state(data: st.DataObject) -> State:
    steps = few_games(data.draw(st.integers(0, 9)), data.draw(PLAYERS))
    return steps[data.draw(st.integers(0, len(steps) - 1))][0]


@settings(max_examples=examples(10, 40))
@given(SEEDS, PLAYERS)
def test_play_ends_and_is_never_stuck(seed: int, players: int) -> None:
    for state, event in walk(seed, players):
        asked = showdown.GAME.ask(state)
        assert bool(showdown.GAME.choices(state)) == isinstance(asked, Choose)
        assert (asked is None) == (event is None) == (showdown.GAME.outcome(state) is not None)
        if isinstance(asked, Throw):
            assert asked.dice
            thrown = [die.slot for die in asked.dice]
            blank = [s for s, face in enumerate(showdown.GAME.dice(state)) if face is None]
            assert thrown == (blank if state.step is Step.ROLL else [5])


def test_many_random_games_end_with_every_card_on_the_board() -> None:
    for seed in range(examples(6, 20)):
        players = 2 + seed % 3
        events, state = random_game(showdown.GAME, names(players), {}, Random(seed))
        assert None not in state.cards
        assert state.turns == state.end
        assert sum(isinstance(event, Place) for event in events) == 12


@settings(max_examples=examples(5, 20))
@given(SEEDS, PLAYERS)
def test_each_card_is_in_one_place_and_its_chips_are_its_owners(seed: int, players: int) -> None:
    before = 0
    for state, _ in walk(seed, players):
        ring = board(state)
        covered = [space for space in ring.spaces if space.card is not None]
        placed = [space.card for space in covered]
        assert Counter(placed) + Counter(ring.off) == Counter(Card)
        assert not any(space.wild for space in covered)
        for space in covered:
            assert space.card is not None
            assert space.owner in range(players)
            most = {6: 3, 7: 4, 8: 5, 9: 5, 10: 7, 11: 6}.get(space.card)
            assert space.chips == most or (most is None and space.chips in range(1, 5))
        owned = [sum(s.chips for s in covered if s.owner == seat) for seat in range(players)]
        assert showdown.GAME.scores(state) == tuple(10 * chips for chips in owned)
        sheets = [showdown.GAME.sheet(state, seat) for seat in range(players)]
        assert tuple(sheet.total for sheet in sheets) == showdown.GAME.scores(state)
        assert sorted(seat for space in ring.spaces for seat in space.pawns) == list(range(players))
        # A card that was placed stays on the board.
        assert len(placed) in (before, before + 1)
        assert state.in_showdown == (len(placed) == 12)
        before = len(placed)


@settings(max_examples=examples(10, 40))
@given(SEEDS, PLAYERS)
def test_scores_change_by_the_preview(seed: int, players: int) -> None:
    steps = walk(seed, players)
    for (state, event), (after, _) in pairwise(steps):
        change = [
            b - a
            for a, b in zip(showdown.GAME.scores(state), showdown.GAME.scores(after), strict=True)
        ]
        expected = [0] * players
        if isinstance(event, CARD_USES):
            preview = showdown.GAME.preview(state, event)
            assert preview is not None
            expected[state.seat] = preview.points
            stack = state.cards[event.card]
            if isinstance(event, Take):
                assert stack is not None
                expected[stack.seat] -= 10 * stack.chips
            now = after.cards[event.card]
            assert now is not None
            assert now.seat == state.seat
            assert after.pawns[state.seat] == now.space
            assert stack is None or stack.space == now.space
        elif not isinstance(event, Rolled):
            assert after.pawns == state.pawns
        assert change == expected


@settings(max_examples=examples(10, 40))
@given(SEEDS, PLAYERS)
def test_the_showdown_round_gives_each_player_one_turn(seed: int, players: int) -> None:
    steps = walk(seed, players)
    last = next(s for s, e in steps if s.cards.count(None) == 1 and isinstance(e, Place))
    seats: list[int] = []
    for state, event in steps:
        if state.in_showdown and event is not None and state.turns == last.turns + 1 + len(seats):
            seats.append(state.seat)
    assert seats == [(last.seat + 1 + n) % players for n in range(players)]


def slow_chips(faces: Sequence[int]) -> dict[Card, int]:
    """The chips that five dice put on each card that they make, by the wording of the rules."""
    shown = set(faces)
    counts = sorted(Counter(faces).values())
    chips = {Card(n - 1): min(4, faces.count(n)) for n in range(1, 7) if n in shown}
    if counts[-1] >= 3:
        chips[Card.THREE_ALIKE] = 3
    if counts[-1] >= 4:
        chips[Card.FOUR_ALIKE] = 4
    if counts == [2, 3]:
        chips[Card.FULL_HOUSE] = 5
    if any(set(range(low, low + 4)) <= shown for low in (1, 2, 3)):
        chips[Card.SMALL_STRAIGHT] = 5
    if any(set(range(low, low + 5)) <= shown for low in (1, 2)):
        chips[Card.LARGE_STRAIGHT] = 7
    if sum(faces) >= 25:
        chips[Card.CHANCE] = 6
    return chips


def slow_uses(state: State) -> set[Choice]:
    """The uses of a roll by the wording of the rules rather than their code."""
    chips = slow_chips(state.dice)
    five = len(set(state.dice)) == 1
    ring = board(state)
    here = ring.spaces[state.pawns[state.seat]]
    found: set[Choice] = set()
    for card in ring.off:
        if five or (card in chips and here.card is None):
            found.add(Place(card))
    for space in ring.spaces:
        if space.card is None:
            continue
        rolled = chips.get(space.card, 0) if here.wild or here == space else 0
        if space.owner == state.seat:
            if space.card <= Card.SIXES and rolled > space.chips:
                found.add(Raise(space.card))
        elif five or rolled >= space.chips:
            found.add(Take(space.card))
    return found


@settings(max_examples=examples(10, 40))
@given(SEEDS, PLAYERS)
def test_choices_are_what_the_words_of_the_rules_say(seed: int, players: int) -> None:
    for state, _ in walk(seed, players):
        if state.step is not Step.USE:
            continue
        choices = showdown.GAME.choices(state)
        assert len(set(choices)) == len(choices)
        holds = [choice for choice in choices if isinstance(choice, Keep)]
        assert len(holds) == (31 if state.roll < 3 else 0)
        assert set(choices) - set(holds) == slow_uses(state) | {Pass()}


@settings(max_examples=examples(10, 30))
@given(SEEDS, PLAYERS)
def test_every_choice_fits_the_board_and_can_be_played(seed: int, players: int) -> None:
    for state, _ in Random(seed).sample(walk(seed, players), 12):
        for choice in showdown.GAME.choices(state):
            assert 0 < len(Label(choice.key)) <= 10
            assert choice.key == choice.key.lower()
            preview = showdown.GAME.preview(state, choice)
            assert (preview is None) == isinstance(choice, Keep)
            if preview is not None:
                assert len(Label(preview.reason)) <= 12
                assert preview.reason == preview.reason.lower()
                assert (preview.points > 0) == isinstance(choice, CARD_USES)
            assert showdown.GAME.apply(state, choice) != state


EVENTS = st.one_of(
    st.builds(Rolled, st.lists(st.integers(-1, 8), max_size=6).map(tuple)),
    st.builds(Rolled, st.lists(st.integers(1, 6), min_size=1, max_size=5).map(tuple)),
    st.builds(Keep, st.lists(st.integers(-1, 5), max_size=5).map(tuple)),
    st.builds(Place, st.sampled_from(Card)),
    st.builds(Take, st.sampled_from(Card)),
    st.builds(Raise, st.sampled_from(Card)),
    st.builds(Corrected, st.integers(-1, 7), st.integers(-1, 8)),
    st.sampled_from([Pass(), Stay(), MoveOn(), Event()]),
)


@settings(max_examples=examples(25, 300))
@given(st.data(), EVENTS)
def test_only_what_is_offered_is_accepted(data: st.DataObject, event: Event) -> None:
    state = any_state(data)
    text, number = showdown.GAME.position_to_text(state), hash(state)
    asked = showdown.GAME.ask(state)
    if isinstance(event, Rolled):
        legal = isinstance(asked, Throw) and len(event.faces) == len(asked.dice)
        legal = legal and all(face in range(1, 7) for face in event.faces)
    elif isinstance(event, Corrected):
        black = event.slot in range(5) and state.step is Step.USE
        red = event.slot == 5 and state.red > 0
        legal = (black or red) and event.face in range(1, 7)
    else:
        legal = any(is_exactly(event, choice) for choice in showdown.GAME.choices(state))
    if legal:
        assert showdown.GAME.apply(state, event) != state or isinstance(event, Corrected)
    else:
        with pytest.raises(IllegalEvent):
            showdown.GAME.apply(state, event)
    assert (showdown.GAME.position_to_text(state), hash(state)) == (text, number)


@settings(max_examples=examples(10, 40))
@given(SEEDS, PLAYERS, SEEDS)
def test_a_corrected_reading_equals_one_read_right(seed: int, players: int, other: int) -> None:
    random = Random(other)
    for state, event in walk(seed, players):
        if not isinstance(event, Rolled):
            continue
        right = showdown.GAME.apply(state, event)
        asked = showdown.GAME.ask(state)
        assert isinstance(asked, Throw)
        read_wrong = showdown.GAME.apply(
            state, Rolled(tuple(random.randint(1, 6) for _ in event.faces))
        )
        for die, face in zip(asked.dice, event.faces, strict=True):
            read_wrong = showdown.GAME.apply(read_wrong, Corrected(die.slot, face))
        assert read_wrong == right


@settings(max_examples=examples(10, 40))
@given(SEEDS, PLAYERS, SEEDS)
def test_a_red_die_corrected_after_black_rolls_equals_one_read_right(
    seed: int, players: int, other: int
) -> None:
    random = Random(other)
    for state, event in walk(seed, players):
        if state.step is not Step.MOVE or not isinstance(event, Rolled):
            continue
        right = showdown.GAME.apply(state, event)
        wrong = showdown.GAME.apply(state, Rolled((random.randint(1, 6),)))
        if not right.step is wrong.step is Step.ROLL:
            continue
        for _ in range(random.randrange(6)):
            next_event = random_event(showdown.GAME, right, random)
            if not isinstance(next_event, Rolled | Keep):
                break
            right, wrong = (
                showdown.GAME.apply(right, next_event),
                showdown.GAME.apply(wrong, next_event),
            )
        assert showdown.GAME.apply(wrong, Corrected(5, int(event.faces[0]))) == right


@settings(max_examples=examples(5, 20))
@given(SEEDS, PLAYERS, st.data())
def test_replay_equals_live_and_undo_then_redo_is_the_identity(
    seed: int, players: int, data: st.DataObject
) -> None:
    steps = walk(seed, players)
    options = {"first": seed % players, "showdown_raise_continues": bool(seed % 2)}
    events = [event for _, event in steps if event is not None]
    record = record_for(showdown.GAME, names(players), options, events)
    assert read_record(write_record(record)) == record
    assert replay(record) == steps[-1][0]
    # Undo replays a prefix; redo plays the rest again.
    cut = data.draw(st.integers(0, len(events)))
    state = replay(record_for(showdown.GAME, names(players), options, events[:cut]))
    assert state == steps[cut][0]
    for event in events[cut:]:
        state = showdown.GAME.apply(state, event)
    assert state == steps[-1][0]
