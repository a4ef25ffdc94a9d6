"""The rim of the tray."""
