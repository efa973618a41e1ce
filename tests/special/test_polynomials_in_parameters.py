"""Derivatives of orthogonal polynomials in their degree and parameters, mixed ones too.

The truth is mpmath's, by central differences of definitions with an error of 1e-40.
"""

from __future__ import annotations

import itertools

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
from differences import assert_close, mixed
from identities import along

import jaxsci
from jaxsci import special as sp

pytestmark = pytest.mark.rotating(0.011)

# -- Chebyshev polynomials in the degree -----------------------------------------------------------


def first(n, x):
    return mpmath.cos(n * mpmath.acos(x))


def second(n, x):
    return mpmath.sin((n + 1) * mpmath.acos(x)) / mpmath.sin(mpmath.acos(x))


CHEBYSHEV = {
    "eval_chebyt": (first, lambda x: x),
    "eval_chebyu": (second, lambda x: x),
    "eval_chebyc": (lambda n, x: 2 * first(n, x / 2), lambda x: 2 * x),
    "eval_chebys": (lambda n, x: second(n, x / 2), lambda x: 2 * x),
    "eval_sh_chebyt": (lambda n, x: first(n, 2 * x - 1), lambda x: (x + 1) / 2),
    "eval_sh_chebyu": (lambda n, x: second(n, 2 * x - 1), lambda x: (x + 1) / 2),
}
AT_REAL = np.array(
    [
        *((0.0, 0.3), (3.0, 0.3), (7.0, -0.6), (2.5, 1.7), (12.0, 1 + 1e-9), (12.4, 1 - 1e-9)),
        *((5.0, 1e-9 - 1), (4.3, 1e-7 - 1), (0.01, 0.6), (1000.0, 0.99999), (1234.5, -0.2)),
        *((2000.0, 1 - 1e-12), (30.0, 1.05), (1e-6, -0.5), (-4.0, 0.2), (-7.7, -0.9)),
    ]
)
AT_COMPLEX = [
    *((0.5, 0.2 + 0.4j), (6.0, 1 + 1e-6j), (6.5, -1 + 1e-5j), (11.0, -2 - 1j), (20.0, 0.7 + 0j)),
    *((3.3, -1.2 + 0.01j), (100.0, 0.5 - 0.01j), (-2.5, 0.1 + 2j), (40.0, 1.3 + 0j)),
]


@pytest.mark.parametrize("orders", [(1, 0), (2, 0), (1, 1), (2, 1), (1, 2)])
@pytest.mark.parametrize("name", CHEBYSHEV)
def test_chebyshev_polynomials(name, orders):
    f, scale = CHEBYSHEV[name]
    n, x = AT_REAL.T
    x = scale(x)
    tolerance = 1e-13 if orders == (1, 0) else 5e-12
    found = mixed(getattr(sp, name), orders)(n, x)
    assert_close(found, f, list(zip(n, x, strict=True)), orders, tolerance)


@pytest.mark.parametrize("orders", [(1, 0), (1, 1)])
@pytest.mark.parametrize("name", ["eval_chebyt", "eval_chebyu"])
def test_chebyshev_functions_of_complex_numbers(name, orders):
    n, x = (np.array(column) for column in zip(*AT_COMPLEX, strict=True))
    found = mixed(getattr(sp, name), orders)(n, x)
    assert_close(found, CHEBYSHEV[name][0], AT_COMPLEX, orders, 1e-13 if orders[1] == 0 else 1e-12)


def test_chebyshev_polynomials_at_the_ends():
    """T_n(1) = 1, U_n(1) = n + 1, T_n(-1) = cos(pi n), T_n'(1) = n^2: their slopes are exact."""
    n = np.array([0.0, 1.0, 7.0, 2.5, 1000.0])
    one = np.ones_like(n)

    @jax.jit
    def slopes(n):
        t, u = along(sp.eval_chebyt, 0), along(sp.eval_chebyu, 0)
        return t(n, one), u(n, one), t(n, -one), along(t, 1)(n, one), along(u, 0)(n, one)

    at_one, of_second, at_minus, turned, curved = slopes(n)
    np.testing.assert_array_equal(at_one, 0 * n)
    np.testing.assert_array_equal(of_second, one)
    np.testing.assert_array_equal(curved, 0 * n)
    truth = np.where(n % 1 == 0, 0.0, -np.pi * np.sin(np.pi * n))
    np.testing.assert_allclose(at_minus, truth, rtol=1e-15, atol=0)
    np.testing.assert_allclose(turned, 2 * n, rtol=1e-15)


