"""Predicted beside measured: for every counter what the difference is, and which rule explains it."""

from __future__ import annotations

from collections.abc import Callable

from app.core.predictions.counters import COUNTERS, Measured
from app.core.predictions.prediction import Prediction
from app.core.predictions.question import Compared, tidy
from kernels.analysis.coalescing import SECTOR_BYTES
from kernels.analysis.occupancy import occupancy
from kernels.base.messages import Message, message
from kernels.base.spec import FLOAT32_BYTES

EQUAL = 5e-4
"""Relative difference up to which two counts agree where not every block was executed; else they have to be equal."""
ARBITRATION = 0.15
"""The most that lost arbitration adds to the wavefronts of the hardware's counter, as a part, before it explains nothing."""
TWO_PARTITIONS = ("8.0", "9.0")
"""Compute capabilities whose L2 cache has two halves, says NVIDIA's A100 whitepaper; every second line lies in the far one."""
FAR = 1.55
"""The most that the far half adds to the sectors of the L2 cache: half of them, and a little for an uneven spread."""
OTHER_TRAFFIC = 4096
"""Sectors that instructions, constants and arguments bring through the L2 cache of any launch."""


Rule = Callable[[Prediction, Measured, str], Message | None]
UNEXPLAINED = message("unexplained")


def compare(prediction: Prediction, values: Measured) -> tuple[Compared, ...]:
    """All counters that are predicted or measured and not 0 in both."""
    rows = [_compared(prediction, values, counter.id, counter.title) for counter in COUNTERS]
    return tuple(row for row in rows if row.written or row.compiled or row.measured)


def _compared(prediction: Prediction, values: Measured, name: str, title: Message) -> Compared:
    written, compiled, value = prediction.written.get(name), prediction.compiled.get(name), values.get(name)
    row = Compared(name, title, written, None if compiled == written else compiled, value)
    if value is None or written is None or _equal(prediction, written, value):
        return row
    rules = RULES.get(name, (_as_compiled, _tensor))
    reason = next((found for rule in rules if (found := rule(prediction, values, name))), None)
    return Compared(row.id, title, written, row.compiled, value, reason or UNEXPLAINED, reason is not None)


def _equal(prediction: Prediction, predicted: float, value: float) -> bool:
    return abs(predicted - value) <= (0.5 if prediction.exact else max(EQUAL * predicted, 0.5))


def _as_compiled(prediction: Prediction, values: Measured, name: str) -> Message | None:
    compiled, written, value = prediction.compiled[name], prediction.written[name], values[name]
    if not _equal(prediction, compiled, value):
        return None
    if compiled > written:
        return message(
            "split accesses: the compiler moves in pieces what the text moves at once; the machine code has {count}", count=round(compiled)
        )
    if compiled < written:
        return message(
            "merged loads: the compiler joined loads that lie side by side, or kept what was just stored; the machine code has {count}",
            count=round(compiled),
        )
    return None


def _copied(prediction: Prediction, values: Measured, name: str) -> Message | None:
    """Loads and stores of asynchronous copies are one instruction, which the profiler counts elsewhere, or only in part here."""
    copied = prediction.of_launches(_COPIED[name]) if name in _COPIED else 0.0
    if prediction.compiled[name] - copied <= values[name] < prediction.compiled[name]:
        return message("asynchronous copies: {count} are instructions of their own kind, neither loads nor stores", count=round(copied))
    also = prediction.of_launches(_COUNTED_TOO[name]) if name in _COUNTED_TOO else 0.0
    if prediction.compiled[name] < values[name] <= prediction.compiled[name] + also:
        return message("asynchronous copies: {count} count here too, as far as they reach shared memory", count=round(also))
    return None


def _parted(prediction: Prediction, values: Measured, name: str) -> Message | None:
    """Explain sectors of asynchronous copies that count twice; the machine code has these copies as they are written."""
    again = sum(each.counted.written.parted_sectors for each in prediction.launches)
    if not again or not _equal(prediction, prediction.compiled[name] + again, values[name]):
        return None
    return message(
        "asynchronous copies: {count} sectors count again, whose halves go to two 64-byte parts of shared memory", count=round(again)
    )


