"""Statistics: who wins how often, and whether the dice are fair.

For example:

    from appliance.stats.tally import results, standings

    print(standings(result for game in journal.summaries() for result in results(game)))
"""
