"""What `scripts/draw_building` draws and works out: sizes, mounting, pins, drawings, tables."""
