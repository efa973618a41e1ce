"""Mathematics that belongs to no family of functions."""
