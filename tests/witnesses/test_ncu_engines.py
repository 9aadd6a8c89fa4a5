"""Wavefronts of ldmatrix, stmatrix, cp.async and wgmma, and sectors of bulk copies, against what Nsight Compute counted.

`ncu_record.py` recorded single moves on an H100, `engines_record.py` copies of stretches there, and wgmma, copies of boxes and the
tensor-core rungs at n = 256 and 1024 on an H200.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kernels.analysis.banks import shared_accesses
from kernels.analysis.coalescing import SECTOR_BYTES, global_accesses
from kernels.analysis.counts import LineCount, counts
from kernels.analysis.workload import workload
from kernels.base.spec import Operation, Problem
from kernels.catalogue.catalogue import by_id
from kernels.simt.base.launch import Argument, Budget, LaunchRequest
from kernels.simt.frontend.parse import parse
from kernels.simt.lower import lower
from kernels.simt.run.execution import execute
from kernels.simt.run.variant_launch import launch_spec
from kernels.simt.trace.launch_spec import LaunchSpec
from kernels.simt.trace.trace import WARP, Trace
from tests.launches.simt_launch import launch
from tests.witnesses.copies_texts import Box, stretch_text, stretches
from tests.witnesses.engines_record import READ, WRITTEN, some_boxes
from tests.witnesses.ncu_cases import Case, moves
from tests.witnesses.tensor_core_record import IMAGE_BYTES, drawn, images
from tests.witnesses.tensor_core_texts import WGMMA, Instruction, wgmma_text
from tests.witnesses.test_tensor_records import SUMS, copied

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden"
MOVED = {each["name"]: each for each in json.loads((GOLDEN / "ncu_moves_h100.json").read_text(encoding="utf-8"))["cases"]}
ENGINES = json.loads((GOLDEN / "ncu_engines_h200.json").read_text(encoding="utf-8"))
SINGLE = dict(zip(ENGINES["names"], ENGINES["single"], strict=False))
WAVEFRONTS = "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"
SHARED = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}.sum"
RUNGS = (
    "gpu.wgmma-bf16", "gpu.mma-bf16", "gpu.mma-padded-bf16", "gpu.mma-swizzled-bf16", "gpu.mma-tf32", "gpu.mma-padded-tf32",
    "gpu.mma-swizzled-tf32", "gpu.three-parts",
)  # fmt: skip
"""Of the others with tensor cores, wmma leaves to the compiler how fragments are loaded (`test_predicted_counters.py` reads it from the
machine code)."""
N = 256


def shared(trace: Trace, operation: str) -> list[LineCount]:
    """The lines that load from or store to shared memory."""
    return [line for line in counts(trace).lines if line.space == "shared" and line.operation == operation]


@pytest.mark.parametrize("case", moves(), ids=lambda case: case.name)
def test_a_move_takes_the_wavefronts_that_were_counted(case: Case) -> None:
    """Of cp.async no fewer: a GPU writes what comes in one line of global memory apart from what comes in another."""
    trace = launch(case.text, case.grid, case.block, dict(case.arguments))
    (there,) = MOVED[case.name]["instructions"]
    at = next(number for number, text in enumerate(case.text.splitlines(), 1) if "asm volatile(" in text and "commit" not in text)
    (found,) = (each for each in (*shared(trace, "load"), *shared(trace, "store")) if each.line == at)
    if case.name.startswith("ldmatrix"):
        assert MOVED[case.name]["counters"]["shared_load_requests"] == 0  # as the words beside a prediction say
    if case.name.startswith("cp.async"):
        assert found.wavefronts is not None
        assert found.wavefronts <= there["wavefronts"]
    else:
        assert (found.wavefronts, found.wavefronts_hardware, found.ideal) == (there["wavefronts"], there["wavefronts"], there["ideal"])


@pytest.mark.parametrize("case", [each for each in moves() if each.name.startswith("cp.async.16 ")], ids=lambda case: case.name)
def test_halves_of_a_sector_that_go_apart_count_twice(case: Case) -> None:
    """To random places up to two fewer than that, for a reason that is not known."""
    moved = workload(launch(case.text, case.grid, case.block, dict(case.arguments)))
    counted = MOVED[case.name]["counters"]["global_load_sectors"]
    assert moved.global_load_sectors < counted - 6
    assert 0 <= moved.global_load_sectors + moved.parted_sectors - counted <= 2


@pytest.mark.parametrize("instruction", WGMMA, ids=lambda each: each.name)
def test_operands_of_wgmma_take_the_wavefronts_that_were_counted(instruction: Instruction) -> None:
    a, b, c = (each[:1] for each in drawn(instruction, "near", 4))
    image, a_bits, b_bits = images(instruction, a, b)
    start = np.ascontiguousarray(instruction.maps()[-1].pack(c)).ravel().view(SUMS[instruction.sums])
    arguments: dict[str, Argument] = {"image": image.ravel().view(np.uint32), "C": start, "D": start, "a": a_bits, "b": b_bits}
    trace = launch(wgmma_text(instruction, IMAGE_BYTES), 1, 128, arguments, shared_bytes=IMAGE_BYTES)
    (found,) = shared(trace, "operand")
    assert found.requests == 0
    assert found.wavefronts == found.ideal == SINGLE[instruction.name][SHARED.format("gmma")]


@cache
def executed(rung: str) -> list[tuple[str, Trace]]:
    """A rung's kernels at n = 256, by name, with their traces."""
    variant, problem = by_id(rung), Problem.square(Operation.MATMUL, N)
    spec: LaunchSpec = launch_spec(variant, problem, variant.defaults)
    given: dict[str, Any] = {}
    found = []
    for each in (spec,) if spec.before is None else (spec.before, spec):
        assert each.entry is not None
        request = replace(each.launch, arguments={**each.launch.arguments, **given}, budget=Budget(seconds=300))
        trace = execute(lower(parse(each.text, defines=each.defines), each.entry), request, each.text)
        given.update({name: values for name, values in trace.values.items() if name not in "AB"})
        found.append((each.entry, trace))
    return found


