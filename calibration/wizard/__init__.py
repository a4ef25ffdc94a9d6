"""Players make a profile with buttons: the wizard, a pure state machine, and its measurements.

    from calibration.wizard.advance import advance
    from calibration.wizard.prompts import prompt
    from calibration.wizard.seeing import see
    from calibration.wizard.state import begin

    wizard = begin()
    wizard = advance(wizard, see(wizard, frames))
    print(prompt(wizard))

`stages` says what is asked for, `state` what comes in and what is known, `advance` what follows,
`prompts` what the board says; `seeing` and `taking` measure in pictures.
"""
