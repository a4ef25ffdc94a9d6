"""A tray, a hand, players and a board without hardware."""
