"""Follows all trays of a club on its broker: their tables on one page, and the league.

    from appliance.club.reports import read_available

    read_available(b"online")

It needs the extra `club`; the player's service never imports it.
"""
