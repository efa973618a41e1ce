"""Elliptic integrals and functions, and Lame's (DLMF 19, 22 and 29)."""
