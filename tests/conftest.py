"""The test process computes with 64-bit types; those that do not are processes of their own."""

import os

import hypothesis
import jax

jax.config.update("jax_enable_x64", os.environ.get("JAXSCI_TEST_X64", "1") == "1")

# SciPy has weak spots that nobody has written down. Where a change is judged, property tests go
# through the same examples every time; elsewhere they look for new ones.
hypothesis.settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    hypothesis.settings.load_profile("ci")
