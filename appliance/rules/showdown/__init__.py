"""Showdown."""
