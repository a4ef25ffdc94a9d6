"""Pages for a browser, and their server; one page is tray, board and buttons.

    from appliance.web.serving import own_names

    assert "localhost:8000" in own_names(8000)

It needs the extra `web`; the player's service never imports it.
"""
