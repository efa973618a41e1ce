"""Whether the suite notices: defects put into the sources one by one, and the tests that fail.

    python tests/support/seeded_defects.py [DRAW ...]

Each defect is made in a copy of the sources, and those tests of the default run that the command
after it selects are run there: the default run catches whatever a part of it does. Prints a table.
A draw is one commit's share of the tests that rotate (see rotation.py).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Defect:
    """A change that breaks something, and where the default run may notice it."""

    what: str
    file: str
    right: str
    wrong: str
    tests: tuple[str, ...]
    """Arguments of pytest."""


def of_row(name: str) -> tuple[str, ...]:
    """The tests of one function."""
    return "tests/special", "-k", name


DEFECTS = (
    Defect(
        "sign of a rule (gammaln)",
        "special/_gamma/gamma.py",
        "lambda y, x: psi(x)",
        "lambda y, x: -psi(x)",
        of_row("gammaln"),
    ),
    Defect(
        "dropped factor of a rule (chdtr in its degrees of freedom)",
        "special/_distributions/gamma.py",
        "lambda y, v, x: shape_slope(v / 2, x / 2) / 2",
        "lambda y, v, x: shape_slope(v / 2, x / 2)",
        of_row("chdtr"),
    ),
    Defect(
        "derivative right but for small arguments (J_v near 0)",
        "special/_bessel/kernels/slopes.py",
        "_NEAR = 2.0**-26",
        "_NEAR = 2.0**-12",
        of_row("jv"),
    ),
    Defect(
        "too few nodes of a quadrature (shapes of the beta distribution)",
        "special/_incomplete/kernels/beta_tails.py",
        "_NODES = 64",
        "_NODES = 32",
        of_row("betainc or btdtr or fdtr"),
    ),
    Defect(
        "missing guard (spherical_jn of huge orders)",
        "special/_bessel/spherical.py",
        "    guard=_STEPS,\n",
        "",
        ("tests/special", "-k", "spherical_jn or guard or hostile"),
    ),
    Defect(
        "a case forgotten (Y_v and the Hankel functions of negative orders)",
        "special/_bessel/kernels/slopes.py",
        "jnp.where(up, ratio - neighbour, neighbour - ratio)",
        "neighbour - ratio",
        of_row("yv or hankel1"),
    ),
    Defect(
        "wrong value at a removable singularity (sinc at 0)",
        "special/_elementary/sinc.py",
        "math.pi * sine_over(math.pi * x, n=1)",
        "jnp.where(x == 0, 1.0, math.pi * sine_over(math.pi * x, n=1))",
        of_row("sinc"),
    ),
    Defect(
        "transpose without transposing (Frechet derivative)",
        "linalg/_kernels/frechet.py",
        "lambda ct, a: differential(a.T, ct)",
        "lambda ct, a: differential(a, ct)",
        ("tests/linalg", "-k", "logm or expm or frechet or sqrtm or signm"),
    ),
    Defect(
        "rules of float32 arguments evaluated in float32",
        "_core/precision.py",
        "return all(is_wide(r.dtype) for r in call.results)",
        "return True",
        ("tests/special/test_dtypes.py", "tests/core"),
    ),
    Defect(
        "rounded twice on the way to bfloat16",
        "_core/precision.py",
        "return _round_to_odd(y.astype(np.float64)).astype(dtype)",
        "return y.astype(np.float32).astype(dtype)",
        ("tests/core/test_rounding.py",),
    ),
    Defect(
        "a missing rule that is zero instead",
        "_core/elementwise_rules.py",
        "        width = 2 if isinstance(available(name, argument), RealLinear) else 1\n",
        "        if isinstance(argument.rule, Missing):\n            continue\n"
        "        width = 2 if isinstance(available(name, argument), RealLinear) else 1\n",
        ("tests/special/test_missing.py", "tests/core/test_callback.py"),
    ),
    Defect(
        "arguments that do not vary together over a mesh",
        "_core/primitive.py",
        "call_p.bind(*sharding.as_varying_together(operands), call=call)",
        "call_p.bind(*operands, call=call)",
        ("tests/core", "-k", "shard"),
    ),
    Defect(
        "second derivative wrong, first right (Airy's and Bessel's recurrence)",
        "special/_bessel/kernels/slopes.py",
        '        z=closed("DLMF 10.6.7, 10.29.5", lambda s, y, v, z: higher(v, z, n=2)),',
        '        z=closed("DLMF 10.6.7, 10.29.5", lambda s, y, v, z: -higher(v, z, n=2)),',
        ("tests/special", "-k", "jv or yv or iv or kv or hankel or bessel"),
    ),
)


def environment(copy: Path, draw: str) -> dict[str, str]:
    """That of tests of a copy of the sources."""
    result = os.environ | {"JAXSCI_TEST_DRAW": draw, "PYTHONPATH": str(copy)}
    asked = [sys.executable, "-c", "import jaxsci; print(jaxsci.__file__)"]
    found = subprocess.run(asked, cwd=copy, env=result, capture_output=True, text=True, check=True)
    if not Path(found.stdout.strip()).is_relative_to(copy):
        raise RuntimeError("tests would import the editable installation, which comes first")
    return result


def caught(defect: Defect, draw: str) -> str:
    """The first test that fails with the defect, or nothing."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for part in ("jaxsci", "tests", "docs"):
            shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", copy)
        file = copy / "jaxsci" / defect.file
        source = file.read_text(encoding="utf-8")
        if defect.right not in source:
            raise ValueError(f"{defect.file} has no {defect.right!r} any more")
        file.write_text(source.replace(defect.right, defect.wrong), encoding="utf-8")
        options = ("-q", "-x", "-n", "0", "-p", "no:cacheprovider", "--no-header", "-rfE")
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *options, *defect.tests],
            cwd=copy,
            env=environment(copy, draw),
            capture_output=True,
            text=True,
            check=False,
        )
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return failed[0].split(" - ")[0].removeprefix("FAILED ") if failed else ""


def main() -> None:
    """Print a line for each defect, what fails first, and their number."""
    draws = sys.argv[1:] or ["1"]
    for draw in draws:
        count = 0
        for defect in DEFECTS:
            test = caught(defect, draw)
            count += bool(test)
            print(f"| {defect.what} | {f'`{test}`' if test else '-'} |", flush=True)
        print(f"draw {draw}: {count} of {len(DEFECTS)} caught", flush=True)


if __name__ == "__main__":
    main()
