"""What `trace` writes: the same facts as JSON and as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, dataclass

from app.cli.console import Console, aligned
from kernels.analysis.counts import Counts, LineCount
from kernels.base.messages import Message, message
from kernels.compiled.kernel import CompiledKernel
from kernels.compiled.listing import Access
from kernels.simt.frontend.diagnostics import Diagnostic, Severity
from kernels.simt.trace.trace import Finding, Trace


@dataclass(frozen=True, slots=True)
class Report:
    """All that is known after the run. `compiled` is None where it was not asked for, a reason where it cannot be had."""

    file: str
    """How the user calls the text."""
    trace: Trace
    counts: Counts
    findings: tuple[Finding, ...]
    diagnostics: tuple[Diagnostic, ...]
    compiled: CompiledKernel | Message | None

    @property
    def wrong(self) -> bool:
        """Whether there are findings, or threads would end the launch on a GPU."""
        return bool(self.findings) or any(each.severity is Severity.ERROR for each in self.diagnostics)


def report_object(report: Report, console: Console) -> dict[str, object]:
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
        "findings": [_finding_object(finding, console) for finding in report.findings],
        "diagnostics": [_diagnostic_object(diagnostic, console) for diagnostic in report.diagnostics],
        "printed": [{"block": list(each.block), "thread": list(each.thread), "text": each.text} for each in trace.printed],
    }
    if report.compiled is not None:
        found["compiled"] = _compiled_object(report.compiled, console)
    return found


def print_report(report: Report, console: Console) -> None:
    """Tables and sentences in the user's language."""
    trace, counts = report.trace, report.counts
    sections = [
        [each.text.rstrip("\n") for each in trace.printed],
        aligned([(console.text(name), value) for name, value in _summary(report, console)]),
        _line_table(counts.lines, report.compiled, console),
        _compiled_lines(report.compiled, console),
        [finding_line(report.file, finding, console) for finding in report.findings]
        if report.wrong
        else [console.text(message("Nothing wrong was found."))],
    ]
    console.print("\n\n".join("\n".join(section) for section in sections if section))


def diagnostic_line(file: str, diagnostic: Diagnostic, console: Console) -> str:
    """As compilers write it, so that editors understand it: `FILE:LINE:COLUMN: error: what`."""
    place = f"{diagnostic.file or file}:{diagnostic.line}:{diagnostic.column}"
    return f"{place}: {diagnostic.severity.value}: {console.text(diagnostic.message)}"


def finding_line(file: str, finding: Finding, console: Console) -> str:
    """One finding as one line, in the form of a compiler's warning."""
    place = f"{finding.location.file or file}:{finding.location.line}:{finding.location.column}"
    return f"{place}: {finding.kind}: {console.text(finding.message)}"


def _finding_object(finding: Finding, console: Console) -> dict[str, object]:
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
    return found


def _diagnostic_object(diagnostic: Diagnostic, console: Console) -> dict[str, object]:
    found: dict[str, object] = {
        "line": diagnostic.line,
        "column": diagnostic.column,
        "severity": diagnostic.severity.value,
        "message": console.text(diagnostic.message),
    }
    return found | ({"file": diagnostic.file} if diagnostic.file else {})


def _summary(report: Report, console: Console) -> list[tuple[Message, str]]:
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
        (message("Barriers"), number(totals.barriers)),
        (message("Floating-point operations"), number(totals.flops)),
    ]


def _to_global(requests: int, sectors: int) -> Message:
    return message("requests: {requests}, sectors: {sectors}", requests=requests, sectors=sectors)


def _to_shared(requests: int, wavefronts: int) -> Message:
    return message("requests: {requests}, wavefronts: {wavefronts}", requests=requests, wavefronts=wavefronts)


def _line_table(lines: Sequence[LineCount], compiled: CompiledKernel | Message | None, console: Console) -> list[str]:
    titles = [message("Line"), message("Access"), message("Memory"), message("Requests"), message("Sectors"), message("Wavefronts")]
    code = compiled.accesses() if isinstance(compiled, CompiledKernel) else None
    rows = [[console.text(title) for title in (*titles, message("In the machine code"))]]
    for line in lines:
        place = f"{line.file}:{line.line}" if line.file else str(line.line)
        numbers = ("" if value is None else console.translator.number(value) for value in (line.requests, line.sectors, line.wavefronts))
        rows.append([place, line.operation, line.space, *numbers, "" if code is None or line.file else _in_code(line, code, console)])
    if code is None:
        rows = [row[:-1] for row in rows]
    return [console.text(message("As written, before the compiler merges or removes accesses:")), *aligned(rows)] if lines else []


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
        "code": [{"address": each.address, "line": each.line, "text": each.text} for each in compiled.instructions],
    }


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
