"""An exploration, the second workflow: it reads bases, hands on a mandate, decides nothing."""
