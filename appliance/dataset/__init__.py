"""Labelled pictures, and how right and fast the reader is on them."""
