"""packaging/bundle/holes.py and unused_code.py: what is taken out of libraries, and that the rest works as before."""

from __future__ import annotations

import importlib.util
import io
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from bundle.elf import read_elf
from bundle.holes import PAGE, UnknownLayout, loaded, segments, without
from bundle.unused_code import UNUSED, Symbol, holes, other_numbers, other_processors, symbols, trim
from elftools.elf.elffile import ELFFile

from tests.elf_files import elf_file

CODE_PAGES, DATA_AT = 6, 0x10000


FAR = 0x200000
"""An alignment that some linkers ask for, though the system's pages are smaller."""


def library(named_at: int = 64, named_size: int = 8) -> bytes:
    """A library with six pages that are read and one, half a page off, that is written; a header names some of the first."""
    code = bytearray(number // PAGE + 1 for number in range(CODE_PAGES * PAGE))
    headers = (
        (1, 5, 0, 0, 0, len(code), len(code), FAR),
        (1, 6, len(code) + 0x800, DATA_AT + 0x800, DATA_AT + 0x800, 0x800, 0x1800, PAGE),
        (4, 4, named_at, named_at, named_at, named_size, named_size, 4),
    )
    table = b"".join(struct.pack("<IIQQQQQQ", *header) for header in headers)
    start = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, 0, 0, 64, 56, len(headers), 64, 0, 0) + table
    code[: len(start)] = start
    return bytes(code) + bytes(0x800) + b"\xdd" * 0x800


def by_address(elf: bytes) -> dict[int, bytes]:
    """What each page holds once the library is loaded, as far as the file says."""
    found: dict[int, bytes] = {}
    for part in loaded(elf):
        assert (part.offset - part.address) % part.alignment == 0
        for at in range(part.address, part.address + part.size, PAGE):
            begin = part.offset + at - part.address
            found[at] = elf[begin : min(begin + PAGE - at % PAGE, part.offset + part.size)]
    return found


def test_whole_pages_of_a_hole_go_and_all_else_keeps_its_address(tmp_path: Path) -> None:
    before = library()
    after = without(before, [(PAGE + 100, 4 * PAGE - 100)])
    (tmp_path / "lib.so").write_bytes(after)
    elf = read_elf(tmp_path / "lib.so")
    assert elf is not None
    assert elf.loadable
    old, new = by_address(before), by_address(after)
    assert set(old) - set(new) == {2 * PAGE}
    assert all(new[at] == old[at] for at in (3 * PAGE + PAGE, 5 * PAGE, DATA_AT + 0x800))
    assert new[PAGE] == old[PAGE][:100] + b"\xcc" * (PAGE - 100)
    assert new[3 * PAGE] == b"\xcc" * (PAGE - 100) + old[3 * PAGE][-100:]
    assert len(after) <= len(before) - PAGE + 512
    assert [each.memory for each in loaded(after)] == [2 * PAGE, 3 * PAGE, 0x1800]


def test_a_hole_that_reaches_the_end_takes_the_last_page() -> None:
    assert set(by_address(without(library(), [(4 * PAGE + 1, CODE_PAGES * PAGE)]))) & set(range(4 * PAGE, 6 * PAGE, PAGE)) == {4 * PAGE}


def test_what_is_written_when_it_is_loaded_stays() -> None:
    assert loaded(without(library(), [(DATA_AT, DATA_AT + 2 * PAGE)]))[-1].size == 0x800


def test_what_a_header_names_moves_with_its_page_and_cannot_be_taken_out() -> None:
    (named,) = [each for each in segments(without(library(5 * PAGE), [(PAGE, 3 * PAGE)])) if each.kind == 4]
    assert (named.address, named.offset) == (5 * PAGE, 3 * PAGE)
    with pytest.raises(UnknownLayout):
        without(library(2 * PAGE), [(PAGE, 3 * PAGE)])


def unused(symbol: Symbol) -> bool:
    return symbol.name.startswith("un")


@pytest.mark.parametrize(
    ("listed", "found"),
    [
        ([("un1", 0, 9000), ("un2", 9016, 20000)], [(0, 20000)]),
        ([("un1", 0, 9000), ("used", 9000, 9001), ("un2", 9016, 20000)], [(0, 9000), (9016, 20000)]),
        ([("un1", 0, 9000), ("un2", 9100, 20000)], [(0, 9000), (9100, 20000)]),
        ([("un1", 0, 20000), ("used", 9000, 9100), ("un2", 9050, 20000)], [(0, 9000), (9100, 20000)]),
        ([("used", 0, 9000), ("un1", 0, 9000)], []),
        ([("un1", 0, 9000), ("used", 0, 9000)], []),
    ],
)
def test_nothing_that_is_used_lies_in_a_hole(listed: list[tuple[str, int, int]], found: list[tuple[int, int]]) -> None:
    assert holes([Symbol(name, "", begin, end) for name, begin, end in listed], unused) == found


