"""Prediction of a variant's counters, worked out from its trace, its machine code and the limits of the device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.core.predictions.counted_launches import PredictedLaunch, launched
from kernels.analysis.device_profiles import Profile
from kernels.analysis.occupancy import ASSUMED_REGISTERS, Occupancy, occupancy
from kernels.analysis.workload import Workload, total
from kernels.base.messages import Message
from kernels.base.spec import FLOAT32_BYTES, Parameters, Problem, Variant
from kernels.base.values import dataclass
from kernels.compiled.kernel import CompiledKernel

FEWEST_REGISTERS = 16
"""A thread is given no fewer."""


@dataclass(frozen=True, slots=True, eq=False)
class Prediction:
    """Prediction of the launches of a variant, with its counters by id: as the text says, and as the machine code has it."""

    variant: Variant
    problem: Problem
    parameters: Parameters
    profile: Profile
    launches: tuple[PredictedLaunch, ...]
    written: Mapping[str, float]
    compiled: Mapping[str, float]
    at_most: Mapping[str, float]
    """Requests if every warp counted in every access."""

    @property
    def exact(self) -> bool:
        """Whether every block was executed."""
        return all(each.counted.exact for each in self.launches)

    def of_launches(self, name: str) -> float:
        """A field of `Workload`, as compiled, of all launches."""
        return sum(float(getattr(each.counted.compiled, name)) for each in self.launches)

    @property
    def sectors_read_once(self) -> float:
        """What a perfect first-level cache would still fetch."""
        return self.of_launches("sectors_read_once")


def predict(variant: Variant, problem: Problem, parameters: Parameters, profile: Profile) -> Prediction | Message:
    """The prediction, or why there is none. Executes blocks of the launch, which may take seconds."""
    found = launched(variant, problem, parameters, int(profile.compute_capability.replace(".", "")))
    if isinstance(found, Message):
        return found
    written, compiled = (total(parts) for parts in zip(*((each.counted.written, each.counted.compiled) for each in found), strict=True))
    fixed = _fixed(problem, found, profile)
    bounds = {
        name: getattr(compiled, name.replace("requests", "at_most"))
        for name in ("global_load_requests", "global_store_requests", "shared_load_requests", "shared_store_requests")
    }
    return Prediction(
        variant, problem, parameters, profile, found, _counted(written) | fixed, _counted(compiled) | fixed, bounds
    )  # fmt: skip


def residency(launch: PredictedLaunch, profile: Profile) -> Occupancy:
    """How many blocks of a launch an SM holds."""
    return occupancy(profile.compute_capability, launch.threads, registers(launch), launch.launch.shared_bytes)


def registers(launch: PredictedLaunch) -> int:
    """Registers that a thread is given: as many as the compiler asks for, or what is assumed."""
    return max(launch.machine.usage.registers, FEWEST_REGISTERS) if isinstance(launch.machine, CompiledKernel) else ASSUMED_REGISTERS


def _counted(work: Workload) -> dict[str, float]:
    """Return what the profiler has a counter for: what engines move counts apart from what warps load and store."""
    names = (
        "global_load_requests", "global_store_requests", "bulk_store_sectors", "shared_store_requests",
        "shared_store_wavefronts", "operand_wavefronts", "shared_wavefronts_by_line", "flops",
    )  # fmt: skip
    return {name: getattr(work, name) for name in names} | {
        "bulk_load_sectors": work.bulk_received_sectors,
        "global_load_sectors": work.global_load_sectors - work.bulk_load_sectors,
        "global_store_sectors": work.global_store_sectors - work.bulk_store_sectors,
        "shared_load_requests": work.shared_load_requests - work.operand_requests,
        "shared_load_wavefronts": work.shared_load_wavefronts - work.operand_wavefronts,
        "l2_read_sectors": work.global_load_sectors,
        "l2_write_sectors": work.global_store_sectors,
    }


def _fixed(problem: Problem, found: Sequence[PredictedLaunch], profile: Profile) -> dict[str, float]:
    """Return the counters that do not follow from the accesses."""
    sizes = {name: FLOAT32_BYTES * rows * columns for name, (rows, columns) in problem.shapes.items()}
    output = sizes.pop("C", 0)
    limits = [residency(each, profile).occupancy for each in found]
    share = 100 * sum(limits) / len(limits)
    fixed = {"dram_read_bytes": sum(sizes.values()), "dram_write_bytes": output, "occupancy_limit": share, "occupancy": share}
    if all(isinstance(each.machine, CompiledKernel) for each in found):
        fixed["registers"] = sum(map(registers, found)) / len(found)
    return fixed
