"""Rules, records, chance, hints and the reader of dice, in one namespace: `import dicetray`.

    import dicetray

    game = dicetray.find_game("classic")
    state = game.apply(game.start(["ANNA"], {}), dicetray.Rolled((3, 3, 3, 5, 5)))
    print(dicetray.position_to_text(game, state), dicetray.hint(game, state))

Nothing is loaded before it is used. Only hints and the reader need other packages than Python's
own, such as NumPy. `docs/library.md` shows how to use it, `docs/reference.md` lists everything.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from games.actions import action_number as action_number
    from games.actions import actions as actions
    from games.actions import distinct_choices as distinct_choices
    from games.actions import legal_actions as legal_actions
    from games.chance import draw as draw
    from games.chance import random_event as random_event
    from games.chance import random_game as random_game
    from games.chance import throw as throw
    from games.computers import Strength as Strength
    from games.computers import computer_name as computer_name
    from games.game import Game as Game
    from games.notation.events import event_from_text as event_from_text
    from games.notation.events import event_to_text as event_to_text
    from games.notation.positions import BadPosition as BadPosition
    from games.notation.words import RecordError as RecordError
    from games.record import Record as Record
    from games.record import game_states as game_states
    from games.record import position_from_text as position_from_text
    from games.record import position_to_text as position_to_text
    from games.record import read_record as read_record
    from games.record import replay as replay
    from games.record import write_record as write_record
    from games.registry import GAMES as GAMES
    from games.registry import UnknownGame as UnknownGame
    from games.registry import find_game as find_game
    from games.strategy.advice import hint as hint
    from games.strategy.advice import weigh as weigh
    from games.strategy.computer import decision as decision
    from games.strategy.review import review_game as review_game
    from games.values import BadOptions as BadOptions
    from games.values import Choice as Choice
    from games.values import Choose as Choose
    from games.values import Corrected as Corrected
    from games.values import Die as Die
    from games.values import DieKind as DieKind
    from games.values import Draw as Draw
    from games.values import Event as Event
    from games.values import Hint as Hint
    from games.values import IllegalEvent as IllegalEvent
    from games.values import Keep as Keep
    from games.values import Left as Left
    from games.values import Measure as Measure
    from games.values import Outcome as Outcome
    from games.values import Pass as Pass
    from games.values import Points as Points
    from games.values import Recoloured as Recoloured
    from games.values import Reveal as Reveal
    from games.values import Rolled as Rolled
    from games.values import RulesError as RulesError
    from games.values import Shown as Shown
    from games.values import ShownDie as ShownDie
    from games.values import Throw as Throw
    from vision.errors import PictureError as PictureError
    from vision.image.files import load_picture as load_picture
    from vision.reader import Reader as Reader
    from vision.reading import DieReading as DieReading
    from vision.reading import DieState as DieState
    from vision.reading import TrayReading as TrayReading

PLACES = {
    "GAMES": "games.registry:GAMES",
    "find_game": "games.registry:find_game",
    "Game": "games.game:Game",
    # What a game asks for.
    "Throw": "games.values:Throw",
    "Choose": "games.values:Choose",
    "Draw": "games.values:Draw",
    "Reveal": "games.values:Reveal",
    "Die": "games.values:Die",
    "DieKind": "games.values:DieKind",
    # What happens in it.
    "Event": "games.values:Event",
    "Rolled": "games.values:Rolled",
    "Corrected": "games.values:Corrected",
    "Shown": "games.values:Shown",
    "ShownDie": "games.values:ShownDie",
    "Recoloured": "games.values:Recoloured",
    "Choice": "games.values:Choice",
    "Keep": "games.values:Keep",
    "Pass": "games.values:Pass",
    "Left": "games.values:Left",
    # What it answers.
    "Points": "games.values:Points",
    "Outcome": "games.values:Outcome",
    "RulesError": "games.values:RulesError",
    "IllegalEvent": "games.values:IllegalEvent",
    "BadOptions": "games.values:BadOptions",
    "BadPosition": "games.notation.positions:BadPosition",
    "RecordError": "games.notation.words:RecordError",
    "UnknownGame": "games.registry:UnknownGame",
    # Text.
    "event_from_text": "games.notation.events:event_from_text",
    "event_to_text": "games.notation.events:event_to_text",
    "position_from_text": "games.record:position_from_text",
    "position_to_text": "games.record:position_to_text",
    "Record": "games.record:Record",
    "read_record": "games.record:read_record",
    "write_record": "games.record:write_record",
    "replay": "games.record:replay",
    "game_states": "games.record:game_states",
    # Actions with numbers.
    "actions": "games.actions:actions",
    "legal_actions": "games.actions:legal_actions",
    "action_number": "games.actions:action_number",
    "distinct_choices": "games.actions:distinct_choices",
    # Chance.
    "throw": "games.chance:throw",
    "draw": "games.chance:draw",
    "random_event": "games.chance:random_event",
    "random_game": "games.chance:random_game",
    # Playing well.
    "hint": "games.strategy.advice:hint",
    "weigh": "games.strategy.advice:weigh",
    "Hint": "games.values:Hint",
    "Measure": "games.values:Measure",
    "Strength": "games.computers:Strength",
    "computer_name": "games.computers:computer_name",
    "decision": "games.strategy.computer:decision",
    "review_game": "games.strategy.review:review_game",
    # Reading pictures.
    "Reader": "vision.reader:Reader",
    "load_picture": "vision.image.files:load_picture",
    "TrayReading": "vision.reading:TrayReading",
    "DieReading": "vision.reading:DieReading",
    "DieState": "vision.reading:DieState",
    "PictureError": "vision.errors:PictureError",
}
"""Where each name is made, as `module:name`."""

__all__ = tuple(PLACES)


def __getattr__(name: str) -> object:
    """Loads what is used for the first time."""
    if name not in PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, attribute = PLACES[name].partition(":")
    found: object = getattr(import_module(module), attribute)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *PLACES})
