"""What an execution of the text counts against what Nsight Compute counted on an H200, and outputs bit for bit.

`ncu_record.py` made the recording; `ncu_cases.py` has the launches.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import asdict, replace
from fractions import Fraction
from math import prod
from pathlib import Path
from typing import Any

import pytest

from kernels.analysis.counts import Counts, counts
from kernels.analysis.findings import findings
from kernels.compiled.kernel import CompiledKernel, CompileSettings
from kernels.compiled.report import compile_kernel
from kernels.nvrtc.tools import Tools
from kernels.simt.base.launch import LaunchRequest
from kernels.simt.frontend.parse import parse
from kernels.simt.lower import lower
from kernels.simt.run.execution import execute
from kernels.simt.trace.trace import WARP, Trace
from tests.witnesses.ncu_cases import ROOT, Case, own, shipped

RECORD = json.loads((Path(__file__).resolve().parents[1] / "golden" / "ncu_h200.json").read_text(encoding="utf-8"))
MEASURED: dict[str, dict[str, Any]] = {case["name"]: case for case in RECORD["cases"]}
EQUAL = (
    "global_load_requests", "global_load_sectors", "global_store_requests", "global_store_sectors",
    "shared_load_requests", "shared_store_requests", "shared_atomic_requests",
)  # fmt: skip
"""Counters that must agree where the compiler merges nothing."""
Place = tuple[int, str, str]
"""Line, operation and memory."""
COUNT_LINE: Place = (328, "atomic", "shared")
COUNTED_TOGETHER = {
    ("shared_atomic_count 1 2", "wavefronts"): {COUNT_LINE: 4},
    ("shared_atomic_count 1 32", "wavefronts"): {COUNT_LINE: 4},
    ("shared_atomic_count 16 4", "wavefronts"): {COUNT_LINE: 16},
    ("shared_atomic_count 3 5", "wavefronts"): {COUNT_LINE: 4},
}
"""Where the machine code differs from the text: what it takes. `atomicAdd(&x, 1)` whose result is not used has become ATOMS.POPC.INC, which
counts the lanes of a word together; as written, every lane takes its turn."""
OPCODES = {
    "LDS": ("load", "shared"), "STS": ("store", "shared"), "ATOMS": ("atomic", "shared"),
    "LDG": ("load", "global"), "STG": ("store", "global"),
    "RED": ("atomic", "global"), "REDG": ("atomic", "global"), "ATOMG": ("atomic", "global"),
}  # fmt: skip


def executed(case: Case) -> Trace:
    """The trace of a case."""
    kernel = lower(parse(case.text, ROOT / case.source, case.defines), case.kernel)
    return execute(kernel, LaunchRequest(case.grid, case.block, dict(case.arguments)))


def measured_lines(name: str, column: str) -> dict[Place, int]:
    """A column of the machine instructions, by line, operation and memory."""
    found: Counter[Place] = Counter()
    for row in MEASURED[name]["instructions"]:
        opcode = row["opcode"].split(".")[0]
        if opcode in OPCODES:
            found[row["line"], *OPCODES[opcode]] += row[column]
    return dict(found)


def counted_lines(found: Counts, column: str) -> dict[Place, int]:
    return {(line.line, line.operation, line.space): getattr(line, column) for line in found.lines}


def to_shared(lines: dict[Place, int]) -> dict[Place, int]:
    return {place: value for place, value in lines.items() if place[2] == "shared"}


def test_every_case_was_recorded() -> None:
    assert [(name, found["kernel"]) for name, found in MEASURED.items()] == [(case.name, case.kernel) for case in own() + shipped()]
    assert len({case.kernel for case in own()}) >= 12
    assert "H200" in RECORD["conditions"]["gpu"]


@pytest.mark.parametrize("case", own(), ids=lambda case: case.name)
def test_what_is_executed_is_what_the_profiler_counts(case: Case) -> None:
    found, measured = counts(executed(case)), MEASURED[case.name]
    totals, counters = asdict(found.totals), measured["counters"]
    assert {name: totals[name] for name in EQUAL} == {name: counters[name] for name in EQUAL}
    assert totals["global_atomic_requests"] == counters["global_red_requests"] + counters["global_atom_requests"]
    warps = -(-prod(case.block) // WARP)
    assert totals["barriers"] * warps == sum(row["executed"] for row in measured["instructions"] if row["opcode"].startswith("BAR"))
    assert to_shared(counted_lines(found, "requests")) == to_shared(measured_lines(case.name, "executed"))


@pytest.mark.parametrize("case", own(), ids=lambda case: case.name)
def test_wavefronts_of_every_line_are_the_profilers(case: Case) -> None:
    found = counts(executed(case))
    for column in ("wavefronts", "ideal"):
        counted = to_shared(counted_lines(found, column)) | COUNTED_TOGETHER.get((case.name, column), {})
        assert counted == to_shared(measured_lines(case.name, column))
    hardware = Counter[str]()
    for line in found.lines:
        hardware[f"{line.space}_{line.operation}_wavefronts_hardware"] += line.wavefronts_hardware or 0
    counters = MEASURED[case.name]["counters"]
    for name in ("shared_load_wavefronts_hardware", "shared_store_wavefronts_hardware"):
        assert hardware[name] == counters[name]


@pytest.mark.parametrize("name", [name for name, _ in COUNTED_TOGETHER])
def test_lanes_are_counted_together_by_another_instruction(name: str) -> None:
    """It costs what the text would if the lanes' atomics were stores, and the text costs more."""
    (case,) = (case for case in own() if case.name == name)
    trace = executed(case)
    (opcode,) = {row["opcode"] for row in MEASURED[name]["instructions"] if row["line"] == COUNT_LINE[0] and row["wavefronts"]}
    assert opcode.startswith("ATOMS.POPC.INC")
    stores = replace(trace, sites=tuple(replace(site, operation="store") if site.operation == "atomic" else site for site in trace.sites))
    as_stores = counted_lines(counts(stores), "wavefronts")[COUNT_LINE[0], "store", "shared"]
    as_written = counted_lines(counts(trace), "wavefronts")[COUNT_LINE]
    assert as_written > as_stores == COUNTED_TOGETHER[name, "wavefronts"][COUNT_LINE]


