"""Making of the face classifier: patches drawn here, never photographs."""
