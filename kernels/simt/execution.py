"""A lowered kernel and a launch to a trace."""

from __future__ import annotations

from dataclasses import replace

from kernels.messages import Message
from kernels.simt.generate.build import Unsupported
from kernels.simt.intrinsics.functions import FUNCTIONS
from kernels.simt.ir import Kernel, Location
from kernels.simt.launch import Keep, LaunchRequest
from kernels.simt.launchable import refuse_launch
from kernels.simt.machine.memory import Memory
from kernels.simt.machine.run import run
from kernels.simt.placement import place_arguments, results
from kernels.simt.trace import Trace


class NotExecuted(Exception):
    """The launch, or something in the kernel (then with its `location`), keeps it from being executed."""

    def __init__(self, reason: Message, location: Location | None = None) -> None:
        super().__init__(str(reason))
        self.reason = reason
        self.location = location


def execute(kernel: Kernel, request: LaunchRequest, source: str = "") -> Trace:
    """Execute the launch; `source` is the text that the trace is of. Raises NotExecuted.

    An execution that goes wrong, or that its budget ends, has a trace with findings.
    """
    refused = refuse_launch(kernel, request)
    if refused is not None:
        raise NotExecuted(refused)
    memory = Memory(request.keep)
    placed = place_arguments(kernel, request, memory)
    arguments = tuple(part for parts in placed.values.values() for part in parts)
    try:
        trace = run(
            kernel, memory, arguments, request.grid, request.block, FUNCTIONS,
            blocks=request.blocks, shared_bytes=request.shared_bytes, mode=request.mode, seed=request.seed,
            contract=request.contract_fma, budget=request.budget, source=source,
        )  # fmt: skip
    except Unsupported as error:
        raise NotExecuted(error.reason, error.location) from error
    return trace if request.keep is Keep.HISTORY else replace(trace, values=results(kernel, request, placed))
