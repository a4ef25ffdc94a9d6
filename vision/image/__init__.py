"""Pictures: files, colour, drawing readings into them, small sums over arrays."""
