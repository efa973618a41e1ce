"""What JAX does not promise: one module imports it, and does without what is not there."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import jax
import jax.extend.core
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special
from imported_names import imported_names, parsed

import jaxsci
from jaxsci import _native, host_function
from jaxsci._core import dispatch, jax_compat
from jaxsci.special import jv

pytestmark = pytest.mark.smoke

PACKAGE = Path(jaxsci.__file__).parent
NOT_PROMISED = ("jax.core", "jax.extend", "jax.interpreters", "jax._src", "jaxlib")


def imported(path):
    """What a file imports, and attributes of jax's that it takes by dots."""
    tree = parsed(path)
    yield from imported_names(tree)
    yield from (ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute))


def not_promised(path):
    return {
        name
        for name in imported(path)
        for root in NOT_PROMISED
        if f"{name}.".startswith(f"{root}.")
    }


def test_one_module_imports_what_jax_does_not_promise():
    importing = {path.name for path in PACKAGE.rglob("*.py") if not_promised(path)}
    assert importing == {"jax_compat.py"}


PROLOGUE = """
import jax, jax.numpy as jnp, numpy as np, scipy.special
jax.config.update("jax_enable_x64", True)
import jaxsci
from jaxsci import host_function
from jaxsci.special import jv
"""


def run(program, *, before="", prologue=PROLOGUE):
    """What a program prints, in a process where `before` has been at JAX first."""
    result = subprocess.run(
        [
            sys.executable,
            "-P",
            "-c",
            f"{before}\n{prologue}\n{program}",
        ],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        # The package that is tested here, wherever it lies.
        env=os.environ | {"PYTHONPATH": str(PACKAGE.parent)},
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


WITHOUT_DEAD_CODE = "import jax.interpreters.partial_eval as pe\ndel pe.dce_rules"
WITHOUT_CHECKPOINT = (
    "import jax.interpreters.partial_eval as pe\ndel pe.partial_eval_jaxpr_custom_rules"
)
WITHOUT_DEVICES = (
    "import jax._src.dispatch as d\nkept = d.prim_requires_devices_during_lowering\n"
    "del d.prim_requires_devices_during_lowering\nimport jaxsci\n"
    "d.prim_requires_devices_during_lowering = kept"
)


@pytest.mark.rotating(0.3)
@pytest.mark.parametrize("before", [WITHOUT_DEAD_CODE, WITHOUT_CHECKPOINT, WITHOUT_DEVICES])
def test_values_and_derivatives_do_without(before):
    program = """
slope = jax.jit(jax.grad(jax.grad(jv, 1), 1))(1.0, 2.0)
print(float(jv(1.0, 2.0)) == scipy.special.jv(1, 2.0))
print(abs(float(slope) - scipy.special.jvp(1, 2.0, 2)) < 1e-14)
"""
    assert run(program, before=before) == ["True", "True"]


COUNTED = """
calls = []
def sines(x):
    calls.append(x)
    return np.sin(x), np.cos(x)
f = host_function(sines, "()->(),()")
print(jax.jit(lambda x: (f(x), x + 1)[1])(1.0), len(calls))
"""


@pytest.mark.rotating(0.3)
def test_results_that_nobody_uses_are_not_evaluated_where_jax_asks():
    assert run(COUNTED) == ["2.0 0"]
    assert run(COUNTED, before=WITHOUT_DEAD_CODE)[0].startswith("2.0 ")


class _Context:
    """What `jax.make_user_context` makes, as versions without the public method have it."""

    def __init__(self, below: object) -> None:
        self._obj = below


def test_backends_are_set_where_jax_has_no_public_way():
    found = []
    below = type("Config", (), {"set_global": staticmethod(found.append)})
    jax_compat.set_for_all_threads(_Context(below), "device")
    assert found == ["device"]
    with pytest.raises(NotImplementedError, match="use_backend"):
        jax_compat.set_for_all_threads(_Context(None), "device")


@pytest.mark.parametrize("others", [(), (["live"],), (["live"], "more")])
def test_dead_code_rules_take_what_any_version_hands_over(monkeypatch, others):
    rules = {}
    monkeypatch.setattr(jax_compat, "_dead_code_rules", rules)
    primitive = jax.extend.core.Primitive("test")
    jax_compat.set_dead_code_rule(primitive, lambda used, equation: (list(used), equation))
    assert rules[primitive]([True, False], *others, "equation") == ([True, False], "equation")


@pytest.mark.rotating(0.3)
def test_debugging_functions_under_checkpoint_do_without_the_rule():
    program = """
seen = []
watch = host_function(lambda x: seen.append(float(x)), effects="debug")
def f(x):
    watch(x)
    return jnp.sin(x) ** 2
print(float(jax.grad(jax.checkpoint(f))(1.0)) - float(np.sin(2.0)) < 1e-15)
jax.effects_barrier()
print(set(seen) == {1.0})
"""
    assert run(program, before=WITHOUT_CHECKPOINT) == ["True", "True"]


@pytest.mark.rotating(0.3)
def test_sharding_is_refused_where_programs_do_not_know_their_devices():
    program = """
from jax.sharding import SingleDeviceSharding
f = host_function(np.sin, sharding=SingleDeviceSharding(jax.devices()[0]))
try:
    print(f(1.0))
except NotImplementedError as error:
    print(str(error))
"""
    if run(program) != [str(np.sin(1.0))]:
        pytest.fail("with the name, the call is made")
    assert run(program, before=WITHOUT_DEVICES) == [
        "sin: this version of JAX cannot honour sharding="
    ]


def test_a_jax_without_primitives_is_named():
    program = """
import jax.extend.core, jax
del jax.extend.core.Primitive
try:
    import jaxsci
except ImportError as error:
    print(error)
print(jax.numpy.sin(0.0))
"""
    message, value = run(program, prologue="")
    assert message.startswith("jaxsci needs ")
    assert f"found JAX {jax.__version__}: cannot import name 'Primitive'" in message
    assert value == "0.0"


class Aval:
    """An abstract value, as some version of JAX has it."""

    def __init__(self, **attributes):
        self.__dict__.update(attributes)


@pytest.mark.parametrize(
    ("aval", "axes"),
    [
        (Aval(), set()),
        (Aval(vma=frozenset("ab")), {"a", "b"}),
        (Aval(mat=Aval(varying={"a"})), {"a"}),
        (Aval(manual_axis_type=Aval(varying={"b"}), vma=frozenset()), {"b"}),
    ],
)
def test_varying_axes_of_any_version(aval, axes):
    assert jax_compat.varying_axes(aval) == axes


# -- the interface by which XLA calls handlers -----------------------------------------------------


def test_jaxlib_says_which_version_of_the_ffi_it_has():
    found = jax_compat.ffi_api_version()
    assert found is not None
    assert all(isinstance(n, int) and n >= 0 for n in found)


@pytest.mark.parametrize(
    ("built", "here", "taken"),
    [
        ((0, 3), (0, 3), True),
        ((0, 3), (0, 5), True),
        ((0, 5), (0, 4), False),
        ((0, 3), (1, 0), False),
        ((1, 0), (0, 9), False),
        ((0, 3), None, False),
    ],
)
def test_handlers_are_offered_only_where_xla_takes_them(built, here, taken):
    problem = _native.refusal(built, here)
    assert (problem is None) == taken
    if here is not None and not taken:
        assert problem is not None
        assert f"version {built[0]}.{built[1]}" in problem
        assert f"version {here[0]}.{here[1]}" in problem


OLDER = """
import jax.ffi, pathlib, tempfile
folder = pathlib.Path(tempfile.mkdtemp())
header = folder / "xla" / "ffi" / "api" / "c_api.h"
header.parent.mkdir(parents=True)
header.write_text("#define XLA_FFI_API_MAJOR 0\\n#define XLA_FFI_API_MINOR 1\\n")
jax.ffi.include_dir = lambda: str(folder)
"""


@pytest.mark.rotating(0.3)
@pytest.mark.skipif(_native.ABSENT is not None, reason="without the extension")
def test_an_extension_for_a_newer_jaxlib_leaves_jax_alone():
    program = """
from jaxsci import _native
from jaxsci._core import dispatch
from jaxsci.__main__ import main
print(dispatch.BACKENDS, jnp.sin(0.0))
print(float(jv(1.0, 2.0)) == scipy.special.jv(1, 2.0))
main(["info"])
try:
    jaxsci.use_backend("ffi")
except ValueError as error:
    print(error)
"""
    lines = run(program, before=OLDER)
    assert lines[:2] == ["('callback',) 0.0", "True"]
    built = ".".join(map(str, _native._ufunc_call.FFI_API_VERSION))
    reason = (
        f"the compiled extension was built for version {built} of XLA's FFI, and the installed "
        "jaxlib has version 0.1"
    )
    assert any(line.startswith(f"  ffi       absent: {reason}") for line in lines)
    assert reason in lines[-1]


@pytest.mark.skipif(_native.ABSENT is not None, reason="without the extension")
def test_the_extension_is_built_for_the_oldest_interface():
    """That of jaxlib 0.10.0: one that asks for more would be refused there."""
    if os.environ.get("CI") or os.environ.get("JAXSCI_MUST_BE_NATIVE"):
        assert _native._ufunc_call.FFI_API_VERSION == (0, 3)
    assert dispatch.DEFAULT_BACKEND == "ffi"


def test_jv_is_scipys():
    """The same here, with all that this version of JAX has."""
    x = np.linspace(0, 9, 7)
    np.testing.assert_array_equal(jax.jit(jv)(1.0, x), scipy.special.jv(1.0, x))
    f = host_function(scipy.special.jv)
    np.testing.assert_array_equal(jax.vmap(f, (None, 0))(jnp.asarray(1.0), x), f(1.0, x))
