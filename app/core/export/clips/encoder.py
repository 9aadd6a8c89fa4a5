"""What every format does with the pictures of a clip."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]
"""A picture: rows, columns, and red, green and blue."""


class Encoder(Protocol):
    """Takes the pictures one by one, all of one size. Raises `OSError` where the file cannot be written."""

    def add(self, picture: Pixels) -> None:
        """The next picture."""
        ...

    def finish(self) -> None:
        """All pictures have been added: complete the file and close it."""
        ...

    def abandon(self) -> None:
        """Close the file as it is; whoever opened it removes it."""
        ...
