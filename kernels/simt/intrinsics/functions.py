"""What the functions that CUDA gives a kernel do, on lane vectors: `FUNCTIONS[name](context, *arguments)`.

Called where NumPy's floating-point warnings are off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kernels.simt.intrinsics import atomics, copies, half, integers, mathematics, services, tiles, warps
from kernels.simt.intrinsics.calls import elementwise, of_one_type

if TYPE_CHECKING:
    from kernels.simt.machine.context import Functions

FUNCTIONS: Functions = {
    **{name: elementwise(function) for name, function in mathematics.functions().items()},
    **{name: elementwise(function) for name, function in integers.functions().items()},
    **{name: elementwise(function) for name, function in half.functions().items()},
    "min": of_one_type(mathematics.fmin, np.minimum),
    "max": of_one_type(mathematics.fmax, np.maximum),
    **warps.functions(),
    **atomics.functions(),
    **services.functions(mathematics.functions()),
    **copies.functions(),
    **tiles.functions(),
}
"""By CUDA name."""
