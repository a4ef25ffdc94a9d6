"""Hints for Classic: best play, solved."""
