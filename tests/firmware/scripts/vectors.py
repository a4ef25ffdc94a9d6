"""Prints what `framing` makes of many messages and much noise; run by both interpreters.

Usage: ``vectors.py COUNT``. Uses only integers below 2**30, so that both count alike.
"""

import sys

import framing  # type: ignore[import-not-found]


def main(count: int) -> None:
    """Prints frames, then what is found in a stream of whole, broken and glued frames."""
    state = 12345

    def chance(limit: int) -> int:
        nonlocal state
        state = (state * 8121 + 28411) % 134456
        return state * limit // 134456

    parser = framing.Parser()
    for n in range(count):
        kind = 1 + chance(255)
        sequence = chance(65536)
        style = chance(4)
        payload = bytes(
            [
                0 if style == 0 else 3 if style == 1 else chance(256)
                for _ in range(chance(framing.MAX_PAYLOAD + 1))
            ]
        )
        frame = bytearray(framing.encode(kind, sequence, payload))
        if n < 100:
            print("frame", "".join([f"{byte:02x}" for byte in frame]))
        damage = chance(6)
        at = chance(len(frame))
        if damage == 0:
            frame[at] ^= 1 << chance(8)
        elif damage == 1:
            frame = frame[:at]
        elif damage == 2:
            frame = frame[:at] + frame
        elif damage == 3:
            frame = bytearray([chance(256) for _ in range(chance(400))]) + frame
        # In one piece or two, at random.
        cut = chance(len(frame) + 1)
        for start, end in ((0, cut), (cut, len(frame))):
            at = parser.feed(frame, start, end)
            while at:
                data = parser.payload[: parser.length]
                print("found", parser.kind, parser.sequence, parser.length, sum(data))
                at = parser.feed(frame, at, end)
    print("good", parser.good, "bad", parser.bad)


main(int(sys.argv[1]))
