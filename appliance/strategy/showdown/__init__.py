"""Hints for Showdown."""