@pytest.mark.parametrize("case", own() + shipped(), ids=lambda case: case.name)
def test_outputs_are_those_of_the_gpu_bit_for_bit(case: Case) -> None:
    trace = executed(case)
    assert findings(trace) == ()
    assert hashlib.sha256(trace.values[case.output].tobytes()).hexdigest() == MEASURED[case.name]["output_sha256"]


EXPLAINED = {
    "gpu.tiled": {"shared_load_requests": Fraction(5, 8)},
}
"""Counters of the shipped kernels that differ from the text, as parts of what is written; all others agree.

gpu.tiled: of four iterations k, the four loads `As[ty][k]` lie side by side and have become one of 16 bytes; the four loads
`Bs[k][tx]` are a row apart and have stayed: five instructions for eight loads.
"""
PREDICATED = {f"gpu.transpose-{name}": {"shared_store_requests"} for name in ("shared", "padded", "swizzled")}
"""Counters of the shipped kernels that are larger than the text says where the tile does not divide the size: a short `if` has become
instructions with a predicate, which count as executed even in warps of which no lane takes part."""


@pytest.mark.parametrize("case", shipped(), ids=lambda case: case.name)
def test_where_the_compiler_changes_the_accesses_of_shipped_kernels_it_is_known_how(case: Case) -> None:
    totals, counters = asdict(counts(executed(case)).totals), MEASURED[case.name]["counters"]
    variant = case.name.split()[0]
    for name in EQUAL:
        if name in PREDICATED.get(variant, ()) and "67x45" in case.name:
            assert counters[name] > totals[name]
        else:
            assert counters[name] == totals[name] * EXPLAINED.get(variant, {}).get(name, 1), name


def test_the_machine_code_has_the_loads_that_the_profiler_counted(tools: Tools) -> None:
    """Compiled without a GPU: the parts of `EXPLAINED` can be read off the machine code of the unrolled loop."""
    case = next(case for case in shipped() if case.kernel == "matmul_tiled" and case.defines["TILE"] == 32)
    found = compile_kernel(case.text, CompileSettings(case.kernel, 90, case.defines, contract=False), tools)
    assert isinstance(found, CompiledKernel), str(found)
    loads = sum(count for (_, access), count in found.accesses().items() if (access.operation, access.space) == ("load", "shared"))
    assert Fraction(loads, 2 * 32) == EXPLAINED["gpu.tiled"]["shared_load_requests"]
