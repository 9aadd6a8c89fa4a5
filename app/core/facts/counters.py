"""What a profiler counted on the machine of the recordings."""

from __future__ import annotations

from collections.abc import Mapping

from app.core.facts.fact import Fact, Value
from app.core.predictions.recorded import recorded_counters
from app.core.session import DEFAULT_PROFILE
from kernels.messages import Message, message

COUNTERS: Mapping[str, str] = {
    "counted_registers": "registers",
    "counted_occupancy": "occupancy",
    "counted_occupancy_limit": "occupancy_limit",
    "counted_load_requests": "global_load_requests",
    "counted_load_sectors": "global_load_sectors",
    "counted_l2_read_sectors": "l2_read_sectors",
    "counted_dram_read_bytes": "dram_read_bytes",
    "counted_shared_requests": "shared_load_requests",
    "counted_shared_wavefronts": "shared_load_wavefronts",
}
"""Counts by the names that the recording has for them; the occupancies are shares."""
SHARES = ("counted_occupancy", "counted_occupancy_limit")


def count_of_profiler(fact: Fact) -> Value | Message:
    """The answer to a fact about a launch that was profiled: with its defaults, at the sizes that were recorded."""
    known, setting = recorded_counters(fact.text("profile", DEFAULT_PROFILE)), fact.of
    found = None if known is None else known.find(setting.variant.id, setting.problem, setting.parameters)
    value = None if found is None else found.get(COUNTERS[fact.count])
    if value is None:
        return message("No counters of {variant} at n = {n} were recorded.", variant=setting.variant.id, n=setting.problem.n)
    return float(value) / 100 if fact.count in SHARES else float(value)
