"""SciPy's linear algebra for JAX: SciPy's names and arguments, batched, and differentiable."""

from jaxsci.linalg._sylvester import solve_sylvester

__all__ = ["solve_sylvester"]
