"""Laguerre functions of degrees that are not integers, by their power series in long integers.

The recurrence in the degree is unstable for these where x is large, and the series' terms cancel:
they are summed with as many more bits as they are larger than one.
"""

from __future__ import annotations

import math

import numpy as np
import scipy.special

from jaxsci._core.make_host_function import host_function

_MOST_TERMS = 20_000
_SPARE_BITS = 160


def _series(n: float, a: float, x: complex) -> complex:
    """The sum of (-n)_k / (a + 1)_k x^k / k!; SciPy's where that takes too many terms."""
    size = abs(x)
    if not (math.isfinite(n) and math.isfinite(a) and math.isfinite(size)):
        return complex(math.nan)
    bits = 3 * math.sqrt((abs(n) + abs(a) + 1) * size) + 1.5 * size
    if a < 0 and a == math.floor(a):
        return complex(math.nan)
    if bits > _MOST_TERMS or abs(n) > _MOST_TERMS:
        return complex(scipy.special.hyp1f1(-n, a + 1, x))
    precision = _SPARE_BITS + int(bits)
    (n_top, n_bottom), (a_top, a_bottom) = float(n).as_integer_ratio(), float(a).as_integer_ratio()
    (re_top, re_bottom), (im_top, im_bottom) = x.real.as_integer_ratio(), x.imag.as_integer_ratio()
    bottom = max(re_bottom, im_bottom)  # powers of two
    re_x, im_x = re_top * (bottom // re_bottom), im_top * (bottom // im_bottom)
    re, im = 1 << precision, 0
    re_sum, im_sum, k = re, im, 0
    while (re or im) and k < 4 * _MOST_TERMS:
        up = (k * n_bottom - n_top) * a_bottom
        down = ((k + 1) * a_bottom + a_top) * n_bottom * (k + 1) * bottom
        re, im = up * (re * re_x - im * im_x) // down, up * (re * im_x + im * re_x) // down
        re_sum, im_sum, k = re_sum + re, im_sum + im, k + 1
        if abs(re) <= 1 and abs(im) <= 1 and k > n:  # -1 // 2 stays -1
            break
    return complex(_as_float(re_sum, precision), _as_float(im_sum, precision))


def _as_float(x: int, precision: int) -> float:
    try:
        return x / (1 << precision)
    except OverflowError:
        return math.copysign(math.inf, x)


def _laguerre(n: np.ndarray, a: np.ndarray, x: np.ndarray) -> np.ndarray:
    n, a, x = np.broadcast_arrays(n, a, x)
    sums = [_series(*at) for at in zip(n.ravel(), a.ravel(), x.ravel().tolist(), strict=True)]
    with np.errstate(all="ignore"):
        values = np.array(sums, complex).reshape(n.shape)
        factor = scipy.special.binom(n + a, n)
        return factor * values if np.iscomplexobj(x) else factor * np.real(values)


laguerre_of_real_degree = host_function(
    _laguerre, "(),(),()->()", batched=True, name="laguerre_of_real_degree"
)
