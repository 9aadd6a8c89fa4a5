"""`tilescope trace`: execute a CUDA kernel without a GPU, count its accesses and name what is wrong in it."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from app.cli.base.console import Console, aligned
from app.cli.base.errors import FINDINGS, WRONG_INPUT, Refused
from app.cli.base.options import parameter_option
from app.cli.base.parser import Group
from app.cli.base.trace_launch import BLOCKS, Plan, Target, job_of, launch_parameters, plan_of, subject_of
from app.cli.trace_schedules import NONE, Found, lines_of, schedule_object, schedule_text, schedules
from app.core.base.files.atomic_write import atomic_file, not_written
from app.core.base.parsing import ALL, shown
from kernels.analysis.counts import COPY, Counts, LineCount, counts
from kernels.analysis.findings import ends, findings
from kernels.analysis.trust import Trust, trust, trust_object, trust_text
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.compiled.control import source_banks
from kernels.compiled.kernel import CompiledKernel, CompileSettings
from kernels.compiled.listing import Access, Instruction
from kernels.compiled.process import CompileJob, compile_apart
from kernels.simt.frontend.diagnostics import Diagnostic, Severity
from kernels.simt.run.arguments import load_array
from kernels.simt.run.worker import Tracer
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.launch_spec import LaunchSpec, NotTraced, Traced
from kernels.simt.trace.trace import Finding, Trace

_CAPABILITY = re.compile(r"([0-9]{1,2})\.([0-9])", re.ASCII)


def add_options(group: Group) -> None:
    """Add a CUDA kernel's launch."""
    group.option("target", "FILE.cu|VARIANT", message("a CUDA C file, or a variant's id, as in the list"))
    group.option("--kernel", "NAME", message("the kernel, where the file has several"))
    group.option("--entry", "NAME<ARGUMENTS>", message("the instance of a template, for example {example}", example='"reduce<128>"'))
    group.option("--grid", "X[,Y[,Z]]", message("blocks in the grid"))
    group.option("--block", "X[,Y[,Z]]", message("threads in a block"))
    group.option("--shared", "BYTES", message("dynamic shared memory of a block"))
    group.option("--arg", "NAME=VALUE", message(
        "a number; for a pointer {forms}: elements of its type, or a file's bytes", forms="COUNT[:zeros|random|arange], @FILE.npy"
    ), action="append", default=[])  # fmt: skip
    group.option("--save", "NAME=FILE.npy", message("where an argument's memory goes after the run"), action="append", default=[])
    group.option("--mode", "MODE", message("how warps take turns: {choices}", choices="block, warp"), default="block")
    group.option("--blocks", "BLOCKS", message(
        "the blocks that are executed: all, or their numbers, for example 0,5; for {variant} how many there are", variant="gpu.hello"
    ), default=ALL)  # fmt: skip
    group.option("--seed", "SEED", message("chooses random values and, in mode warp, the order of the warps"), default="0")
    group.option("--budget", "SECONDS", message("the longest that the execution may take"))
    group.switch("--schedules", message("look for the schedule that breaks each data race, and one that happens to work"))
    group.option("--cc", "X.Y", message("report also what the compiler makes of the kernel for this compute capability"))
    group.option("--n", "N", message("for a variant: columns of the output; the sizes that are not given are equal to it"))
    group.option("--m", "M", message("rows of A"))
    group.option("--k", "K", message("columns of A and rows of B, for a multiplication"))
    for parameter in launch_parameters():
        if parameter.name != BLOCKS:
            parameter_option(group, parameter)


