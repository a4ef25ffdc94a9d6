"""Hints for Free for All."""
