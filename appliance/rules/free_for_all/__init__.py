"""Free for All."""
