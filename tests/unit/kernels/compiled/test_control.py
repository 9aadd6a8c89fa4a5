"""Control codes of machine instructions, on what the disassembler prints of the same bits and on codes put together by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.base.spec import Operation, Problem
from kernels.catalogue.catalogue import by_id
from kernels.compiled.control import BARRIERS, Control, control_code, source_banks
from kernels.compiled.kernel import CompiledKernel, CompileSettings
from kernels.compiled.listing import parse_listing
from kernels.compiled.report import compile_kernel
from kernels.nvrtc.tools import Tools

BARRIER = st.none() | st.integers(0, BARRIERS - 1)
LISTING = """
	.section	.text.f,"ax",@progbits
        /*01c0*/                   LEA R17, R16.reuse, UR4, 0x6 ;             /* 0x0000000410117c11 */
                                                                              /* 0x040fe2000f8e30ff */
        /*0230*/                   ISETP.GE.AND P0, PT, R16, R3.reuse, PT ;   /* 0x000000031000720c */
                                                                              /* 0x082fe20003f06270 */
"""


@given(
    st.integers(0, 15),
    st.booleans(),
    BARRIER,
    BARRIER,
    st.sets(st.integers(0, BARRIERS - 1)),
    st.integers(0, (1 << 41) - 1),
)
def test_every_part_is_read_from_its_bits(
    stall: int, yields: bool, write: int | None, read: int | None, waits: set[int], rest: int
) -> None:
    write_bits, read_bits = (7 if barrier is None else barrier for barrier in (write, read))
    mask = sum(1 << barrier for barrier in waits)
    code = stall | (not yields) << 4 | write_bits << 5 | read_bits << 8 | mask << 11
    assert control_code(code << 41 | rest) == Control(stall, yields, write, read, tuple(sorted(waits)))


def test_a_listing_with_encodings_has_the_codes_and_one_without_has_none() -> None:
    first, second = parse_listing(LISTING, "kernel.cu")["f"]
    assert first.control is not None
    assert second.control is not None
    assert first.control.text == "B------:R-:W-:-:S01"
    assert (second.control.text, second.control.waits) == ("B-1----:R-:W-:-:S01", (1,))
    (bare,) = parse_listing("\t.section\t.text.f,x\n  /*0000*/  EXIT ;\n", "kernel.cu")["f"]
    assert bare.control is None


def test_registers_of_three_operands_lie_in_two_banks() -> None:
    assert source_banks("FFMA", "R4, R2.reuse, R7, R10") == (0, 1, 0)
    assert source_banks("IMAD.WIDE", "R8, R0, 0x4, R4") == (0, 0)
    assert source_banks("LDS", "R4, [R2]") == ()


@pytest.mark.parametrize("variant_id", ["gpu.tiled", "gpu.fastest", "gpu.async"])
def test_the_compilers_code_waits_only_for_what_was_set(variant_id: str, tools: Tools) -> None:
    variant = by_id(variant_id)
    assert variant.launch is not None
    launch = variant.launch(Problem.square(Operation.MATMUL, 64), variant.defaults)
    found = compile_kernel(variant.source_text, CompileSettings(variant.entry, 90, launch.defines), tools)
    assert isinstance(found, CompiledKernel)
    controls = [each.control for each in found.instructions if each.control is not None]
    assert len(controls) == len(found.instructions)
    set_somewhere = {code.write_barrier for code in controls} | {code.read_barrier for code in controls}
    assert {barrier for code in controls for barrier in code.waits} <= set_somewhere
    loads = [each for each in found.instructions if each.opcode.startswith(("LDG.", "LDS")) and each.accesses]
    assert any(each.control is not None and each.control.write_barrier is not None for each in loads)
