"""The clauses of Free for All, by number (see `docs/rules/free-for-all.md`)."""

from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any

import pytest

from appliance.words import Label
from games import free_for_all as ffa
from games.free_for_all import (
    Bank,
    Card,
    Kind,
    Lying,
    State,
    Steal,
    Step,
    Take,
    TakeFive,
    TurnUp,
    view,
)
from games.free_for_all.deck import DEFAULT_DECK, Deck, deck_from_text
from games.notation.words import RecordError
from games.values import (
    BadOptions,
    Choose,
    Corrected,
    DieKind,
    Draw,
    IllegalEvent,
    Keep,
    Pass,
    Points,
    Rolled,
    Throw,
)
from tests.builders import play_text
from tests.rigs.event_texts import events_from_text

NUMBER = {kind: Card(kind, kind + 1) for kind in tuple(Kind)[:6]}
CARD = NUMBER | {
    Kind.THREE_ALIKE: Card(Kind.THREE_ALIKE, 4),
    Kind.FOUR_ALIKE: Card(Kind.FOUR_ALIKE, 6),
    Kind.FULL_HOUSE: Card(Kind.FULL_HOUSE, 6),
    Kind.SMALL_STRAIGHT: Card(Kind.SMALL_STRAIGHT, 5),
    Kind.LARGE_STRAIGHT: Card(Kind.LARGE_STRAIGHT, 8),
    Kind.CHANCE: Card(Kind.CHANCE, 4),
    Kind.FIVE_ALIKE: Card(Kind.FIVE_ALIKE, 10),
}
CENTRE = (CARD[Kind.ONES], CARD[Kind.FULL_HOUSE], CARD[Kind.CHANCE])
EVERY_KEEP = {slots for n in range(5) for slots in combinations(range(5), n)}


play = partial(play_text, ffa.GAME, players=2)


def lying(kind: Kind, dice: str) -> Lying:
    return Lying(CARD[kind], tuple(map(int, dice)))


def table(
    *stolen: Lying,
    players: int = 4,
    centre: tuple[Card | None, ...] = CENTRE,
    deck: tuple[Card, ...] = (CARD[Kind.SIXES], CARD[Kind.TWOS]),
    apart: int = 6,
    **fields: Any,
) -> State:
    """Seat 0 at the start of a turn; the others have these cards at home, one each."""
    spaces = {2: 3, 3: 2}.get(players, 1)
    homes = [(*stolen[seat - 1 : seat], *(None,) * spaces)[:spaces] for seat in range(1, players)]
    mine = fields.pop("home", ())
    return ffa.GAME.position(
        players=list("ABCDEF"[:players]),
        deck=deck,
        centre=centre,
        apart=(CARD[Kind.FIVE_ALIKE],) * apart,
        homes=[(*mine, *(None,) * (spaces - len(mine))), *homes],
        **fields,
    )


def uses(state: State) -> list[str]:
    return [choice.key for choice in ffa.GAME.choices(state) if not isinstance(choice, Keep)]


def keeps(state: State) -> set[tuple[int, ...]]:
    return {choice.slots for choice in ffa.GAME.choices(state) if isinstance(choice, Keep)}


# 1. Players, chips, cards, home spaces.


@pytest.mark.parametrize(("players", "spaces"), [(2, 3), (3, 2), (4, 1), (5, 1), (6, 1)])
def test_free_for_all_1_players_and_their_home_spaces(players: int, spaces: int) -> None:
    state = ffa.GAME.start([f"P{n}" for n in range(players)], {})
    assert ffa.GAME.scores(state) == (0,) * players
    assert state.homes == ((None,) * spaces,) * players


@pytest.mark.parametrize("players", [0, 1, 7])
def test_free_for_all_1_no_other_number_of_players(players: int) -> None:
    with pytest.raises(BadOptions, match=f"2 to 6 players, got {players}"):
        ffa.GAME.start([f"P{n}" for n in range(players)], {})


def test_free_for_all_1_chips_and_cards() -> None:
    state = ffa.GAME.start(["A", "B"], {})
    assert (state.pile, state.chips) == (36, (0, 0, 0))
    assert state.apart == (Card(Kind.FIVE_ALIKE, 10),) * 6
    assert len(state.deck) == 30
    assert all(card.kind is not Kind.FIVE_ALIKE for card in state.deck)


def test_free_for_all_1_three_cards_face_up_before_the_first_turn() -> None:
    state = ffa.GAME.start(["A", "B"], {"first": 1})
    for count in range(3):
        assert state.centre.count(None) == 3 - count
        assert isinstance(ffa.GAME.ask(state), Draw)
        assert ffa.GAME.turn(state) == 0
        state = ffa.GAME.apply(state, ffa.GAME.choices(state)[0])
    assert state.centre == (CARD[Kind.ONES],) * 3
    asked = ffa.GAME.ask(state)
    assert isinstance(asked, Throw)
    assert (asked.seat, ffa.GAME.turn(state), len(state.deck)) == (1, 1, 27)


