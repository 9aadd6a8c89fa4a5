"""The compiler in a process of its own: its answers come back, and its end and its delays are told."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from kernels.base.messages import message
from kernels.compiled.kernel import CompiledKernel, CompileSettings
from kernels.compiled.process import CompileJob, answer, compile_apart
from kernels.nvrtc.tools import Tools

SOURCE = "__global__ void f(float* x)\n{\n    x[threadIdx.x] = 1;\n}\n\nint main() { cudaFree(0); }\n"
ANYWHERE = Tools(Path("nvrtc"), Path("nvdisasm"))
JOB = CompileJob(SOURCE, CompileSettings("f", 90, {}))


def crash(_request: object) -> None:
    os._exit(3)


def dawdle(_request: object) -> None:
    time.sleep(60)


@pytest.mark.usefixtures("tools")
def test_a_program_is_compiled_without_its_host_code() -> None:
    found = compile_apart(JOB)
    assert isinstance(found, CompiledKernel), str(found)
    assert {line for line, access in found.accesses() if access.operation == "store"} == {3}


@pytest.mark.usefixtures("tools")
def test_what_does_not_compile_comes_back_as_its_reason() -> None:
    refused = compile_apart(CompileJob("__global__ void f() { x; }\nint main() { y; }", CompileSettings("f", 90, {})))
    assert 'identifier "x" is undefined' in str(refused)


@pytest.mark.parametrize(("instead", "reason"), [
    (crash, "The CUDA compiler ended unexpectedly."),
    (dawdle, "The CUDA compiler took longer than 0.5 s and was stopped."),
])  # fmt: skip
def test_a_compiler_that_crashes_or_hangs_is_told(monkeypatch: pytest.MonkeyPatch, instead: object, reason: str) -> None:
    monkeypatch.setattr("kernels.compiled.process.find_tools", lambda: ANYWHERE)
    monkeypatch.setattr("kernels.compiled.process.answer", instead)
    assert str(compile_apart(JOB, seconds=0.5 if instead is dawdle else 30)) == reason


def test_what_was_cancelled_did_not_take_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kernels.compiled.process.find_tools", lambda: ANYWHERE)
    monkeypatch.setattr("kernels.compiled.process.answer", dawdle)
    assert str(compile_apart(JOB, seconds=30, stopping=lambda: True)) == "Compiling was cancelled."


def test_without_the_tools_no_process_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kernels.compiled.process.find_tools", lambda: message("There is no compiler."))
    monkeypatch.setattr("kernels.compiled.process.ask_once", None)
    assert str(compile_apart(JOB)) == "There is no compiler."


def test_the_compiler_goes_after_what_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    order = list[str]()
    monkeypatch.setattr("kernels.compiled.process.give_way", lambda: order.append("gives way"))
    monkeypatch.setattr("kernels.compiled.report.compile_kernel", lambda *_job: order.append("compiles"))
    answer((JOB, ANYWHERE))
    assert order == ["gives way", "compiles"]
