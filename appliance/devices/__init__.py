"""The devices: buttons, buzzer, power, camera, scoreboard."""