class _SourceErrors(Exception):
    """The text, or what it uses, keeps the kernel from being executed."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__()
        self.diagnostics = diagnostics


def perform(options: argparse.Namespace, console: Console, tracer: Tracer | None = None) -> int:
    """Execute the launch in the tracer's process, or in one of its own, and write the report; source errors go to standard error as
    compilers write them.

    Returns the exit status.
    """
    subject = subject_of(options)
    plan = plan_of(options, subject)
    capability = _capability(options.cc)
    try:
        done = _execute(job_of(plan, subject), tracer)
    except _SourceErrors as errors:
        for diagnostic in errors.diagnostics:
            console.tell(diagnostic_line(subject.name, diagnostic, console))
        return WRONG_INPUT
    _save(plan, done.trace.values)
    compiled = None if capability is None else _compile(subject, plan.entry or done.trace.kernel, capability, console)
    ended = tuple(
        Diagnostic(each.location.line, each.location.column, Severity.ERROR, each.message, each.location.file) for each in ends(done.trace)
    )
    found = schedules(job_of(plan, subject)) if options.schedules else NONE
    wrong = findings(done.trace)
    trusted = trust(done.trace, done.flows, wrong)
    report = TraceReport(subject.name, done.trace, counts(done.trace), wrong, (*done.diagnostics, *ended), compiled, trusted, found)
    _write(report, options, console)
    return FINDINGS if report.wrong else 0


def _execute(job: LaunchSpec, tracer: Tracer | None) -> Traced:
    own = tracer or Tracer()
    try:
        outcome = own.trace(job)
    finally:
        if tracer is None:
            own.close()
    if isinstance(outcome, NotTraced):
        if any(diagnostic.severity is Severity.ERROR for diagnostic in outcome.diagnostics):
            raise _SourceErrors(outcome.diagnostics)
        raise Refused(outcome.reason)
    return outcome


def _write(report: TraceReport, options: argparse.Namespace, console: Console) -> None:
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


def _compile(subject: Target, entry: str, capability: int, console: Console) -> CompiledKernel | Message:
    beside = None if subject.path is None else subject.path.absolute().parent
    build = CompileSettings(entry, capability, subject.defines, beside, console.places.cache / "cuda-headers")
    return compile_apart(CompileJob(subject.text, build, subject.path))


def _save(plan: Plan, values: Mapping[str, npt.NDArray[np.generic]]) -> None:
    for name in plan.saves:
        if name not in values:
            raise Refused(message("{option}: {name} is not an array.", option="--save", name=shown(name)))
    arrays = [(path, _ordered(values[name], plan.arguments.get(name, ""))) for name, path in plan.saves.items()]
    for path, array in arrays:
        try:
            with atomic_file(path) as made, made.open("wb") as file:
                np.save(file, array, allow_pickle=False)
        except OSError as error:
            raise Refused(not_written(path, error)) from error


def _ordered(array: npt.NDArray[np.generic], text: str) -> npt.NDArray[np.generic]:
    """Restore the byte order of the file that it came from: on the way between processes NumPy makes it the machine's own."""
    given = load_array(Path(text[1:])) if text.startswith("@") else None
    return array.astype(given.dtype) if isinstance(given, np.ndarray) else array


@dataclass(frozen=True, slots=True)
class TraceReport:
    """All that is known after the run. `compiled` is None where it was not asked for, a reason where it cannot be had."""

    file: str
    """The user's name for the text."""
    trace: Trace
    counts: Counts
    findings: tuple[Finding, ...]
    diagnostics: tuple[Diagnostic, ...]
    compiled: CompiledKernel | Message | None
    trust: Trust
    schedules: Found = field(default_factory=dict)
    """Of the races, where they were asked for."""

    @property
    def wrong(self) -> bool:
        """True if there are findings, or threads would end the launch on a GPU."""
        return bool(self.findings) or any(each.severity is Severity.ERROR for each in self.diagnostics)


def report_object(report: TraceReport, console: Console) -> dict[str, object]:
    """The JSON document."""
    trace = report.trace
    found: dict[str, object] = {
        "kernel": trace.kernel,
        "grid": list(trace.grid),
        "block": list(trace.block),
        "blocks_traced": len(trace.blocks),
        "mode": trace.mode,
        "totals": asdict(report.counts.totals),
        "lines": [line.as_object() for line in report.counts.lines],
        "findings": [_finding_object(finding, report.schedules, console) for finding in report.findings],
        "diagnostics": [_diagnostic_object(diagnostic, console) for diagnostic in report.diagnostics],
        "printed": [{"block": list(each.block), "thread": list(each.thread), "text": each.text} for each in trace.printed],
        "trust": trust_object(report.trust, console.text),
    }
    if report.compiled is not None:
        found["compiled"] = _compiled_object(report.compiled, console)
    return found


