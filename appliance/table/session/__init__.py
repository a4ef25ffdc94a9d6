"""One game at the table: a pure state machine."""
