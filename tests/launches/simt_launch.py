"""Short CUDA texts executed in tests: each has one kernel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.simt.base.launch import Argument, Dim3, LaunchRequest
from kernels.simt.frontend.parse import parse
from kernels.simt.lower import lower
from kernels.simt.run.execution import execute
from kernels.simt.trace.trace import WARP, Trace


def launch(text: str, grid: Dim3 | int, block: Dim3 | int, arguments: Mapping[str, Argument], **options: Any) -> Trace:
    """The trace of a launch of the text's kernel; `options` are those of a LaunchRequest."""
    unit = parse(text)
    request = LaunchRequest(_extent(grid), _extent(block), arguments, **options)
    return execute(lower(unit, unit.kernels[0].name), request, text)


def result(text: str, threads: int, dtype: npt.DTypeLike, **arguments: Argument) -> npt.NDArray[Any]:
    """What one block of threads writes into `out`, an array of one element for each thread."""
    out = np.zeros(threads, dtype)
    trace = launch(text, 1, threads, {**arguments, "out": out})
    assert trace.findings == ()
    return trace.values["out"]


def requests(trace: Trace, operation: str, line: int | None = None) -> int:
    """Warp instructions with an active lane, at the sites of a line or of all."""
    rows = trace.rows
    warps = trace.masks.reshape(len(trace.masks), -1, WARP).any(axis=2).sum(axis=1)
    chosen = [site.operation == operation and line in (None, site.location.line) for site in trace.sites]
    return int(warps[rows.mask[np.array(chosen)[rows.site]]].sum())


def addresses(trace: Trace, row: int) -> npt.NDArray[np.int64]:
    """The byte addresses of a row's active lanes."""
    rows = trace.rows
    given = trace.bases[rows.base[row]] + rows.offset[row]
    active: npt.NDArray[np.int64] = given[trace.masks[rows.mask[row]]]
    return active


def _extent(size: Dim3 | int) -> Dim3:
    return (size, 1, 1) if isinstance(size, int) else size
