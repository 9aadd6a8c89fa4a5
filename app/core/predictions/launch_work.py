"""Work of a launch, counted in the tracing process from a block of each kind with the data that the launch has."""

from __future__ import annotations

from dataclasses import replace
from math import prod

import numpy as np

from app.core.gpu_view.counters import coverage_of
from app.core.gpu_view.subject import block_of_each_kind
from app.core.predictions.launch_time import LaunchWork, LaunchWorkQuestion
from kernels.analysis.analytical_time import chain
from kernels.analysis.workload import total, workload
from kernels.simt.base.launch import Keep
from kernels.simt.base.layout import size_of
from kernels.simt.base.types import Space
from kernels.simt.run.execution import NotExecuted, execute
from kernels.simt.run.reading import read
from kernels.simt.trace.launch_spec import NotTraced


def work_of(question: LaunchWorkQuestion) -> LaunchWork | NotTraced:
    """The work, or why it is not known. Executes up to four blocks."""
    subject, request = question.subject, question.subject.launch
    found = read(subject)
    if isinstance(found, NotTraced):
        return found
    kinds = block_of_each_kind(request.grid)
    try:
        traces = [execute(found.kernel, replace(request, blocks=(number,), keep=Keep.RESULTS), "", found.programs) for number in kinds]
    except NotExecuted as error:
        return NotTraced(error.reason)
    weights = coverage_of(request.grid, tuple(trace.blocks[0] for trace in traces)).weights
    written = total(workload(trace).times(weight) for trace, weight in zip(traces, weights, strict=True))
    static = sum(size_of(each.type) for each in found.kernel.globals if each.space is Space.SHARED and not each.dynamic)
    arrays = sum(value.nbytes for value in request.arguments.values() if isinstance(value, np.ndarray))
    return LaunchWork(prod(request.grid), prod(request.block), static + request.shared_bytes, written, chain(traces[0]), arrays)
