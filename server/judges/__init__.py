"""Judges, one by one; each answers from what it is given and passes the same gates as an agent."""
