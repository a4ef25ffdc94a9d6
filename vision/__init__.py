"""Readings out of frames: what the dice in the tray show, and how sure that is."""
