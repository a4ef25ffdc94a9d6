"""Best solo play, solved from the rules: `scripts/solve_boxes.py` and `solve_power.py` run it."""
