"""No number ends the process, keeps a call from returning, raises, or shows unwritten memory.

Today's functions, at a few hundred points each; `python tests/support/hostile_numbers.py` takes
all.
"""

from __future__ import annotations

import json

import numpy as np
import pytest
import scipy.special
from hostile_numbers import scan
from processes import outcome
from rotation import drawn, one_by_the_draw

import jaxsci
from jaxsci import special
from jaxsci._core.dispatch import BACKENDS
from jaxsci.special._catalog.decorators import CATALOG, ArrayRow

BY_ROW = [name for name, row in CATALOG.items() if not isinstance(row, ArrayRow)]
ALWAYS = ["lmbda", "riccati_jn", "riccati_yn", "yn", "yvp", "spherical_yn", "jacobi", "lpmv"]
DRAWN = sorted({*ALWAYS, *drawn(BY_ROW, 8, "hostile numbers")})


@pytest.mark.rotating(1)
def test_drawn_functions_stand_hostile_numbers():
    # The same points for every commit; the program by itself looks at all of them.
    options = ("--what", "host,memory", "--points", 60, "--seed", 0)
    done = outcome("support/hostile_numbers.py", *options, *DRAWN, environment={})
    assert json.loads(done.stdout) == []


# The scan forks; what is called here does not need the other threads.
@pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning")
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_the_scan_finds_what_it_looks_for():
    def endless():
        while True:
            pass

    def wrong():
        raise ArithmeticError("of a callback")

    tasks = [
        ("fine", lambda: 1),
        ("crash", lambda: scipy.special.lmbda(4.25, np.nan)),
        ("fine", lambda: 1),
        ("hang", endless),
        ("error", wrong),
    ]
    found = dict(scan(tasks, 0.5))
    assert found["crash"].startswith("ends the process: SIG")
    assert found["hang"] == "takes more than 0.5 s"
    assert found["error"] == "raises ArithmeticError: of a callback"
    assert len(found) == 3


@pytest.mark.parametrize("backend", one_by_the_draw(BACKENDS, "crashed or hung"))
def test_what_crashed_or_hung_gives_nan(backend):
    """Each of these ended the process, took minutes, raised in a callback, or gave old memory."""
    with jaxsci.use_backend(backend):
        for x in (np.nan, np.inf, -np.inf, 1e12):
            for ys in (special.lmbda(4.25, x), special.lmbda(1.0, x), special.riccati_jn(5, x)):
                assert np.all(np.isnan(ys))
        assert np.all(np.isnan(special.riccati_yn(5, np.array([np.nan, np.inf, -np.inf]))))
        assert np.isnan(special.yvp(2147483648.0, 1e300, 3))
        assert np.isnan(special.yvp(2147483647.0, 1e17))
        assert np.isnan(special.yn(2**31 - 1, 1e17))
        assert np.isnan(special.yn(-np.inf, 1e17))
        for n in (2**31 - 1, -(2**31)):
            assert np.isnan(special.spherical_jn(n, 1e300))
            assert np.isnan(special.spherical_yn(n, 1e300, derivative=True))
        assert np.isnan(special.spherical_yn(2**31 - 1, 1e-310))
        assert np.isnan(special.lpmv(np.inf, 4.0, 0.1))
        assert np.isinf(special.gegenbauer(4, 1e100)[0])


@pytest.mark.rotating(1)
@pytest.mark.parametrize("backend", BACKENDS)
def test_guards_keep_what_scipy_can_do(backend):
    for name, *point in (
        ("yn", 10**9, 3.0),
        ("yv", 1e9 + 0.5, 1e10),
        ("yv", 1e9, 1e10 + 1j),
        ("spherical_jn", 10**9, 1e5),
        ("hyp1f1", -1e6, -2e6, 1.0),
        ("hyp1f1", 1e6, 1.5, 1e-3),
        ("hyp1f1", 1e-210, -999999.5, 1000.0),
        ("eval_genlaguerre", 10**6, 0.0, 0.3),
        ("eval_laguerre", 10**6, 30.0),
    ):
        expected = getattr(scipy.special, name)(*point)
        with jaxsci.use_backend(backend):
            np.testing.assert_array_equal(getattr(special, name)(*point), expected)
