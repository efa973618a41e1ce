"""How far functions of matrices and their derivatives are from values at 90 digits.

``jaxsci check --linalg`` prints the errors, ``docs/linalg.md`` and the functions' pages show them,
and a test measures a part of them again.
"""
