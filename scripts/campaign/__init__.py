"""Long measurements in parts: spread over machines, stopped and resumed, merged at the end."""
