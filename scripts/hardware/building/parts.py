"""Drawings of what is built: the stand, the tray, the panel of buttons, the scoreboard's front."""

from appliance.picture import HEIGHT, WIDTH
from scripts.hardware.building import mounting, sizes
from scripts.hardware.building.sketch import Sketch


def _tray_cut(sketch: Sketch, middle: float, table: float, inner: float, opening: float) -> float:
    """Draws a tray on the table in cross-section; returns the height of its floor on the sheet."""
    floor = table - sizes.TRAY.base
    rim = floor - sizes.RIM
    for side in (-1, 1):
        sketch.area(
            (middle + side * inner / 2, floor),
            (middle + side * opening / 2, rim),
            (middle + side * (opening / 2 + sizes.PLATE), rim),
            (middle + side * (opening / 2 + sizes.PLATE), rim + 4),
            (middle + side * (opening / 2 + sizes.TRAY.wall_width), rim + 4),
            (middle + side * (opening / 2 + sizes.TRAY.wall_width), table),
            (middle + side * inner / 2, table),
            kind="f",
        )
    sketch.rect(middle - inner / 2, floor, inner, sizes.TRAY.base, "g")
    return floor


def arm_reach() -> float:
    """From the column's front to the lens, so that markers, hands and holder have room."""
    holder = max(sizes.PLATE_END, sizes.RING[0] / 2) + sizes.BRACKET
    return max(sizes.OPENING[1] / 2 + sizes.PLATE + sizes.CLEAR, holder)


def column_middle() -> float:
    """The column's middle in y, from the tray's middle."""
    return arm_reach() + sizes.COLUMN / 2


def arm_height() -> float:
    """Height of the arm's underside above the board."""
    return sizes.TRAY.base + sizes.LENS_HEIGHT + sizes.CAMERA_DROP


def profile_cuts() -> dict[str, float]:
    """Lengths of the aluminium profile."""
    arm = arm_reach() + sizes.COLUMN - sizes.ARM_START
    return {"column": arm_height() - sizes.FOOT_BASE, "arm": arm}


def stand() -> Sketch:
    """The stand from the side: column, arm, camera, ring of light, and what the camera sees."""
    height = sizes.LENS_HEIGHT
    sketch = Sketch(400, 520, "Camera arm from the side; the players sit at the left", 2.3)
    table, middle = 465.0, 175.0
    sketch.line((15, table + sizes.BOARD), (385, table + sizes.BOARD))
    floor = _tray_cut(sketch, middle, table, sizes.FLOOR[1], sizes.OPENING[1])
    lens = floor - height
    half = mounting.SIZE[1] / 2 / float(mounting.lens(height).matrix[1, 1])
    sketch.area((middle, lens), (middle - half * height, floor), (middle + half * height, floor))
    sketch.line((middle, lens - 30), (middle, table + 8), kind="a")
    # The ring, its diffuser and the camera, all in one holder below the arm.
    outer, inner = sizes.RING
    under = lens - sizes.CAMERA_DROP
    for side in (-1, 1):
        edges = sorted((middle + side * inner / 2, middle + side * outer / 2))
        sketch.rect(edges[0], under + 4, edges[1] - edges[0], 4, "l")
        sketch.rect(edges[0], lens, edges[1] - edges[0], 3, "w")
    sketch.rect(middle - outer / 2, under, outer / 2 + sizes.PLATE_END, 4, "g")
    sketch.rect(middle - 5, lens - 9, 10, 9, "k")
    # Column, and the arm on top of it.
    front = middle + arm_reach()
    start, top = middle + sizes.ARM_START, under - sizes.COLUMN
    sketch.rect(start, top, front + sizes.COLUMN - start, sizes.COLUMN, "f")
    sketch.rect(front, under, sizes.COLUMN, table - under, "f")
    left = middle - sizes.OPENING[1] / 2 - sizes.PLATE - sizes.BOARD_EDGE
    right = front + sizes.COLUMN + sizes.BOARD_EDGE
    sketch.rect(left, table, right - left, sizes.BOARD, "f")
    sketch.text(front + sizes.COLUMN + 4, (lens + floor) / 2, "column")
    sketch.text(
        front + sizes.COLUMN + 4,
        (lens + floor) / 2 + 9,
        f"{sizes.COLUMN:g} × {sizes.COLUMN:g}",
        "s",
    )
    sketch.text(start, top - 3, "arm, camera cable along its top")
    sketch.text(middle - outer / 2 - 3, under + 1, "holder, Camera Module 3", "s e")
    sketch.text(middle - outer / 2 - 3, lens - 6, "ring of white LEDs", "s e")
    sketch.text(middle - outer / 2 - 3, lens + 4, "opal sheet below it", "s e")
    wide, down = mounting.field()
    sketch.text(middle + 3, lens + 120, f"field of view {down}°,", "s")
    sketch.text(middle + 3, lens + 129, f"{wide}° from left to right", "s")
    sketch.measure((middle - half * height, floor), (middle - half * height, lens), 8)
    sketch.text(4, floor + 6, "lens to tray floor", "s")
    sketch.measure((middle, top), (front, top), 16)
    sketch.text(middle - 4, top - 16, "column to lens", "s e")
    width = sizes.OPENING[1]
    sketch.measure((middle - width / 2, floor), (middle + width / 2, floor), 34)
    sketch.text(middle, floor - 45, "opening", "s m")
    sketch.measure((middle - inner / 2, lens + 3), (middle + inner / 2, lens + 3), -12)
    sketch.measure((middle - outer / 2, lens + 3), (middle + outer / 2, lens + 3), -24)
    sketch.measure((front + sizes.COLUMN, table), (front + sizes.COLUMN, top), -60)
    under = table + sizes.BOARD
    sketch.measure((left, under), (right, under), -22)
    across = sizes.OPENING[0] + 2 * (sizes.PLATE + sizes.BOARD_EDGE)
    sketch.text(
        left, under + 31, f"board under all of it: {across:.0f} wide, {sizes.BOARD:g} thick", "s"
    )
    return sketch


