"""Whether a reading is sure enough to be claimed."""
