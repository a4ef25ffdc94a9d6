"""Weights of the networks."""
