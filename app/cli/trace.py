"""`tilescope trace`: execute a CUDA kernel without a GPU, count its accesses and name what is wrong in it."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from app.cli.console import Console
from app.cli.refusal import FINDINGS, WRONG_INPUT, Refused
from app.cli.trace_report import Report, diagnostic_line, print_report, report_object
from app.cli.trace_request import Plan, job_of, plan_of
from app.cli.trace_subject import Subject, subject_of
from app.core.base.files.atomic_write import not_written, whole_file
from app.core.base.parsing import shown
from kernels.analysis.counts import counts
from kernels.analysis.findings import ends, findings
from kernels.base.messages import Message, message
from kernels.compiled.kernel import Build, CompiledKernel
from kernels.compiled.process import CompileJob, compile_apart
from kernels.simt.frontend.diagnostics import Diagnostic, Severity
from kernels.simt.run.arguments import load_array
from kernels.simt.run.worker import Tracer
from kernels.simt.trace.job import NotTraced, Traced, TraceJob

_CAPABILITY = re.compile(r"([0-9]{1,2})\.([0-9])", re.ASCII)


class _SourceErrors(Exception):
    """The text, or what it uses, keeps the kernel from being executed."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__()
        self.diagnostics = diagnostics


def trace(options: argparse.Namespace, console: Console) -> int:
    """Execute the launch and write the report; source errors go to standard error as compilers write them."""
    subject = subject_of(options)
    plan = plan_of(options, subject)
    capability = _capability(options.cc)
    try:
        done = _execute(job_of(plan, subject))
    except _SourceErrors as errors:
        for diagnostic in errors.diagnostics:
            console.tell(diagnostic_line(subject.name, diagnostic, console))
        return WRONG_INPUT
    _save(plan, done.trace.values)
    compiled = None if capability is None else _compile(subject, plan.entry or done.trace.kernel, capability, console)
    ended = tuple(
        Diagnostic(each.location.line, each.location.column, Severity.ERROR, each.message, each.location.file) for each in ends(done.trace)
    )
    report = Report(subject.name, done.trace, counts(done.trace), findings(done.trace), (*done.diagnostics, *ended), compiled)
    _write(report, options, console)
    return FINDINGS if report.wrong else 0


def _execute(job: TraceJob) -> Traced:
    """In a process of its own, which ends with the command, however that ends."""
    tracer = Tracer()
    try:
        outcome = tracer.trace(job)
    finally:
        tracer.close()
    if isinstance(outcome, NotTraced):
        if any(diagnostic.severity is Severity.ERROR for diagnostic in outcome.diagnostics):
            raise _SourceErrors(outcome.diagnostics)
        raise Refused(outcome.reason)
    return outcome


def _write(report: Report, options: argparse.Namespace, console: Console) -> None:
    if options.json:
        console.print_json(report_object(report, console))
        return
    for diagnostic in report.diagnostics:
        console.tell(diagnostic_line(report.file, diagnostic, console))
    print_report(report, console)


def _capability(text: str | None) -> int | None:
    if text is None:
        return None
    found = _CAPABILITY.fullmatch(text)
    if found is None:
        raise Refused(message("{name}: '{text}' is not a compute capability such as 9.0.", name="--cc", text=shown(text)))
    return 10 * int(found[1]) + int(found[2])


def _compile(subject: Subject, entry: str, capability: int, console: Console) -> CompiledKernel | Message:
    beside = None if subject.path is None else subject.path.absolute().parent
    build = Build(entry, capability, subject.defines, beside, console.places.cache / "cuda-headers")
    return compile_apart(CompileJob(subject.text, build, subject.path))


def _save(plan: Plan, values: Mapping[str, npt.NDArray[np.generic]]) -> None:
    for name in plan.saves:
        if name not in values:
            raise Refused(message("{option}: {name} is not an array.", option="--save", name=shown(name)))
    arrays = [(path, _ordered(values[name], plan.arguments.get(name, ""))) for name, path in plan.saves.items()]
    for path, array in arrays:
        try:
            with whole_file(path) as made, made.open("wb") as file:
                np.save(file, array, allow_pickle=False)
        except OSError as error:
            raise Refused(not_written(path, error)) from error


def _ordered(array: npt.NDArray[np.generic], text: str) -> npt.NDArray[np.generic]:
    """In the byte order of the file that it came from: on the way between processes NumPy makes it the machine's own."""
    given = load_array(Path(text[1:])) if text.startswith("@") else None
    return array.astype(given.dtype) if isinstance(given, np.ndarray) else array
