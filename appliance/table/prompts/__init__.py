"""What the board may have to say: a prompt is a value that the screens draw.

In all of them `player` is whose turn it is, `dice` are faces by slot, `tray` is what is going on in
the tray, `table` what lies on the table for everyone (None: nothing), `index` a position in a list.

    from appliance.table.prompts import UndoPrompt

    print(UndoPrompt("ANNA", "CHANCE", steps=1))
"""

from appliance.table.prompts.hints import HintPrompt as HintPrompt
from appliance.table.prompts.hints import WaitPrompt as WaitPrompt
from appliance.table.prompts.holdem import BetPrompt as BetPrompt
from appliance.table.prompts.holdem import ColourPrompt as ColourPrompt
from appliance.table.prompts.holdem import DealPrompt as DealPrompt
from appliance.table.prompts.holdem import HandPrompt as HandPrompt
from appliance.table.prompts.holdem import HoldemPrompt as HoldemPrompt
from appliance.table.prompts.holdem import PotPrompt as PotPrompt
from appliance.table.prompts.holdem import ShowPrompt as ShowPrompt
from appliance.table.prompts.looking import MapPrompt as MapPrompt
from appliance.table.prompts.looking import PlacePrompt as PlacePrompt
from appliance.table.prompts.looking import SheetPrompt as SheetPrompt
from appliance.table.prompts.looking import Spot as Spot
from appliance.table.prompts.looking import StripPrompt as StripPrompt
from appliance.table.prompts.looking import TablePrompt as TablePrompt
from appliance.table.prompts.looking import TableSpots as TableSpots
from appliance.table.prompts.looking import UndoPrompt as UndoPrompt
from appliance.table.prompts.prompt import Prompt as Prompt
from appliance.table.prompts.trouble import ClashPrompt as ClashPrompt
from appliance.table.prompts.trouble import CountPrompt as CountPrompt
from appliance.table.prompts.trouble import EntryPrompt as EntryPrompt
from appliance.table.prompts.trouble import FacePrompt as FacePrompt
from appliance.table.prompts.turn import ChoicePrompt as ChoicePrompt
from appliance.table.prompts.turn import Dice as Dice
from appliance.table.prompts.turn import DicePrompt as DicePrompt
from appliance.table.prompts.turn import OverPrompt as OverPrompt
from appliance.table.prompts.turn import ThinkingPrompt as ThinkingPrompt
from appliance.table.prompts.turn import ThrowPrompt as ThrowPrompt
