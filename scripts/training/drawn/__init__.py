"""Training data of both classifiers: patches drawn here, never photographs."""
