"""Pictures of a tray with dice, hands and cards in it."""
