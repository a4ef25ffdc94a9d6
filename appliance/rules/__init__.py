"""The rules of the five games: pure functions, no I/O, no clock, no random numbers."""
