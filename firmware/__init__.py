"""MicroPython for the scoreboard's Pico; `framing` is run by both ends of the link."""