def tray() -> Sketch:
    """The tray from above as the camera sees it, with markers and a holder."""
    sketch = Sketch(340, 289, "Tray from above, as the camera sees it; the players sit below", 1.96)
    opening, plate = sizes.OPENING, sizes.PLATE
    cx, cy = 170.0, 135.0
    left, top = cx - opening[0] / 2, cy - opening[1] / 2
    wall = sizes.TRAY.wall_width
    sketch.rect(left - wall, top - wall, opening[0] + 2 * wall, opening[1] + 2 * wall, "f", 2)
    sketch.rect(left, top, *opening, "w")
    sketch.rect(cx - sizes.FLOOR[0] / 2, cy - sizes.FLOOR[1] / 2, *sizes.FLOOR, "g")
    sketch.text(cx, cy - 5, "floor: matte, one dark colour (felt, EVA foam)", "m")
    sketch.text(cx, cy + 5, f"{sizes.FLOOR[0]:g} × {sizes.FLOOR[1]:g}", "m")
    black = plate - 6
    for number, (x, y) in enumerate(((0, 0), (1, 0), (1, 1), (0, 1))):
        px = left - plate if x == 0 else left + opening[0]
        py = top - plate if y == 0 else top + opening[1]
        sketch.rect(px, py, plate, plate, "w")
        sketch.rect(px + 3, py + 3, black, black, "k")
        sketch.text(px + plate / 2, py - 3 if y == 0 else py + plate + 5, f"marker {number}", "s m")
    wide, below = opening[0] - 2, top + opening[1] + wall
    shelf = sizes.HOLDER - 2 * wall
    sketch.rect(left + 1, below, wide, shelf, "g")
    sketch.rect(left + 1, below + shelf, wide, wall, "f")
    sketch.text(cx, below + 11, "holder for dice that are kept (may be left out)", "m")
    sketch.measure((left, top - plate), (left + opening[0], top - plate), 12)
    sketch.measure((left - plate, top + opening[1]), (left - plate, top), 12)
    sketch.measure((left + opening[0], top), (left + opening[0] + plate, top), 34)
    right = left + opening[0] + plate
    sketch.measure((right, below - wall), (right, below - wall + sizes.HOLDER), 14)
    low = top + opening[1] + plate
    sketch.measure((left - plate, low), (right, low), -24)
    lean = (opening[0] - sizes.FLOOR[0]) / 2
    says = f"Rim {sizes.RIM:g} high, leaning out by {lean:.1f}. The inner corner of each marker's"
    sketch.text(20, cy + 144, says, "s")
    sketch.text(20, cy + 151, "white square touches the corner of the opening.", "s")
    return sketch


