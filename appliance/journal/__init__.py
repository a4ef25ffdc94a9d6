"""Every event on disk before it is shown, and the games made of them.

For example:

    from appliance.journal.journal import Journal
    from appliance.journal.sessions import load_session
    from appliance.table.session.session import Setup

    with Journal(":memory:") as journal:
        session = load_session(journal, Setup("classic", ("ANNA", "BOB")))
"""
