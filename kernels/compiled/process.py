"""Compiling in a process of its own: a text can make the compiler crash, or keep it busy without end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.base.worker_process import NoAnswer, Why, ask_once, give_way
from kernels.compiled.kernel import CompiledKernel, CompileSettings
from kernels.nvrtc.tools import Tools, find_tools

LONGEST_S = 60.0
"""Large templates and CUDA's own headers take seconds."""


@dataclass(frozen=True, slots=True)
class CompileJob:
    """A text, at `path` if it lies in a file, and how it is compiled."""

    text: str
    build: CompileSettings
    path: Path | None = None


def compile_apart(job: CompileJob, seconds: float = LONGEST_S, stopping: Callable[[], bool] = lambda: False) -> CompiledKernel | Message:
    """What the compiler made of a kernel, or why that is not known; after at most `seconds`, and soon after `stopping` is true."""
    tools = find_tools()
    if isinstance(tools, Message):
        return tools
    try:
        found: CompiledKernel | Message = ask_once(answer, "compiling", (job, tools), seconds, stopping)
    except OSError as error:
        return message("The CUDA compiler's tools do not work here: {error}", error=str(error))
    except NoAnswer as none:
        return _unanswered(none.why, seconds)
    return found


def _unanswered(why: Why, seconds: float) -> Message:
    if why is Why.CANCELLED:
        return message("Compiling was cancelled.")
    if why is Why.LATE:
        return message("The CUDA compiler took longer than {seconds} s and was stopped.", seconds=seconds)
    return message("The CUDA compiler ended unexpectedly.")


def answer(request: tuple[CompileJob, Tools]) -> CompiledKernel | Message:
    """What the process does: compile the text as it is, or else what is left without its host code."""
    from kernels.compiled.report import compile_kernel

    give_way()  # the stage is waited for, on two cores also by whoever drags a parameter while this goes on
    job, tools = request
    whole = compile_kernel(job.text, job.build, tools)
    return _device_part(job, tools, whole) if isinstance(whole, Message) else whole


def _device_part(job: CompileJob, tools: Tools, refused: Message) -> CompiledKernel | Message:
    from kernels.compiled.report import compile_kernel
    from kernels.nvrtc.device_code import device_code
    from kernels.simt.frontend.diagnostics import FrontEndError
    from kernels.simt.frontend.parse import parse

    try:
        part = device_code(job.text, parse(job.text, job.path, job.build.defines), job.build.entry)
    except FrontEndError:
        return refused
    return refused if part == job.text else compile_kernel(part, job.build, tools)