def holes() -> list[tuple[str, float, float, float]]:
    """Holes of the panel: what goes in, x and y of its middle, diameter."""
    width = sizes.PANEL[0]
    start = (width - 5 * sizes.PITCH - sizes.SPLIT) / 2
    found = []
    for n in range(6):
        x = start + n * sizes.PITCH + (sizes.SPLIT if n == 5 else 0)
        name = str(n + 1) if n < 5 else "P"
        found.append((name, x, sizes.HOLD_BUTTONS_Y, sizes.BUTTON_HOLE))
        found.append((f"light {name}", x, sizes.BUTTON_LIGHTS_Y, sizes.LED_HOLE))
    start = (width - 4 * sizes.PITCH) / 2
    for n, name in enumerate(("LEFT", "OK", "RIGHT", "BACK", "HINT")):
        found.append((name, start + n * sizes.PITCH, sizes.CHOICE_BUTTONS_Y, sizes.BUTTON_HOLE))
    for x in (6.0, width - 6):
        for y in (6.0, sizes.PANEL[1] - 6):
            found.append(("screw", x, y, sizes.PANEL_SCREW))
    return found


def panel() -> Sketch:
    """The panel of buttons, at true size: a template to drill."""
    sketch = Sketch(
        216, 132, "Panel of buttons, true size: print at 100 % and drill through it", 1.25
    )
    left, top = 10.0, 18.0
    width, height = sizes.PANEL
    sketch.rect(left, top, width, height, "o", 3)
    for name, x, y, wide in holes():
        sketch.circle(left + x, top + y, wide)
        sketch.cross(left + x, top + y, wide / 2 + 2)
        if wide == sizes.BUTTON_HOLE:
            sketch.text(left + x, top + y + wide / 2 + 6, name, "m")
    sketch.measure((left, top + height), (left + width, top + height), -16)
    sketch.measure((left + width, top + height), (left + width, top), -6)
    buttons = [hole for hole in holes() if hole[3] == sizes.BUTTON_HOLE]
    first, second, p = buttons[0], buttons[1], buttons[5]
    low = top + sizes.CHOICE_BUTTONS_Y
    sketch.measure((left + first[1], top + 12), (left + second[1], top + 12), 4)
    sketch.measure((left + buttons[4][1], top + 12), (left + p[1], top + 12), 4)
    choice = buttons[6]
    sketch.measure((left, low), (left + choice[1], low), 11)
    sketch.measure(
        (left, top + sizes.HOLD_BUTTONS_Y), (left + first[1], top + sizes.HOLD_BUTTONS_Y), 8
    )
    sketch.text(
        left,
        129,
        f"Buttons {sizes.BUTTON_HOLE:g}, LEDs {sizes.LED_HOLE:g}, screws {sizes.PANEL_SCREW:g} "
        f"wide; rows {sizes.BUTTON_LIGHTS_Y:g}, {sizes.HOLD_BUTTONS_Y:g}, "
        f"{sizes.CHOICE_BUTTONS_Y:g} below the upper edge.",
        "s",
    )
    return sketch


def front_size() -> tuple[float, float]:
    """Size of the scoreboard's front: lights and frame."""
    lights = (WIDTH / 8 * sizes.MODULE, HEIGHT / 8 * sizes.MODULE)
    return (lights[0] + 2 * sizes.FRONT_EDGE, lights[1] + 2 * sizes.FRONT_EDGE)


def front_screws() -> list[tuple[float, float]]:
    """Screws of the front, from its top left corner: in the corners and beside the joint."""
    width, height = front_size()
    across = (6.0, width / 2 - 8, width / 2 + 8, width - 6)
    return [(x, y) for x in across for y in (6.0, height - 6)]


