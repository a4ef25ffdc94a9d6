"""Statistics: who wins how often, and whether the dice are fair.

For example:

    from appliance.stats.tally import record_of, results, standings

    records = [record_of(saved) for saved in journal.games()]
    print(standings(result for record in records for result in results(record)))
"""