@pytest.mark.parametrize("backend", ["callback", "device"])
@pytest.mark.parametrize("name", ["eval_chebyu", "eval_chebys", "eval_sh_chebyu"])
def test_complex_functions_of_the_second_kind_at_the_lower_end(name, backend):
    """Infinite as sin((n + 1) pi)/0, and for integer degrees (-1)^n (n + 1)."""
    n = np.array([4.3, 1.3, -2.5, 3.0, 10.0, 0.0, -1.0, -5.0])
    with jaxsci.use_backend(backend):
        found = getattr(sp, name)(n, CHEBYSHEV[name][1](-1 + 0j))
    truth = [-np.inf, np.inf, np.inf, -4, 11, 1, 0, 4]
    np.testing.assert_array_equal(found.real, truth)
    np.testing.assert_array_equal(found.imag, 0 * n)


@pytest.mark.parametrize("backend", ["callback", "device"])
def test_complex_functions_of_other_degrees_have_no_value_at_the_lower_end(backend):
    """Nor does the search for one go on for ever: -1 is a singular point of the equation."""
    n, end = np.array([12.9, 6.5, 2.3]), -1 + 0j
    with jaxsci.use_backend(backend):
        found = [
            sp.eval_jacobi(n, 2.3, 6.1, end),
            sp.eval_gegenbauer(n, 2.3, end),
            sp.eval_legendre(n, end),
            sp.eval_sh_legendre(n, 0j),
        ]
    assert not np.any(np.isfinite(found))


def test_chebyshev_polynomials_where_they_are_zero_or_not_real():
    slope = jax.vmap(jax.grad(sp.eval_chebyu))
    np.testing.assert_array_equal(slope(np.array([0.0, 2.0]), np.zeros(2)), [0.0, 0.0])
    assert np.isnan(jax.grad(sp.eval_chebyt)(3.0, -1.5))
    _, scanned = jax.lax.scan(
        lambda c, n: (c, jax.grad(sp.eval_chebyt)(n, 0.3)), 0.0, jnp.arange(4.0)
    )
    with mpmath.workdps(40):
        angle = mpmath.acos(mpmath.mpf(0.3))
        expected = [float(-angle * mpmath.sin(n * angle)) for n in range(4)]
    np.testing.assert_allclose(scanned, expected, rtol=1e-15)


def test_chebyshev_polynomials_on_the_cut():
    """The value is that from below, and so are the slopes."""
    n, x = np.array([2.5, 0.3]), np.array([-1.5 + 0j, -3 + 0j])
    slope = mixed(sp.eval_chebyt, (1, 0))
    np.testing.assert_allclose(sp.eval_chebyt(n, x), sp.eval_chebyt(n, x - 1e-15j), rtol=1e-13)
    np.testing.assert_allclose(slope(n, x), slope(n, x - 1e-15j), rtol=1e-13)


# -- Legendre polynomials in the degree ------------------------------------------------------------


def legendre(n, x):
    return mpmath.hyp2f1(-n, n + 1, 1, (1 - x) / 2)


AT_LEGENDRE = np.array(
    [
        *((0.0, 0.3), (3.0, 0.3), (7.0, -0.6), (2.5, 1.7), (12.0, 1 + 1e-9), (12.4, 1 - 1e-9)),
        *((5.0, 1e-7 - 1), (4.3, 1e-5 - 1), (0.01, 0.6), (200.0, 0.999), (150.5, -0.2), (1.0, 0.9)),
        *((30.0, 1.05), (1e-6, -0.5), (-0.3, 0.2), (-7.7, -0.9), (2.2, 40.0), (6.0, 1e6)),
    ]
)


