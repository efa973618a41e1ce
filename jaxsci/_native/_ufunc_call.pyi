from typing import Any

import numpy as np

FFI_API_VERSION: tuple[int, int]

def handler() -> Any: ...
def register_ufunc(name: str, ufunc: np.ufunc) -> None: ...
