"""Where things are: the camera, the profile of an installation, axes of dice."""
