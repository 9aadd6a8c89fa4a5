"""What a fragment of wmma is: a tile of a warp, spread over its lanes. Read from its type."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from kernels.base.values import dataclass
from kernels.simt.ir import Array, Call, Kind, Pointer, Scalar, Struct, Type
from kernels.simt.trace.trace import WARP

PRODUCT = "mma_sync"
"""d = a b + c, all four fragments."""
_NAME = re.compile(r".*fragment<.*?(matrix_a|matrix_b|accumulator), (\d+), (\d+), (\d+), ([^,<>]+)(?:, .*?(row_major|col_major))?>")


@dataclass(frozen=True, slots=True)
class Fragment:
    """Fragment as its type says: `rows` x `columns` elements, how the tile lies in memory, whether tf32 is asked for."""

    rows: int
    columns: int
    scalar: Scalar
    column_major: bool
    tf32: bool

    @property
    def count(self) -> int:
        """Elements of one lane."""
        return self.rows * self.columns // WARP

    def offsets(self, stride: npt.NDArray[np.int64], *, column_major: bool) -> Iterator[npt.NDArray[np.int64]]:
        """For each element number, in every lane, how many elements beyond the tile's first it lies in memory."""
        lane = np.arange(len(stride)) % WARP
        for number in range(self.count):
            row, column = np.divmod(number * WARP + lane, self.columns)
            yield column * stride + row if column_major else row * stride + column


def fragment_of(c_type: Type | None) -> Fragment:
    """The fragment that an argument points to."""
    assert isinstance(c_type, Pointer)
    assert isinstance(c_type.target, Struct)
    found = _NAME.fullmatch(c_type.target.name)
    elements = c_type.target.fields[0].type
    assert found is not None
    assert isinstance(elements, Array)
    assert isinstance(elements.element, Scalar)
    m, n, k = int(found[2]), int(found[3]), int(found[4])
    rows, columns = {"matrix_a": (m, k), "matrix_b": (k, n), "accumulator": (m, n)}[found[1]]
    return Fragment(rows, columns, elements.element, found[6] == "col_major", found[5].endswith("tf32"))


def product_operations(call: Call) -> int:
    """Floating-point operations of each lane in a product of tiles, of m x n x k: a lane's part of 2 m n k. None in whole numbers."""
    target, left = (fragment_of(call.arguments[position].type) for position in (0, 1))
    return 2 * target.count * left.columns if target.scalar.kind is Kind.FLOAT else 0