@pytest.mark.parametrize("first", [True, False, 2, -1, "1", "roll-off", 1.0])
def test_free_for_all_1_the_players_pick_who_starts(first: object) -> None:
    with pytest.raises(BadOptions, match="option first"):
        ffa.GAME.start(["A", "B"], {"first": first})  # type: ignore[dict-item]


def test_free_for_all_1_other_options_and_names_are_refused() -> None:
    with pytest.raises(BadOptions, match="no option 'jokers'"):
        ffa.GAME.start(["A", "B"], {"jokers": True})
    with pytest.raises(BadOptions, match="option deck"):
        ffa.GAME.start(["A", "B"], {"deck": "paper"})
    for names in (["A", ""], ["A\nB", "C"], "AB"):
        with pytest.raises(BadOptions, match="name"):
            ffa.GAME.start(names, {})


# 2. The deck.


def test_free_for_all_2_the_default_deck() -> None:
    copies = {kind: DEFAULT_DECK.cards.count(CARD[kind]) for kind in tuple(Kind)[:12]}
    assert copies == {kind: 3 if kind < 6 else 2 for kind in tuple(Kind)[:12]}
    assert sum(copies.values()) == 30
    assert DEFAULT_DECK.apart == (Card(Kind.FIVE_ALIKE, 10),) * 6


def test_free_for_all_2_another_deck_is_an_option() -> None:
    state = ffa.GAME.start(["A", "B"], {"cards": "1*fours:4 2*fours:6 5*chance:1 2*five-alike:12"})
    assert state.deck == (
        Card(Kind.FOURS, 4),
        *(Card(Kind.FOURS, 6),) * 2,
        *[Card(Kind.CHANCE, 1)] * 5,
    )
    assert state.apart == (Card(Kind.FIVE_ALIKE, 12),) * 2
    assert [choice.key for choice in ffa.GAME.choices(state)] == ["fours 4", "fours 6", "chance 1"]


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("", "3 to 999 cards, found 0"),
        ("2*ones:1 6*five-alike:10", "3 to 999 cards, found 2"),
        ("3*ones:1 3*zeros:1", "word 2: expected cards such as 3*ones:1, found '3*zeros:1'"),
        ("0*ones:1", "word 1"),
        ("3*ones:100", "word 1"),
        ("3*ones:01", "word 1"),
        ("3*ones", "word 1"),
        ("ones:1", "word 1"),
        ("٣*ones:1", "word 1"),
        (30, "a text such as"),
    ],
)
def test_free_for_all_2_a_bad_deck_is_refused(cards: object, expected: str) -> None:
    with pytest.raises(BadOptions) as error:
        ffa.GAME.start(["A", "B"], {"cards": cards})  # type: ignore[dict-item]
    assert expected in str(error.value)
    assert str(error.value).startswith("option cards")


def test_free_for_all_2_the_text_of_a_deck_reads_back() -> None:
    assert deck_from_text(DEFAULT_DECK.text) == DEFAULT_DECK
    odd = Deck((Card(Kind.FOURS, 4), Card(Kind.FOURS, 6), Card(Kind.CHANCE, 0)), ())
    assert deck_from_text(odd.text) == odd


# 3. Virtual, or on the table.


def test_free_for_all_3_virtual_each_card_of_the_deck_is_as_likely() -> None:
    state = ffa.GAME.start(["A", "B"], {})
    asked = ffa.GAME.ask(state)
    assert isinstance(asked, Draw)
    assert asked.lots == tuple(TurnUp(card) for card in state.deck)
    assert len(asked.lots) == 30
    assert set(asked.lots) == set(ffa.GAME.choices(state))


def test_free_for_all_3_on_the_table_the_players_enter_the_card() -> None:
    state = ffa.GAME.start(["A", "B"], {"deck": "table"})
    asked = ffa.GAME.ask(state)
    assert isinstance(asked, Choose)
    assert not isinstance(asked, Draw)
    assert (asked.seat, asked.purpose) == (0, "new-card")
    assert len(ffa.GAME.choices(state)) == 12
    assert ffa.GAME.preview(state, TurnUp(CARD[Kind.FOURS])) == Points(4)


@pytest.mark.parametrize("deck", ["virtual", "table"])
def test_free_for_all_3_a_card_comes_up_only_as_often_as_it_is_there(deck: str) -> None:
    state = ffa.GAME.start(["A", "B"], {"deck": deck})
    state = play("turn-up chance:4; turn-up chance:4", state)
    assert "chance 4" not in uses(state)
    for event in (
        TurnUp(CARD[Kind.CHANCE]),
        TurnUp(Card(Kind.ONES, 2)),
        TurnUp(CARD[Kind.FIVE_ALIKE]),
    ):
        with pytest.raises(IllegalEvent, match="expected one of ones 1, twos 2"):
            ffa.GAME.apply(state, event)