def _matrix_loads(prediction: Prediction, values: Measured, name: str) -> Message | None:
    """The profiler counts no ldmatrix among the loads, and of asynchronous copies some (`ncu_moves_h100.json`)."""
    loads, copied = prediction.of_launches("matrix_load_requests"), prediction.of_launches("copied_requests")
    rest = prediction.compiled[name] - loads
    if not loads or not rest <= values[name] <= rest + copied:
        return None
    if _equal(prediction, rest, values[name]):
        return message("ldmatrix: this counter leaves out its {count} requests", count=round(loads))
    return message("ldmatrix: this counter leaves out its {count} requests; asynchronous copies count here in part", count=round(loads))


def _tensor(prediction: Prediction, _values: Measured, _name: str) -> Message | None:
    if prediction.of_launches("tile_operations"):
        return message("tensor cores: how their operations reach memory is not specified, so they are not predicted")
    return None


def _beside_lanes(prediction: Prediction, values: Measured, name: str) -> Message | None:
    if values[name] < prediction.compiled[name] and any(each.uses_tensor_cores for each in prediction.launches):
        return message("tensor cores: this counter counts what the lanes of CUDA cores compute, not products of tiles")
    return None


def _predicated(prediction: Prediction, values: Measured, name: str) -> Message | None:
    least, most = prediction.compiled[name], prediction.at_most[name]
    if least < values[name] <= most:
        return message("predicated instructions: they count also in warps of which no lane takes part, at most {count}", count=round(most))
    return None


def _arbitration(prediction: Prediction, values: Measured, name: str) -> Message | None:
    expected, value = prediction.compiled[name], values[name]
    by_line, predicted = values.get("shared_wavefronts_by_line"), prediction.compiled["shared_wavefronts_by_line"]
    if expected < value <= (1 + ARBITRATION) * expected and (by_line is None or _equal(prediction, predicted, by_line)):
        return message("arbitration: this counter also counts turns that were lost to other accesses")
    return None


def _other_code(prediction: Prediction, values: Measured, name: str) -> Message | None:
    """Fewer accesses than written, where the registers show that another compiler made the machine code that was measured."""
    if name != "registers" and values[name] >= prediction.written[name]:
        return None
    return _other_registers(prediction, values)


def _other_registers(prediction: Prediction, values: Measured) -> Message | None:
    here, there = prediction.compiled.get("registers"), values.get("registers")
    if here is None or there is None or here == there:
        return None
    return message("other machine code: the compiler there took {there} registers, the one here {here}", there=tidy(there), here=tidy(here))


def _of_registers(prediction: Prediction, values: Measured, name: str) -> Message | None:
    """The occupancy that follows from the registers that were measured."""
    if len(prediction.launches) > 1 or "registers" not in values:
        return None
    only = prediction.launches[0]
    found = occupancy(prediction.profile.compute_capability, only.threads, round(values["registers"]), only.launch.shared_bytes)
    return _other_registers(prediction, values) if abs(100 * found.occupancy - values[name]) < 0.5 else None


def _partitions(prediction: Prediction, values: Measured, name: str) -> Message | None:
    expected, value = prediction.compiled[name], values[name]
    if prediction.profile.compute_capability in TWO_PARTITIONS and expected < value <= FAR * expected + OTHER_TRAFFIC:
        return message("two partitions: what lies in the far half of the L2 cache passes both halves, and counts in both")
    return None


def _flushed(prediction: Prediction, values: Measured, name: str) -> Message | None:
    """What the launch before left is read anew, for the profiler empties the caches between launches."""
    prepared = sum(FLOAT32_BYTES * rows * columns for each in prediction.launches for rows, columns in each.launch.prepared.values())
    if 0 < values[name] - prediction.compiled[name] <= prepared + 32 * OTHER_TRAFFIC and prepared:
        return message("emptied caches: the profiler empties them before each launch, so T is read from memory")
    return None


def _first_level(prediction: Prediction, values: Measured, _name: str) -> Message | None:
    most, value = prediction.compiled["l2_read_sectors"], values["l2_read_sectors"]
    if value < most and prediction.sectors_read_once:
        return message("cache hits: the L1 cache served {percent} % of the sectors", percent=round(100 * (1 - value / most), 1))
    if value <= most + OTHER_TRAFFIC:
        return message("other traffic: instructions, constants and arguments come through the L2 cache too")
    return None


