"""HINT at the table: what the solvers are asked, how their answer is shown and applied.

The table knows no solver. A press of HINT leaves a request in the session; its driver (the service)
asks `games.strategy.advice` and answers with `Hinted`, just as it answers a request for a lot
with `Drawn`. Until then, and if no decision is due, the board says what it is waiting for.
"""

from dataclasses import replace

from appliance.inputs import Button, Pressed
from appliance.table.prompts.hints import HintPrompt, WaitPrompt
from appliance.table.session import modes
from appliance.table.session import session as sessions
from appliance.table.session.listing import (
    browsing,
    is_advised,
    listed_choices,
    ranked_choices,
)
from appliance.table.session.session import Session
from appliance.table.session.throws import may_go_back
from appliance.words import Label, Verbatim
from games.values import Choose, DieKind, Draw, Keep, Reveal, Throw


def is_decision_due(session: Session) -> bool:
    """True if a player has a decision to make that a solver can be asked about."""
    ask = session.record.ask
    return isinstance(ask, Choose) and not isinstance(ask, Draw)


def wants_hint(session: Session) -> bool:
    """True if a hint has been asked for and is not there yet."""
    mode = session.mode
    if not isinstance(mode, modes.Hinting) or mode.hint is not None or mode.answered:
        return False
    return isinstance(mode.back, modes.Playing | modes.Browsing) and is_decision_due(session)


def wants_advice(session: Session) -> bool:
    """True if a list of choices was just opened in which a beginner should see the best first."""
    opened = session.mode == modes.Browsing(0) and is_decision_due(session)
    if not opened or is_advised(session) or sessions.is_computers_turn(session):
        return False
    listed = listed_choices(session)
    # Bets keep their places.
    return len(listed) > 1 and listed == ranked_choices(session)


def take_advice(session: Session, advice: sessions.Advised) -> Session:
    """The session with the list in the order for a beginner; one that comes too late is dropped."""
    if not wants_advice(session):
        return session
    return replace(session, first=(session.record.state, advice.choice))


def open_hint(session: Session) -> Session:
    """The session after HINT asked for a hint; unchanged if there is nothing to say."""
    # Behind a hint are the dice that it is about.
    looks = isinstance(session.mode, modes.LookingOver) and is_decision_due(session)
    hinting = replace(session, mode=modes.Hinting(modes.Playing() if looks else session.mode))
    return hinting if wants_hint(hinting) or what_is_awaited(hinting) else session


def close_hint(session: Session, *, picking: bool = False) -> Session:
    """The session without a hint on the board, as when dice come to rest.

    While dice are only being picked up (`picking`), the hint stays on the board.
    """
    mode = session.mode
    if not isinstance(mode, modes.Hinting) or (picking and mode.hint is not None):
        return session
    return replace(session, mode=mode.back)


def take_hint(session: Session, answer: sessions.Hinted) -> Session:
    """The session with the hint that it asked for; an answer that comes too late is dropped."""
    mode = session.mode
    if not isinstance(mode, modes.Hinting) or not wants_hint(session):
        return session
    legal = (None, *session.record.choices)
    if answer.hint is None or answer.hint.choice not in legal:
        return replace(session, mode=modes.Hinting(mode.back, answered=True))
    return replace(session, mode=modes.Hinting(mode.back, answer.hint))


def shows_dice(session: Session, mode: modes.Hinting) -> bool:
    """True if the hint shows the dice with those to hold, so that hold buttons mean these."""
    return mode.hint is not None and isinstance(mode.hint.choice, Keep) and is_decision_due(session)


def press_while_hinting(session: Session, mode: modes.Hinting, press: Pressed) -> Session:
    """The session after a press while a hint, or what the game is waiting for, is shown.

    HINT and OK follow the hint: dice are held, or the list of choices opens at the one suggested,
    so that one more OK confirms it. LEFT and RIGHT go through the rows of odds. Any other press
    leaves the hint and does nothing else.
    """
    hint, follows = mode.hint, press.button in (Button.OK, Button.HINT)
    if hint is not None and hint.odds and press.button in (Button.LEFT, Button.RIGHT):
        step, rows = (1, -1)[press.button is Button.LEFT], len(hint.odds)
        row = (rows - 1) * (step < 0) if mode.row is None else (mode.row + step) % rows
        return replace(session, mode=replace(mode, row=row))
    if hint is None or hint.choice is None or not follows:
        return replace(session, mode=mode.back)
    if isinstance(hint.choice, Keep):
        record = session.record.holding(hint.choice.slots)
        return replace(session, mode=modes.Playing(), record=record)
    index = listed_choices(session).index(hint.choice)
    return replace(session, mode=browsing(session, index))