@pytest.mark.parametrize("rung", RUNGS)
def test_rungs_take_the_wavefronts_and_sectors_that_were_counted(rung: str) -> None:
    """The profiler counts what the copy engine moves apart from what threads load: both together are the sectors here."""
    names = [each["kernel"] for each in ENGINES["rungs"]]
    kernels = executed(rung)
    end = names.index(kernels[-1][0]) + 1  # of n = 256; a preparing kernel stands before it
    for (name, trace), there in zip(kernels, ENGINES["rungs"][end - len(kernels) : end], strict=True):
        assert there["kernel"] == name
        totals = counts(trace).totals
        loaded = ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld.sum")
        assert totals.global_load_sectors + workload(trace).parted_sectors == sum(there.get(each, 0) for each in loaded)
        assert totals.global_store_sectors == there["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"]
        assert totals.shared_load_wavefronts == there.get(SHARED.format("ld"), 0)
        assert totals.shared_operand_wavefronts == there.get(SHARED.format("gmma"), 0)
        if READ in there:  # of cp.async a GPU counts none here, and the lines' wavefronts hold them
            assert totals.shared_store_wavefronts == totals.shared_store_requests == there.get(SHARED.format("st"), 0) == 0
            assert totals.global_load_requests == 0
            assert totals.shared_copied_bytes == SECTOR_BYTES * there[READ]
            assert workload(trace).bulk_received_sectors == there[READ]


