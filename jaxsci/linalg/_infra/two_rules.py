"""Tangents of repeated eigenvalues beside those of their vectors, of which a program may use one.

What depends on the eigenvalues of a cluster alone, or on its vectors alone, can have its
derivative; what depends on both, as V f(w) V^H does, has none by any linear rule (see
`_kernels/spectral.py`). A tangent does not know what becomes of it. Its transpose does: where no
cotangent of the vectors arrives, they were not used.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core import jet, promotion
from jaxsci._core.jax_compat import Primitive, ad, batching, mlir
from jaxsci._core.lowering.sharding import as_varying_together
from jaxsci._core.primitive import batched_alike, is_zero


def never(where: jax.Array) -> jax.Array:
    """A factor for derivatives, forwards and backwards: NaN where so marked, else one."""
    return jnp.where(where, jnp.nan, 1.0)


def either(
    dw: jax.Array, vectors: Sequence[jax.Array], repeated: jax.Array
) -> tuple[jax.Array, Sequence[jax.Array]]:
    """The tangents, linear in themselves.

    Args:
        dw: of the eigenvalues.
        vectors: of the vectors, left and right ones.
        repeated: which eigenvalues are: their tangents are NaN here. Transposed, they are not
            where the vectors have no cotangents.
    """
    dw, *vectors = _either_p.bind(*as_varying_together([dw, *vectors, repeated]))
    return dw, vectors


_either_p = Primitive("jaxsci_either")
_either_p.multiple_results = True


@promotion.by_our_rules
def _evaluate(dw: Any, *vectors_and_repeated: Any) -> list[Any]:
    *vectors, repeated = vectors_and_repeated
    return [dw * never(repeated).astype(jnp.finfo(dw.dtype).dtype), *vectors]


_either_p.def_impl(_evaluate)
_either_p.def_abstract_eval(lambda *avals: list(avals[:-1]))
mlir.register_lowering(_either_p, mlir.lower_fun(_evaluate, multiple_results=True))


@promotion.by_our_rules
def _jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    repeated = primals[-1]
    moved = [ad.instantiate_zeros(t) for t in tangents[:-1]]
    return _either_p.bind(*primals), _either_p.bind(*as_varying_together([*moved, repeated]))


@promotion.by_our_rules
def _transpose(cotangents: Sequence[Any], *operands: Any) -> list[Any]:
    of_values, *of_vectors = cotangents
    if not is_zero(of_values) and not all(map(is_zero, of_vectors)):
        of_values = _evaluate(of_values, operands[-1])[0]
    return [of_values, *of_vectors, None]


@promotion.by_our_rules
def _batch(operands: Sequence[Any], axes: Sequence[Any]) -> tuple[Any, Any]:
    results = _either_p.bind(*batched_alike(operands, axes))
    return results, [0] * len(results)


ad.primitive_jvps[_either_p] = _jvp
ad.primitive_transposes[_either_p] = _transpose
batching.primitive_batchers[_either_p] = _batch
jet.refuse(_either_p, lambda: "eigenvalues and vectors")
