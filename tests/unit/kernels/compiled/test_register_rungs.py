"""What the compiler makes of the register-tiled rungs: what each claims of registers and of the width of its loads."""

from __future__ import annotations

from functools import cache

import pytest

from kernels.base.spec import Operation, Problem
from kernels.catalogue.catalogue import VARIANTS, by_id
from kernels.catalogue.gpu_register_tiles import REGISTER_MULTIPLICATIONS
from kernels.compiled.kernel import CompiledKernel, CompileSettings
from kernels.compiled.report import compile_kernel
from kernels.nvrtc.tools import Tools

RUNGS = [variant.id for variant in VARIANTS if variant.id in {rung.id for rung in REGISTER_MULTIPLICATIONS}]
WIDE = [variant_id for variant_id in RUNGS if not variant_id.startswith("gpu.register-tiled")]


@cache
def compiled(variant_id: str, tools: Tools, *setting: tuple[str, int]) -> CompiledKernel:
    variant = by_id(variant_id)
    assert variant.launch is not None
    launch = variant.launch(Problem.square(Operation.MATMUL, 64), variant.defaults | dict(setting))
    found = compile_kernel(variant.source_text, CompileSettings(variant.entry, 90, launch.defines), tools)
    assert isinstance(found, CompiledKernel), str(found)
    assert found.usage.registers <= launch.defines["REGISTERS"]
    return found


@pytest.mark.parametrize("variant_id", RUNGS)
def test_at_the_defaults_nothing_is_spilled(tools: Tools, variant_id: str) -> None:
    usage = compiled(variant_id, tools).usage
    assert usage.spill_store_bytes == usage.spill_load_bytes == usage.stack_bytes == 0


@pytest.mark.parametrize("variant_id", ["gpu.vectorized-k8", "gpu.double-buffered-k16"])
def test_a_lower_cap_is_kept_and_paid_for_with_spills(tools: Tools, variant_id: str) -> None:
    usage = compiled(variant_id, tools, ("registers", 64)).usage
    assert usage.registers <= 64
    assert usage.spill_load_bytes > 0


@pytest.mark.parametrize("variant_id", WIDE)
def test_all_of_shared_memory_is_read_four_floats_at_a_time(tools: Tools, variant_id: str) -> None:
    kinds = {(access.operation, access.space, access.bytes) for _, access in compiled(variant_id, tools).accesses()}
    assert {kind for kind in kinds if kind[:2] == ("load", "shared")} == {("load", "shared", 16)}
    assert {("load", "global", 16), ("store", "global", 16), ("store", "shared", 16)} <= kinds


def test_what_is_copied_passes_no_register(tools: Tools) -> None:
    opcodes = [instruction.opcode.split(".")[0] for instruction in compiled("gpu.async", tools).instructions]
    assert "LDGSTS" in opcodes
    assert {"LDG", "STS"}.isdisjoint(opcodes)


def same_bank(kernel: CompiledKernel) -> int:
    """Multiply-adds whose two fresh operands have both even or both odd registers; the third was kept from the one before."""
    kept: set[str] = set()
    count = 0
    for instruction in kernel.instructions:
        operands = [operand.strip() for operand in instruction.operands.split(",")[1:]] if instruction.opcode == "FFMA" else []
        fresh = {operand.removesuffix(".reuse") for operand in operands} - kept
        count += len(fresh) == 2 and len({int(register[1:]) % 2 for register in fresh}) == 1
        kept = {operand.removesuffix(".reuse") for operand in operands if operand.endswith(".reuse")}
    return count


def test_columns_exchanged_in_pairs_keep_sums_and_factors_in_different_banks(tools: Tools) -> None:
    variant = by_id("gpu.warp-tiled")
    in_order = variant.source_text.replace("{v.y, v.x, v.w, v.z}", "v").replace("[j ^ 1]", "[j]")
    assert in_order.count("[j]") == variant.source_text.count("[j]") + 1
    kernel = compile_kernel(in_order, CompileSettings(variant.entry, 90, {}), tools)
    assert isinstance(kernel, CompiledKernel)
    exchanged = compiled("gpu.warp-tiled", tools)
    multiplied = sum(instruction.opcode == "FFMA" for instruction in exchanged.instructions)
    assert same_bank(exchanged) < 0.03 * multiplied < same_bank(kernel)


def test_scalar_loads_of_a_row_of_b_stay_scalar_and_those_along_k_are_merged(tools: Tools) -> None:
    kernel = compiled("gpu.register-tiled-k8", tools)
    loads = [access.bytes for (_, access), count in kernel.accesses().items() for _ in range(count) if access.space == "shared"
             and access.operation == "load"]  # fmt: skip
    assert (loads.count(4), loads.count(8)) == (16, 8)  # two steps of k
    assert all(access.bytes == 4 for _, access in kernel.accesses() if access.space == "global")
