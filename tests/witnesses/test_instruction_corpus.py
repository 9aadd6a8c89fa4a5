"""Kernels made of PTX's instructions: the clean ones compute what the instructions mean, and what is wrong with the others is found, or
makes the result wrong as it does on a GPU."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kernels.analysis.findings import findings
from kernels.base.messages import Message
from kernels.nvrtc.bindings import Nvrtc
from kernels.nvrtc.headers import header_folders, stand_in_headers
from kernels.nvrtc.tools import Tools, find_tools
from kernels.simt.base.launch import Budget, Mode
from kernels.simt.run.execution import execute
from kernels.simt.trace.trace import Trace
from tests.oracle.corpus import Found, files, read
from tests.oracle.instructions import OUTPUTS, computed, filled
from tests.witnesses.gpu_tensor_map import DECLARED

ALL = files("instructions")
PATIENT = Budget(seconds=300)
"""On a machine that others use too an execution would be cut off before its end, and its output lack the rest."""
CONSEQUENCES = {"uninitialised-read"}
"""What a race may lead to where warps take turns."""
EACH = pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)


def traced(path: Path, mode: Mode) -> tuple[Trace, set[Found]]:
    case = read(path)
    trace = execute(case.kernel, replace(filled(case.kernel, case.request), mode=mode, budget=PATIENT), case.text)
    return trace, {
        (each.kind, frozenset({each.location.line} | ({each.other.line} if each.other is not None else set()))) for each in findings(trace)
    }


def right(path: Path, trace: Trace) -> bool:
    """Whether the output is what it should be."""
    output = trace.values["C" if "C" in trace.values else "out"]
    return np.array_equal(np.asarray(output, np.float64), computed(path.stem, read(path).request))


def test_the_corpus_is_large_and_a_third_of_it_is_wrong() -> None:
    assert len(ALL) >= 60
    assert len([path for path in ALL if path.stem.startswith("defect-")]) >= 20
    assert set(OUTPUTS) <= {path.stem for path in ALL}


@EACH
@pytest.mark.parametrize("mode", list(Mode))
def test_what_is_found_is_what_the_file_says(path: Path, mode: Mode) -> None:
    expected, (_, found) = read(path).findings, traced(path, mode)
    assert expected <= found
    more = {kind for kind, lines in found - expected if not any(kind == known and lines & told for known, told in expected)}
    assert more <= (CONSEQUENCES if mode is Mode.WARP and expected else set())


@EACH
def test_a_clean_kernel_is_right_and_a_defect_is_found_or_wrong(path: Path) -> None:
    wrong = "// result: wrong\n" in path.read_text(encoding="utf-8")
    assert path.stem.startswith("defect-") == (wrong or bool(read(path).findings))
    for mode in Mode:
        if wrong or not read(path).findings:
            assert right(path, traced(path, mode)[0]) is not wrong


RECORD = json.loads((Path(__file__).resolve().parents[1] / "golden" / "instructions_9_0.json").read_text(encoding="utf-8"))["kernels"]
FAULTS = {
    "MISALIGNED_ADDRESS": "misaligned-access", "ILLEGAL_ADDRESS": "out-of-bounds", "ILLEGAL_INSTRUCTION": "out-of-bounds",
    "LAUNCH_FAILED": "deadlock",
}  # fmt: skip
"""What the driver says, and what is found. An instruction is illegal that reaches another block's memory as its own; a barrier that gets
more bytes than it can count stops a GPU, and nobody goes on here."""
UNSURE = {"data-race", "uninitialised-read", "deadlock"}
"""Where these are found, a GPU's output is its luck: of two kernels that expect half of the bytes one card ended and another did not."""
BY_CHANCE = {"defect-sums-of-other-rows", "defect-swizzle-of-the-store"}
"""What is wrong there depends on who came last, or on what was in shared memory before."""


def test_a_gpu_has_run_all() -> None:
    assert sorted(RECORD) == sorted(path.stem for path in ALL)


@pytest.mark.parametrize("path", [path for path in ALL if path.stem in RECORD], ids=lambda path: path.stem)
def test_a_gpu_did_the_same(path: Path) -> None:
    """Right outputs and wrong ones bit for bit; what never ended, never ends here; what was stopped is found."""
    there, (trace, found) = RECORD[path.stem], traced(path, Mode.WARP)
    kinds = {kind for kind, _ in found}
    if "never_ended" in there:
        assert "deadlock" in kinds
    elif "failed" in there:
        assert any(kind in kinds for said, kind in FAULTS.items() if said in there["failed"][0])
    elif path.stem not in BY_CHANCE and (not read(path).findings or not kinds & UNSURE):
        output = trace.values["C" if "C" in trace.values else "out"]
        assert np.ascontiguousarray(output).tobytes().hex() == there["output"]
        assert there["right"] in (True, None)


@pytest.fixture(scope="module")
def compiler() -> Nvrtc:
    found = find_tools()
    if not isinstance(found, Tools):
        pytest.skip(str(found))
    return Nvrtc(found.nvrtc)


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_the_compiler_takes_it_for_an_h200(path: Path, compiler: Nvrtc) -> None:
    folders = header_folders()
    if isinstance(folders, Message):
        pytest.skip(str(folders))
    text = path.read_text(encoding="utf-8").replace("#include <cuda.h>\n", DECLARED)
    entry = text.split("__global__", 1)[1].split("void ", 1)[1].split("(", 1)[0]
    options = ["--gpu-architecture=sm_90a", "--std=c++17", *(f"-I{folder}" for folder in folders)]
    assert compiler.compile(text, path.name, entry, options, stand_in_headers(text, folders)).cubin
