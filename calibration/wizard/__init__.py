"""Players make a profile with buttons: the wizard, a pure state machine, and its measurements.

    from calibration.wizard.advance import advance
    from calibration.wizard.prompts import wizard_prompt
    from calibration.wizard.seeing import see_stage
    from calibration.wizard.state import begin_wizard

    wizard = begin_wizard()
    wizard = advance(wizard, see_stage(wizard, frames))
    print(wizard_prompt(wizard))

`stages` says what is asked for, `state` what comes in and what is known, `advance` what follows,
`prompts` what the board says; `seeing` and `taking` measure in pictures.
"""
