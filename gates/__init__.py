"""May this step pass? Pure functions from facts to a Verdict; nothing here reads or writes."""
