"""Mathieu functions (DLMF 28)."""
