"""How good is a judge? Run on summaries graded before; it asks, counts and decides nothing."""
