"""Measures how accurate and how fast reading is.

For example:

    from appliance.dataset.evaluation.vision import load_cases, run, table
    from vision.reader import Reader

    reader = Reader()
    print(table(run(list(load_cases(folder)), lambda pictures, case: reader.read(pictures[0]))))
"""
