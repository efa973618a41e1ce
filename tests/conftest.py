"""The test process computes with 64-bit types; those that do not are processes of their own."""

import os

import jax

jax.config.update("jax_enable_x64", os.environ.get("JAXSCI_TEST_X64", "1") == "1")
