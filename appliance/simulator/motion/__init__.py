"""How dice fall, lie and are taken."""
