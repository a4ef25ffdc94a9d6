"""The pictures that the Pico makes by itself: start, no link, wrong version, self-test."""

from font import draw_centred, draw_text

SELF_TEST_STEPS = 6


class Screens:
    """Draws into one canvas, which is allocated once."""

    def __init__(self, columns: int, rows: int) -> None:
        """Takes the board's size in modules."""
        self._columns = columns
        self._width = 8 * columns
        self._height = 8 * rows
        self.canvas = bytearray(columns * rows * 8)

    def _cleared_canvas(self) -> bytearray:
        canvas = self.canvas
        for i in range(len(canvas)):
            canvas[i] = 0
        return canvas

    def two_lines(self, first: str, second: str) -> bytearray:
        """Two short words; on a board of one row of modules the second is left out."""
        canvas = self._cleared_canvas()
        if self._height < 16 or not second:
            draw_centred(canvas, self._width, (self._height - 7) // 2, first)
        else:
            draw_centred(canvas, self._width, self._height // 2 - 8, first)
            draw_centred(canvas, self._width, self._height // 2, second)
        return canvas

    def self_test(self, step: int) -> bytearray:
        """One of SELF_TEST_STEPS pictures.

        In the last one each module shows its number, counted from the top left (1 to 9, A, B, ...),
        upright over a short line at its lower left. It shows whether order and rotation match the
        wiring: without the line an upside-down 8 would look like an 8. At most a third of the
        lights is on, and the chips' own display test is not used: it lights everything at full
        current.
        """
        canvas = self._cleared_canvas()
        width = self._columns
        if step < 4:
            # Every light once, in four steps.
            for i in range(len(canvas)):
                canvas[i] = 0x88 >> ((step + i // width) % 4)
        elif step == 4:
            # A frame round the whole board.
            for i in range(width):
                canvas[i] = canvas[-1 - i] = 0xFF
            for i in range(0, len(canvas), width):
                canvas[i] |= 0x80
                canvas[i + width - 1] |= 0x01
        else:
            for i in range(len(canvas) // 8):
                name = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i % 35]
                draw_text(canvas, self._width, 8 * (i % width) + 1, 8 * (i // width), name)
                canvas[(8 * (i // width) + 7) * width + i % width] = 0xE0
        return canvas