def front() -> Sketch:
    """The scoreboard's front, and its box in cross-section."""
    width, height = front_size()
    sketch = Sketch(340, 274, "Scoreboard: front, and the box from the side", 2.2)
    left, top = 28.0, 30.0
    sketch.rect(left, top, width, height, "f", 3)
    edge, module = sizes.FRONT_EDGE, sizes.MODULE
    for n in range(WIDTH // 8 * (HEIGHT // 8)):
        row, column = divmod(n, WIDTH // 8)
        x, y = left + edge + column * module, top + edge + row * module
        sketch.rect(x, y, module, module, "w")
        step = module / 8
        dots = "".join(
            f"M{x + step * (i % 8 + 0.5):.1f} {y + step * (i // 8 + 0.5):.1f}h0" for i in range(64)
        )
        sketch.raw(f'<path d="{dots}" stroke="#eba" stroke-width="2.4" stroke-linecap="round"/>')
        sketch.text(x + module / 2, y + module / 2 + 1.5, str(n + 1), "m")
    for x, y in front_screws():
        sketch.circle(left + x, top + y, sizes.PANEL_SCREW)
    sketch.measure((left, top), (left + width, top), 8)
    sketch.measure((left, top + height), (left, top), 8)
    lights = width - 2 * edge
    low, right = top + height - edge, left + width - edge
    sketch.measure((left + edge, low), (left + edge + lights, low), -20)
    sketch.measure((right, low), (right, top + edge), -20)
    sketch.text(
        left, top + height + 18, "The window is as large as the lights. Behind it, grey", "s"
    )
    sketch.text(left, top + height + 26, "or red film makes the lights stand out.", "s")
    _box(sketch, left, top + height + 42)
    return sketch


def _box(sketch: Sketch, left: float, top: float) -> None:
    height = front_size()[1]
    deep = sizes.BOX_DEPTH
    edge = sizes.FRONT_EDGE
    sketch.rect(left, top, 4, height, "f")
    sketch.rect(left + 4, top + edge, 10, height - 2 * edge, "w")
    sketch.rect(left + 4, top, deep + 10, height, "o")
    sketch.rect(left + 42, top + 12, 4, 21, "g")
    sketch.rect(left + 42, top + 36, 4, 40, "g")
    parts = (
        (left + 2, top + 8, "front of 4 mm plywood or acrylic, film behind the window"),
        (left + 9, top + height / 2, "modules on their own circuit boards, screwed to the front"),
        (left + 44, top + 24, "the Pico (51 × 21), its USB socket to the side"),
        (left + 44, top + 52, "level shifter, and where the 5 V come in"),
        (left + 36, top + height, "openings of 10 × 4 above and below, for warm air"),
    )
    for n, (x, y, says) in enumerate(parts, 1):
        at = top + 4 + 12 * n
        sketch.circle(x, y, 8)
        sketch.text(x, y + 2.2, str(n), "s m")
        sketch.circle(left + 75, at - 2.6, 8)
        sketch.text(left + 75, at - 0.4, str(n), "s m")
        sketch.text(left + 82, at, says)
    sketch.measure((left + 14, top + height), (left + 14 + deep, top + height), -15)


def slant() -> Sketch:
    """The printed board in the tray at a slant, three times, each with another edge up.

    Without words, as the pages of all languages show it: the raised edge is red.
    """
    side, board, wall, up = 30.0, 24.0, 3.0, 8.0
    sketch = Sketch(130, 36)
    for n, raised in enumerate(("left", "right", "far")):
        left, near, margin = 4 + n * 42.0, 28.0, (side - board) / 2

        def seen(
            x: float, y: float, z: float = 0, left: float = left, near: float = near
        ) -> tuple[float, float]:
            # An oblique view from the front: depth goes up and a little to the right.
            return left + x + 0.25 * y, near - 0.4 * y - z

        corners = ((0.0, 0.0), (side, 0.0), (side, side), (0.0, side))
        sketch.area(*(seen(x, y) for x, y in corners), kind="f")
        for x, y in corners:
            sketch.line(seen(x, y), seen(x, y, wall))
        sketch.line(*(seen(x, y, wall) for x, y in (*corners, corners[0])))
        high = {"left": (0, 3), "right": (1, 2), "far": (2, 3)}[raised]
        shortened = (board**2 - up**2) ** 0.5
        across, along = (board, shortened) if raised == "far" else (shortened, board)
        sheet = [(margin, margin), (margin + across, margin)]
        sheet += [(margin + across, margin + along), (margin, margin + along)]
        tops = [seen(x, y, up if k in high else 0) for k, (x, y) in enumerate(sheet)]
        sketch.area(*tops, kind="g")
        for k in high:
            sketch.line(seen(*sheet[k]), tops[k], kind="d")
        sketch.line(*(tops[k] for k in high), kind="r")
        sketch.text(left + side / 2, near + 6, str(n + 1), "t m")
    return sketch
