"""What an argument of a catalog function is, written as its annotation."""

from __future__ import annotations

import enum
from typing import Annotated, TypeAlias

import jax
from jax.typing import ArrayLike


class Kind(enum.Enum):
    """The kinds of arguments."""

    INT = "integer"
    """Integer order or degree: SciPy floors or refuses what lies between integers."""
    REAL = "real"
    COMPLEX = "complex"
    """Real or complex."""
    STATIC = "static"
    """A Python number, bool or string, known when the function is traced."""


Array: TypeAlias = jax.Array
Int: TypeAlias = Annotated[ArrayLike, Kind.INT]
Real: TypeAlias = Annotated[ArrayLike, Kind.REAL]
Complex: TypeAlias = Annotated[ArrayLike, Kind.COMPLEX]
OptionalReal: TypeAlias = Annotated[ArrayLike | None, Kind.REAL]
"""Real, and None by default: another function of the remaining arguments serves then."""
StaticInt: TypeAlias = Annotated[int, Kind.STATIC]
StaticReal: TypeAlias = Annotated[float, Kind.STATIC]
StaticComplex: TypeAlias = Annotated[complex, Kind.STATIC]
"""A real number, or a complex one."""
StaticBool: TypeAlias = Annotated[bool, Kind.STATIC]
StaticStr: TypeAlias = Annotated[str, Kind.STATIC]
