"""Incomplete gamma and beta functions, and their inverses (DLMF 8)."""
