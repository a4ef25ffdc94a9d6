"""The Power die: its faces and their prints."""
