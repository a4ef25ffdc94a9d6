"""Long measurements in parts: on several machines, stopped and gone on with, merged at the end."""