def test_free_for_all_3_both_decks_play_alike() -> None:
    text = "turn-up ones:1; turn-up full-house:6; turn-up chance:4; roll 1 1 2 3 4;"
    text += "take ones:1 from 1; turn-up fours:4; roll 1 2 2 2 3; pass"
    states = [
        play(text, ffa.GAME.start(["A", "B"], {"deck": deck})) for deck in ("virtual", "table")
    ]
    assert [ffa.GAME.position_to_text(state).replace("table", "virtual") for state in states] == [
        ffa.GAME.position_to_text(states[0])
    ] * 2


def test_free_for_all_3_nothing_hidden_is_in_a_state() -> None:
    """The order of the deck is unknown until a card is shown: states say only what is left."""
    state = play("turn-up ones:1; turn-up full-house:6; turn-up chance:4; roll 1 1 2 3 4")
    assert state.deck == tuple(sorted(state.deck))


# 4. A turn: (a) banking.


def test_free_for_all_4a_a_card_at_home_is_banked_when_the_turn_begins() -> None:
    state = play("roll 1 1 2 3 4; take ones:1 from 1; turn-up sixes:6", table())
    assert state.homes[0] == (lying(Kind.ONES, "11234"),)
    assert ffa.GAME.scores(state) == (0, 0, 0, 0)
    state = play("roll 1 2 2 3 3; pass; roll 1 2 2 3 3; pass", state)
    assert ffa.GAME.scores(state) == (0, 0, 0, 0)
    state = play("roll 1 2 2 3 3; pass", state)
    assert state.homes[0] == (None,)
    assert state.banked[0] == (CARD[Kind.ONES],)
    assert ffa.GAME.scores(state) == (1, 0, 0, 0)


def test_free_for_all_4a_nothing_to_bank_in_the_first_turn() -> None:
    asked = ffa.GAME.ask(table())
    assert isinstance(asked, Throw)
    assert (asked.seat, asked.roll, asked.rolls) == (0, 1, 3)


def test_free_for_all_4a_with_several_cards_one_is_chosen() -> None:
    mine = (lying(Kind.ONES, "11234"), None, lying(Kind.CHANCE, "66665"))
    state = table(players=2, home=mine, step=Step.BANK)
    assert ffa.GAME.ask(state) == Choose(0, purpose="bank")
    assert ffa.GAME.choices(state) == (Bank(0, CARD[Kind.ONES]), Bank(2, CARD[Kind.CHANCE]))
    assert uses(state) == ["a ones", "c chance"]
    assert ffa.GAME.preview(state, Bank(2, CARD[Kind.CHANCE])) == Points(4)
    after = play("bank chance:4 from c", state)
    assert ffa.GAME.scores(after) == (4, 0)
    assert after.homes[0] == (mine[0], None, None)
    assert isinstance(ffa.GAME.ask(after), Throw)
    for event in (Bank(1, CARD[Kind.ONES]), Bank(0, CARD[Kind.CHANCE]), Bank(3, CARD[Kind.ONES])):
        with pytest.raises(IllegalEvent):
            ffa.GAME.apply(state, event)


def test_free_for_all_4a_the_others_stay_for_a_later_turn() -> None:
    mine = (lying(Kind.ONES, "11234"), lying(Kind.TWOS, "22234"), lying(Kind.CHANCE, "66665"))
    state = play("bank ones:1 from a; roll 1 2 2 4 4", table(players=2, home=mine, step=Step.BANK))
    # The card that is taken now goes to the free space.
    state = play("take chance:4 from 3; turn-up sixes:6; roll 1 2 2 3 3; pass", state)
    assert state.step is Step.BANK
    assert uses(state) == ["a chance", "b twos", "c chance"]
    assert ffa.GAME.scores(state) == (1, 0)
    state = play("bank twos:2 from b; roll 6 6 2 3 4; pass; roll 1 2 2 3 3; pass", state)
    assert uses(state) == ["a chance", "c chance"]
    # The last one needs no choice.
    state = play("bank chance:4 from c; roll 1 2 2 3 3; pass; roll 1 2 2 3 3; pass", state)
    assert isinstance(ffa.GAME.ask(state), Throw)
    assert (ffa.GAME.scores(state), state.homes[0]) == ((11, 0), (None, None, None))


# 4. (b) rolling.


def test_free_for_all_4b_up_to_three_rolls_of_five_dice() -> None:
    state = table()
    for roll in (1, 2, 3):
        asked = ffa.GAME.ask(state)
        assert isinstance(asked, Throw)
        assert (asked.roll, asked.rolls, len(asked.dice)) == (roll, 3, 5)
        assert {die.kind for die in asked.dice} == {DieKind.BLACK}
        state = ffa.GAME.apply(state, Rolled((1, 2, 3, 4, 6)))
        assert ffa.GAME.ask(state) == Choose(0, roll, 3, "take")
        assert keeps(state) == (EVERY_KEEP if roll < 3 else set())
        if roll < 3:
            state = ffa.GAME.apply(state, Keep(()))
    with pytest.raises(IllegalEvent):
        ffa.GAME.apply(state, Keep(()))


