"""What the corpus says; never decides."""
