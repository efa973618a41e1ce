"""SciPy's special functions and linear algebra for JAX: SciPy's values, and derivatives."""

from jaxsci._core.dispatch import set_backend, use_backend
from jaxsci._core.root import differentiable_root
from jaxsci._native import export_checks
from jaxsci.callback import host_function

__version__ = "0.1.0"

__all__ = [
    "__version__",
    "differentiable_root",
    "export_checks",
    "host_function",
    "set_backend",
    "use_backend",
]
