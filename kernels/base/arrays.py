"""Matrices as all kernels take them, and how long work on them is cancelled."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float32]


CancelCheck = Callable[[], None]
"""Called now and then during long work; raises `Cancelled` when the user asked to stop."""


def never() -> None:
    """Check for nothing: the work is ended with its process, if at all."""


class Cancelled(Exception):
    """Raised because the user asked to stop."""