def test_free_for_all_4b_kept_dice_may_be_thrown_again() -> None:
    state = play("roll 6 6 6 1 2; hold 1 2 3; roll 3 4; hold 4 5", table())
    assert ffa.GAME.dice(state) == (None, None, None, 3, 4)
    assert ffa.GAME.held(state) == (3, 4)
    assert ffa.GAME.dice(play("roll 1 1 1", state)) == (1, 1, 1, 3, 4)


@pytest.mark.parametrize(
    "faces", [(), (1,), (1, 2, 3), (1, 2, 3, 4, 5), (0, 1), (1, 7), ("1", 2), (True, 2)]
)
def test_free_for_all_4b_only_the_dice_asked_for(faces: tuple[int | str, ...]) -> None:
    state = play("roll 6 1 6 2 6; hold 1 3 5", table())
    with pytest.raises(IllegalEvent, match="2 faces from 1 to 6"):
        ffa.GAME.apply(state, Rolled(faces))


# 4. (c) taking from the centre.


@pytest.mark.parametrize("rolls", ["roll 1 1 2 3 4", "roll 6 6 6 6 5; hold 1; roll 1 1 2 3"])
def test_free_for_all_4c_one_card_a_turn_after_any_roll(rolls: str) -> None:
    state = play(f"{rolls}; take ones:1 from 1; turn-up sixes:6", table())
    assert state.seat == 1
    assert ffa.GAME.turn(state) == 1
    assert isinstance(ffa.GAME.ask(state), Throw)


def test_free_for_all_4c_the_dice_stay_with_the_card_as_rolled() -> None:
    state = play("roll 4 1 2 1 3; take ones:1 from 1; turn-up sixes:6", table())
    assert state.homes[0][0] == Lying(CARD[Kind.ONES], (4, 1, 2, 1, 3))


@pytest.mark.parametrize(
    ("dice", "kinds"),
    [
        ("1 2 2 4 6", {"ones", "twos", "fours", "sixes"}),
        ("2 2 2 4 6", {"twos", "fours", "sixes", "three-alike"}),
        ("2 2 2 2 6", {"twos", "sixes", "three-alike", "four-alike"}),
        ("5 5 3 3 3", {"threes", "fives", "three-alike", "full-house"}),
        ("5 5 3 3 4", {"threes", "fours", "fives"}),
        ("4 3 1 2 4", {"ones", "twos", "threes", "fours", "small-straight"}),
        (
            "5 3 1 2 4",
            {"ones", "twos", "threes", "fours", "fives", "small-straight", "large-straight"},
        ),
        ("5 5 5 5 5", {"fives", "three-alike", "four-alike"}),
    ],
)
def test_free_for_all_4c_what_a_roll_takes_from_the_centre(dice: str, kinds: set[str]) -> None:
    found = set()
    for kind in tuple(Kind)[:12]:
        state = play(f"roll {dice}", table(centre=(CARD[kind], *(CARD[Kind.CHANCE],) * 2), apart=0))
        found |= {label[3:] for label in uses(state) if label.startswith("c1")}
        assert set(uses(state)[-3:]) >= {"c2 chance", "c3 chance", "pass"}
    assert found == kinds | {"chance"}


def test_free_for_all_4c_chips_under_the_card_are_banked_at_once() -> None:
    state = table(chips=(2, 0, 5))
    state = play("roll 1 1 2 3 4", state)
    assert ffa.GAME.preview(state, Take(0, CARD[Kind.ONES])) == Points(3, "chips +2")
    state = play("take ones:1 from 1", state)
    assert ffa.GAME.scores(state) == (2, 0, 0, 0)
    assert (state.chips, state.banked_chips) == ((0, 0, 5), (2, 0, 0, 0))


def test_free_for_all_4c_chips_can_never_be_stolen() -> None:
    state = play("roll 1 1 2 3 4; take ones:1 from 1; turn-up sixes:6", table(chips=(2, 0, 5)))
    state = play("roll 1 1 1 3 4; steal ones:1 from 1 a", state)
    assert ffa.GAME.scores(state) == (2, 0, 0, 0)
    assert state.banked_chips == (2, 0, 0, 0)


def test_free_for_all_4c_equal_cards_in_the_centre_are_told_apart_by_their_space() -> None:
    state = table(centre=(CARD[Kind.ONES],) * 3, chips=(2, 0, 2))
    state = play("roll 1 2 2 3 3", state)
    assert uses(state) == ["c1 ones", "c2 ones", "c3 ones", "pass"]
    for space in (1, 2, 3):
        after = play(f"take ones:1 from {space}", state)
        assert after.centre.index(None) == space - 1
    for event in (Take(3, CARD[Kind.ONES]), Take(-1, CARD[Kind.ONES]), Take(0, CARD[Kind.TWOS])):
        with pytest.raises(IllegalEvent):
            ffa.GAME.apply(state, event)


# 4. (c) stealing.


