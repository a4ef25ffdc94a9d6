"""Measuring sticks: how right and how fast the rooms are."""
