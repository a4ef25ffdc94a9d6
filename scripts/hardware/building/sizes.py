"""Sizes of what is built, millimetres. The tray is the one that the simulator renders.

The drawings, the printed parts and the tables of lengths are all made from this file: for another
tray (`TRAY = TrayModel(half=(125.0, 88.0))`) or other buttons, change it here and nowhere else.
"""

from calibration.markers.printed import PLATE_MM
from simulator.render.dice_model import EDGE_MM
from simulator.render.tray_model import TrayModel

DIE = EDGE_MM
TRAY = TrayModel()
FLOOR = (2 * TRAY.half[0], 2 * TRAY.half[1])
"""Width and depth of the tray's floor."""
OPENING = (2 * TRAY.rim_inner[0], 2 * TRAY.rim_inner[1])
"""The floor between the rim's inner edges."""
RIM = TRAY.wall_height
PLATE = PLATE_MM
"""Edge of a printed marker; each needs a shelf of that size at its corner of the rim."""
HOLDER = 30.0
"""Depth of a shelf for held dice along the near side, with its wall."""

LENS_HEIGHT = 370.0
"""From the tray's floor to the lens."""
LENS_RANGE = (300, 400)
"""Suitable heights for trays of other sizes."""
RING = (150.0, 110.0)
"""Outer and inner diameter of the ring of white LEDs round the lens."""
COLUMN = 20.0
"""Edge of the square column that carries the arm, such as an aluminium profile."""
CLEAR = 20.0
"""Between the markers' outer edge and the column, for hands."""
CAMERA_DROP = 16.0
"""From the arm's underside down to the lens: plate, spacers, circuit board and camera."""
ARM_START = 25.0
"""Where the arm begins, from the lens towards the column; the camera's cable rises in front."""
PLATE_END = 100.0
"""How far the camera's holder reaches along the arm."""
BRACKET = 20.0
"""Edge of the bought corner bracket between column and arm."""
FOOT_BASE = 6.0
"""Thickness of the column's foot, on which the column stands."""
BOARD = 12.0
"""Thickness of the board that carries tray and column, so that neither moves without the other."""
BOARD_EDGE = 15.0
"""How far the board reaches beyond the markers and the column."""

PANEL = (190.0, 84.0)
BUTTON_HOLE = 16.2
"""For push buttons made for a 16 mm hole."""
LED_HOLE = 5.0
PANEL_SCREW = 3.2
# Rows of the panel, from its upper edge.
HOLD_BUTTONS_Y = 34.0
BUTTON_LIGHTS_Y = 20.0
CHOICE_BUTTONS_Y = 66.0
PITCH = 28.0
"""Between neighbouring buttons in a row."""
SPLIT = 7.0
"""Extra distance of button P from the five numbered ones."""

MODULE = 32.0
"""Edge of a module of 8 x 8 lights, sold in fours on boards of 128 x 32."""
FRONT_EDGE = 12.0
"""Frame round the lights."""
BOX_DEPTH = 45.0
"""Inside, behind the modules: the Pico, the level shifter, plugs."""
MODULE_DEPTH = 14.0
"""Of a module, from the face of its lights to the back of its circuit board; measure yours."""
CLAMPS = (1, 3, 5, 7)
"""Where bars hold the modules from behind, in modules from the left."""
PANEL_DEPTH = 40.0
"""Outside depth of the box below the panel of buttons."""
SOCKET_HOLE = 8.0
"""For the socket of the scoreboard's 5 V supply."""

BED = 220.0
"""Edge of the printer's bed; what is larger is printed in pieces."""
WALL = 2.4
"""Of printed boxes: six lines of a 0.4 nozzle."""
PLAY = 0.2
"""Clearance between printed parts that fit into each other."""
