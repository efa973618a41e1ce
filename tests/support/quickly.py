"""How programs are compiled that run once."""

QUICKLY = {"xla_backend_optimization_level": 0}
"""XLA's options."""
