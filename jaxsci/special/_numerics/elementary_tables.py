"""A polynomial of the exponential function less its first terms.

Written by tests/support/make_kernel_tables.py.
"""

from jaxsci.special._numerics.polynomials import Piece

EXPM1 = Piece(
    -0.75,
    0.75,
    (
        0.5,
        0.125,
        0.02343749999999999,
        0.003515624999999999,
        0.00043945312500016405,
        4.70842633928711e-05,
        4.414149692096159e-06,
        3.678458076902589e-07,
        2.7588438392641e-08,
        1.881029861098225e-09,
        1.175602362382131e-10,
        6.782346620866447e-12,
        3.6634376275832424e-13,
        1.8308985779220734e-14,
    ),
)
