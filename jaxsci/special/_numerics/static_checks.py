"""What static arguments of several families have to be."""

from __future__ import annotations


def not_negative(**values: float) -> None:
    """Refuse negative degrees, orders or numbers of terms (infinite ones and NaN too), by name."""
    for name, value in values.items():
        if not 0 <= value < float("inf"):
            raise ValueError(f"argument {name!r} must be finite and not negative, got {value}")


def orders_to(**values: float) -> None:
    """Refuse negative numbers of orders, and those that C's integers cannot count."""
    not_negative(**values)
    for name, value in values.items():
        if value >= 2**31 - 1:
            raise ValueError(f"argument {name!r} must be less than 2**31 - 1, got {value}")


def derivatives_of_bessel(n: int) -> None:
    """Refuse orders of derivatives whose denominator 2**n is no double, as SciPy's sum needs it."""
    if not 0 <= n <= 1023:
        raise ValueError(f"argument 'n' must be from 0 to 1023, got {n}")


def derivatives_to_two(diff_n: int) -> None:
    """Refuse orders of derivatives that SciPy does not compute."""
    if not 0 <= diff_n <= 2:
        raise ValueError(f"argument 'diff_n' must be 0, 1 or 2, got {diff_n}")
