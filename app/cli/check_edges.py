"""`tilescope check-edges`: try a kernel, or a whole program, at the sizes and with the indices that break kernels."""

from __future__ import annotations

import argparse
import shlex
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from app.cli.base.console import Console
from app.cli.base.errors import FINDINGS, Refused, accept
from app.cli.base.options import option_of
from app.cli.base.parser import Group
from app.cli.base.trace_launch import Target, job_of, plan_of, subject_of
from app.cli.program import readable, reading_option
from app.cli.trace import add_options as add_launch
from app.cli.trace import diagnostic_line
from app.core.base.parsing import ALL
from app.core.base.question import Question
from app.core.execution.edge_rows import AnyTried, edge_outcome, failing, row_of, trusts_of, verdict_text
from app.core.execution.questions import EdgeQuestion, EdgesQuestion, PlannedEdges, TriedEdge
from app.core.gpu_view.subject import Subject
from app.core.programs.host_program import has_main
from app.core.tracing.service import TracingService
from app.core.tracing.work import Outcome
from app.core.workbench.tracing_process import new_tracing
from kernels.analysis.program_races import look
from kernels.analysis.trust import trust_object, trust_text
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.catalogue.catalogue import find
from kernels.exploration.edge_cases import Edge, Plan, ProgramPlan, Tried, TriedProgram
from kernels.exploration.program_edges import plan_program, try_program
from kernels.simt.base.launch import MIB
from kernels.simt.frontend.diagnostics import Severity
from kernels.simt.host.process import Programs
from kernels.simt.host.result import Limits, ProgramJob
from kernels.simt.run.arguments import text_of
from kernels.simt.trace.launch_spec import LaunchSpec, NotTraced

DEADLINE_S = 30
"""The longest that one launch may take."""
ENDING_S = 5.0
LIMITS = Limits(seconds=20.0, bytes=1024 * MIB, output=1 << 20)
"""Of one run of a program."""
MARKS = {True: "✗", False: "✓", None: "·"}


def add_options(group: Group) -> None:
    """Add a kernel's launch; the words of a program stand behind `--`."""
    add_launch(group)
    reading_option(group)


@dataclass(frozen=True, slots=True)
class EdgeReport:
    """All that was tried. `compared`: whether results were compared with right ones."""

    name: str
    tried: tuple[AnyTried, ...]
    plan: Plan | ProgramPlan
    compared: bool = False
    again: str = ""
    """The command that shows the smallest launch that fails."""


def perform(options: argparse.Namespace, console: Console) -> int:
    """Try everything that is planned and write the table. Returns 3 where something fails, 2 where nothing can be tried."""
    usual: dict[str, object] = {"cc": None, "save": [], "mode": "block", "blocks": ALL}
    given = next((name for name, value in usual.items() if getattr(options, name) != value), None)
    if given is not None:
        raise Refused(message("{option} has no meaning here.", option=option_of(given)))
    program = _program(options)
    report = _of_kernel(options, console) if program is None else _of_program(program, options, console)
    _write(report, options, console)
    return FINDINGS if failing(report.tried) is not None else 0


def _program(options: argparse.Namespace) -> str | None:
    """The text of a whole program; None where a kernel of it is meant, or there is no main."""
    if options.kernel or options.entry or options.grid or find(options.target) is not None:
        return None
    text = subject_of(options).text
    return text if has_main(text) else None


def _of_kernel(options: argparse.Namespace, console: Console) -> EdgeReport:
    target = subject_of(options)
    plan = plan_of(options, target)
    subject = _subject(job_of(plan, target), target)
    tracing = new_tracing(DEADLINE_S)
    try:
        planned = _planned(_answer(tracing, EdgesQuestion(subject)), target, console)
        tried = tuple(_tried(_answer(tracing, EdgeQuestion(subject, edge)), EdgeQuestion(subject, edge)) for edge in planned.plan.edges)
    finally:
        tracing.shutdown(ENDING_S)
    found = failing(tried)
    again = _trace_command(target, plan.entry, plan.arguments, found.edge) if isinstance(found, Tried) else ""
    return EdgeReport(target.name, tried, planned.plan, planned.compared, again)


def _subject(job: LaunchSpec, target: Target) -> Subject:
    variant = find(target.name)
    return Subject(
        job.text, job.entry, job.launch, job.path, job.defines, job.texts, job.before, target.name,
        variant_id="" if variant is None else variant.id, parameters={} if variant is None else dict(variant.defaults),
    )  # fmt: skip


def _answer(tracing: TracingService, question: Question) -> Outcome:
    """Ask and wait; a process that takes too long, or too much memory, is ended and replaced."""
    tracing.request(question)
    while (reply := tracing.poll()) is None:
        time.sleep(0.002)
    return reply.outcome


def _planned(outcome: Outcome, target: Target, console: Console) -> PlannedEdges:
    if isinstance(outcome, PlannedEdges):
        return outcome
    reason = outcome.reason if isinstance(outcome, NotTraced) else message("There was no answer.")
    for each in outcome.diagnostics if isinstance(outcome, NotTraced) else ():
        if each.severity is Severity.ERROR:
            console.tell(diagnostic_line(target.name, each, console))
    raise Refused(reason)


