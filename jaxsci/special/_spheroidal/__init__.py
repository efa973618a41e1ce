"""Spheroidal wave functions (DLMF 30)."""
