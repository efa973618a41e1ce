"""The command line: what it finds, what it prints for a report, and how it looks."""

import importlib.metadata
import io
import logging
import re
import subprocess
import sys
import types

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxsci
from jaxsci import _native, _terminal, linalg, special
from jaxsci.__main__ import main
from jaxsci._core import dispatch


def printed(capsys, *arguments):
    assert main([*arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("options", [(), ("--linalg",)])
def test_a_name_is_found_in_both_catalogs(capsys, options):
    text = printed(capsys, "catalog", *options, "logm", "jv")
    assert "logm(A, *, output=None)\n" in text
    assert "jv(v: real, z: complex)\n" in text


def test_a_word_finds_functions_by_name_and_summary(capsys):
    found = re.findall(
        r"^  (\w+) \(jaxsci\.(\w+)\):", printed(capsys, "catalog", "Logarithm"), re.M
    )
    assert {("logm", "linalg"), ("gammaln", "special"), ("log1p", "special")} <= set(found)
    assert ("jv", "special") not in found


@pytest.mark.parametrize("name", ["kv", "btdtria", "logm"])
def test_entries_fit_a_narrow_terminal(capsys, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "60")
    _, *lines = printed(capsys, "catalog", name).splitlines()
    # Sessions are left as they are.
    text = [line for line in lines if not re.match(r" {8}(>>>|\.\.\.|Array|  )", line)]
    assert len(text) > 5
    assert max(map(len, text)) <= 60


def test_a_narrow_docstring_has_the_words_of_a_wide_one(capsys, monkeypatch):
    pages = []
    for columns in ("60", "120"):
        monkeypatch.setenv("COLUMNS", columns)
        pages.append(printed(capsys, "catalog", "logm"))
    narrow, wide = pages
    assert narrow.split() == wide.split()
    assert narrow != wide
    session = "        >>> jax.grad(lambda a: jnp.trace(logm(a)))(a)  # the inverse's transpose"
    for line in ("    Raises:", "        TypeError: A is not an array of numbers.", session):
        assert line in narrow.splitlines()


def test_a_slip_of_the_pen_is_answered_by_similar_names(capsys):
    assert main(["catalog", "betaincc_inv"]) == 2
    assert "similar names: betainccinv" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("betaincc_inv", "no such function to check: betaincc_inv\nsimilar names: betainccinv"),
        ("logm", "logm is a function of matrices: see --linalg\n"),
        ("jn_zeros", "jn_zeros is no function of numbers: it is not checked\n"),
        ("clpmn", "no such function to check: clpmn\n"),
    ],
)
def test_names_that_cannot_be_checked_are_told_apart(capsys, name, answer):
    assert main(["check", "jv", name]) == 2
    assert answer in capsys.readouterr().err


def test_matrices_that_cannot_be_checked_are_told_apart(capsys):
    assert main(["check", "--linalg", "expm", "logmm", "hilbert"]) == 2
    told = capsys.readouterr().err
    assert "hilbert is not measured\nlogmm is no function of matrices\n" in told
    assert "similar names: logm\n" in told