def _written_back(prediction: Prediction, values: Measured, name: str) -> Message | None:
    if values[name] < prediction.compiled[name]:
        return message("cache: what was written last was still in the L2 cache when the kernel ended")
    return _more_traffic(prediction, values, name)


def _more_traffic(prediction: Prediction, values: Measured, name: str) -> Message | None:
    """Explain traffic of DRAM beyond what must be moved: up to what the L2 cache was asked for, its capacity explains it."""
    asked = 32 * values.get(name.replace("dram_", "l2_").replace("_bytes", "_sectors"), 0.0)
    if name == "dram_read_bytes" and values[name] < prediction.compiled[name]:
        return message("cache hits: the L2 cache held a part of the matrices before the launch")
    if prediction.problem.bytes > prediction.profile.l2_bytes and values[name] <= asked:
        return message("cache misses: the matrices do not fit into the L2 cache, and parts of them came again")
    if values[name] <= prediction.compiled[name] + 32 * OTHER_TRAFFIC:
        return message("other traffic: instructions, constants and arguments are read too")
    return None


def _other_writes(prediction: Prediction, values: Measured, name: str) -> Message | None:
    if prediction.compiled[name] < values[name] <= prediction.compiled[name] + OTHER_TRAFFIC:
        return message("other traffic: the profiler and the launch write a little too")
    return None


def _gathered(prediction: Prediction, values: Measured, name: str) -> Message | None:
    """Explain fewer writes than predicted, down to one for each sector of the output, however many stores fill it."""
    if prediction.compiled["dram_write_bytes"] / SECTOR_BYTES <= values[name] < prediction.compiled[name]:
        return message("gathered writes: what several stores bring to one sector soon after each other reaches the L2 cache at once")
    return None


def _reached(prediction: Prediction, values: Measured, _name: str) -> Message | None:
    if values["occupancy"] < prediction.compiled["occupancy_limit"] + 0.5:
        return message("what is possible is reached only while all SMs are full: not at the start, nor in the last wave")
    return None


_COPIED = {
    "global_load_requests": "copied_requests", "shared_store_requests": "copied_requests", "global_load_sectors": "copied_sectors",
    "shared_store_wavefronts": "copied_wavefronts", "shared_wavefronts_by_line": "copied_wavefronts",
}  # fmt: skip
"""What of a counter asynchronous copies make up."""
_COUNTED_TOO = {"shared_load_requests": "copied_requests", "shared_wavefronts_by_line": "copied_wavefronts"}
"""What asynchronous copies may add to a counter."""
_ACCESSES: tuple[Rule, ...] = (_copied, _tensor, _other_code)
_REQUESTS: tuple[Rule, ...] = (_as_compiled, _predicated, *_ACCESSES)
_WAVEFRONTS: tuple[Rule, ...] = (_as_compiled, _arbitration, *_ACCESSES)
RULES: dict[str, tuple[Rule, ...]] = {
    "global_load_requests": _REQUESTS, "global_store_requests": _REQUESTS,
    "shared_load_requests": (_matrix_loads, *_REQUESTS), "shared_store_requests": _REQUESTS,
    "shared_load_wavefronts": _WAVEFRONTS, "shared_store_wavefronts": _WAVEFRONTS,
    "global_load_sectors": (_as_compiled, _parted, *_ACCESSES), "shared_wavefronts_by_line": (_as_compiled, *_ACCESSES),
    "l2_read_sectors": (_first_level, _partitions, _tensor), "l2_write_sectors": (_other_writes, _partitions, _gathered, _tensor),
    "dram_read_bytes": (_more_traffic, _flushed, _tensor), "dram_write_bytes": (_written_back, _tensor),
    "flops": (_as_compiled, _tensor, _beside_lanes),
    "registers": (_other_code,), "occupancy_limit": (_of_registers,), "occupancy": (_reached,),
}  # fmt: skip
"""The rules that may explain a counter's difference, the first that fits does; any other can only be merged, split or of tensor cores."""
