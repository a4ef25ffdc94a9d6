"""Parts to build and buy, and their wiring: sizes, mounting, pins, drawings, tables."""
