"""Elementary functions, logarithms of sums, and Lambert's W (DLMF 4)."""
