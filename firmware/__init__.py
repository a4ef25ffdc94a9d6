"""MicroPython for the scoreboard's Pico; `framing` is run by both ends of the link.

For example:

    from firmware.framing import Parser, encode

    parser, sent = Parser(), encode(3, 1, b"ANNA")
    parser.feed(sent, 0, len(sent))
    print(parser.kind, parser.sequence, bytes(parser.payload[: parser.length]))
"""
