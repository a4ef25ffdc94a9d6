"""One game at the table: a pure state machine.

For example:

    from appliance.table.session.prompting import prompt
    from appliance.table.session.session import Setup, new_session
    from appliance.table.session.step import step

    session = new_session(Setup("classic", ("ANNA", "BOB")))
    session = step(session, roll)  # a Roll of `vision.events`, a press, a hint
    print(prompt(session), session.record.log)
"""
