"""Players make a profile with buttons: five short items, a pure state machine, and its looks.

    from calibration.wizard.advance import advance
    from calibration.wizard.prompts import wizard_prompt
    from calibration.wizard.seeing import look
    from calibration.wizard.state import begin_wizard

    wizard = begin_wizard()
    wizard = advance(wizard, look(wizard, frames))
    print(wizard_prompt(wizard))

`pages` says what is asked for, `state` what comes in and what is known, `advance` what follows,
`prompts` what the board says; `seeing` looks at pictures. Every item is kept as soon as it is done.
"""
