"""How accurate values and derivatives are, by mpmath."""
