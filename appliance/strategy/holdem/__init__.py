"""Hints for Hold'em: odds."""
