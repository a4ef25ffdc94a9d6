"""One module for each subcommand of `dicetray`.

`main` is what the command `dicetray` runs; it returns the exit status:

    from appliance.cli.main import main, parser

    assert main(["score", "classic", "3", "3", "3", "5", "5"]) == 0
    print(parser(["score", "replay"]).format_help())
"""
