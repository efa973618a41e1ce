"""Parabolic cylinder functions (DLMF 12)."""