@pytest.mark.parametrize(
    ("owner", "dice", "allowed"),
    [
        ("55123", "5 5 1 2 6", False),
        ("55123", "5 5 5 2 6", True),
        ("55123", "5 1 2 2 6", False),
        ("55123", "6 6 6 6 6", False),
        ("55555", "5 5 5 5 5", False),
        ("51111", "5 5 1 1 1", True),
        ("55551", "5 5 5 5 5", True),
    ],
)
def test_free_for_all_4c_stealing_a_number_card(owner: str, dice: str, allowed: bool) -> None:
    state = play(f"roll {dice}", table(lying(Kind.FIVES, owner)))
    assert ("2a fives" in uses(state)) is allowed
    steal = Steal(1, 0, CARD[Kind.FIVES])
    if allowed:
        assert ffa.GAME.preview(state, steal) == Points(5, f"beats {owner.count('5')}")
        state = ffa.GAME.apply(state, steal)
        assert state.homes[1] == (None,)
        assert state.homes[0] == (lying(Kind.FIVES, dice.replace(" ", "")),)
    else:
        with pytest.raises(IllegalEvent):
            ffa.GAME.apply(state, steal)


@pytest.mark.parametrize(
    ("kind", "owner", "dice", "allowed"),
    [
        (Kind.SMALL_STRAIGHT, "12346", "2 3 4 5 2", False),
        (Kind.SMALL_STRAIGHT, "12344", "2 3 4 5 2", True),
        (Kind.SMALL_STRAIGHT, "12345", "6 3 4 5 6", True),
        (Kind.SMALL_STRAIGHT, "12344", "6 6 6 5 6", False),
        (Kind.LARGE_STRAIGHT, "12345", "2 3 4 5 6", True),
        (Kind.LARGE_STRAIGHT, "12345", "5 4 3 2 1", False),
        (Kind.LARGE_STRAIGHT, "12345", "3 4 5 6 6", False),
        (Kind.THREE_ALIKE, "11166", "4 4 4 1 1", False),
        (Kind.THREE_ALIKE, "11166", "4 4 4 1 3", True),
        (Kind.THREE_ALIKE, "66651", "6 6 6 6 6", True),
        (Kind.FOUR_ALIKE, "55551", "6 6 6 6 1", True),
        (Kind.FOUR_ALIKE, "55551", "6 6 6 5 5", False),
        (Kind.FULL_HOUSE, "11166", "2 2 2 5 5", True),
        (Kind.FULL_HOUSE, "11166", "3 3 3 3 3", False),
        (Kind.FULL_HOUSE, "55566", "5 5 5 6 6", False),
        (Kind.CHANCE, "66655", "6 6 6 6 5", True),
        (Kind.CHANCE, "66655", "6 6 6 4 6", False),
    ],
)
def test_free_for_all_4c_stealing_a_combination_card(
    kind: Kind, owner: str, dice: str, allowed: bool
) -> None:
    state = play(f"roll {dice}", table(lying(kind, owner)))
    steal = Steal(1, 0, CARD[kind])
    assert (steal in ffa.GAME.choices(state)) is allowed
    if allowed:
        total = sum(map(int, owner))
        assert ffa.GAME.preview(state, steal) == Points(CARD[kind].points, f"beats {total}")


@pytest.mark.parametrize(
    ("owner", "dice", "allowed"),
    [
        ("33333", "4 4 4 4 4", True),
        ("33333", "3 3 3 3 3", False),
        ("33333", "2 2 2 2 2", False),
        ("33333", "6 6 6 6 5", False),
    ],
)
def test_free_for_all_4c_stealing_a_five_alike_card(owner: str, dice: str, allowed: bool) -> None:
    state = play(f"roll {dice}", table(lying(Kind.FIVE_ALIKE, owner), apart=5))
    steal = Steal(1, 0, CARD[Kind.FIVE_ALIKE])
    assert (steal in ffa.GAME.choices(state)) is allowed
    if allowed:
        assert ffa.GAME.preview(state, steal) == Points(10, "beats 3")
        assert ffa.GAME.apply(state, steal).homes[0] == (
            lying(Kind.FIVE_ALIKE, dice.replace(" ", "")),
        )


def test_free_for_all_4c_one_can_steal_from_everybody_but_oneself() -> None:
    mine = (lying(Kind.TWOS, "12345"), None, None)
    state = table(lying(Kind.ONES, "12345"), players=2, home=mine)
    assert uses(play("roll 1 1 2 2 6", state)) == ["c1 ones", "c3 chance", "2a ones", "pass"]
    state = table(lying(Kind.ONES, "12345"), lying(Kind.TWOS, "12345"), lying(Kind.SIXES, "66123"))
    assert uses(play("roll 1 1 2 2 6", state)) == [
        "c1 ones",
        "c3 chance",
        "2a ones",
        "3a twos",
        "pass",
    ]


def test_free_for_all_4c_a_stolen_card_is_beaten_by_what_the_thief_rolled() -> None:
    state = play("roll 1 1 1 3 4; steal ones:1 from 2 a", table(lying(Kind.ONES, "11234")))
    state = play("roll 1 1 1 6 6", state)
    assert not any(isinstance(choice, Steal) for choice in ffa.GAME.choices(state))
    assert uses(play("fix 5 to 1", state))[-2:] == ["1a ones", "pass"]


# 4. (c) five alike.