@pytest.mark.parametrize(
    ("name", "file", "goes"),
    [
        ("_ZN4llvm21AArch64TargetLowering13LowerOperationENS_7SDValueERNS_12SelectionDAGE", "", True),
        ("_ZL12MatchTable0", "RISCVISelDAGToDAG.cpp", True),
        ("_ZN12_GLOBAL__N_112buildIfBlockEv", "SIISelLowering.cpp", True),
        ("_ZN4llvm8X86DescsE", "", False),
        ("_ZL12MatchTable0", "X86AsmParser.cpp", False),
        ("_ZN4llvm15SmallVectorBaseIjE8set_sizeEm.part.0", "AMDGPUInstrInfo.cpp", False),
        ("_GLOBAL__sub_I_HexagonInstrInfo.cpp", "HexagonInstrInfo.cpp", False),
        ("_ZNSt17_Function_handlerIFvRKSsEN12_GLOBAL__N_1L36AMDGPURegBankCombinerOnlyEnableOptionE", "AMDGPURegBankCombiner.cpp", False),
        ("_ZN4llvm2cl3optIN12_GLOBAL__N_115MipsAbiFlagE", "MipsABIInfo.cpp", False),
        ("_ZN4llvm3ARM20getCanonicalArchNameENS_9StringRefE", "", False),
    ],
)
def test_of_llvm_the_back_ends_of_other_processors_go(name: str, file: str, goes: bool) -> None:
    assert other_processors(Symbol(name, file, 0, 1)) is goes


@pytest.mark.parametrize(
    ("name", "goes"),
    [
        ("zgemm_kernel_n_HASWELL", True), ("scipy_cgesdd_64_", True), ("scipy_LAPACKE_dgesv64_", True), ("qtrsm_kernel_LN_NEHALEM", True),
        ("sgemm_kernel_HASWELL", False), ("scipy_cblas_sgemm64_", False), ("scipy_dgesdd_64_", False), ("scipy_xerbla_64_", False),
        ("cblas_sgemm", False), ("gotoblas_dynamic_init", False),
    ],
)  # fmt: skip
def test_of_openblas_what_is_for_complex_numbers_goes(name: str, goes: bool) -> None:
    assert other_numbers(Symbol(name, "", 0, 1)) is goes


KERNEL = """
define void @add(ptr noalias %x, ptr noalias %y, i64 %n) {
start:
  br label %loop
loop:
  %i = phi i64 [0, %start], [%next, %loop]
  %from = getelementptr float, ptr %x, i64 %i
  %to = getelementptr float, ptr %y, i64 %i
  %a = load float, ptr %from
  %b = load float, ptr %to
  %sum = fadd fast float %a, %b
  store float %sum, ptr %to
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
"""
COMPILE = """
import sys
sys.path.insert(0, sys.argv[1])
import llvmlite.binding as llvm
assert llvm.__file__.startswith(sys.argv[1])
llvm.initialize_native_target()
llvm.initialize_native_asmprinter()
text = sys.stdin.read()
for processor in ("x86-64", "haswell", "skylake-avx512", "znver4"):
    module = llvm.parse_assembly(text)
    machine = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(cpu=processor, opt=3)
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(3))
    builder.getModulePassManager().run(module, builder)
    print(machine.emit_assembly(module))
engine = llvm.create_mcjit_compiler(module, machine)
engine.finalize_object()
"""


READ = """
import sys
sys.path.insert(0, sys.argv[1])
from clang import cindex
assert cindex.__file__.startswith(sys.argv[1])
text = "template <class T> struct S { T twice(T x) { return 2 * x; } }; int f() { return S<int>().twice(4) + g; }"
unit = cindex.Index.create().parse("f.cpp", unsaved_files=[("f.cpp", text)])
for cursor in unit.cursor.walk_preorder():
    print(cursor.kind, cursor.spelling, cursor.type.spelling)
print(*unit.diagnostics)
"""


def compiled(packages: Path) -> str:
    command = [sys.executable, "-c", COMPILE, str(packages)]
    return subprocess.run(command, input=KERNEL, capture_output=True, text=True, check=True, timeout=200).stdout


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="libraries of other systems stay as they are")
def test_the_smaller_llvm_compiles_to_the_same_code(tmp_path: Path) -> None:
    spec = importlib.util.find_spec("llvmlite")
    assert spec is not None
    assert spec.origin is not None
    original = Path(spec.origin).parent
    shutil.copytree(original, tmp_path / "llvmlite", ignore=shutil.ignore_patterns("tests", "__pycache__"))
    cut = trim(tmp_path)
    name, _ = UNUSED["libllvmlite.so"]
    assert list(cut) == [name]
    assert cut[name] > 70 << 20
    code = compiled(tmp_path)
    assert "zmm" in code
    assert code == compiled(original.parent)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="libraries of other systems stay as they are")
def test_the_smaller_clang_reads_the_same_and_says_what_is_wrong(tmp_path: Path) -> None:
    spec = importlib.util.find_spec("clang")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    original = Path(next(iter(spec.submodule_search_locations)))
    shutil.copytree(original, tmp_path / "clang", ignore=shutil.ignore_patterns("__pycache__"))
    assert trim(tmp_path)["tables of exceptions in clang"] > 4 << 20
    read = [
        subprocess.run([sys.executable, "-c", READ, str(place)], capture_output=True, text=True, check=True, timeout=100).stdout
        for place in (tmp_path, original.parent)
    ]
    assert read[0] == read[1]
    assert "CXX_METHOD" in read[0]
    assert "undeclared identifier" in read[0]


def test_a_library_without_symbols_is_refused() -> None:
    with pytest.raises(UnknownLayout):
        list(symbols(ELFFile(io.BytesIO(elf_file()))))
