"""Error functions, Fresnel and exponential integrals (DLMF 6 and 7)."""
