"""Making of the face network: patches drawn here, never photographs."""
