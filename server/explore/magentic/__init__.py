"""The orchestrated loop as a second driver of an exploration: its own models, the same moves."""
