"""The scoreboard without hardware: the firmware run by MicroPython."""
