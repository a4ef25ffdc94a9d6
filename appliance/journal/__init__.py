"""Every event on disk before it is shown, and the games made of them."""
