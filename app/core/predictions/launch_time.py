"""Time of one launch by the model, also of a stranger's kernel: what its blocks ask for, put on a GPU."""

from __future__ import annotations

from dataclasses import replace
from math import prod

import numpy as np

from app.core.base.question import Answer, Question
from app.core.gpu_view.counters import coverage_of
from app.core.gpu_view.subject import block_of_each_kind
from kernels.analysis.analytical_time import LOADS_AT_ONCE, Chain, Estimate, Task, chain, estimate, refuse_time
from kernels.analysis.device_profiles import Profile
from kernels.analysis.occupancy import ASSUMED_REGISTERS, occupancy
from kernels.analysis.workload import Workload, total, workload
from kernels.base.messages import Message
from kernels.base.values import dataclass
from kernels.simt.base.launch import Keep
from kernels.simt.base.layout import size_of
from kernels.simt.base.types import Space
from kernels.simt.trace.launch_spec import LaunchSpec, NotTraced
from kernels.simt.trace.trace import WARP


@dataclass(frozen=True, slots=True, eq=False)
class LaunchWorkQuestion(Question):
    """Asks for the work of a launch with the data that it has."""

    subject: LaunchSpec


@dataclass(frozen=True, slots=True)
class LaunchWork(Answer):
    """Work of a launch, the same on every GPU. `written` is of the whole grid, `shared_bytes` of a block, `bytes` of all its arrays."""

    blocks: int
    threads: int
    shared_bytes: int
    written: Workload
    chain: Chain
    bytes: int


def work_of(question: LaunchWorkQuestion) -> LaunchWork | NotTraced:
    """The work, or why it is not known: counted from a block of each kind with the data that the launch has. For the tracing process."""
    from kernels.simt.run.execution import NotExecuted, execute  # the interpreter, which a window starts without
    from kernels.simt.run.reading import read

    subject, request = question.subject, question.subject.launch
    found = read(subject)
    if isinstance(found, NotTraced):
        return found
    kinds = block_of_each_kind(request.grid)
    try:
        traces = [execute(found.kernel, replace(request, blocks=(number,), keep=Keep.RESULTS), "", found.kernel_cache) for number in kinds]
    except NotExecuted as error:
        return NotTraced(error.reason)
    weights = coverage_of(request.grid, tuple(trace.blocks[0] for trace in traces)).weights
    written = total(workload(trace).times(weight) for trace, weight in zip(traces, weights, strict=True))
    static = sum(size_of(each.type) for each in found.kernel.globals if each.space is Space.SHARED and not each.dynamic)
    arrays = sum(value.nbytes for value in request.arguments.values() if isinstance(value, np.ndarray))
    return LaunchWork(prod(request.grid), prod(request.block), static + request.shared_bytes, written, chain(traces[0]), arrays)


def time_on(work: LaunchWork, profile: Profile) -> Estimate | Message:
    """The time of a launch on a device by the model, or why the model has none."""
    held = occupancy(profile.compute_capability, work.threads, ASSUMED_REGISTERS, work.shared_bytes).blocks_per_sm
    reason = refuse_time(profile, tensor_cores=work.written.tile_operations + work.written.engine_operations > 0, blocks_per_sm=held)
    if reason is not None:
        return reason
    block = work.written.times(1 / work.blocks)
    executed = max(block.requests + block.flops / 2 / WARP, -(-work.threads // WARP))
    return estimate(Task(work.blocks, held, block, work.chain, executed, LOADS_AT_ONCE, work.bytes), profile)
