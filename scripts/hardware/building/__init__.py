"""What is built and bought, and how it is wired: sizes, mounting, pins, drawings, tables."""
