"""Whether light, focus and the size of dice will do."""