@pytest.mark.parametrize("orders", [(1, 0), (2, 0), (1, 1), (2, 1), (1, 2)])
@pytest.mark.parametrize("shifted", [False, True])
def test_legendre_polynomials(orders, shifted):
    third = sum(orders) == 3
    # Next to -1 those of third order lose what the docstring says.
    n, x = AT_LEGENDRE[AT_LEGENDRE[:, 1] > -0.95].T if third else AT_LEGENDRE.T
    x = (x + 1) / 2 if shifted else x
    found = mixed(sp.eval_sh_legendre if shifted else sp.eval_legendre, orders)(n, x)

    def f(n, x):
        return legendre(n, 2 * x - 1 if shifted else x)

    tolerance = {1: 2e-13, 2: 5e-12, 3: 5e-12}[sum(orders)]
    assert_close(found, f, list(zip(n, x, strict=True)), orders, tolerance)


@pytest.mark.parametrize("orders", [(1, 0), (1, 1)])
def test_legendre_polynomials_of_large_degree(orders):
    points = [(1000.0, 0.999), (3000.5, 1 - 1e-5), (20_000.25, 1 - 1e-7), (99_990.0, 1 - 1e-10)]
    n, x = np.array(points).T
    assert_close(mixed(sp.eval_legendre, orders)(n, x), legendre, points, orders, 2e-13)


def test_legendre_polynomials_at_the_ends():
    """P_n(1) = 1 for every n, P_n'(1) = n (n + 1)/2."""
    n = np.array([0.0, 3.0, 2.5, 1000.0, -4.2])
    one = np.ones_like(n)
    np.testing.assert_array_equal(mixed(sp.eval_legendre, (1, 0))(n, one), 0 * n)
    np.testing.assert_allclose(mixed(sp.eval_legendre, (1, 1))(n, one), n + 0.5, rtol=1e-15)
    slope = jax.vmap(jax.grad(sp.eval_legendre))
    assert np.isnan(slope(np.array([3.0, 3.0, 2.5]), np.array([-1.0, -1.5, -1.5]))).all()
    x = 0.3 + 0.1j
    found = jax.jvp(sp.eval_legendre, (3.0, x), (1.0, 0j))[1]
    with mpmath.workdps(30):
        truth = mpmath.diff(lambda n: mpmath.hyp2f1(-n, n + 1, 1, (1 - mpmath.mpmathify(x)) / 2), 3)
    np.testing.assert_allclose(found, complex(truth), rtol=1e-13)


# -- polynomials of integer degree in their parameters ---------------------------------------------


def jacobi(n, a, b, x):
    """By the recurrence of DLMF 18.9.1, 18.9.2: three terms, and no differences."""
    previous, here = mpmath.mpf(1), (a - b + (a + b + 2) * x) / 2
    s = a + b
    for k in range(1, n):
        m = 2 * k + s
        up = (m + 1) * (m * (m + 2) * x + (a - b) * s) * here
        down = 2 * (k + a) * (k + b) * (m + 2) * previous
        previous, here = here, (up - down) / (2 * (k + 1) * (k + s + 1) * m)
    return here if n else previous


def gegenbauer(n, c, x):
    previous, here = mpmath.mpf(1), 2 * c * x
    for k in range(1, n):
        up = 2 * (k + c) * x * here
        previous, here = here, (up - (k + 2 * c - 1) * previous) / (k + 1)
    return here if n else previous


def laguerre(n, a, x):
    previous, here = mpmath.mpf(1), 1 + a - x
    for k in range(1, n):
        up = (2 * k + a + 1 - x) * here
        previous, here = here, (up - (k + a) * previous) / (k + 1)
    return here if n else previous


def shifted_jacobi(n, p, q, x):
    return jacobi(n, p - q, q - 1, 2 * x - 1) / mpmath.binomial(2 * n + p - 1, n)