def _tried(outcome: Outcome, question: EdgeQuestion) -> Tried:
    if isinstance(outcome, TriedEdge):
        return outcome.tried
    return Tried(question.edge, reason=outcome.reason if isinstance(outcome, NotTraced) else message("There was no answer."))


def _of_program(text: str, options: argparse.Namespace, console: Console) -> EdgeReport:
    name: str = options.target
    job = ProgramJob(text, Path(name), tuple(options.behind), LIMITS, look=look, readable=readable(options))
    run = Programs().run
    plan = accept(plan_program(job, run))
    console.tell(console.text(message("Runs to be made: {count}.", count=len(plan.edges))))
    tried = tuple(try_program(job, edge, run) for edge in plan.edges)
    found = failing(tried)
    reading = ["--read-files"] if options.read_files else []
    again = shlex.join(["tilescope", "program", name, *reading, "--", *found.edge.arguments]) if isinstance(found, TriedProgram) else ""
    return EdgeReport(name, tried, plan, again=again)


def _trace_command(target: Target, entry: str | None, given: Mapping[str, str], edge: Edge) -> str:
    """The command that executes an edge's launch again; nothing where an array cannot be written down, or a variant's grid is its own. An
    array of the device is as it was `given`, but for its order."""
    launch, order = edge.launch, f":{edge.order}" if edge.order else ""
    texts = {**given, **{name: text_of(value) for name, value in launch.arguments.items()}}
    for name, value in edge.variables.items():
        texts[name] = text_of(value) or given[name] + (order if name == edge.array else "")
    if target.path is None or None in texts.values():
        return ""
    words = ["tilescope", "trace", target.name, *(["--entry", entry] if entry else [])]
    words += ["--grid", ",".join(map(str, launch.grid)), "--block", ",".join(map(str, launch.block))]
    words += ["--shared", str(launch.shared_bytes)] if launch.shared_bytes else []
    words += [] if launch.blocks is None else ["--mode", launch.mode, "--blocks", ",".join(map(str, launch.blocks))]
    return shlex.join([*words, *(part for name, text in texts.items() for part in ("--arg", f"{name}={text}"))])


# ------------------------------------------------------------ what is written


def _write(report: EdgeReport, options: argparse.Namespace, console: Console) -> None:
    if options.json:
        console.print_json(_object(report, console))
        return
    console.print(f"{report.name}: {console.text(verdict_text(report.tried, len(report.tried), compared=report.compared))}")
    for line in _notes(report):
        console.print(f"  {console.text(line)}")
    rows = [[console.text(title) for title in (message("Tried"), message("Outcome"), message("Line"), message("What happened"))]]
    for each in report.tried:
        row = row_of(each)
        outcome = edge_outcome(row, compared=report.compared)
        said = "" if row.said is None else console.text(row.said)
        rows.append([console.text(row.title), f"{MARKS[row.fails]} {console.text(outcome)}", str(row.line or ""), said])
    console.print("")
    console.print_rows(rows)
    for shown in [failing(report.tried) or report.tried[-1]] if report.tried else []:
        for found in trusts_of(shown):
            console.print("")
            console.print(console.text(message("Trust, {size}: {trust}", size=row_of(shown).title, trust=trust_text(found))))
    if report.again:
        console.print("")
        console.print(console.text(message("To see the smallest that fails: {command}", command=report.again)))


def _notes(report: EdgeReport) -> Iterator[Message]:
    yield from report.plan.varied
    yield from report.plan.kept
    if isinstance(report.plan, Plan):
        yield (
            message("The results were compared with right ones.")
            if report.compared
            else message("What right results are is not known: accesses, races, barriers and uninitialised reads were looked at.")
        )


def _object(report: EdgeReport, console: Console) -> dict[str, object]:
    found = failing(report.tried)
    return {
        "name": report.name,
        "verdict": console.text(verdict_text(report.tried, len(report.tried), compared=report.compared)),
        "fails": found is not None,
        "smallest": None if found is None else _tried_object(found, console),
        "command": report.again or None,
        "compared": report.compared,
        "varied": [console.text(each) for each in report.plan.varied],
        "not_varied": [console.text(each) for each in report.plan.kept],
        "tried": [_tried_object(each, console) for each in report.tried],
    }


def _tried_object(tried: AnyTried, console: Console) -> dict[str, object]:
    row = row_of(tried)
    if isinstance(tried, Tried):
        edge = tried.edge
        launch: dict[str, object] = {
            "sizes": dict(edge.sizes),
            "array": edge.array or None,
            "order": edge.order,
            "grid": list(edge.launch.grid),
        }
        found: list[dict[str, object]] = [
            {
                "kind": each.kind, "line": each.location.line, "other_line": None if each.other is None else each.other.line,
                "message": console.text(each.message),
            }
            for each in tried.findings
        ]  # fmt: skip
    else:
        launch = {"words": list(tried.edge.arguments), "status": tried.status}
        found = [{"kind": each.wrong.value, "line": each.location.line, "message": console.text(each.message)} for each in tried.findings]
    return {
        **launch,
        "fails": row.fails,
        "findings": found,
        "reason": None if tried.reason is None else console.text(tried.reason),
        "trust": [trust_object(each, console.text) for each in trusts_of(tried)],
    }
