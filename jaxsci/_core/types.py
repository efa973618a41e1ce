"""Names for what travels through a call, on its way from Python to a compiled program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import jax

from jaxsci._core import jax_compat

Arrays: TypeAlias = Sequence[jax.Array]
"""Operands or results of a primitive, each an array or a tracer of one."""

Tangent: TypeAlias = "jax.Array | jax_compat.ad.Zero"
"""A tangent or cotangent of an array; `ad.Zero` where it is symbolically zero."""

Equation: TypeAlias = "jax_compat.JaxprEqn"
"""One application of a primitive in a jaxpr."""

LoweringContext: TypeAlias = "jax_compat.mlir.LoweringRuleContext"
"""What a primitive's lowering is told of the program that it lowers into."""

IrValue: TypeAlias = "jax_compat.IrValue[Any]"
"""An operand or a result in a program that is being lowered."""

PyTree: TypeAlias = Any
"""Arrays in tuples, lists and dictionaries, or one array: what loops carry and rules give."""

Tangents: TypeAlias = Sequence[Any]
"""Tangents of several arrays: arrays, or None or `ad.Zero` for those that are zero."""