DEGREES = (0, 1, 2, 7, 40)
WHOLE = {
    "eval_jacobi": (
        jacobi,
        ((0.5, -0.3), (2.0, 2.0), (30.0, 0.1), (-0.9, 12.0), (1e-9, 3.0)),
        (0.3, 1.0, -1.0, 1 - 1e-9, 1e-9 - 1, -2.0, 1.5),
    ),
    "eval_gegenbauer": (
        gegenbauer,
        ((0.5,), (2.0,), (25.0,), (-0.3,), (0.0,)),
        (0.3, 1.0, -1.0, 1 - 1e-9, -2.0, 1.5),
    ),
    "eval_genlaguerre": (
        laguerre,
        ((0.0,), (2.5,), (40.0,), (-0.8,)),
        (0.0, 1e-9, 0.7, 20.0, 300.0, -5.0),
    ),
    "eval_sh_jacobi": (
        shifted_jacobi,
        ((2.0, 1.5), (3.0, 1.0), (1.0, 0.2), (20.0, 4.0)),
        (0.3, 1.0, 0.0, 1 - 1e-9, 1e-9, 1e-300, -0.5, 1.5),
    ),
}


def points_of(name, complex_x=False):
    _, parameters, xs = WHOLE[name]
    if complex_x:
        xs = [(1 + abs(x)) * (0.4 + 0.5j) * (-1) ** i for i, x in enumerate(xs)]
    # A part of them, in which every degree meets every argument.
    return list(itertools.product(DEGREES, parameters, xs))[:: 3 + (len(xs) % 3 == 0)]


@pytest.mark.parametrize("complex_x", [False, True], ids=["real", "complex"])
@pytest.mark.parametrize(("order", "order_in_x"), [(1, 0), (2, 0), (1, 1)])
@pytest.mark.parametrize("name", WHOLE)
def test_polynomials_of_whole_degree(name, order, order_in_x, complex_x):
    f, parameters, _ = WHOLE[name]
    points = points_of(name, complex_x)
    n = np.array([p[0] for p in points])
    x = np.array([p[2] for p in points])
    for i in range(len(parameters[0])):
        orders = [0] * (len(parameters[0]) + 1)
        orders[i], orders[-1] = order, order_in_x
        columns = np.array([p[1] for p in points]).T
        found = np.asarray(mixed(getattr(sp, name), (0, *orders))(n, *columns, x))
        for degree in DEGREES:
            at = [(*p[1], p[2]) for p in points if p[0] == degree]

            def of_degree(*at, degree=degree):
                return f(degree, *at)

            assert_close(
                found[n == degree], of_degree, at, orders, 1e-13 if sum(orders) == 1 else 2e-11
            )


def test_polynomials_of_large_degree():
    """In both modes, and under vmap; the three-term recurrence is exact in rational numbers."""
    for name, at in (
        ("eval_jacobi", (1000, 0.5, 1.5, 0.9)),
        ("eval_gegenbauer", (1500, 1.5, -0.7)),
        ("eval_genlaguerre", (1000, 0.5, 12.0)),
    ):
        n, *rest = at
        f = WHOLE[name][0]
        last = len(rest)
        found = jax.jit(jax.vmap(jax.grad(getattr(sp, name), range(1, last)), [0] * (last + 1)))(
            *(np.array([x], float) for x in at)
        )
        for i, slope in enumerate(found):
            orders = [int(i == j) for j in range(last)]
            assert_close(slope, lambda *at, f=f, n=n: f(n, *at), [rest], orders, 1e-13)


def test_associated_laguerre_is_the_same_function():
    x, k = np.array([0.3, 7.0]), np.array([0.5, 2.0])
    turned = jax.vmap(jax.grad(sp.assoc_laguerre, 2), (0, None, 0))(x, 6.0, k)
    np.testing.assert_array_equal(
        turned, jax.vmap(jax.grad(sp.eval_genlaguerre, 1), (None, 0, 0))(6.0, k, x)
    )


