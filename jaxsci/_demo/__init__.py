"""An optical fibre: the dispersion of its modes, and what it says of their makers' figures."""