@pytest.mark.parametrize("rung", ["gpu.wgmma-bf16", "gpu.three-parts"])
def test_barriers_and_copies_take_none_of_the_wavefronts_that_were_counted(rung: str) -> None:
    """To the lines the profiler gives those of wgmma alone. In all it counts a few more: as many in each block, however long k is and so
    however often its warps wait."""
    known = json.loads((ROOT / "resources" / "recorded" / "counters" / "h200.json").read_text(encoding="utf-8"))["launches"]
    (there,) = (each["counters"] for each in known if each["id"] == rung and each["n"] == N)
    _, trace = executed(rung)[-1]
    own = shared_accesses(trace)
    assert sum(each.source for each in own) == there["shared_wavefronts_by_line"]
    assert {trace.sites[each.site].operation for each in own} == {"load"}
    assert there["shared_store_requests"] == 0
    assert counts(trace).totals.shared_barrier_requests
    kernels = [each for each in ENGINES["rungs"] if each["kernel"] == executed(rung)[-1][0]]
    rest = [each[WAVEFRONTS] - each[SHARED.format("gmma")] for each in kernels]
    blocks = [int(np.prod(trace.grid)), int(np.prod(trace.grid)) * (1024 // N) ** 2]
    assert [round(each / count) for each, count in zip(rest, blocks, strict=True)] == [round(rest[0] / blocks[0])] * 2


STRETCHES = json.loads((GOLDEN / "ncu_stretches_h100.json").read_text(encoding="utf-8"))["copies"]


def moved_sectors(trace: Trace, operation: str) -> int:
    """What a copy in bulk reads from or writes to global memory."""
    sites = [site.operation == operation and site.function.startswith("cp.async.bulk") for site in trace.sites]
    return sum(each.sectors for each in global_accesses(trace) if sites[each.site])


def filled_units(box: Box) -> int:
    """Pieces of 32 bytes, counted from the beginning of each row of a box, with bytes that lie outside the tensor: nothing is read for
    them, but the copy engine gets zeros from where it gets sectors, and the profiler counts these too."""
    size, width, length = np.dtype(box.dtype).itemsize, box.box[0], box.shape[-1]
    found = 0
    for place in np.ndindex(*box.box[1:]):
        outer = zip(box.start[1:], place, box.shape[::-1][1:], strict=True)
        inside = all(0 <= start + at < extent for start, at, extent in outer)
        column = np.arange(width) + box.start[0]
        outside = (column < 0) | (column >= length) if inside else np.ones(width, np.bool_)
        found += len(np.unique(np.flatnonzero(outside) * size // SECTOR_BYTES))
    return found


@pytest.mark.parametrize("box", some_boxes(), ids=lambda box: str(box.number))
def test_a_box_moves_the_sectors_that_were_counted(box: Box) -> None:
    """Of a load the zeros beside the tensor are counted besides what is read; of a store nothing is. Wavefronts are the threads' own."""
    there = SINGLE[f"box {box.number}"]
    trace = copied(box)
    if box.store:
        assert moved_sectors(trace, "store") == there.get(WRITTEN, 0)
    else:
        assert moved_sectors(trace, "load") + filled_units(box) == there[READ]
    totals = counts(trace).totals
    assert totals.shared_copied_bytes == box.bytes
    if box.words < 3 * WARP or box.words % WARP == 0:  # else lanes go two ways through the loop that the compiler unrolls
        assert totals.shared_store_wavefronts == there[SHARED.format("st")]
        assert totals.shared_load_wavefronts == there[SHARED.format("ld")]


def test_boxes_lie_inside_beside_and_across_the_edges_of_their_tensors() -> None:
    """So that what is said of zeros is said of something, and of something else."""
    loads = [box for box in some_boxes() if not box.store]
    filled = [filled_units(box) for box in loads]
    assert 0 in filled
    assert any(0 < count < SINGLE[f"box {box.number}"][READ] for box, count in zip(loads, filled, strict=True))


def test_a_stretch_of_memory_moves_the_sectors_that_were_counted() -> None:
    """Also where it lies in global memory otherwise than in shared memory: there the sectors at the seams are moved twice."""
    arrays: dict[str, Argument] = {"in": np.zeros(2048, np.int8), "out": np.zeros(2048, np.int8)}
    kernels = {store: lower(parse(stretch_text(store)), "run") for store in (False, True)}
    found, least = {}, {}
    for each in stretches():
        request = LaunchRequest((1, 1, 1), (32, 1, 1), {**arrays, "at": each.at, "to": each.to, "bytes": each.size})
        trace = execute(kernels[each.store], request)
        found[each.name] = moved_sectors(trace, "store" if each.store else "load")
        least[each.name] = (each.at + each.size - 1) // SECTOR_BYTES - each.at // SECTOR_BYTES + 1
    assert found == STRETCHES
    assert found != least
