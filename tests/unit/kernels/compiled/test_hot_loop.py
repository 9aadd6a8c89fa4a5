"""The loop that is taken for the one in which a kernel spends its time."""

from __future__ import annotations

from kernels.compiled.listing import HotLoop, Instruction, hot_loop, parse_listing

LISTING = """
	.section	.text.f,"ax",@progbits
.text.f:
        //## File "/tmp/kernel.cu", line 3
        /*0000*/                   MOV R1, c[0x0][0x28] ;
.L_x_1:
        /*0010*/                   LDG.E R2, [R4.64] ;
.L_x_0:
        /*0020*/                   LDS R6, [R3] ;
        /*0030*/                   FFMA R5, R2, R6, R5 ;
        /*0040*/              @P0  BRA `(.L_x_0) ;
        /*0050*/              @P1  BRA `(.L_x_1) ;
        /*0060*/                   EXIT ;
"""


def test_the_innermost_loop_that_computes_is_the_hot_one() -> None:
    (instructions,) = parse_listing(LISTING, "kernel.cu").values()
    assert [each.target for each in instructions if each.opcode == "BRA"] == [0x20, 0x10]
    assert hot_loop(instructions) == HotLoop(3, 1, 1, 0, repeats=True, first=0x20, last=0x40)


def test_a_kernel_without_a_loop_is_taken_whole() -> None:
    straight = [Instruction(0, 1, "", "LDG.E", "R2, [R4]"), Instruction(16, 1, "", "STG.E", "[R6], R2"), Instruction(32, 1, "", "EXIT", "")]
    assert hot_loop(straight) == HotLoop(3, 0, 2, 1, repeats=False, first=0, last=32)
