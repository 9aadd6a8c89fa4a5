"""What is read of machine code: known answers for what the compiler may know, on this processor and on others."""

from __future__ import annotations

import platform

import pytest

from kernels.catalogue.catalogue import by_id
from kernels.cpu.vector_width import instruction_set_of_this_processor
from kernels.jit.compile import Specialization, compiled, machine_code
from kernels.jit.machine_code import SCALABLE, InnerLoop, inner_loop

DOT = """
define float @dot(ptr %a, ptr %b, i64 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [0, %entry], [%next, %loop]
  %sum = phi float [0.0, %entry], [%more, %loop]
  %left = getelementptr float, ptr %a, i64 %k
  %right = getelementptr float, ptr %b, i64 %k
  %x = load float, ptr %left
  %y = load float, ptr %right
  %product = fmul FLAGS float %x, %y
  %more = fadd FLAGS float %sum, %product
  %next = add i64 %k, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %done
done:
  ret float %more
}
"""
OUTER_AND_INNER = """
dot:
.LBB0_1:
	vxorps	%xmm0, %xmm0, %xmm0
	vaddps	%zmm9, %zmm8, %zmm8
.LBB0_2:
	vmovups	(%rdi,%rax,4), %ymm1
	vfmadd231ps	(%rsi,%rax,4), %ymm1, %ymm0
	vfmadd231ps	32(%rsi,%rax,4), %ymm1, %ymm2
	addq	$16, %rax
	cmpq	%rax, %rdx
	jne	.LBB0_2
.LBB0_3:
	vmovss	(%rdi,%rax,4), %xmm3
	vfmadd231ss	(%rsi,%rax,4), %xmm3, %xmm0
	incq	%rax
	jne	.LBB0_3
	decq	%rcx
	jne	.LBB0_1
	retq
"""
GATHERED = """
dot:
.LBB0_2:
	vgatherqps	(%rsi,%zmm11), %ymm12 {%k1}
	vgatherqps	(%rsi,%zmm10), %ymm13 {%k1}
	vinsertf64x4	$1, %ymm12, %zmm13, %zmm12
	vfmadd231ps	-192(%rcx,%r10,4), %zmm12, %zmm6
	addq	$16, %r10
	jne	.LBB0_2
"""
BY_LANE = """
dot:
.LBB0_2:
	ldr	s1, [x0]
	ld1	{ v1.s }[1], [x9]
	fmla	v0.4s, v1.4s, v2.4s
	b.ne	.LBB0_2
"""
MOVES = """
copy:
.LBB0_1:
	vmovups	(%rdi,%rax,4), %zmm1
	vaddps	%zmm1, %zmm1, %zmm1
	vmovups	%zmm1, (%rsi,%rax,4)
	jne	.LBB0_1
"""


