"""How good is a judge? Run on summaries that people graded; it asks, counts and decides nothing."""
