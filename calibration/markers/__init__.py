"""Geometry from markers: ArUco, ChArUco, bundle adjustment."""
