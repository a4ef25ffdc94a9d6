"""How the networks of the reader are trained; `scripts/train_faces.py` runs it."""
