"""Watching a stream of frames: motion, rest, hands, throws."""
