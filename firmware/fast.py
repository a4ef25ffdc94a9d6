# mypy: ignore-errors
"""The inner loops in machine code, for MicroPython with a native emitter, as on the Pico.

Viper: integers are machine words, pointers access memory; nothing is allocated. Where it does not
compile, `framing`, `line` and `max7219` use their own versions, which do the same.
"""

# ruff: noqa: F821 - ptr8 and ptr16 are viper's own

import micropython


@micropython.native
def take_into(data, size, poll, readinto, byte, wait_ms):
    """Takes what has arrived, at most `size` bytes; returns how many, -1 if the line has ended."""
    count = 0
    while count < size:
        for _ in poll(wait_ms):
            break
        else:
            return count
        wait_ms = 0
        if not readinto(byte):
            return count or -1
        data[count] = byte[0]
        count += 1
    return count


@micropython.viper
def crc_into(out, data, start: int, end: int, low_table, high_table):
    """Writes the CRC-32 of data[start:end] to the four bytes `out`."""
    d = ptr8(data)
    low_of = ptr16(low_table)
    high_of = ptr16(high_table)
    low = 0xFFFF
    high = 0xFFFF
    i = start
    while i < end:
        k = (low ^ d[i]) & 0xFF
        low = ((low >> 8) | ((high & 0xFF) << 8)) ^ low_of[k]
        high = (high >> 8) ^ high_of[k]
        i += 1
    low ^= 0xFFFF
    high ^= 0xFFFF
    o = ptr8(out)
    o[0] = low & 0xFF
    o[1] = low >> 8
    o[2] = high & 0xFF
    o[3] = high >> 8


@micropython.viper
def decode_cobs(data, count: int) -> int:
    """Undoes COBS in data[:count] in place; returns where the last block ends."""
    d = ptr8(data)
    i = 0
    while i < count:
        code = d[i]
        if i:
            d[i] = 0
        i += code
    return i


@micropython.viper
def copy_to_zero(raw, count: int, size: int, data, start: int, end: int) -> int:
    """Copies data[start:end] up to its first zero to raw[count:size]; the zero's index, or end."""
    r = ptr8(raw)
    d = ptr8(data)
    i = start
    while i < end:
        byte = d[i]
        if byte == 0:
            return i
        if count < size:
            r[count] = byte
        count += 1
        i += 1
    return i


@micropython.viper
def load_upright(lines, place: int, step: int, picture, k: int, stride: int, table, ones) -> int:
    """Copies a module's eight rows, each mapped through `table`; returns how many lights are on."""
    p = ptr8(picture)
    t = ptr8(table)
    o = ptr8(ones)
    out = ptr8(lines)
    lit = 0
    for _ in range(8):
        value = p[k]
        lit += o[value]
        out[place] = t[value]
        place += step
        k += stride
    return lit
