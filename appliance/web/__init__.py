"""Pages in a browser, by the extra `web`: what serves them, and the one that is tray and board."""
