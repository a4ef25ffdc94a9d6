"""People at the table: those who throw and press."""
