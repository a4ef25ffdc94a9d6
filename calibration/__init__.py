"""Makes the profile that vision lives by."""