def print_report(report: TraceReport, console: Console) -> None:
    """Print tables and sentences in the user's language."""
    trace, counts = report.trace, report.counts
    sections = [
        [each.text.rstrip("\n") for each in trace.printed],
        aligned([(console.text(name), value) for name, value in _summary(report, console)]),
        _line_table(counts.lines, report.compiled, console),
        _compiled_lines(report.compiled, console),
        [line for finding in report.findings for line in _finding_lines(report, finding, console)]
        if report.wrong
        else [console.text(message("Nothing wrong was found."))],
    ]
    console.print("\n\n".join("\n".join(section) for section in sections if section))


def diagnostic_line(file: str, diagnostic: Diagnostic, console: Console) -> str:
    """Write it as compilers do, so that editors understand it: `FILE:LINE:COLUMN: error: what`."""
    place = f"{diagnostic.file or file}:{diagnostic.line}:{diagnostic.column}"
    return f"{place}: {diagnostic.severity.value}: {console.text(diagnostic.message)}"


def finding_line(file: str, finding: Finding, console: Console) -> str:
    """Write one finding as one line, in the form of a compiler's warning."""
    place = f"{finding.location.file or file}:{finding.location.line}:{finding.location.column}"
    return f"{place}: {finding.kind}: {console.text(finding.message)}"


def other_lines(file: str, finding: Finding, console: Console) -> list[str]:
    """Write where the other side of a race stands, as compilers write notes; nothing of a finding of one line."""
    if finding.other is None or finding.kind is not FindingKind.DATA_RACE:
        return []
    place = f"{finding.other.file or file}:{finding.other.line}:{finding.other.column}"
    threads = [str(each) for each in finding.threads[:2]]
    blocks = [str(each) for each in (finding.block, finding.other_block or finding.block)]
    said = message(
        "The other access: thread {other} of block {other_block}; the first: thread {thread} of block {block}.",
        thread=threads[0], other=threads[-1], block=blocks[0], other_block=blocks[1],
    )  # fmt: skip
    return [f"{place}: note: {console.text(said)}"]


def _finding_lines(report: TraceReport, finding: Finding, console: Console) -> list[str]:
    found = report.schedules.get(lines_of(finding)) if finding.kind is FindingKind.DATA_RACE else None
    lines = [finding_line(report.file, finding, console), *other_lines(report.file, finding, console)]
    return [*lines, *(schedule_text(found, console) if found is not None else ())]


def _finding_object(finding: Finding, found_schedules: Found, console: Console) -> dict[str, object]:
    found: dict[str, object] = {
        "kind": finding.kind,
        "line": finding.location.line,
        "other_line": None if finding.other is None else finding.other.line,
        "block": list(finding.block),
        "threads": [list(thread) for thread in finding.threads],
        "message": console.text(finding.message),
        "count": finding.count,
    }
    if finding.location.file:
        found["file"] = finding.location.file
    if finding.other_block is not None:
        found["other_block"] = list(finding.other_block)
    if finding.kind is FindingKind.DATA_RACE and lines_of(finding) in found_schedules:
        found["schedules"] = schedule_object(found_schedules[lines_of(finding)], console)
    return found


def _diagnostic_object(diagnostic: Diagnostic, console: Console) -> dict[str, object]:
    found: dict[str, object] = {
        "line": diagnostic.line,
        "column": diagnostic.column,
        "severity": diagnostic.severity.value,
        "message": console.text(diagnostic.message),
    }
    return found | ({"file": diagnostic.file} if diagnostic.file else {})


def _summary(report: TraceReport, console: Console) -> list[tuple[Message, str]]:
    trace, totals, number, text = report.trace, report.counts.totals, console.translator.number, console.text
    return [
        (message("Kernel"), trace.kernel),
        (message("Grid"), " × ".join(map(number, trace.grid))),
        (message("Block"), " × ".join(map(number, trace.block))),
        (message("Blocks traced"), number(len(trace.blocks))),
        (message("Global loads"), text(_to_global(totals.global_load_requests, totals.global_load_sectors))),
        (message("Global stores"), text(_to_global(totals.global_store_requests, totals.global_store_sectors))),
        (message("Shared loads"), text(_to_shared(totals.shared_load_requests, totals.shared_load_wavefronts))),
        (message("Shared stores"), text(_to_shared(totals.shared_store_requests, totals.shared_store_wavefronts))),
        *(
            [(message("Wavefronts of wgmma operands"), number(totals.shared_operand_wavefronts))]
            if totals.shared_operand_wavefronts
            else []
        ),
        (message("Barriers"), number(totals.barriers)),
        *([(message("Barrier operations"), number(totals.shared_barrier_requests))] if totals.shared_barrier_requests else []),
        *([(message("Shared bytes by the copy engine"), number(totals.shared_copied_bytes))] if totals.shared_copied_bytes else []),
        (message("Floating-point operations"), number(totals.flops)),
        (message("Trust"), text(trust_text(report.trust))),
    ]


