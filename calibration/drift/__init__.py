"""Whether the camera still stands where it stood."""
