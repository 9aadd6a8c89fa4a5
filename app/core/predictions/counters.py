"""The counters that are predicted, and which metrics of Nsight Compute measure them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kernels.base.messages import Message, message
from kernels.base.values import dataclass


@dataclass(frozen=True, slots=True)
class HardwareCounter:
    """Counter of the hardware: `metrics` with the factors by which they are added up. `averaged`: of several launches the mean counts, not
    the sum."""

    id: str
    title: Message
    metrics: Mapping[str, float]
    averaged: bool = False


def _counter(identifier: str, title: Message, *metrics: str, averaged: bool = False) -> HardwareCounter:
    return HardwareCounter(identifier, title, dict.fromkeys(metrics, 1.0), averaged)


_LOADS = ("l1tex__t_{}_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_{}_pipe_lsu_mem_global_op_ldgsts.sum")
_STORES = "l1tex__t_{}_pipe_lsu_mem_global_op_st.sum"
_FLOAT = "smsp__sass_thread_inst_executed_op_{}_pred_on.sum"

# fmt: off
COUNTERS: tuple[HardwareCounter, ...] = (
    _counter("global_load_requests", message("Global load requests"), *(name.format("requests") for name in _LOADS)),
    _counter("global_load_sectors", message("Global load sectors"), *(name.format("sectors") for name in _LOADS)),
    _counter("bulk_load_sectors", message("Bulk load sectors"), "l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld.sum"),
    _counter("global_store_requests", message("Global store requests"), _STORES.format("requests")),
    _counter("global_store_sectors", message("Global store sectors"), _STORES.format("sectors")),
    _counter("bulk_store_sectors", message("Bulk store sectors"), "l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st.sum"),
    _counter("shared_load_requests", message("Shared load requests"), "smsp__inst_executed_op_shared_ld.sum"),
    _counter("shared_store_requests", message("Shared store requests"), "smsp__inst_executed_op_shared_st.sum"),
    _counter("shared_load_wavefronts", message("Shared load wavefronts"), "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"),
    _counter("shared_store_wavefronts", message("Shared store wavefronts"), "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"),
    _counter("operand_wavefronts", message("Wavefronts of wgmma operands"), "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_gmma.sum"),
    _counter("shared_wavefronts_by_line", message("Shared wavefronts by line"), "memory_l1_wavefronts_shared"),
    HardwareCounter("flops", message("FLOPs"), {_FLOAT.format("ffma"): 2.0, _FLOAT.format("fadd"): 1.0, _FLOAT.format("fmul"): 1.0}),
    _counter("l2_read_sectors", message("L2 sectors read"), "lts__t_sectors_op_read.sum"),
    _counter("l2_write_sectors", message("L2 sectors written"), "lts__t_sectors_op_write.sum"),
    _counter("dram_read_bytes", message("DRAM bytes read"), "dram__bytes_read.sum"),
    _counter("dram_write_bytes", message("DRAM bytes written"), "dram__bytes_write.sum"),
    _counter("registers", message("Registers a thread"), "launch__registers_per_thread", averaged=True),
    _counter("occupancy_limit", message("Occupancy, possible, %"), "sm__maximum_warps_per_active_cycle_pct", averaged=True),
    _counter("occupancy", message("Occupancy, reached, %"), "sm__warps_active.avg.pct_of_peak_sustained_active", averaged=True),
)
# fmt: on
"""In the order in which they are shown."""
MORE_METRICS = ("smsp__inst_executed.sum", "gpu__time_duration.sum", "l1tex__t_sector_hit_rate.pct", "lts__t_sector_hit_rate.pct")
"""Recorded besides, because they help to explain."""
INSTRUCTIONS = "instructions"
"""The id of what is not predicted but explains times: the instructions that all warps execute."""
METRICS = tuple(metric for counter in COUNTERS for metric in counter.metrics) + MORE_METRICS
Measured = Mapping[str, float]
"""Values by the ids of counters; those that the profiler did not count are missing."""


def measured(launches: Sequence[Mapping[str, float]]) -> Measured:
    """The counters of a variant's launches, from their metrics."""
    found = {}
    for counter in COUNTERS:
        known = [value for metrics in launches if (value := _value(counter, metrics)) is not None]
        if known:
            found[counter.id] = sum(known) / (len(known) if counter.averaged else 1)
    return found


def instructions(launches: Sequence[Mapping[str, float]]) -> Measured:
    """What all warps of a variant's launches execute, from their metrics; empty where that was not counted."""
    counts = [metrics[MORE_METRICS[0]] for metrics in launches if MORE_METRICS[0] in metrics]
    return {INSTRUCTIONS: sum(counts)} if counts else {}


def _value(counter: HardwareCounter, metrics: Mapping[str, float]) -> float | None:
    present = {name: factor for name, factor in counter.metrics.items() if name in metrics}
    return sum(metrics[name] * factor for name, factor in present.items()) if present else None