def _to_global(requests: int, sectors: int) -> Message:
    return message("requests: {requests}, sectors: {sectors}", requests=requests, sectors=sectors)


def _to_shared(requests: int, wavefronts: int) -> Message:
    return message("requests: {requests}, wavefronts: {wavefronts}", requests=requests, wavefronts=wavefronts)


def _line_table(lines: Sequence[LineCount], compiled: CompiledKernel | Message | None, console: Console) -> list[str]:
    titles = [
        message("Line"), message("Access"), message("Memory"), message("Requests"), message("Sectors"), message("Wavefronts"),
        *([message("Bytes")] if any(line.operation == COPY for line in lines) else []),
    ]  # fmt: skip
    code = compiled.accesses() if isinstance(compiled, CompiledKernel) else None
    rows = [[console.text(title) for title in (*titles, message("In the machine code"))]]
    for line in lines:
        place = f"{line.file}:{line.line}" if line.file else str(line.line)
        told = (line.requests, line.sectors, line.wavefronts, line.bytes_moved)[: len(titles) - 3]
        numbers = ("" if value is None else console.translator.number(value) for value in told)
        kind = (console.text(_WORDS[word]) if word in _WORDS else word for word in (line.operation, line.space))
        rows.append([place, *kind, *numbers, "" if code is None or line.file else _in_code(line, code, console)])
    if code is None:
        rows = [row[:-1] for row in rows]
    return [console.text(message("As written, before the compiler merges or removes accesses:")), *aligned(rows)] if lines else []


_WORDS = {
    "load": message("load"), "store": message("store"), "atomic": message("atomic"), "global": message("global"),
    "shared": message("shared"), "constant": message("constant"), "barrier": message("barrier"), COPY: message("copy"),
}  # fmt: skip
"""What CUDA C calls kinds of accesses and of memory, in a table that is read."""


def _in_code(line: LineCount, code: Mapping[tuple[int, Access], int], console: Console) -> str:
    """The instructions that a line's accesses have become, the widest first."""
    found = [(each.bytes, count) for (at, each), count in code.items() if (at, each.operation, each.space) == _place(line)]
    widths = [message("{count} × {bytes} bytes", count=count, bytes=size) for size, count in sorted(found, reverse=True)]
    return ", ".join(map(console.text, widths))


def _place(line: LineCount) -> tuple[int, str, str]:
    return line.line, line.operation, line.space


def _compiled_object(compiled: CompiledKernel | Message, console: Console) -> dict[str, object]:
    if isinstance(compiled, Message):
        return {"reason": console.text(compiled)}
    accesses = sorted(compiled.accesses().items(), key=lambda item: (item[0][0], astuple(item[0][1])))
    return {
        "compute_capability": f"{compiled.capability // 10}.{compiled.capability % 10}",
        "compiler": ".".join(map(str, compiled.compiler)),
        **asdict(compiled.usage),
        "lines": [{"line": line, **asdict(access), "instructions": count} for (line, access), count in accesses],
        "code": [_instruction_object(each) for each in compiled.instructions],
    }


def _instruction_object(each: Instruction) -> dict[str, object]:
    control = None if each.control is None else asdict(each.control)
    return {
        "address": each.address, "line": each.line, "text": each.text, "control": control,
        "register_banks": source_banks(each.opcode, each.operands),
    }  # fmt: skip


def _compiled_lines(compiled: CompiledKernel | Message | None, console: Console) -> list[str]:
    if compiled is None:
        return []
    if isinstance(compiled, Message):
        return [console.text(compiled)]
    usage = compiled.usage
    return [console.text(message(
        "As compiled for {capability}: registers a thread: {registers}, static shared memory: {shared} bytes, spilled: {spilled} bytes.",
        capability=f"{compiled.capability // 10}.{compiled.capability % 10}", registers=usage.registers,
        shared=usage.static_shared_bytes, spilled=usage.spill_store_bytes + usage.spill_load_bytes,
    ))]  # fmt: skip
