"""What `scripts/draw_building.py` draws and works out: sizes, mounting, pins, drawings, tables."""
