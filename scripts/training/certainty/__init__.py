"""The certainty of readings: the evidence for dice, curves fitted to it, how accurate they are."""
