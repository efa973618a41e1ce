"""Gamma, beta, digamma and zeta functions (DLMF 5 and 25)."""
