"""Pages in a browser: what they are served with, and the page that is camera view, board, buttons.

    from appliance.web.serving import own_names

    assert "localhost:8000" in own_names(8000)

It needs the extra `web`; the player's service never imports it.
"""
