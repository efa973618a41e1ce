"""Binomial coefficients, factorials and sequences of numbers (DLMF 24 and 26)."""
