"""How the networks of the reader are trained; `scripts/training/train_faces.py` runs it."""
