"""What the core asks of a function, and what a use of one is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from jaxsci._core.choice import Choice
from jaxsci._core.types import Arrays, IrValue, LoweringContext, Tangent

Static = tuple[tuple[str, Any], ...]


class Function(ABC):
    """A function that the primitive applies. Loop dimensions lead, core dimensions follow."""

    name: str
    """For messages and jaxprs."""

    @abstractmethod
    def lower(
        self, ctx: LoweringContext, operands: Sequence[IrValue], call: Call
    ) -> Sequence[IrValue]:
        """MLIR values of the results."""

    @abstractmethod
    def differentiate(
        self, call: Call, primals: Arrays, tangents: Sequence[Tangent], results: Arrays
    ) -> Sequence[Any]:
        """The results' tangents, None where there is none.

        `ad.Zero` stands for a tangent that is symbolically zero.
        """

    def transpose(
        self, call: Call, cotangents: Sequence[Tangent], operands: Sequence[Any]
    ) -> Sequence[Any]:
        """Cotangents of the operands in which the function is linear (the undefined primals)."""
        raise NotImplementedError(f"{self.name} is not declared to be linear")

    def check_vmap(self) -> None:
        """Raise if the function does not say how it is batched."""
        return

    def evaluate_with_tangents(
        self, call: Call, primals: Arrays, tangents: Sequence[Tangent]
    ) -> tuple[Sequence[Any], Sequence[Any]] | None:
        """The results and their tangents, where one call of the host gives both; else None."""
        return None

    def with_results(self, call: Call, used: tuple[bool, ...]) -> Call | None:
        """The call that gives no more than the results that are used; None if there is none."""
        return None

    def as_operations(
        self, call: Call, operands: Sequence[Any]
    ) -> Callable[..., Sequence[Any]] | None:
        """What the call is lowered to, where that is JAX operations; else None."""
        return None

    def is_native(self, ctx: LoweringContext, call: Call) -> bool:
        """Whether compiled code calls the host by itself, without Python."""
        return False

    @property
    def shares_callbacks(self) -> bool:
        """Whether its host calls may be made in one callback with others."""
        return False

    def host_call(self, call: Call) -> Callable[..., Any]:
        """What the callback of a function runs that is evaluated on the host."""
        raise NotImplementedError(f"{self.name} is not evaluated on the host")


@dataclass(frozen=True)
class Result:
    """One result's core shape and dtype."""

    core_shape: tuple[int, ...]
    dtype: np.dtype
    strong: bool = False
    """Whether its type is not weak even where the call's is."""


@dataclass(frozen=True)
class Call:
    """All that is static about one use of a function: the primitive's one parameter."""

    function: Function
    static: Static
    core_ndims: tuple[int, ...]
    results: tuple[Result, ...]
    weak_type: bool
    choice: Choice
    static_types: tuple[type, ...] = ()
    """So that 1, 1.0 and True, which are equal, make different calls."""
    trees: tuple[Any, Any] | None = None
    """Of a function of pytrees: the structures of its arguments, (args, kwargs), and result."""

    def __repr__(self) -> str:
        static = ", ".join(f"{name}={value}" for name, value in self.static)
        return f"{self.function.name}({static})" if static else self.function.name

    def loop_ndim(self, operands: Sequence[Any]) -> int:
        """How many loop dimensions the operands have (in front of their core dimensions)."""
        return operands[0].ndim - self.core_ndims[0] if operands else 0

    def loop_shape(self, operands: Sequence[Any]) -> tuple[int, ...]:
        """The loop dimensions of the results: the operands' ones, broadcast."""
        n = self.loop_ndim(operands)
        # NumPy's own stops at 32 dimensions.
        return jax.numpy.broadcast_shapes(*(tuple(x.shape[:n]) for x in operands))

    def result_shapes(self, operands: Sequence[Any]) -> list[tuple[int, ...]]:
        """The results' whole shapes."""
        loop = self.loop_shape(operands)
        return [loop + result.core_shape for result in self.results]

    def rounded(self, values: Sequence[Any], operands: Sequence[Any]) -> list[jax.Array]:
        """Values that may lack dimensions, and be of other precision, as the results."""
        shapes = self.result_shapes(operands)
        return [
            jax.numpy.broadcast_to(y, shape).astype(result.dtype)
            for y, shape, result in zip(values, shapes, self.results, strict=True)
        ]
