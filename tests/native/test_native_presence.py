"""Whether the native backend is here, and why not."""

import os
import shutil

import pytest

import jaxsci
from jaxsci import _native
from jaxsci._core import dispatch

pytestmark = pytest.mark.smoke

COMPILERS = [c for c in ("c++", "g++", "clang++", "cl") if shutil.which(c)]


def test_the_backend_is_here_or_says_why_not():
    if _native.ABSENT is None:
        assert dispatch.BACKENDS == ("callback", "ffi")
        assert dispatch.DEFAULT_BACKEND == "ffi"
    else:
        assert dispatch.BACKENDS == ("callback",)
        assert "C++17 compiler" in _native.ABSENT
        with pytest.raises(ValueError, match="compiled extension"):
            jaxsci.use_backend("ffi")


def test_it_is_not_left_out_unnoticed():
    """Where it can be built, or a wheel is to have it, its tests must run."""
    can_be_built = bool(os.environ.get("CI")) and bool(COMPILERS)
    must_be_here = can_be_built or bool(os.environ.get("JAXSCI_MUST_BE_NATIVE"))
    assert not must_be_here or _native.ABSENT is None, (
        f"jaxsci from {os.path.dirname(jaxsci.__file__)} lacks the extension: {_native.ABSENT}"
    )
