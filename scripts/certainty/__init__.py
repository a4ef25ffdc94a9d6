"""The certainty of readings: what dice are known by, curves fitted to it, how true they are."""
