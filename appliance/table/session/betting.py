"""Which prompts a game of bets calls for."""

from collections.abc import Sequence

from appliance.table.prompts.betting import (
    BetPrompt,
    BettingPrompt,
    ColourPrompt,
    DealPrompt,
    HandPrompt,
    News,
    PotPrompt,
    ShowPrompt,
    Stack,
)
from appliance.table.session.coloured import colours_thrown_again, open_dice
from appliance.table.session.listing import listed_choices, may_choose
from appliance.table.session.modes import EnteringColour, Playing
from appliance.table.session.session import Session, die_name
from appliance.words import Label, Verbatim
from games.values import Choose, Reveal, Throw
from games.views import BetsView


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
    bets = session.record.rules.bets(session.record.state)
    shared = len(known) if bets is None else bets.shared
    lying = tuple(die for slot, die in sorted(known.items()) if slot < shared)
    news = _last_action(session)
    if isinstance(ask, Reveal):
        return ShowPrompt(player, session.tray.state, lying, session.remark, news)
    surplus = max(0, session.tray.lying - len(lying))
    if colours_thrown_again(session) is not None:
        # The dice of the Flop are picked up to be thrown again.
        surplus = max(0, session.tray.lying - len(ask.dice))
    purpose, unbet = Label(ask.purpose), bets is not None and bets.unbet
    tray = session.tray.state
    return DealPrompt(player, purpose, len(ask.dice), tray, surplus, lying, news, unbet)


def choose_prompt(
    session: Session, ask: Choose, index: int, *, confirm: bool = False
) -> BettingPrompt | None:
    """Shows a decision in a game of bets; None for one in another game."""
    state, rules = session.record.state, session.record.rules
    bets = rules.bets(state)
    if bets is None:
        return None
    listed = listed_choices(session)
    choice = listed[index % len(listed)]
    names = session.record.setup.players
    player = names[ask.seat]
    if bets.pots:
        pots = tuple(tuple((names[seat], chips) for seat, chips in pot) for pot in bets.pots)
        return PotPrompt(pots, Label(bets.rank) if bets.rank else "")
    if not bets.acts:
        return HandPrompt(player, Label(choice.key), bets.best)
    lying = tuple(die for _, die in sorted(open_dice(session).items()))
    fresh = isinstance(session.mode, Playing)
    chips = rules.scores(state)
    return BetPrompt(
        player=player,
        label=Label(choice.key),
        cost=bets.acts[choice],
        chips=chips[ask.seat],
        pot=bets.pot,
        stage=Label(bets.stage),
        index=index % len(listed),
        count=len(listed),
        dice=lying,
        dealer=names[bets.dealer] if fresh and bets.opens else "",
        news=_last_action(session) if fresh else (),
        remark=session.remark,
        possible=may_choose(session, choice),
        confirm=confirm,
        stacks=_stacks(names, chips, bets, ask.seat),
    )


def _stacks(
    names: Sequence[str], chips: Sequence[int], bets: BetsView, first: int
) -> tuple[Stack, ...]:
    """The chips of all who are still in the game, from a seat on, in the order of speaking."""
    seats = [(first + step) % len(names) for step in range(len(names))]
    return tuple(
        Stack(
            names[seat],
            chips[seat],
            deals=seat == bets.dealer,
            all_in=not chips[seat],
            folded=seat not in bets.in_hand,
        )
        for seat in seats
        if chips[seat] or seat in bets.in_hand
    )


def _last_action(session: Session) -> News:
    scored, names = session.scored, session.record.setup.players
    if scored is None:
        return ()
    if scored.won:
        won = ((Verbatim(names[seat]), f"WON {chips}") for seat, chips in scored.won)
        out = ((Verbatim(names[seat]), Label("out")) for seat in scored.out)
        return (*won, *out)
    name, done = Verbatim(names[scored.seat]), Label(scored.choice.key)
    if scored.all_in and not done.key.startswith("all-in"):
        return ((name, done), (name, Label("all-in")))
    return ((name, done),)
