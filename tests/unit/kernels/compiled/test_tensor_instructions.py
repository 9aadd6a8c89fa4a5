"""What the compiler makes of matrix instructions: those that the record of tensor cores launches, and the steps of k of wmma."""

from __future__ import annotations

import pytest

from kernels.compiled.kernel import CompiledKernel, CompileSettings
from kernels.compiled.report import compile_kernel
from kernels.nvrtc.tools import Tools
from kernels.simt.base.tensor_cores import TERMS, WMMA_TF32_TERMS
from tests.witnesses.copies_texts import MOVES, Move
from tests.witnesses.tensor_core_record import IMAGE_BYTES
from tests.witnesses.tensor_core_texts import MMA, WGMMA, Instruction, mma_text, wgmma_text

WMMA = """#include <mma.h>
#include <cuda_bf16.h>
using namespace nvcuda;
extern "C" __global__ void run(const {element}* a, const {element}* b, float* c)
{{
    wmma::fragment<wmma::matrix_a, {shape}, {type}, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, {shape}, {type}, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, {shape}, float> sum;
    wmma::load_matrix_sync(left, a, 16);
    wmma::load_matrix_sync(right, b, 16);
    wmma::load_matrix_sync(sum, c, 16, wmma::mem_row_major);
    wmma::mma_sync(sum, left, right, sum);
    wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}}
"""


def names(text: str, tools: Tools, *, specific: bool = True) -> list[str]:
    """The names of the matrix instructions, in order."""
    found = compile_kernel(text, CompileSettings("run", 90, {}, specific=specific), tools)
    assert isinstance(found, CompiledKernel), str(found)
    opcodes = [instruction.opcode for instruction in found.instructions]
    return [each for each in opcodes if "MMA" in each or each.startswith(("LDSM", "STSM", "LDGSTS"))]


@pytest.mark.parametrize("instruction", MMA, ids=lambda each: each.name)
def test_each_mma_is_one_instruction(tools: Tools, instruction: Instruction) -> None:
    (found,) = names(mma_text(instruction), tools)
    whole = f"{instruction.m}x{instruction.n}x{instruction.k}"
    assert whole in found or whole.replace("x", "") in found


@pytest.mark.parametrize("instruction", WGMMA, ids=lambda each: each.name)
def test_each_wgmma_is_one_instruction(tools: Tools, instruction: Instruction) -> None:
    unit = "IGMMA" if instruction.sums == "s32" else "HGMMA"
    assert names(wgmma_text(instruction, IMAGE_BYTES), tools)[0].startswith(f"{unit}.64x{instruction.n}x{instruction.k}.")


@pytest.mark.parametrize("move", MOVES, ids=lambda move: move.title)
def test_each_move_is_one_instruction(tools: Tools, move: Move) -> None:
    (found,) = names(move.text, tools)
    assert found.startswith({"ldmatrix": "LDSM", "stmatrix": "STSM", "cp.async": "LDGSTS"}[move.name])
    assert ("MT88" in found) is move.transposed
    if move.count:
        assert found.endswith(f".{move.count}" if move.count > 1 else "88")


@pytest.mark.parametrize(("shape", "type_", "element", "steps", "step"), [
    ("16, 16, 8", "wmma::precision::tf32", "float", 2, WMMA_TF32_TERMS),
    ("16, 16, 16", "__nv_bfloat16", "__nv_bfloat16", 1, TERMS["bf16"]),
])  # fmt: skip
def test_wmma_becomes_steps_of_k_for_each_half_of_the_columns(
    tools: Tools, shape: str, type_: str, element: str, steps: int, step: int
) -> None:
    found = names(WMMA.format(shape=shape, type=type_, element=element), tools, specific=False)
    assert len(found) == 2 * steps
    assert all(each.startswith(f"HMMA.168{step}.") for each in found)
