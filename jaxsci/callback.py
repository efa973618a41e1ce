"""Functions that run on the host, with derivatives: pure, with effects, or for debugging.

`host_function` is the one door. A pure function becomes a JAX primitive with derivative rules of
its own; functions with effects have the semantics of JAX's own callbacks.
"""

from jaxsci._core.elementwise_rules import closed, missing, real_linear
from jaxsci._core.host_function import HostFunction
from jaxsci._core.make_host_function import host_function
from jaxsci._core.purity import PurityReport, check_pure

__all__ = [
    "HostFunction",
    "PurityReport",
    "check_pure",
    "closed",
    "host_function",
    "missing",
    "real_linear",
]

# Pickles, docs and tracebacks name the public place: files may move.
HostFunction.__module__ = PurityReport.__module__ = __name__
for _function in (check_pure, closed, host_function, missing, real_linear):
    _function.__module__ = __name__