def test_without_a_command_there_is_help(capsys):
    assert main([]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    for command in ("demo", "info", "catalog", "check"):
        assert re.search(rf"^  .*\b{command}\b", shown.err, re.M)


def test_info_is_a_block_for_a_report(capsys, monkeypatch):
    monkeypatch.setenv("JAX_COMPILATION_CACHE_DIR", "secret")
    monkeypatch.setenv("JAX_PLATFORMS_FOR_TEST", "shown")
    text = printed(capsys, "info")
    lines = text.splitlines()
    assert (lines[0], lines[-1]) == ("```text", "```")
    for package in (jax, np):
        assert re.search(rf"^{package.__name__} +{re.escape(package.__version__)}$", text, re.M)
    assert "64-bit types on" in text
    assert "JAX_PLATFORMS_FOR_TEST=shown" in text
    assert "secret" not in text


@pytest.mark.rotating(0.4)
@pytest.mark.parametrize("command", ["demo", "info", "catalog", "check"])
def test_each_command_has_help(command):
    result = subprocess.run(
        [sys.executable, "-m", "jaxsci", command, "--help"],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert f"jaxsci {command}" in result.stdout
    assert len(result.stdout.splitlines()) > 5


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_names_are_bold_on_a_terminal_that_wants_it(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert _terminal.strong("jv") == "jv"  # not to a file
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert _terminal.strong("jv") == "\x1b[1mjv\x1b[0m"
    monkeypatch.setenv("TERM", "dumb")
    assert _terminal.strong("jv") == "jv"
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    assert _terminal.strong("jv") == "jv"


def test_the_catalog_colours_what_is_known_of_a_derivative(capsys, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    assert main(["catalog", "mathieu_even_coef", "jv", "yn", "pro_rad1_cv"]) == 0
    text = terminal.getvalue()
    assert "\x1b[32m    d/dv: closed form" in text
    assert "\x1b[31m    d/dcv: missing" in text
    assert "\x1b[2m    d/dn: integer" in text


@pytest.mark.skipif(sys.platform == "win32", reason="pipes end in another way there")
def test_a_reader_who_has_seen_enough_causes_no_error(tmp_path):
    command = f"'{sys.executable}' -m jaxsci catalog | head -n 1"
    result = subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        cwd=tmp_path,  # away from the sources, which are not what is installed
    )
    assert result.stdout.startswith("agm(")
    assert result.stderr == ""


@pytest.mark.parametrize(("columns", "width"), [("80", 80), ("20", 60), ("500", 120)])
def test_lines_are_as_wide_as_the_terminal(monkeypatch, capsys, columns, width):
    monkeypatch.setenv("COLUMNS", columns)
    assert _terminal.width() == width
    lines = printed(capsys, "catalog", "Bessel").splitlines()
    assert width - 25 < max(map(len, lines)) <= width


def test_the_absence_of_the_extension_is_told_once(monkeypatch, caplog):
    monkeypatch.setattr(_native, "ABSENT", "for no reason")
    monkeypatch.setattr(dispatch, "DEFAULT_BACKEND", "callback")
    dispatch.tell_of_absence.cache_clear()

    with caplog.at_level(logging.WARNING, "jaxsci"):
        with jaxsci.use_backend("callback"):  # as asked for
            jax.jit(lambda x: special.jv(0.3, x)).lower(1.5)
        assert caplog.records == []
        for order in (0.1, 0.2):
            jax.jit(lambda x, order=order: special.jv(order, x)).lower(1.5)
    dispatch.tell_of_absence.cache_clear()
    (record,) = caplog.records
    assert "for no reason" in record.getMessage()
    assert "jaxsci info" in record.getMessage()


@pytest.mark.parametrize(
    ("error", "message", "call"),
    [
        (TypeError, r"pass jnp\.asarray\(z\)", lambda: special.jv(0, [1.0])),  # type: ignore
        (TypeError, r"pass jnp\.asarray\(a\)", lambda: linalg.det([[1.0]])),  # type: ignore
        (TypeError, r"it is called as jv\(v, z\)", lambda: special.jv(0, x=1.0)),  # type: ignore
        (
            TypeError,
            "traced value; make it static, as jax.jit does by static_argnames",
            lambda: jax.jit(special.roots_legendre)(3),
        ),
        (
            jax.errors.JaxRuntimeError,
            "its signature, or result_shape_dtypes, must say what it returns",
            lambda: jaxsci.host_function(lambda x: np.ones(3), "()->()")(jnp.ones(())),
        ),
    ],
)
def test_errors_say_what_to_do(error, message, call):
    with pytest.raises(error, match=message):
        jax.block_until_ready(call())


@pytest.mark.parametrize("editable", [True, False])
def test_sources_that_shadow_an_installation_are_told_of(tmp_path, monkeypatch, capsys, editable):
    folder = tmp_path / "jaxsci"
    (folder / "_native").mkdir(parents=True)
    if not editable:
        (folder / "__init__.py").touch()
    installed = types.SimpleNamespace(locate_file=lambda name: tmp_path / name)
    monkeypatch.setattr(importlib.metadata, "distribution", lambda name: installed)
    assert main(["catalog", "--count"]) == 0
    assert ("not jaxsci as installed" in capsys.readouterr().err) == (not editable)
