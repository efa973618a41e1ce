"""NumPy's generalised-ufunc signatures: shapes of arguments and results."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_NAME = r"(?:[A-Za-z_]\w*|\d+)"
_CORE = rf"\(\s*(?:{_NAME}\s*(?:,\s*{_NAME}\s*)*,?)?\s*\)"
_LIST = rf"(?:{_CORE}\s*(?:,\s*{_CORE}\s*)*)?"
_SIGNATURE = re.compile(rf"\s*({_LIST})\s*->\s*({_LIST})\s*")

Dimensions = tuple[str, ...]


@dataclass(frozen=True)
class Signature:
    """Core dimensions of every input and output, by name (or a number, for a fixed size)."""

    inputs: tuple[Dimensions, ...]
    outputs: tuple[Dimensions, ...]

    @property
    def elementwise(self) -> bool:
        """Whether no argument and no result has core dimensions."""
        return not any(self.inputs) and not any(self.outputs)

    def core_shapes(
        self,
        shapes: Sequence[tuple[int, ...]],
        sizes: Mapping[str, int],
        name: str,
        arguments: Sequence[str],
    ) -> tuple[tuple[int, ...], ...]:
        """The results' core shapes, for arguments of these whole shapes.

        Raises:
            ValueError: a shape does not fit, naming the function and the argument.
        """
        known = dict(sizes)
        for shape, core, argument in zip(shapes, self.inputs, arguments, strict=True):
            if len(shape) < len(core):
                raise ValueError(
                    f"{name}: argument {argument!r} needs at least {len(core)} dimensions "
                    f"({', '.join(core)}), got shape {shape}"
                )
            for dimension, size in zip(core, shape[len(shape) - len(core) :], strict=True):
                wanted = (
                    int(dimension) if dimension.isdigit() else known.setdefault(dimension, size)
                )
                if size != wanted:
                    raise ValueError(
                        f"{name}: argument {argument!r} of shape {shape} has size {size} in "
                        f"dimension {dimension!r}, where {wanted} is expected"
                    )
        missing = {d for core in self.outputs for d in core if not d.isdigit()} - set(known)
        if missing:
            raise ValueError(
                f"{name}: no argument has the dimension {sorted(missing)[0]!r} of the result; "
                f"give it as sizes={{{sorted(missing)[0]!r}: ...}}"
            )
        return tuple(
            tuple(int(d) if d.isdigit() else known[d] for d in core) for core in self.outputs
        )


@functools.cache
def parse_signature(text: str) -> Signature:
    """Parse ``"(n,n),(n)->(n)"``.

    Raises:
        ValueError: the text is not a generalised-ufunc signature.
    """
    match = _SIGNATURE.fullmatch(text)
    if match is None:
        optional = "; give one without optional dimensions" if "?" in text else ""
        raise ValueError(
            f"not a generalised-ufunc signature, such as '(n,n),(n)->(n)': {text!r}{optional}"
        )
    inputs, outputs = (
        tuple(tuple(re.findall(_NAME, core)) for core in re.findall(_CORE, side))
        for side in match.groups()
    )
    return Signature(inputs, outputs)
