"""Random trays, dice and lights."""
