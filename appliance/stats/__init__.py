"""Statistics: who wins how often, and whether the dice are fair.

For example:

    from appliance.journal.totals import Totals
    from appliance.stats.tally import standings

    totals = Totals(journal.own_trays())
    for span in filter(None, journal.spans(games=False)):
        totals.add(span.totals)
    print(standings(totals.of(journal.origin, journal.origin).players))
"""
