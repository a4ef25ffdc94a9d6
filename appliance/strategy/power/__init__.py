"""Hints for Power."""
