"""Orthogonal polynomials and their quadratures (DLMF 18)."""
