"""The means to draw: canvas, font, layout, film."""
