"""The camera seam: every source of frames."""