def test_free_for_all_4c_five_alike_takes_a_card_from_apart() -> None:
    state = play("roll 4 4 4 4 4", table(apart=2))
    assert uses(state) == ["c3 chance", "five-alike", "pass"]
    assert ffa.GAME.preview(state, TakeFive()) == Points(10)
    state = play("five-alike", state)
    assert state.homes[0] == (lying(Kind.FIVE_ALIKE, "44444"),)
    assert len(state.apart) == 1


def test_free_for_all_4c_of_five_alike_cards_that_differ_one_is_chosen() -> None:
    apart = (Card(Kind.FIVE_ALIKE, 10), Card(Kind.FIVE_ALIKE, 12), Card(Kind.FIVE_ALIKE, 12))
    state = play("roll 4 4 4 4 4", replace(table(), apart=apart))
    assert uses(state) == ["c3 chance", "five-alike 12", "five-alike 10", "pass"]
    assert [ffa.GAME.preview(state, TakeFive(points)) for points in (10, 12)] == [
        Points(10),
        Points(12),
    ]
    after = play("five-alike 12", state)
    assert after.homes[0] == (Lying(apart[1], (4, 4, 4, 4, 4)),)
    assert after.apart == apart[:2]
    # An older record does not give the points: it took the first card.
    assert play("five-alike", state).homes[0] == (Lying(apart[0], (4, 4, 4, 4, 4)),)
    for points in (11, 99):
        with pytest.raises(IllegalEvent):
            ffa.GAME.apply(state, TakeFive(points))


def test_banking_when_full_waits_for_the_last_home_space() -> None:
    state = ffa.GAME.start(
        ["A", "B"], {"bank": "when-full", "cards": "40*chance:4 6*five-alike:10"}
    )
    for _ in range(3):
        state = ffa.GAME.apply(state, TurnUp(Card(Kind.CHANCE, 4)))
    for cards in range(3):
        assert state.step is Step.ROLL
        assert sum(home is not None for home in state.homes[0]) == cards
        for faces in ("1 1 2 2 3", "1 1 2 2 3"):
            state = play(f"roll {faces}; take chance:4 from 1; turn-up chance:4", state)
    assert state.step is Step.BANK
    assert [choice.key for choice in ffa.GAME.choices(state)] == [
        "a chance",
        "b chance",
        "c chance",
    ]
    state = play("bank chance:4 from b", state)
    assert [home is None for home in state.homes[0]] == [False, True, False]
    assert ffa.GAME.scores(state) == (4, 0)


def test_free_for_all_4c_five_alike_only_while_a_card_is_left_apart() -> None:
    state = play("roll 4 4 4 4 4", table(apart=0))
    assert "five-alike" not in uses(state)
    with pytest.raises(IllegalEvent):
        ffa.GAME.apply(state, TakeFive())


def test_free_for_all_4c_five_alike_may_be_used_as_an_ordinary_roll() -> None:
    centre = (CARD[Kind.FOURS], CARD[Kind.FOUR_ALIKE], CARD[Kind.FULL_HOUSE])
    state = play("roll 4 4 4 4 4", table(lying(Kind.CHANCE, "11234"), centre=centre))
    assert uses(state) == ["c1 fours", "c2 four-alike", "2a chance", "five-alike", "pass"]


def test_free_for_all_4c_four_alike_is_no_five_alike() -> None:
    assert "five-alike" not in uses(play("roll 4 4 4 4 5", table()))


# 4. Passing.


def test_free_for_all_4_passing_is_allowed_though_something_fits() -> None:
    state = play("roll 1 1 2 3 4", table())
    assert ffa.GAME.preview(state, Pass()) == Points(0)
    assert play("pass", state).seat == 1


def test_free_for_all_4_a_bust_is_named() -> None:
    state = play("roll 6 6 2 3 4", table(centre=(CARD[Kind.ONES],) * 3))
    assert uses(state) == ["pass"]
    assert ffa.GAME.preview(state, Pass()) == Points(0, "bust")


# 5. The end of a turn.


def test_free_for_all_5_a_taken_centre_card_is_replaced() -> None:
    state = play("roll 1 1 2 3 4; take ones:1 from 1", table())
    assert state.centre == (None, *CENTRE[1:])
    assert isinstance(ffa.GAME.ask(state), Draw)
    assert ffa.GAME.dice(state) == (1, 1, 2, 3, 4)
    state = play("turn-up sixes:6", state)
    assert state.centre == (CARD[Kind.SIXES], *CENTRE[1:])
    assert state.deck == (CARD[Kind.TWOS],)
    assert (state.chips, state.pile, state.seat) == ((0, 0, 0), 36, 1)


@pytest.mark.parametrize(
    "turn",
    ["roll 6 6 2 3 4; pass", "roll 1 1 2 2 2; steal twos:2 from 2 a", "roll 4 4 4 4 4; five-alike"],
)
def test_free_for_all_5_one_chip_under_each_card_when_none_was_taken(turn: str) -> None:
    state = play(turn, table(lying(Kind.TWOS, "12345"), chips=(0, 2, 7)))
    assert (state.chips, state.pile) == ((1, 3, 8), 24)
    assert state.centre == CENTRE
    assert state.seat == 1