def test_closed_forms_at_the_ends():
    """P_n(1) = (a + 1)_n/n!, L_n(0) alike; a Gegenbauer polynomial of parameter 0 is 2 T_n a/n."""
    n, a = 6, 0.75
    harmonic = sum(1 / (a + k) for k in range(1, n + 1))
    at_end = np.prod([(a + k) / k for k in range(1, n + 1)])
    np.testing.assert_allclose(jax.grad(sp.eval_jacobi, 1)(n, a, 3.0, 1.0), at_end * harmonic)
    np.testing.assert_array_equal(jax.grad(sp.eval_jacobi, 2)(n, a, 3.0, 1.0), 0.0)
    np.testing.assert_allclose(jax.grad(sp.eval_genlaguerre, 1)(n, a, 0.0), at_end * harmonic)
    slope = jax.grad(sp.eval_gegenbauer, 1)(n, 0.0, 0.3)
    np.testing.assert_allclose(slope, 2 / n * np.cos(n * np.arccos(0.3)), rtol=1e-14)


# -- in the degree, and between integer degrees ----------------------------------------------------


def binomial(n, a):
    return mpmath.gamma(n + a + 1) * mpmath.rgamma(n + 1) * mpmath.rgamma(a + 1)


def jacobi_function(n, a, b, x):
    return binomial(n, a) * mpmath.hyp2f1(-n, n + a + b + 1, a + 1, (1 - x) / 2)


def gegenbauer_function(n, c, x):
    return binomial(n, 2 * c - 1) * mpmath.hyp2f1(
        -n, n + 2 * c, c + 0.5, (1 - x) / 2, zeroprec=1000
    )


def laguerre_function(n, a, x):
    return binomial(n, a) * mpmath.hyp1f1(-n, a + 1, x)


def shifted_jacobi_function(n, p, q, x):
    return jacobi_function(n, p - q, q - 1, 2 * x - 1) / binomial(n, n + p - 1)


FUNCTIONS = {
    "eval_jacobi": (
        jacobi_function,
        (
            *((0.0, 0.5, -0.3, 0.3), (7.0, 2.0, 2.0, -0.6), (2.5, 30.0, 0.1, 1.7)),
            *((12.4, -0.9, 12.0, 1 - 1e-9), (5.0, 1e-9, 3.0, 1e-9 - 1), (30.2, 1.5, -0.5, -0.99)),
            *((200.3, 0.5, 0.5, 0.1), (0.01, 2.5, 1.0, -0.9), (6.5, 1.0, 0.5, 1e4)),
        ),
    ),
    "eval_gegenbauer": (
        gegenbauer_function,
        (
            *((0.0, 0.5, 0.3), (7.0, 2.0, -0.6), (2.5, 25.0, 1.7), (12.4, -0.3, 1 - 1e-9)),
            *((5.0, 1.0, 1e-9 - 1), (30.2, 0.0, -0.99), (100.3, 1.5, 0.0)),
        ),
    ),
    "eval_genlaguerre": (
        laguerre_function,
        (
            *((0.0, 0.0, 0.7), (3.0, 2.5, 1e-9), (2.5, 40.0, 20.0), (12.4, -0.8, 60.0)),
            *((5.0, 0.5, -30.0), (150.3, 1.0, 90.0), (0.01, 2.0, 5.0)),
        ),
    ),
    "eval_sh_jacobi": (
        shifted_jacobi_function,
        (
            *((0.0, 2.0, 1.5, 0.3), (3.0, 3.0, 1.0, 1e-9), (2.5, 20.0, 4.0, 1 - 1e-9)),
            *((12.4, 1.0, 0.2, 0.6), (30.2, 2.0, 1.5, 1.5), (80.0, 2.0, 1.5, 0.3)),
        ),
    ),
}


@pytest.mark.parametrize("complex_x", [False, True], ids=["real", "complex"])
@pytest.mark.parametrize(
    "places", [(0,), (1,), (0, 0), (0, 1), (1, 1), (0, -1), (1, -1), (0, 0, 1)]
)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_real_degree(name, places, complex_x):
    f, points = FUNCTIONS[name]
    orders = [0] * len(points[0])
    for i in places:
        orders[i] += 1
    if orders[0] == 0:
        points = [p for p in points if p[0] % 1 > 0]
    if complex_x:
        points = [(*p[:-1], (1 + abs(p[-1])) * (0.4 - 0.5j)) for p in points if p[-1] < 50]
    columns = [np.array(c) for c in zip(*points, strict=True)]
    found = mixed(getattr(sp, name), tuple(orders))(*columns)
    assert_close(found, f, points, orders, 2e-13 if sum(orders) == 1 else 2e-11)


