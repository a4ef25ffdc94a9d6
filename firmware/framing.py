"""The framing of the link: one file for both ends.

MicroPython on the Pico imports it as ``framing``, CPython on the host as ``firmware.framing``.
A frame on the wire is ``00 | COBS(type, sequence, payload, CRC-32) | 00``; docs/formats.md has the
layout of every message. Nothing here allocates after construction, so that the Pico's heap stays
flat, and no number exceeds 30 bits, beyond which MicroPython's integers move to the heap.
"""

import sys
from array import array

PROTOCOL_MAJOR = 1
PROTOCOL_MINOR = 2

HELLO = 0x48  # 'H', Pico to host
HELLO_REQUEST = 0x68  # 'h', host to Pico
FRAME = 0x46  # 'F'
BRIGHTNESS = 0x42  # 'B'
SELF_TEST = 0x54  # 'T'
SERVICE = 0x53  # 'S'
FAREWELL = 0x47  # 'G', since 1.2
LAYOUT = 0x4C  # 'L', since 1.2
ACK = 0x41  # 'A', Pico to host
PING = 0x50  # 'P', both ways
PONG = 0x51  # 'Q', both ways

FRAME_BYTES = 128
MAX_PAYLOAD = 160  # below 246, so that a frame is one COBS block and its size is known in advance
OVERHEAD = 10  # 00, COBS code, type, sequence (2), CRC (4), 00

# HELLO: protocol major, minor; firmware major, minor, patch; width, height; flags; highest
# brightness; boot counter; unique id; build. A later minor version may append to it.
HELLO_FORMAT = "<BBBBBBBBBI8s8s"
HELLO_BYTES = 29
HELLO_FREE = 4  # since 1.1: free bytes of the board's heap follow, 0 if it does not know
HELLO_LAYOUT = 5  # since 1.2: who says how the modules are mounted (config.py), and the layout
HELLO_LINKED = 1  # flag: a host has been heard within the link's time-out
# ACK: last good sequence number, flags, present brightness.
ACK_FORMAT = "<HBB"
ACK_BYTES = 4
ACK_SELF_TEST = 1  # flag: the self-test is running, pictures wait
ACK_LIMITED = 2  # flag: the brightness is below what was asked for, because of the current limit
ACK_REFUSED = 4  # flag: the last LAYOUT was not carried out

# LAYOUT: what to do, and the layout in four bytes (mounting.py).
LAYOUT_BYTES = 5
LAYOUT_BACK = 0  # use the layout of the start again; the four bytes mean nothing
LAYOUT_TRY = 1  # use this one until another LAYOUT, a HELLO_REQUEST, or silence
LAYOUT_STORE = 2  # use this one, now and at every start

SERVICE_REPL = b"REPL"
SERVICE_BOOTLOADER = b"BOOT"

_CRC_TABLE_LOW = array("H", bytes(512))
_CRC_TABLE_HIGH = array("H", bytes(512))


def _fill_tables() -> None:
    # CRC-32 as in Ethernet and zlib (reflected polynomial EDB88320), kept as two halves of 16 bits.
    for i in range(256):
        low, high = i, 0
        for _ in range(8):
            odd = low & 1
            low = (low >> 1) | ((high & 1) << 15)
            high >>= 1
            if odd:
                low ^= 0x8320
                high ^= 0xEDB8
        _CRC_TABLE_LOW[i] = low
        _CRC_TABLE_HIGH[i] = high


_fill_tables()


def crc_into(
    out: bytearray,
    data: "bytes | bytearray",
    start: int,
    end: int,
    low_table: "array[int]",
    high_table: "array[int]",
) -> None:
    """Writes the CRC-32 of data[start:end] to the four bytes `out`."""
    low = high = 0xFFFF
    for i in range(start, end):
        k = (low ^ data[i]) & 0xFF
        low = ((low >> 8) | ((high & 0xFF) << 8)) ^ low_table[k]
        high = (high >> 8) ^ high_table[k]
    low ^= 0xFFFF
    high ^= 0xFFFF
    out[0] = low & 0xFF
    out[1] = low >> 8
    out[2] = high & 0xFF
    out[3] = high >> 8


def decode_cobs(data: bytearray, count: int) -> int:
    """Undoes COBS in data[:count] in place; returns where the last block ends."""
    i = 0
    while i < count:
        code = data[i]
        if i:
            data[i] = 0
        i += code
    return i


def copy_to_zero(
    raw: bytearray, count: int, size: int, data: "bytes | bytearray", start: int, end: int
) -> int:
    """Copies data[start:end] up to its first zero to raw[count:size], as far as it fits.

    Returns:
        the index of the zero; `end` if there is none.
    """
    i = start
    while i < end:
        byte = data[i]
        if byte == 0:
            return i
        if count < size:
            raw[count] = byte
        count += 1
        i += 1
    return i


