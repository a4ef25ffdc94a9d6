"""The prompts, all that the board may have to say: values that the screens draw.

In all of them `player` is whose turn it is, `dice` are faces by slot, `tray` is what is going on in
the tray, `table` what lies on the table for everyone (None: nothing), `index` a position in a list.

    from appliance.table.prompts.looking import UndoPrompt

    print(UndoPrompt("ANNA", "CHANCE", steps=1))
"""
