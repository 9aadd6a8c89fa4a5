"""Reading what NVIDIA's assembler and disassembler print, on recorded outputs of theirs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from kernels.compiled.listing import Access, Instruction, Usage, parse_listing, parse_usage

GOLDEN = Path(__file__).resolve().parents[3] / "golden" / "compiled"
TILED = (GOLDEN / "matmul_tiled_sm90.sass").read_text(encoding="utf-8")
COPY = (GOLDEN / "copy_ahead_sm90.sass").read_text(encoding="utf-8")
SPILLING = """\
ptxas info    : 8 bytes gmem, 64 bytes cmem[3]
ptxas info    : Compiling entry function '_Z6reduceILi128EEvPf' for 'sm_80'
ptxas info    : Function properties for _Z6reduceILi128EEvPf
    1200 bytes stack frame, 24 bytes spill stores, 40 bytes spill loads
ptxas info    : Used 255 registers, used 2 barriers, 1200 bytes cumulative stack size, 512+16 bytes smem, 360 bytes cmem[0]
ptxas info    : Compiling entry function 'plain' for 'sm_80'
ptxas info    : Function properties for plain
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, 352 bytes cmem[0]
"""


def tiled() -> tuple[Instruction, ...]:
    return parse_listing(TILED, "kernel.cu")["matmul_tiled"]


def test_the_assemblers_report_is_read() -> None:
    usage = parse_usage((GOLDEN / "matmul_tiled_sm90.log").read_text(encoding="utf-8"))
    assert usage == {"matmul_tiled": Usage(31, 8192, 0, 0, 0)}


def test_an_older_report_of_two_kernels_with_spills_is_read() -> None:
    assert parse_usage(SPILLING) == {"_Z6reduceILi128EEvPf": Usage(255, 512, 1200, 24, 40), "plain": Usage(8, 0, 0, 0, 0)}


@pytest.mark.parametrize("log", ["", "garbage", "ptxas info    : Compiling entry function 'f' for 'sm_90'\n"])
def test_a_report_that_says_nothing_gives_nothing(log: str) -> None:
    assert parse_usage(log) == {}


def test_every_instruction_is_read_once_in_order() -> None:
    addresses = [instruction.address for instruction in tiled()]
    assert addresses == list(range(0, 16 * len(addresses), 16))
    assert len(addresses) == sum(line.strip().startswith("/*") and "NOP" not in line for line in TILED.splitlines())


def test_instructions_are_taken_apart() -> None:
    first, *_, last = tiled()
    assert first == Instruction(0, 34, "", "LDC", "R1, c[0x0][0x28]")
    assert last.opcode == "BRA"
    guarded = next(instruction for instruction in tiled() if instruction.predicate)
    assert guarded.text.startswith("@")
    assert guarded.text.split()[1] == guarded.opcode


def test_lines_of_the_text_lead_to_their_loads() -> None:
    """In `sum += As[ty][k] * Bs[k][tx]`, four loads of a row of As have become one; Bs is read down a column, so its loads stay."""
    found = Counter((i.line, access) for i in tiled() for access in i.accesses if access.space == "shared" and access.operation == "load")
    source = (Path(__file__).resolve().parents[4] / "kernels" / "gpu" / "matmul_tiled.cu").read_text(encoding="utf-8").splitlines()
    (line,) = {line for line, _ in found}
    assert "As[ty][k] * Bs[k][tx]" in source[line - 1]
    assert found == {(line, Access("load", "shared", 16)): 8, (line, Access("load", "shared", 4)): 32}


def test_what_a_header_has_become_is_on_the_line_that_calls_it() -> None:
    copy = parse_listing(COPY, "kernel.cu")["copy_ahead"]
    (asynchronous,) = (instruction for instruction in copy if instruction.opcode.startswith("LDGSTS"))
    assert asynchronous.line == 9
    assert asynchronous.accesses == (Access("load", "global", 16), Access("store", "shared", 16))


def test_what_a_function_of_the_text_has_become_is_on_its_own_line() -> None:
    copy = parse_listing(COPY, "kernel.cu")["copy_ahead"]
    assert {i.line for i in copy if i.opcode.startswith("LDG.")} == {4}


def test_an_opcode_is_taken_apart_once() -> None:
    """Thousands of instructions are counted in the frame in which the compiler has answered."""
    one, *others = (each for each in tiled() if each.opcode == "LDS.128")
    assert others
    assert all(each.accesses is one.accesses for each in others)


def test_an_instruction_that_is_never_executed_accesses_nothing() -> None:
    copy = parse_listing(COPY, "kernel.cu")["copy_ahead"]
    never = [instruction for instruction in copy if instruction.predicate == "@!PT"]
    assert never
    assert not any(instruction.accesses for instruction in never)


@pytest.mark.parametrize(("opcode", "accesses"), [
    ("LDS", (Access("load", "shared", 4),)),
    ("LDS.U.128", (Access("load", "shared", 16),)),
    ("LDS.64", (Access("load", "shared", 8),)),
    ("STS.U8", (Access("store", "shared", 1),)),
    ("LDG.E.CONSTANT", (Access("load", "global", 4),)),
    ("LDG.E.U16.CONSTANT", (Access("load", "global", 2),)),
    ("STG.E.128", (Access("store", "global", 16),)),
    ("ATOMS.POPC.INC.32", (Access("atomic", "shared", 4),)),
    ("ATOMG.E.ADD.STRONG.GPU", (Access("atomic", "global", 4),)),
    ("REDG.E.ADD.F64.RN.STRONG.GPU", (Access("atomic", "global", 8),)),
    ("STL.64", (Access("store", "local", 8),)),
    ("LD.E", (Access("load", "generic", 4),)),
    ("LDSM.16.M88.4", (Access("load", "shared", 2),)),
    ("LDGDEPBAR", ()),
    ("FFMA", ()),
    ("REDUX.SUM", ()),
])  # fmt: skip
def test_opcodes_tell_what_is_accessed(opcode: str, accesses: tuple[Access, ...]) -> None:
    assert Instruction(0, 1, "", opcode, "").accesses == accesses


@pytest.mark.parametrize("listing", ["", "garbage\n/*00*/", '\t.section\t.text.f,\n\t//## File "a', "/*0000*/ NOP ;" * 3])
def test_a_listing_in_disorder_gives_no_error(listing: str) -> None:
    assert all(not instructions for instructions in parse_listing(listing, "kernel.cu").values())


def test_paths_of_windows_are_taken_apart_too() -> None:
    listing = '\t.section\t.text.f,"ax"\n\t//## File "C:\\work\\kernel.cu", line 7\n        /*0000*/                   EXIT ;\n'
    assert parse_listing(listing, "kernel.cu")["f"][0].line == 7
