"""Finding dice in a picture."""
