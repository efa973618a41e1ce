"""Bessel, Airy, Hankel, Kelvin and Struve functions (DLMF 9 to 11)."""