def test_free_for_all_5_chips_stay_with_a_card_that_is_not_taken() -> None:
    state = play("roll 1 1 2 3 4; take ones:1 from 1; turn-up sixes:6", table(chips=(1, 2, 3)))
    assert state.chips == (0, 2, 3)


def test_free_for_all_5_play_passes_to_the_left() -> None:
    state = play("turn-up ones:1; turn-up ones:1; turn-up ones:1", players=3)
    order = []
    for _ in range(5):
        order.append(state.seat)
        state = play("roll 6 6 2 3 4; pass", state)
    assert order == [0, 1, 2, 0, 1]
    assert ffa.GAME.turn(state) == 2


# 6. The end of the game.


def test_free_for_all_6_ends_at_once_when_a_card_cannot_be_replaced() -> None:
    state = play(
        "roll 1 1 2 3 4", table(deck=(), chips=(2, 0, 0), banked=[[CARD[Kind.CHANCE]], [], [], []])
    )
    # The card that is taken last is never banked, but its chips are.
    assert ffa.GAME.preview(state, Take(0, CARD[Kind.ONES])) == Points(2, "ends-game")
    state = play("take ones:1 from 1", state)
    outcome = ffa.GAME.outcome(state)
    assert outcome is not None
    assert (outcome.scores, outcome.winners) == ((6, 0, 0, 0), (0,))
    assert state.homes[0] == (lying(Kind.ONES, "11234"),)
    for event in (Rolled((1,) * 5), Keep(()), Pass(), TurnUp(CARD[Kind.ONES]), Corrected(0, 1)):
        with pytest.raises(IllegalEvent, match="the game is over"):
            ffa.GAME.apply(state, event)


def test_free_for_all_6_an_empty_deck_does_not_end_it_while_the_centre_is_full() -> None:
    state = play("roll 1 1 2 3 4; pass; roll 6 6 2 3 4; pass", table(deck=()))
    assert ffa.GAME.outcome(state) is None
    state = play("roll 1 1 2 3 4; take ones:1 from 1", table(deck=(CARD[Kind.SIXES],)))
    assert ffa.GAME.outcome(state) is None
    assert ffa.GAME.outcome(play("turn-up sixes:6", state)) is None


@pytest.mark.parametrize("left", [0, 1, 2])
@pytest.mark.parametrize(
    "turn",
    ["roll 6 6 2 3 4; pass", "roll 1 1 2 2 2; steal twos:2 from 2 a", "roll 4 4 4 4 4; five-alike"],
)
def test_free_for_all_6_ends_when_fewer_than_three_chips_are_left_for_those_due(
    left: int, turn: str
) -> None:
    rolls, _, use = turn.partition("; ")
    state = table(lying(Kind.TWOS, "12345"), banked_chips=(0, 36 - left, 0, 0))
    state = play(rolls, state)
    (event,) = events_from_text(ffa.GAME, use)
    assert ffa.GAME.preview(state, event) == Points(0, "ends-game")  # type: ignore[arg-type]
    state = ffa.GAME.apply(state, event)
    assert ffa.GAME.ask(state) is None
    assert (state.pile, state.chips) == (left, (0, 0, 0))
    assert ffa.GAME.scores(state) == (0, 36 - left, 0, 0)


def test_free_for_all_6_three_chips_are_enough_and_a_take_needs_none() -> None:
    state = table(banked_chips=(0, 33, 0, 0))
    after = play("roll 6 6 2 3 4; pass", state)
    assert (after.pile, after.chips, ffa.GAME.outcome(after)) == (0, (1, 1, 1), None)
    after = play("roll 1 6 2 3 4; take ones:1 from 1; turn-up sixes:6", after)
    assert ffa.GAME.outcome(after) is None
    assert ffa.GAME.outcome(play("roll 1 2 3 4 4; pass", after)) is not None


def test_free_for_all_6_cards_at_home_do_not_count() -> None:
    state = table(lying(Kind.LARGE_STRAIGHT, "12345"), deck=(), banked_chips=(0, 0, 0, 1))
    outcome = ffa.GAME.outcome(play("roll 6 6 6 6 6; take chance:4 from 3", state))
    assert outcome is not None
    assert (outcome.scores, outcome.winners) == ((0, 0, 0, 1), (3,))


def test_free_for_all_6_banked_cards_and_chips_and_the_highest_wins() -> None:
    banked = [[CARD[Kind.FULL_HOUSE], CARD[Kind.ONES]], [CARD[Kind.FIVE_ALIKE]], [], []]
    state = table(deck=(), banked=banked, banked_chips=(2, 0, 8, 0))
    outcome = ffa.GAME.outcome(play("roll 6 6 6 6 6; take chance:4 from 3", state))
    assert outcome is not None
    assert (outcome.scores, outcome.winners) == ((9, 10, 8, 0), (1,))


