"""The terminal as a board and the keyboard as buttons.

    from appliance.terminal.keyboard import decode

    assert decode(b" 1") == (["throw", "hold1"], b"")

`screen` draws a view of the appliance in a terminal, `style` says what the terminal can show.
"""
