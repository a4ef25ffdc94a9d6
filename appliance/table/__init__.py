"""The session at the table: a pure state machine, the only room where readings meet rules."""
