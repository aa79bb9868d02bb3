"""One file per move of a dig: from its state and what was sent to the answer and its events."""
