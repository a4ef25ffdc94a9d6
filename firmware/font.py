"""A font of 5x7 lights for the few words that the Pico shows by itself."""

# Seven rows of five bits each, the top row first, the leftmost light in bit 4.
GLYPHS = {
    "!": b"\x04\x04\x04\x04\x04\x00\x04",
    "-": b"\x00\x00\x00\x0e\x00\x00\x00",
    ".": b"\x00\x00\x00\x00\x00\x0c\x0c",
    "/": b"\x01\x01\x02\x04\x08\x10\x10",
    "0": b"\x0e\x11\x13\x15\x19\x11\x0e",
    "1": b"\x04\x0c\x04\x04\x04\x04\x0e",
    "2": b"\x0e\x11\x01\x06\x08\x10\x1f",
    "3": b"\x1e\x01\x01\x0e\x01\x01\x1e",
    "4": b"\x02\x06\x0a\x12\x1f\x02\x02",
    "5": b"\x1f\x10\x1e\x01\x01\x11\x0e",
    "6": b"\x0e\x10\x10\x1e\x11\x11\x0e",
    "7": b"\x1f\x01\x02\x04\x04\x04\x04",
    "8": b"\x0e\x11\x11\x0e\x11\x11\x0e",
    "9": b"\x0e\x11\x11\x0f\x01\x01\x0e",
    "A": b"\x0e\x11\x11\x1f\x11\x11\x11",
    "B": b"\x1e\x11\x11\x1e\x11\x11\x1e",
    "C": b"\x0e\x11\x10\x10\x10\x11\x0e",
    "D": b"\x1e\x11\x11\x11\x11\x11\x1e",
    "E": b"\x1f\x10\x10\x1e\x10\x10\x1f",
    "F": b"\x1f\x10\x10\x1e\x10\x10\x10",
    "G": b"\x0e\x11\x10\x17\x11\x11\x0e",
    "H": b"\x11\x11\x11\x1f\x11\x11\x11",
    "I": b"\x0e\x04\x04\x04\x04\x04\x0e",
    "J": b"\x07\x02\x02\x02\x02\x12\x0c",
    "K": b"\x11\x12\x14\x18\x14\x12\x11",
    "L": b"\x10\x10\x10\x10\x10\x10\x1f",
    "M": b"\x11\x1b\x15\x15\x11\x11\x11",
    "N": b"\x11\x19\x15\x15\x13\x11\x11",
    "O": b"\x0e\x11\x11\x11\x11\x11\x0e",
    "P": b"\x1e\x11\x11\x1e\x10\x10\x10",
    "Q": b"\x0e\x11\x11\x11\x15\x12\x0d",
    "R": b"\x1e\x11\x11\x1e\x14\x12\x11",
    "S": b"\x0f\x10\x10\x0e\x01\x01\x1e",
    "T": b"\x1f\x04\x04\x04\x04\x04\x04",
    "U": b"\x11\x11\x11\x11\x11\x11\x0e",
    "V": b"\x11\x11\x11\x11\x0a\x0a\x04",
    "W": b"\x11\x11\x11\x15\x15\x1b\x11",
    "X": b"\x11\x11\x0a\x04\x0a\x11\x11",
    "Y": b"\x11\x11\x0a\x04\x04\x04\x04",
    "Z": b"\x1f\x01\x02\x04\x08\x10\x1f",
}


def draw_text(canvas: bytearray, width: int, x: int, y: int, text: str) -> None:
    """Draws `text` into a picture of `width` columns; characters without a glyph stay blank.

    Args:
        canvas: row by row, eight lights a byte, the leftmost in the most significant bit.
        width: columns of the picture.
        x: column of the first character.
        y: its top row.
        text: capital letters and digits.
    """
    height = len(canvas) * 8 // width
    for char in text:
        glyph = GLYPHS.get(char, b"")
        for row, bits in enumerate(glyph):
            for column in range(5):
                px = x + column
                py = y + row
                if bits & (16 >> column) and 0 <= px < width and 0 <= py < height:
                    canvas[(py * width + px) >> 3] |= 0x80 >> (px & 7)
        x += 6


def draw_centred(canvas: bytearray, width: int, y: int, text: str) -> None:
    """Draws `text` centred in a row of characters whose top is at `y`."""
    draw_text(canvas, width, (width - 6 * len(text) + 1) // 2, y, text)
