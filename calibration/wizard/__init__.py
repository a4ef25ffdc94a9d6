"""The wizard: how a family makes a profile with buttons. A pure state machine beside measurements.

`stages` says what is asked for, `state` what comes in and what is known, `advance` goes on,
`prompts` says it on the board, `seeing` and `taking` measure in pictures.
"""