def compiled_for(triple: str, processor: str, flags: str) -> InnerLoop | None:
    """The inner loop of a dot product as LLVM compiles it for another processor."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(triple).create_target_machine(cpu=processor, opt=3)
    module = llvm.parse_assembly(DOT.replace("FLAGS", flags))
    module.triple, module.data_layout = triple, str(machine.target_data)
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = True
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
    return inner_loop(machine.emit_assembly(module))


@pytest.mark.parametrize(
    ("triple", "processor", "flags", "instruction", "registers", "lanes"),
    [
        ("x86_64-unknown-linux-gnu", "haswell", "fast", "vfmadd231ps", "ymm", 8),
        ("x86_64-unknown-linux-gnu", "haswell", "", "vaddss", "xmm", 1),
        ("x86_64-unknown-linux-gnu", "nehalem", "fast", "addps", "xmm", 4),
        ("x86_64-unknown-linux-gnu", "znver4", "fast", "vfmadd231ps", "zmm", 16),
        ("aarch64-unknown-linux-gnu", "neoverse-n1", "fast", "fmla", "v.4s", 4),
        ("aarch64-unknown-linux-gnu", "neoverse-n1", "", "fadd", "s", 1),
        ("aarch64-unknown-linux-gnu", "neoverse-v1", "fast", "fmla", "z.s", SCALABLE),
    ],
)
def test_a_dot_product_for_other_processors(triple: str, processor: str, flags: str, instruction: str, registers: str, lanes: int) -> None:
    found = compiled_for(triple, processor, flags)
    assert found is not None
    assert (found.instruction, found.registers, found.lanes, found.gathers) == (instruction, registers, lanes, 0)
    assert found.vectorised == (lanes != 1)
    assert ("not vectorised" in str(found.sentence)) == (lanes == 1)


def test_the_widest_of_the_innermost_loops_is_described() -> None:
    assert inner_loop(OUTER_AND_INNER) == InnerLoop("vfmadd231ps", "ymm", 8, additions=2, length=6, gathers=0)


def test_gathered_vectors_are_told_from_loaded_ones() -> None:
    gathered, by_lane = inner_loop(GATHERED), inner_loop(BY_LANE)
    assert gathered == InnerLoop("vfmadd231ps", "zmm", 16, additions=1, length=6, gathers=2)
    assert by_lane == InnerLoop("fmla", "v.4s", 4, additions=1, length=4, gathers=1)
    assert gathered.summary == "vfmadd231ps zmm, gathered"
    assert "gathered" in str(gathered.sentence)


@pytest.mark.parametrize("text", ["", "nonsense\n\n\tret\n", MOVES])
def test_where_nothing_is_multiplied_nothing_is_said(text: str) -> None:
    assert inner_loop(text) is None


WIDE = {"avx512f": (("zmm", 16), ("ymm", 8)), "avx2": (("ymm", 8),)}
"""Registers and lanes that LLVM takes where it may choose: on Intel's processors with AVX-512 it prefers the halves."""
on_x86 = pytest.mark.skipif(
    platform.machine() not in ("x86_64", "AMD64") or instruction_set_of_this_processor() not in WIDE, reason="needs AVX2 or AVX-512"
)


def loop_of(variant_id: str, **parameters: int) -> InnerLoop:
    variant = by_id(variant_id)
    build = Specialization.of(variant, {**variant.defaults, **parameters})
    found = inner_loop(machine_code(build, compiled(build)))
    assert found is not None
    return found


@on_x86
@pytest.mark.parametrize("contiguous", [0, 1])
@pytest.mark.parametrize("fastmath", [0, 1])
@pytest.mark.parametrize("boundscheck", [0, 1])
def test_what_each_hint_does(contiguous: int, fastmath: int, boundscheck: int) -> None:
    found = loop_of("cpu.hints", contiguous=contiguous, fastmath=fastmath, boundscheck=boundscheck)
    if fastmath:
        assert found.instruction.startswith("vfmadd2")
        assert (found.registers, found.lanes) in WIDE[instruction_set_of_this_processor()]
        assert (found.gathers > 0) == (not contiguous), "rows of A that may have gaps are gathered"
    else:
        assert (found.instruction, found.lanes) == ("vaddss", 1), "each addition waits for the one before it"


@on_x86
@pytest.mark.parametrize(("order", "vectors"), [(0, False), (1, True), (2, False), (3, False), (4, True), (5, False)])
def test_only_orders_with_j_innermost_are_vectorised(order: int, vectors: bool) -> None:
    assert loop_of("cpu.loop-order", order=order).vectorised == vectors


@on_x86
@pytest.mark.parametrize("variant_id", ["cpu.simd", "cpu.simd-blocked"])
@pytest.mark.parametrize(("lanes", "registers"), [(4, "xmm"), (8, "ymm")])
def test_explicit_vectors_are_as_wide_as_they_are_asked_to_be(variant_id: str, lanes: int, registers: str) -> None:
    found = loop_of(variant_id, lanes=lanes)
    assert (found.instruction[:6], found.registers, found.lanes, found.additions % 8) == ("vfmadd", registers, lanes, 0)
