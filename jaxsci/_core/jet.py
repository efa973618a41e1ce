"""What `jax.experimental.jet` is told of this package's primitives: that they have no rule for it.

A Taylor rule is handed a series of explicit zeros for every argument that does not move, and cannot
tell it from one that does. It would differentiate in all of them, also where a derivative is
missing, or infinite.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jaxsci._core.jax_compat import Primitive, set_jet_rule
from jaxsci._core.types import Arrays


def refuse(primitive: Primitive, name: Callable[..., str]) -> None:
    """Let jet raise NotImplementedError for this primitive.

    Args:
        primitive: the primitive.
        name: takes its parameters; what to call the function in the message.
    """

    def rule(primals: Arrays, series: Any, **params: Any) -> Any:
        raise NotImplementedError(
            f"{name(**params)}: jax.experimental.jet does not know which arguments stand still. "
            "Nest jax.jvp instead, once for each order: with d(f) = lambda x: jax.jvp(f, (x,), "
            "(1.0,))[1], d(d(f)) is the second derivative"
        )

    set_jet_rule(primitive, rule)
