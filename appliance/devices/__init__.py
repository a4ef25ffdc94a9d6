"""The devices: buttons, buzzer, power, camera, scoreboard.

Each is behind a port: the buttons put presses into a queue, for example.

    from gpiozero.pins.mock import MockFactory

    from appliance.devices.buttons import Buttons
    from appliance.inputs import Button

    with Buttons({Button.OK: 17}, pin_factory=MockFactory()) as buttons:
        for press in buttons.poll():
            print(press.button, press.long)
"""
