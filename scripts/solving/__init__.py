"""Best solo play of Classic, solved from the rules; `scripts/solve_classic.py` runs it."""
