"""Which proofs a change demands: what each opened in its last run, and whether that has changed."""