def test_functions_of_real_degree_at_the_ends():
    """P_n^(a,b)(1) = Gamma(n + a + 1)/(n! Gamma(a + 1)), L_n^(a)(0) alike; NaN at and below -1."""
    n, a = 2.5, 0.75
    digamma = [float(mpmath.re(mpmath.psi(0, z))) for z in (n + a + 1, n + 1)]
    at_end = float(binomial(n, a)) * (digamma[0] - digamma[1])
    np.testing.assert_allclose(jax.grad(sp.eval_jacobi)(n, a, 3.0, 1.0), at_end, rtol=1e-14)
    np.testing.assert_allclose(jax.grad(sp.eval_genlaguerre)(n, a, 0.0), at_end, rtol=1e-14)
    np.testing.assert_array_equal(jax.grad(sp.eval_laguerre)(n, 0.0), 0.0)
    for x in (-1.0, -1.5):
        slopes = jax.grad(sp.eval_jacobi, (0, 1, 2))(n, a, 3.0, x)
        assert np.isnan(slopes).all()
        assert np.isnan(jax.grad(sp.eval_gegenbauer)(3.0, a, x))
    assert np.isnan(jax.grad(sp.eval_laguerre)(n, 1001.0))


def test_functions_of_real_degree_are_those_of_legendre():
    """P_n^(0,0) is P_n, and C_n^(1) is U_n."""
    n, x = np.array([0.0, 2.5, 7.0, 30.5]), np.array([0.3, -0.99, 1.5, -0.2])
    jacobi_slope = mixed(lambda n, x: sp.eval_jacobi(n, 0.0, 0.0, x), (1, 0))(n, x)
    np.testing.assert_allclose(jacobi_slope, mixed(sp.eval_legendre, (1, 0))(n, x), rtol=1e-12)
    ultraspherical = mixed(lambda n, x: sp.eval_gegenbauer(n, 1.0, x), (1, 0))(n, x)
    np.testing.assert_allclose(ultraspherical, mixed(sp.eval_chebyu, (1, 0))(n, x), rtol=1e-12)


@pytest.mark.parametrize("orders", [(1, 0, 0, 1), (1, 0, 0, 2), (2, 0, 0, 2), (1, 1, 0, 1)])
@pytest.mark.parametrize("name", ["eval_jacobi", "eval_sh_jacobi"])
def test_slopes_of_lowest_degrees_in_the_degree(name, orders):
    f, _ = FUNCTIONS[name]
    points = [(n, 2.0, 1.5, x) for n in (0.0, 1.0, 2.0) for x in (0.3, 0.85)]
    found = mixed(getattr(sp, name), orders)(*np.array(points).T)
    assert_close(found, f, points, orders, 2e-11)


# -- associated Legendre functions in the degree ---------------------------------------------------


def ferrers(m, v, x):
    at = abs(m) - v, v + abs(m) + 1, abs(m) + 1, (1 - x) / 2
    try:
        function = mpmath.hyp2f1(*at)
    except ValueError:  # at zeros; elsewhere `zeroprec` takes small numbers for zeros
        function = mpmath.hyp2f1(*at, zeroprec=1000)
    power = mpmath.sqrt((1 - x) * (1 + x)) ** abs(m) / mpmath.mpf(2) ** abs(m)
    rising = mpmath.fprod(v + j for j in range(1 - abs(m), abs(m) + 1))
    factor = (-1) ** m * rising if m > 0 else 1
    return factor * power / mpmath.factorial(abs(m)) * function


