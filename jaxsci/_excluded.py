"""Public names of SciPy that are not wrapped, and why."""

from __future__ import annotations

import inspect

import scipy.special

NOT_FUNCTIONS = {
    "SpecialFunctionError": "an exception class",
    "SpecialFunctionWarning": "a warning class",
    "errstate": "switches SciPy's error handling; JAX's convention is NaN, on every thread",
    "geterr": "asks for SciPy's error handling; see errstate",
    "seterr": "switches SciPy's error handling; see errstate",
}
"""Names that compute no number."""

_AWAITED_FAMILIES = {
    "gamma and beta functions": """
        beta betainc betaincc betainccinv betaincinv betaln digamma gamma gammainc gammaincc
        gammainccinv gammaincinv gammaln gammasgn loggamma multigammaln poch polygamma psi rgamma
        """,
    "error functions, Dawson, Fresnel, Voigt": """
        dawsn erf erf_zeros erfc erfcinv erfcx erfi erfinv fresnel fresnel_zeros fresnelc_zeros
        fresnels_zeros modfresnelm modfresnelp voigt_profile wofz
        """,
    "exponential and trigonometric integrals": "exp1 expi expn shichi sici",
    "Airy functions": "ai_zeros airy airye bi_zeros itairy",
    "Struve functions": "it2struve0 itmodstruve0 itstruve0 modstruve struve",
    "parabolic cylinder functions": "pbdn_seq pbdv pbdv_seq pbvv pbvv_seq pbwa",
    "hypergeometric functions": "hyp0f1 hyp1f1 hyp2f1 hyperu",
    "Legendre functions and spherical harmonics": """
        assoc_legendre_p assoc_legendre_p_all legendre_p legendre_p_all lpmv lqmn lqn sph_harm_y
        sph_harm_y_all sph_legendre_p sph_legendre_p_all
        """,
    "orthogonal polynomials": """
        assoc_laguerre c_roots cg_roots chebyc chebys chebyt chebyu eval_chebyc eval_chebys
        eval_chebyt eval_chebyu eval_gegenbauer eval_genlaguerre eval_hermite eval_hermitenorm
        eval_jacobi eval_laguerre eval_legendre eval_sh_chebyt eval_sh_chebyu eval_sh_jacobi
        eval_sh_legendre gegenbauer genlaguerre h_roots he_roots hermite hermitenorm j_roots jacobi
        js_roots l_roots la_roots laguerre legendre p_roots ps_roots roots_chebyc roots_chebys
        roots_chebyt roots_chebyu roots_gegenbauer roots_genlaguerre roots_hermite
        roots_hermitenorm roots_jacobi roots_laguerre roots_legendre roots_sh_chebyt
        roots_sh_chebyu roots_sh_jacobi roots_sh_legendre s_roots sh_chebyt sh_chebyu sh_jacobi
        sh_legendre t_roots ts_roots u_roots us_roots
        """,
    "elliptic functions and integrals": """
        agm ellip_harm ellip_harm_2 ellip_normal ellipe ellipeinc ellipj ellipk ellipkinc ellipkm1
        elliprc elliprd elliprf elliprg elliprj
        """,
    "zeta, polylogarithm and their kin": "lambertw spence wrightomega zeta zetac",
    "Mathieu functions": """
        mathieu_a mathieu_b mathieu_cem mathieu_even_coef mathieu_modcem1 mathieu_modcem2
        mathieu_modsem1 mathieu_modsem2 mathieu_odd_coef mathieu_sem
        """,
    "spheroidal wave functions": """
        obl_ang1 obl_ang1_cv obl_cv obl_cv_seq obl_rad1 obl_rad1_cv obl_rad2 obl_rad2_cv pro_ang1
        pro_ang1_cv pro_cv pro_cv_seq pro_rad1 pro_rad1_cv pro_rad2 pro_rad2_cv
        """,
    "statistical distributions": """
        bdtr bdtrc bdtri bdtrik bdtrin boxcox boxcox1p btdtria btdtrib chdtr chdtrc chdtri chdtriv
        chndtr chndtridf chndtrinc chndtrix expit fdtr fdtrc fdtri fdtridfd gdtr gdtrc gdtria
        gdtrib gdtrix inv_boxcox inv_boxcox1p kolmogi kolmogorov log_expit log_ndtr logit nbdtr
        nbdtrc nbdtri nbdtrik nbdtrin ncfdtr ncfdtri ncfdtridfd ncfdtridfn ncfdtrinc nctdtr
        nctdtridf nctdtrinc nctdtrit ndtr ndtri ndtri_exp nrdtrimn nrdtrisd owens_t pdtr pdtrc
        pdtri pdtrik smirnov smirnovi stdtr stdtridf stdtrit tklmbda
        """,
    "elementary functions": """
        cbrt cosdg cosm1 cotdg diric exp10 exp2 expm1 exprel log1p log_softmax logsumexp powm1
        radian round sinc sindg softmax softplus tandg xlog1py xlogy
        """,
    "combinatorial functions": """
        bernoulli binom comb euler factorial factorial2 factorialk perm stirling2
        """,
    "information theory": "entr huber kl_div pseudo_huber rel_entr",
}


def _awaited() -> dict[str, str]:
    return {
        name: f"not wrapped yet ({family})"
        for family, names in _AWAITED_FAMILIES.items()
        for name in names.split()
    }


EXCLUDED: dict[str, str] = NOT_FUNCTIONS | _awaited()
"""Every name of scipy.special without a row, with the reason."""


def scipy_names() -> set[str]:
    """SciPy's own list of public names of scipy.special, its deprecated submodules apart."""
    return {
        name for name in scipy.special.__all__ if not inspect.ismodule(getattr(scipy.special, name))
    }
