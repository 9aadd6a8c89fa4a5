"""The parameters that several CPU variants share."""

from __future__ import annotations

import os

from kernels.messages import message
from kernels.spec import Parameter

_CORES = os.cpu_count() or 1

TILE = Parameter("tile", message("Tile size"), default=64, minimum=1, maximum=4096, stops=(4, 8, 16, 32, 64, 128, 256, 512))
THREADS = Parameter("threads", message("Threads"), default=_CORES, minimum=1, maximum=_CORES, stops=tuple(range(1, _CORES + 1)))
