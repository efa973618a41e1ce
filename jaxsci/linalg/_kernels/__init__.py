"""Algorithms that several families of matrix functions use."""
