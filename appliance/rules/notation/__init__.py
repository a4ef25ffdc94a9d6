"""Games as text: events and positions."""
