"""How far values and derivatives are from mpmath's over whole domains, as data.

``jaxsci check --atlas`` makes the data, ``docs/atlas.md`` shows it, and a test measures a part of
it again.
"""
