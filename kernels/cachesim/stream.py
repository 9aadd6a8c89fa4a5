"""What an access looks like between a running kernel and the model: one 64-bit number.

bits   0-35   address in bytes, from the start of the matrices
bits  36-43   its size in bytes
bit   44      1 for a streaming write, which goes past the caches
bit   45      1 for a write
bits  46-51   the array, an index into the names of the execution's arrays
bits  52-62   the place in the source, an index into the places of the instrumented source

A run is a loop's accesses together. Its first entry has bit 44 and not bit 45, in place of an address how often the loop's body is
executed, and in place of a size how many accesses the body makes. Each of these has `RUN_FIELDS` numbers: itself as the first iteration
makes it, the bytes from one iteration to the next, and one for whoever simulates it. In order of time come the iterations, and in each
its accesses.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kernels.base.values import dataclass

Entries = npt.NDArray[np.int64]

BYTES = 8
"""Of such a number."""
ADDRESS_BITS, SIZE_BITS, ARRAY_BITS, PLACE_BITS = 36, 8, 6, 11
SIZE_SHIFT = ADDRESS_BITS
STREAM_SHIFT = SIZE_SHIFT + SIZE_BITS
WRITE_SHIFT = STREAM_SHIFT + 1
ARRAY_SHIFT = WRITE_SHIFT + 1
PLACE_SHIFT = ARRAY_SHIFT + ARRAY_BITS
ADDRESS_MASK = (1 << ADDRESS_BITS) - 1
SIZE_MASK = (1 << SIZE_BITS) - 1
ARRAY_MASK = (1 << ARRAY_BITS) - 1
READ, WRITE_BACK, WRITE, STREAM = range(4)
"""The kinds of entries, as the two bits from `STREAM_SHIFT` on. Between two levels `WRITE_BACK` is a line that leaves the upper one."""
RUN = WRITE_BACK
"""The same bits between a kernel and the model."""
KIND_MASK = 3
RUN_STRIDE, RUN_CHANGE, RUN_FIELDS = 1, 2, 3
"""Of an access of a run: its fields after the first one, and how many it has."""
MOST_ARRAYS = 1 << ARRAY_BITS
MOST_PLACES = 1 << PLACE_BITS


@dataclass(frozen=True, slots=True, eq=False)
class Accesses:
    """Accesses in the order of the execution, as columns. `size` is in bytes."""

    address: npt.NDArray[np.int64]
    size: npt.NDArray[np.int16]
    write: npt.NDArray[np.bool_]
    array: npt.NDArray[np.uint8]
    place: npt.NDArray[np.int16]

    @staticmethod
    def unpacked(entries: Entries) -> Accesses:
        """The columns of packed accesses."""
        return Accesses(
            entries & ADDRESS_MASK,
            ((entries >> SIZE_SHIFT) & SIZE_MASK).astype(np.int16),
            ((entries >> WRITE_SHIFT) & 1).astype(np.bool_),
            ((entries >> ARRAY_SHIFT) & ARRAY_MASK).astype(np.uint8),
            (entries >> PLACE_SHIFT).astype(np.int16),
        )

    def __len__(self) -> int:
        return len(self.address)

    @property
    def bytes(self) -> int:
        """What they take in memory."""
        return sum(column.nbytes for column in (self.address, self.size, self.write, self.array, self.place))
