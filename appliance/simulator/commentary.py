"""The commentary on a game that is only watched: who rolled what, kept what, and took what."""

from appliance.service.ports import Happened
from appliance.table.session.session import Session
from appliance.words import Label, say
from games.values import Choice, Keep, Left, Rolled

WATCHED_SENTENCE = "The players are simulated. To play yourself, start it with --human."
ROLLED_SENTENCE = "{player} rolls {dice}."
KEPT_SENTENCE = "{player} keeps {dice} and throws the rest again."
KEPT_NONE_SENTENCE = "{player} throws all dice again."
TOOK_SENTENCE = "{player}: {choice}."
SCORED_SENTENCE = "{player}: {choice} for {points}."
SENTENCES = (
    WATCHED_SENTENCE,
    ROLLED_SENTENCE,
    KEPT_SENTENCE,
    KEPT_NONE_SENTENCE,
    TOOK_SENTENCE,
    SCORED_SENTENCE,
)


class Commentary:
    """The running commentary on a game.

    Attributes:
        said: the latest sentence.
    """

    def __init__(self) -> None:
        self.said = say(WATCHED_SENTENCE)
        self._told = 0

    def hear(self, happened: Happened) -> None:
        """Comments on an event of the game, once."""
        session = happened.session
        if session is not None and len(session.record.events) != self._told:
            self.said, self._told = comment(session) or self.said, len(session.record.events)


def comment(session: Session) -> str:
    """The last thing that happened, in a sentence; empty before anything has."""
    record = session.record
    if not record.events:
        return ""
    before, event = record.undone(1), record.events[-1]
    ask = before.ask
    if ask is None or isinstance(event, Left):
        return ""
    player = record.setup.players[ask.seat]
    match event:
        case Rolled():
            dice = " ".join(str(face) for face in record.dice if face is not None)
            return say(ROLLED_SENTENCE, player=player, dice=dice)
        case Keep(slots=()):
            return say(KEPT_NONE_SENTENCE, player=player)
        case Keep(slots=slots):
            dice = " ".join(str(before.dice[slot]) for slot in slots)
            return say(KEPT_SENTENCE, player=player, dice=dice)
        case Choice():
            points = record.rules.preview(before.state, event)
            choice = say(Label(event.key))
            if points is None:
                return say(TOOK_SENTENCE, player=player, choice=choice)
            return say(SCORED_SENTENCE, player=player, choice=choice, points=points.points)
    return ""
