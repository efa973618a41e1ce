"""Functions whose derivatives are one computation: each program of it takes long to compile.

Their derivatives come from the same kernels: those of other kinds and scaled forms by an identity,
inverses in one argument or another from those of the function that is inverted. Of each
tower's functions every commit draws one, whose first derivatives its tests look at.
"""

from __future__ import annotations

from rotation import drawn

TOWERS = (
    ("jv", "jve", "jvp"),
    ("yv", "yve", "yvp"),
    ("iv", "ive", "ivp"),
    ("kv", "kve", "kvp"),
    ("hankel1", "hankel1e", "h1vp", "hankel2", "hankel2e", "h2vp"),
    ("eval_jacobi", "eval_sh_jacobi", "eval_gegenbauer"),
    (
        "eval_chebyt",
        "eval_chebyc",
        "eval_chebyu",
        "eval_chebys",
        "eval_sh_chebyt",
        "eval_sh_chebyu",
    ),
    ("eval_legendre", "eval_sh_legendre"),
    ("eval_laguerre", "eval_genlaguerre", "assoc_laguerre"),
    ("lqn", "lqmn"),
    ("roots_jacobi", "roots_sh_jacobi"),
    ("mathieu_cem", "mathieu_sem"),
    ("mathieu_modcem1", "mathieu_modcem2", "mathieu_modsem1", "mathieu_modsem2"),
    ("pro_ang1", "pro_ang1_cv", "obl_ang1", "obl_ang1_cv"),
    ("pro_rad1", "pro_rad1_cv", "obl_rad1", "obl_rad1_cv"),
    ("pro_rad2", "pro_rad2_cv", "obl_rad2", "obl_rad2_cv"),
    ("pbdv", "pbdv_seq"),
    ("pbvv", "pbvv_seq"),
    ("betainc", "betaincc"),
    ("betaincinv", "betainccinv", "btdtria", "btdtrib"),
    ("binom", "comb"),
    ("bdtrik", "nbdtrik", "bdtrin", "nbdtrin"),
    ("fdtr", "fdtrc", "fdtri", "fdtridfd"),
    ("kelvin", "ber", "bei", "ker", "kei", "berp", "beip", "kerp", "keip"),
    ("gdtria", "gdtrib", "gdtrix"),
    ("chndtr", "chndtridf", "chndtrinc", "chndtrix"),
    ("ncfdtr", "ncfdtri", "ncfdtridfd", "ncfdtridfn", "ncfdtrinc"),
    ("nctdtr", "nctdtridf", "nctdtrinc", "nctdtrit"),
)

NOT_DRAWN = frozenset(
    name
    for tower in TOWERS
    for name in tower
    if name not in drawn(tower, 1, f"tower of {tower[0]}")
)
"""The functions whose first derivatives other commits look at."""
