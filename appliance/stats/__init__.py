"""What many games tell: who wins how often, and whether the dice are fair."""
