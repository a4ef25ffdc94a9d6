"""One module for each subcommand of `dicetray`."""
