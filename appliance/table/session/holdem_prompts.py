"""Which prompts a game of Hold'em calls for."""

from appliance.table.prompts.holdem import (
    BetPrompt,
    ColourPrompt,
    DealPrompt,
    HandPrompt,
    HoldemPrompt,
    PotPrompt,
    ShowPrompt,
)
from appliance.table.session.coloured import colours_thrown_again, open_dice
from appliance.table.session.listing import listed_choices, may_choose
from appliance.table.session.modes import EnteringColour, Playing
from appliance.table.session.session import Session, die_name
from appliance.words import Label, Verbatim
from games.holdem.betting import Act, cost_of_act
from games.holdem.course import awards, best_hand
from games.holdem.state import (
    BETTING_STAGES,
    COMMUNITY_DICE,
    Declare,
    Stage,
    State,
    TakePot,
)
from games.values import Choose, Reveal, Throw


def colour_prompt(session: Session, mode: EnteringColour) -> ColourPrompt:
    """Asks for a colour."""
    face = dict(mode.faces).get(mode.slot)
    if face is None:
        face = open_dice(session)[mode.slot].face
    return ColourPrompt(die_name(session, mode.slot), face, mode.kind, mode.answer is not None)


def deal_prompt(session: Session, ask: Throw | Reveal) -> DealPrompt | ShowPrompt:
    """Waits for dice whose colours count."""
    known = open_dice(session)
    player = session.record.setup.players[ask.seat]
    lying = tuple(die for slot, die in sorted(known.items()) if slot < COMMUNITY_DICE)
    news = _last_action(session)
    if isinstance(ask, Reveal):
        return ShowPrompt(player, session.tray.state, lying, session.remark, news)
    surplus = max(0, session.tray.lying - len(lying))
    if colours_thrown_again(session) is not None:
        # The dice of the Flop are picked up to be thrown again.
        surplus = max(0, session.tray.lying - len(ask.dice))
    return DealPrompt(
        player, Label(ask.purpose), len(ask.dice), session.tray.state, surplus, lying, news
    )


def choose_prompt(
    session: Session, ask: Choose, index: int, *, confirm: bool = False
) -> HoldemPrompt | None:
    """Shows a decision in Hold'em; None for one in another game."""
    state = session.record.state
    if not isinstance(state, State):
        return None
    listed = listed_choices(session)
    choice = listed[index % len(listed)]
    player = session.record.setup.players[ask.seat]
    if isinstance(choice, Declare):
        made = best_hand(state, ask.seat)
        return HandPrompt(player, Label(choice.key), made[1] if made else ())
    if isinstance(choice, TakePot):
        return _pot_prompt(session, state)
    lying = tuple(die for _, die in sorted(open_dice(session).items()))
    fresh = isinstance(session.mode, Playing)
    active = sum(seat.active for seat in state.seats)
    begins = fresh and state.stage is Stage.OPEN and len(state.betting.queue) == active
    opened = begins and not state.betting.high
    possible = may_choose(session, choice)
    paid = cost_of_act(state, choice) if possible and isinstance(choice, Act) else 0
    return BetPrompt(
        player=player,
        label=Label(choice.key),
        cost=paid,
        chips=state.seats[ask.seat].chips,
        pot=sum(seat.paid for seat in state.seats),
        stage=Label(state.stage) if state.stage in BETTING_STAGES else "",
        index=index % len(listed),
        count=len(listed),
        dice=lying,
        dealer=state.players[state.dealer] if opened else "",
        news=_last_action(session) if fresh else None,
        remark=session.remark,
        possible=possible,
        confirm=confirm,
        stacks=tuple(zip(state.players, session.record.rules.scores(state), strict=True))
        if opened and state.hand > 1
        else (),
    )


def _pot_prompt(session: Session, state: State) -> PotPrompt:
    names = session.record.setup.players
    given = awards(state)
    made = best_hand(state, given[0].winners[0])
    pots = tuple(
        tuple((names[seat], chips) for seat, chips in zip(a.winners, a.chips, strict=True))
        for a in given
    )
    return PotPrompt(pots, Label(made[0].rank.word) if made else "")


def _last_action(session: Session) -> tuple[str, str] | None:
    scored = session.scored
    if scored is None:
        return None
    name = Verbatim(session.record.setup.players[scored.seat])
    if isinstance(scored.choice, TakePot):
        return name, f"WON {scored.points}"
    return name, Label(scored.choice.key)
