"""Sylvester's equation."""

import scipy.linalg
from linalg_cases import case, normal, of_positive_spectrum

from jaxsci import linalg


def _sylvester(rng, is_complex):
    a, b = (of_positive_spectrum(rng, n, is_complex) for n in (4, 3))
    return [a, b, normal(rng, (4, 3), is_complex)]


case("solve_sylvester", linalg.solve_sylvester, scipy.linalg.solve_sylvester, _sylvester)
