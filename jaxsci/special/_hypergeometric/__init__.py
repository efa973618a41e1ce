"""Hypergeometric functions (DLMF 13, 15 and 16), and Wright's."""
