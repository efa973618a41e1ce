"""Legendre functions and spherical harmonics (DLMF 14)."""