def test_free_for_all_6_ties_share() -> None:
    state = table(deck=(), banked_chips=(2, 3, 3, 0))
    outcome = ffa.GAME.outcome(play("roll 6 6 6 6 6; take chance:4 from 3", state))
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((1, 2), "shared-win")


# Corrections.


def test_a_corrected_die_changes_what_can_be_taken() -> None:
    state = play("roll 6 6 2 3 4", table())
    assert uses(state) == ["c3 chance", "pass"]
    assert uses(play("fix 3 to 1", state)) == ["c1 ones", "c3 chance", "pass"]
    assert play("fix 3 to 1; fix 1 to 5", state) == play("roll 5 6 1 3 4", table())


@pytest.mark.parametrize(
    "text", ["", "roll 1 1 2 3 4; hold 1", "roll 1 1 2 3 4; take ones:1 from 1"]
)
def test_no_correction_but_while_the_roll_can_be_used(text: str) -> None:
    with pytest.raises(IllegalEvent):
        ffa.GAME.apply(play(text, table()), Corrected(0, 1))


@pytest.mark.parametrize(("slot", "face"), [(5, 1), (-1, 1), (0, 0), (0, 7), (0, "1"), (True, 2)])
def test_no_correction_to_what_is_not_there(slot: int, face: int | str) -> None:
    with pytest.raises(IllegalEvent, match="expected a"):
        ffa.GAME.apply(play("roll 1 1 2 3 4", table()), Corrected(slot, face))


# The board.


def test_labels_fit_the_board() -> None:
    keys = {TurnUp(Card(kind, 99)).key for kind in Kind} | {TakeFive().key, Pass().key}
    for kind in Kind:
        card = Card(kind, 1)
        keys |= {Take(2, card).key, Steal(5, 0, card).key, Bank(2, card).key}
        keys.add(f"c1 {kind.word}")
    state = ffa.GAME.start(["A", "B"], {})
    keys |= {row.key for row in ffa.GAME.sheet(state, 0).rows}
    assert all(0 < len(label) <= 10 and label == label.upper() for label in map(Label, keys))


def test_the_sheet_for_the_board() -> None:
    banked = [[CARD[Kind.FOURS], CARD[Kind.FOURS], CARD[Kind.CHANCE]], [], [], []]
    sheet = ffa.GAME.sheet(table(banked=banked, banked_chips=(3, 0, 0, 0)), 0)
    by_key = {row.key: row.points for row in sheet.rows if row.points is not None}
    assert by_key == {"kind fours": 8, "kind chance": 4, "chips": 3}
    assert sheet.total == 15


def test_the_open_cards_for_the_board() -> None:
    state = table(lying(Kind.FIVES, "55123"), chips=(2, 0, 1))
    rows = [(row.key, row.points) for row in view.open_cards(state)]
    assert rows == [("c1 ones", 3), ("c2 full-house", 6), ("c3 chance", 5), ("2a fives", 5)]
    assert view.open_cards(ffa.GAME.start(["A", "B"], {}))[0].points is None


def test_choices_come_as_centre_homes_five_alike_pass_and_holds() -> None:
    state = play("roll 1 1 1 1 1", table(lying(Kind.ONES, "12345")))
    kinds = [type(choice) for choice in ffa.GAME.choices(state)]
    assert kinds == sorted(kinds, key=[Take, Steal, TakeFive, Pass, Keep].index)
    assert len(kinds) == 2 + 1 + 1 + 1 + 31
    assert ffa.GAME.preview(state, Keep((0,))) is None


def test_what_is_shown_as_plain_text() -> None:
    lines = ffa.GAME.describe(table(lying(Kind.FIVES, "55123"), chips=(2, 0, 1), turns=4))
    assert lines[0].split() == ["deck", "2", "five", "alike", "6", "chips", "33"]
    assert lines[1].split() == ["c1", "ones", "3"]
    assert lines[-1] == "D: 0 (no cards; chips 0)"


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("take fours", 6, "a card such as fours:4"),
        ("turn-up fours:x", 9, "a card such as fours:4"),
        ("take fours:4 from 4", 19, "a space of the centre from 1 to 3"),
        ("steal fours:4 from 7 a", 20, "a seat from 1 to 6"),
        ("steal fours:4 from 2 d", 22, "a home space (a, b, c)"),
        ("bank fours:4 of a", 14, "'from'"),
        ("five", 1, "a verb (roll, "),
    ],
)
def test_errors_in_the_text_of_an_event_say_where(text: str, column: int, expected: str) -> None:
    with pytest.raises(RecordError) as error:
        events_from_text(ffa.GAME, text)
    assert (error.value.column, expected in error.value.expected) == (column, True)


def test_an_error_says_what_was_expected() -> None:
    state = play("roll 6 6 2 3 4", table())
    with pytest.raises(IllegalEvent, match=r"one of c3 chance, pass or a hold .* chosen by A; got"):
        ffa.GAME.apply(state, TakeFive())
    with pytest.raises(IllegalEvent, match=r"one of ones 1, .* drawn; got Pass"):
        ffa.GAME.apply(ffa.GAME.start(["A", "B"], {}), Pass())