def hint_prompt(session: Session, mode: modes.Hinting) -> HintPrompt | WaitPrompt:
    """The prompt while a hint is shown, asked for, or not possible."""
    ask = session.record.ask
    hint = mode.hint
    if hint is None or not isinstance(ask, Choose):
        return WaitPrompt(what_is_awaited(session) or (("THINKING", ""),))
    choice = hint.choice
    name = type(choice).__name__
    return HintPrompt(
        player=session.record.setup.players[ask.seat],
        purpose=Label(name.lower() if name in CHOICES_WITHOUT_VERB else ask.purpose),
        label=Label(choice.key) if choice is not None else "",
        # Dice with colours stay where the game's own screens show them.
        dice=() if session.record.kinds else sessions.dice_on_table(session),
        hold=choice.slots if isinstance(choice, Keep) else None,
        expects=hint.expects,
        measure=hint.measure,
        odds=hint.odds,
        reason=Label(hint.reason),
        row=mode.row,
    )


CHOICES_WITHOUT_VERB = ("Score", "Place", "Take", "Raise", "Steal", "Bank")
"""Choices whose key names a box or card without saying what is done with it."""


def what_is_awaited(session: Session) -> tuple[tuple[str, str], ...]:
    """Pages of two lines on what the game is waiting for if no solver can help; empty if one can.

    They name no button: the press that takes them away does nothing else.
    """
    match modes.mode_behind_hint(session.mode):
        case modes.EnteringFace():
            return (("WHICH FACE", "IS ON TOP?"),)
        case modes.EnteringThrow():
            return (("SAY WHAT", "THE DICE ARE"),)
        case modes.EnteringColour():
            return (("WHICH COLOUR", "IS IT?"),)
        case modes.Turned():
            return (("TURN DIE", "BACK"), ("OR ENTER", "WHAT IT SHOWS"))
        case modes.Miscounted(miscount):
            return (("THE TRAY", f"NEEDS {miscount.expected}"), ("THROW AGAIN", "OR ENTER THEM"))
        case modes.Clashing(clash):
            if not may_go_back(session, clash):
                return (("THROW AGAIN", "OR COUNT IT"),)
            return (("COUNT THEM", "AS THEY LIE?"),)
        case modes.Undoing(steps):
            return (("TAKE BACK" if steps else "PUT BACK", "OR PLAY ON?"),)
        case modes.ViewingSheet():
            return (("ALL SHEETS,", "ROW BY ROW"),)
        case modes.LookingOver():
            decides = is_decision_due(session)
            return (("LOOK, THEN", "GO ON" if decides else "THROW DICE"),)
        case modes.Playing() | modes.Browsing():
            return _awaited_in_game(session)
    return ()


def _awaited_in_game(session: Session) -> tuple[tuple[str, str], ...]:
    ask = session.record.ask
    if ask is None:
        return (("GAME OVER", ""), ("PLAY AGAIN?", ""))
    name = Verbatim(session.record.setup.players[ask.seat])
    if sessions.is_computers_turn(session):
        decided = sessions.has_decided(session)
        return ((name, "PLAYS"), ("THROW FOR IT" if decided else "PLEASE WAIT", ""))
    if isinstance(ask, Draw):
        return (("A CARD IS", "DRAWN"),)
    if isinstance(ask, Choose):
        answered = isinstance(session.mode, modes.Hinting) and session.mode.answered
        return ((name, "TELLS"), (Label(ask.purpose), "")) if answered else ()
    count = len(ask.dice)
    verb = "SHOWS" if isinstance(ask, Reveal) else "THROWS"
    odd = {die.kind for die in ask.dice} - {DieKind.BLACK}
    blind = isinstance(ask, Throw) and ask.coloured
    if count == 1 and odd and not blind:
        what = f"{next(iter(odd))} DIE".upper()
    else:
        what = f"{count} DICE" if count > 1 else "1 DIE"
    todo: tuple[tuple[str, str], ...] = ((name, f"{verb} {what}"),)
    if isinstance(ask, Throw) and len(ask.dice) > 1 and ask.roll == 1 and session.tray.lying:
        todo = (("FIRST TAKE", "DICE OUT"), *todo)
    return todo
