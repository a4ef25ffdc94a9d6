"""What the board shows: pure functions from a prompt to pictures."""
