"""What a die found shows: face, posture, colour."""
