"""Time of a variant by the model, from its prediction, and the sentences about the model and its error."""

from __future__ import annotations

from math import prod

from app.core.predictions.counted_launches import PredictedLaunch
from app.core.predictions.prediction import Prediction, residency
from kernels.analysis.analytical_time import LOADS_AT_ONCE, Estimate, Task, estimate, refuse_time
from kernels.analysis.device_profiles import Profile
from kernels.base.messages import Message, message
from kernels.base.spec import FLOAT32_BYTES, Output
from kernels.base.values import dataclass
from kernels.compiled.kernel import CompiledKernel
from kernels.compiled.listing import hot_loop
from kernels.simt.trace.trace import WARP


@dataclass(frozen=True, slots=True)
class TimeModel:
    """Time by the model, for the launches of a variant."""

    launches: tuple[Estimate, ...]

    @property
    def milliseconds(self) -> float:
        return sum(each.milliseconds for each in self.launches)

    @property
    def longest(self) -> Estimate:
        """The launch that takes most of the time."""
        return max(self.launches, key=lambda each: each.milliseconds)


def model_time(prediction: Prediction) -> TimeModel | Message:
    """The model's time, or why it has none."""
    profile = prediction.profile
    tasks = [_task(each, _bytes(prediction), profile) for each in prediction.launches]
    tensor_cores = any(each.uses_tensor_cores for each in prediction.launches)
    reason = refuse_time(profile, tensor_cores=tensor_cores, blocks_per_sm=min(task.blocks_per_sm for task in tasks))
    if reason is not None:
        return reason
    from app.core.predictions.machine_code_time import simulated  # numba, which takes a second to import

    launches = zip(prediction.launches, tasks, strict=True)
    return TimeModel(tuple(simulated(launch, task, profile) or estimate(task, profile) for launch, task in launches))


def _bytes(prediction: Prediction) -> int:
    """Of the matrices that the launches use: what works in place has its input where the output comes."""
    problem = prediction.problem
    own = prediction.variant.output is Output.IN_PLACE
    return problem.bytes - (FLOAT32_BYTES * prod(problem.shapes["A"]) if own else 0)


def _task(launch: PredictedLaunch, matrix_bytes: int, profile: Profile) -> Task:
    block = launch.counted.compiled.times(1 / launch.blocks)
    held = residency(launch, profile).blocks_per_sm
    warps = -(-launch.threads // WARP)
    executed, at_once = block.requests + block.flops / 2 / WARP, LOADS_AT_ONCE
    if isinstance(launch.machine, CompiledKernel):
        loop = hot_loop(launch.machine.instructions)
        instructions = executed * loop.instructions / loop.useful if loop.repeats else float(warps * loop.instructions)
        at_once = max(float(loop.global_loads), 1.0)
    else:
        instructions = executed
    return Task(launch.blocks, held, block, launch.counted.chain, instructions, at_once, matrix_bytes)


LIMITS = {
    "arithmetic": message("arithmetic"),
    "issue": message("instruction issue"),
    "lsu": message("load/store unit"),
    "l2": message("L2 bandwidth"),
    "dram": message("DRAM bandwidth"),
    "latency": message("latency"),
}
"""The parts of the model by name."""


def relative_error(predicted: float, measured: float) -> float:
    """How much too long (positive) or too short (negative) the model's time is, as a part of the measured one."""
    return predicted / measured - 1


def error_text(model: TimeModel, recorded: float) -> Message:
    """How far the model is from a recorded time."""
    percent = round(100 * relative_error(model.milliseconds, recorded), 1)
    return message("{percent} %", percent=f"+{percent}" if percent > 0 else f"\u2212{-percent}")