_CRC_BYTES = bytearray(4)
_crc_into = crc_into
_decode_cobs = decode_cobs
_copy_to_zero = copy_to_zero
if sys.implementation.name == "micropython":
    # A SyntaxError means that this MicroPython cannot emit machine code.
    try:
        import fast  # type: ignore[import-not-found, unused-ignore]

        _crc_into = fast.crc_into
        _decode_cobs = fast.decode_cobs
        _copy_to_zero = fast.copy_to_zero
    except (ImportError, SyntaxError):
        pass


def _write_or_check_crc(data: bytearray, start: int, end: int, check: bool) -> bool:
    """Writes the CRC-32 of data[start:end] to the four bytes after it, or compares it with them."""
    out = _CRC_BYTES
    _crc_into(out, data, start, end, _CRC_TABLE_LOW, _CRC_TABLE_HIGH)
    if check:
        return (
            data[end] == out[0]
            and data[end + 1] == out[1]
            and data[end + 2] == out[2]
            and data[end + 3] == out[3]
        )
    data[end] = out[0]
    data[end + 1] = out[1]
    data[end + 2] = out[2]
    data[end + 3] = out[3]
    return True


def encode_into(
    out: bytearray, kind: int, sequence: int, payload: "bytes | bytearray", length: int
) -> int:
    """Writes one frame to the start of `out` and returns its length in bytes.

    Args:
        out: at least ``length + OVERHEAD`` bytes.
        kind: the message type, 1 to 255.
        sequence: the sender's running number, 0 to 65535.
        payload: its first `length` bytes are sent.
        length: at most MAX_PAYLOAD.

    Raises:
        ValueError: the payload is too long.
    """
    if length > MAX_PAYLOAD:
        raise ValueError("payload too long")
    out[0] = 0  # ends whatever noise came before, so that it costs no frame
    out[2] = kind
    out[3] = sequence & 0xFF
    out[4] = (sequence >> 8) & 0xFF
    for i in range(length):
        out[5 + i] = payload[i]
    end = 5 + length
    _write_or_check_crc(out, 2, end, False)
    end += 4
    code = 1
    for i in range(2, end):
        if out[i] == 0:
            out[code] = i - code
            code = i
    out[code] = end - code
    out[end] = 0
    return end + 1


def encode(kind: int, sequence: int, payload: "bytes | bytearray" = b"") -> bytes:
    """One frame as bytes; only for the host and for tests, because it allocates."""
    out = bytearray(len(payload) + OVERHEAD)
    encode_into(out, kind, sequence, payload, len(payload))
    return bytes(out)


class Parser:
    """Finds frames in a stream of bytes, however it is split.

    After `feed` has found a message, it stays in the attributes until the next `feed`.

    Attributes:
        kind: the message type.
        sequence: the sender's running number.
        length: how many bytes of `payload` belong to the message.
        payload: a view of the receiving buffer.
        good: frames accepted (wraps at 2**24).
        bad: frames refused: too short, too long, broken COBS or CRC (wraps at 2**24).
    """

    def __init__(self) -> None:
        self._raw = bytearray(MAX_PAYLOAD + OVERHEAD - 2)
        self._size = len(self._raw)
        self._count = 0
        self.payload = memoryview(self._raw)[4:]
        self.kind = 0
        self.sequence = 0
        self.length = 0
        self.good = 0
        self.bad = 0

    def feed(self, data: "bytes | bytearray", start: int, end: int) -> int:
        """Consumes data[start:end], but nothing after the first good frame.

        Returns:
            the index after that frame, to resume from; 0 if everything was consumed without one.
        """
        size = self._size
        while start < end:
            count = self._count
            zero = _copy_to_zero(self._raw, count, size, data, start, end)
            count += zero - start
            if zero == end:
                # One more than fits marks a frame as too long until its end comes.
                self._count = min(count, size + 1)
                return 0
            self._count = 0
            start = zero + 1
            if count == 0:
                continue
            if self._accept_frame(count):
                self.good = (self.good + 1) & 0xFFFFFF
                return start
            self.bad = (self.bad + 1) & 0xFFFFFF
        return 0

    def _accept_frame(self, count: int) -> bool:
        raw = self._raw
        if count < OVERHEAD - 2 or count > len(raw):
            return False
        if _decode_cobs(raw, count) != count or not _write_or_check_crc(raw, 1, count - 4, True):
            return False
        self.kind = raw[1]
        self.sequence = raw[2] | (raw[3] << 8)
        self.length = count - (OVERHEAD - 2)
        return True

    def reset(self) -> None:
        """Forgets a partial frame; for a line that was closed in between."""
        self._count = 0
