r"""The drawing of the board: pure functions from a prompt to pictures.

Each situation has a module that registers how its prompts are drawn; `draw` loads all of them.

    from appliance.screens.draw import film, pages
    from appliance.table.prompts.looking import UndoPrompt

    for picture in pages(UndoPrompt("ANNA", "FULL HOUSE", 1)):
        print("\n".join(picture.rows()))
    shown = film(UndoPrompt("ANNA", "FULL HOUSE", 1)).picture_at(2.5)
    print(shown in pages(UndoPrompt("ANNA", "FULL HOUSE", 1)))
"""
