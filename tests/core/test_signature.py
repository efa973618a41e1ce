"""Generalised-ufunc signatures: parsing, and the shapes of results."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxsci._core.signature import Signature, parse_signature

pytestmark = pytest.mark.smoke

names = st.sampled_from(["n", "m", "k", "long_name", "n2", "3", "12"])
cores = st.lists(st.lists(names, max_size=3).map(tuple), max_size=3).map(tuple)
spaces = st.sampled_from(["", " ", "  "])


@given(cores, cores, spaces)
def test_what_is_written_is_what_is_parsed(inputs, outputs, space):
    def write(side):
        return f"{space},{space}".join(
            f"({space}{f'{space},{space}'.join(core)}{space})" for core in side
        )

    text = f"{space}{write(inputs)}{space}->{space}{write(outputs)}{space}"
    assert parse_signature(text) == Signature(inputs, outputs)


@pytest.mark.parametrize(
    ("text", "elementwise"),
    [
        ("(),()->()", True),
        ("()->(),()", True),
        ("->()", True),
        ("(n)->()", False),
        ("()->(3)", False),
    ],
)
def test_elementwise(text, elementwise):
    assert parse_signature(text).elementwise is elementwise


@pytest.mark.parametrize(
    "text",
    [
        "",
        "()",
        "->->",
        "n->n",
        "(n->(n)",
        "(n))->()",
        "(n;m)->()",
        "(n)(m)->()",
        "(1n)->()",
        "(n?)->()",
    ],
)
def test_what_is_no_signature(text):
    with pytest.raises(ValueError, match="not a generalised-ufunc signature"):
        parse_signature(text)


# NumPy 2.0 has the first of them alone.
GUFUNCS = [getattr(np, name) for name in ("vecdot", "matvec", "vecmat") if hasattr(np, name)]


@given(st.sampled_from(GUFUNCS), st.integers(0, 4), st.integers(0, 4))
def test_core_shapes_are_those_that_numpy_finds(gufunc, m, n):
    signature = parse_signature(gufunc.signature)
    size = {"m": m, "n": n}
    shapes = [tuple(size[d] for d in core) for core in signature.inputs]
    (found,) = signature.core_shapes(shapes, {}, "f", ["a", "b"])
    assert found == gufunc(*(np.zeros(s) for s in shapes)).shape


def shapes_of(text, *shapes, **sizes):
    return parse_signature(text).core_shapes(shapes, sizes, "f", ["a", "b", "c"][: len(shapes)])


def test_sizes_come_from_arguments_numbers_and_sizes():
    assert shapes_of("(m,n),(n)->(n,m),(3),(k)", (9, 2, 5), (5,), k=7) == ((5, 2), (3,), (7,))


@pytest.mark.parametrize(
    ("text", "shapes", "sizes", "message"),
    [
        (
            "(n,n)->()",
            [(3, 2)],
            {},
            r"f: argument 'a' of shape \(3, 2\) has size 2 .* 3 is expected",
        ),
        (
            "(n),(n)->()",
            [(3,), (4,)],
            {},
            "f: argument 'b' .* has size 4 in dimension 'n', where 3",
        ),
        ("(n,m)->()", [(3,)], {}, r"f: argument 'a' needs at least 2 dimensions \(n, m\), got"),
        ("(3)->()", [(2,)], {}, "f: argument 'a' .* has size 2 in dimension '3', where 3"),
        ("(n)->()", [(2,)], {"n": 5}, "f: argument 'a' .* where 5 is expected"),
        ("(n)->(k)", [(2,)], {}, "f: no argument has the dimension 'k' of the result"),
    ],
)
def test_shapes_that_do_not_fit(text, shapes, sizes, message):
    with pytest.raises(ValueError, match=message):
        shapes_of(text, *shapes, **sizes)