@pytest.mark.parametrize("orders", [(1, 0), (2, 0), (1, 1), (2, 1), (1, 2)])
@pytest.mark.parametrize("m", [0, 1, 2, -3, 5, 12])
def test_associated_legendre_functions_in_the_degree(m, orders):
    points = [(v, x) for v in (0.5, 3.5, 12.25, -7.7, 30.0) for x in (0.3, 0.0, -0.95, 1 - 1e-9)]
    points += [(2.5, 1e-7 - 1), (200.5, 0.3)]
    if sum(orders) < (3 if m < 2 else 2):
        # Higher derivatives of integer degrees lose digits there: their terms, up to 1e7 times as
        # large, cancel.
        points.append((7.0, 1e-7 - 1))
    v, x = np.array(points).T
    found = mixed(lambda v, x: sp.lpmv(m, v, x), orders)(v, x)
    tolerance = {1: 2e-13, 2: 1e-12, 3: 5e-12}[sum(orders)]
    assert_close(found, lambda v, x: ferrers(m, v, x), points, orders, tolerance)


def test_associated_legendre_functions_where_they_are_not_known():
    slope = jax.jit(jax.vmap(jax.grad(sp.lpmv, 1)))
    assert np.isnan(
        slope(np.array([0, 1, -3]), np.array([2.5, 3.0, 2.0]), np.array([-1, -1, 0.3]))
    ).all()
    np.testing.assert_array_equal(slope(np.arange(3), np.full(3, 2.5), np.ones(3)), np.zeros(3))


ON_THE_CUT = {
    "eval_legendre": (legendre, -1.0, [(2.5,), (0.3,), (3.0,), (-4.2,), (60.25,)]),
    "eval_sh_legendre": (lambda n, x: legendre(n, 2 * x - 1), 0.0, [(2.5,), (0.3,), (-1.7,)]),
    "eval_gegenbauer": (gegenbauer_function, -1.0, [(2.5, 0.7), (0.3, 1.5), (4.0, 3.2)]),
    "eval_jacobi": (jacobi_function, -1.0, [(2.5, 0.4, 0.8), (0.3, 2.5, -0.3), (4.0, 1.0, 0.5)]),
}


@pytest.mark.parametrize("name", ON_THE_CUT)
@pytest.mark.parametrize("zero", [0.0, -0.0])
def test_degrees_on_the_cut(name, zero):
    """SciPy's values are those from below, and so are derivatives in degree and parameters."""
    f, end, cases = ON_THE_CUT[name]
    points = [(*at, end - by) for at in cases for by in (1e-3, 0.5, 3.0, 200.0)]
    *parameters, x = (np.array(column) for column in zip(*points, strict=True))
    x = jax.lax.complex(x, np.full_like(x, zero))
    with mpmath.workdps(40):
        below = [(*at, mpmath.mpmathify(t) - 1e-35j) for *at, t in points]
        for i in range(len(points[0])):
            orders = tuple(int(i == k) for k in range(len(points[0])))
            found = mixed(getattr(sp, name), orders)(*parameters, x)
            for got, at in zip(found.tolist(), below, strict=True):
                truth = mpmath.diff(f, at, orders)
                assert abs(got - truth) <= 1e-12 * max(abs(truth), abs(f(*at))), (at, orders)


def test_jacobis_function_far_out_and_beyond_the_other_end():
    """The steps go by the distance from x = -1, and around that point."""
    points = [(2.3, 0.5, 0.7, 1e8), (-0.3, 0.5, -0.7, 1e8), (-0.45, -0.1, 0.1, 1e12)]
    found = mixed(sp.eval_jacobi, (1, 0, 0, 0))(*map(np.array, zip(*points, strict=True)))
    assert_close(found, jacobi_function, points, (1, 0, 0, 0), 1e-12)
    points = [(2.3, 1.2, -6.5, -2.2 + 0.3j), (1.3, 0.5, 4.5, -1.5 + 0.02j)]
    found = mixed(sp.eval_jacobi, (1, 0, 0, 0))(*map(np.array, zip(*points, strict=True)))
    assert_close(found, jacobi_function, points, (1, 0, 0, 0), 1e-12)
