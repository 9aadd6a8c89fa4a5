"""From options to a launch. Everything that is wrong whatever the kernel turns out to be is refused here."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from app.cli.refusal import Refused, accept
from app.cli.trace_subject import Subject
from app.core.base.files.locations import refuse_file
from app.core.base.parsing import ALL, dimensions, one_of, shown, whole_number
from kernels.base.messages import message
from kernels.simt.base.launch import OPT_IN_SHARED_BYTES, Budget, Dim3, LaunchRequest, Mode
from kernels.simt.trace.job import TraceJob

LARGEST_SEED = 2**63 - 1
LARGEST_BLOCK_NUMBER = 2**53
LONGEST_BUDGET = 3600.0
NPY = ".npy"


@dataclass(frozen=True, slots=True)
class Plan:
    """The options, understood. `arguments` are texts by name, `saves` files by name."""

    entry: str | None
    grid: Dim3
    block: Dim3
    shared_bytes: int
    mode: Mode
    blocks: tuple[int, ...] | None
    seed: int
    budget: Budget
    arguments: Mapping[str, str]
    saves: Mapping[str, Path]


def plan_of(options: argparse.Namespace, subject: Subject) -> Plan:
    """Refuses everything that is wrong whatever the kernel is."""
    arguments = {name: _absolute(text) for name, text in _named("--arg", "VALUE", options.arg).items()}
    saves = _saves(options.save)
    for name in saves:
        if name not in arguments and name not in subject.arguments:
            raise Refused(message("{option}: no argument {name} is given.", option="--save", name=shown(name)))
    return Plan(
        _entry(options, subject),
        _dimensions("--grid", options.grid, subject.grid),
        _dimensions("--block", options.block, subject.block),
        accept(whole_number("--shared", options.shared, 0, OPT_IN_SHARED_BYTES)),
        Mode(accept(one_of("--mode", options.mode, tuple(Mode)))),
        _blocks(ALL if subject.takes_blocks else options.blocks),
        accept(whole_number("--seed", options.seed, 0, LARGEST_SEED)),
        _budget(options.budget),
        arguments,
        saves,
    )


def job_of(plan: Plan, subject: Subject) -> TraceJob:
    """What is executed. The subject's own arguments give way to those that the user wrote."""
    own = {name: value for name, value in subject.arguments.items() if name not in plan.arguments}
    launch = LaunchRequest(
        plan.grid, plan.block, own, plan.shared_bytes, plan.mode, plan.blocks, plan.seed,
        budget=plan.budget, shared_limit=OPT_IN_SHARED_BYTES,
    )  # fmt: skip
    before = None if subject.before is None else _before(launch, subject.before)
    return TraceJob(subject.text, plan.entry, launch, subject.path, subject.defines, plan.arguments, before)


def _before(launch: LaunchRequest, subject: Subject) -> TraceJob:
    """All of what is launched first; only variants of the catalogue have it, with their own arguments."""
    assert subject.grid is not None
    assert subject.block is not None
    first = replace(launch, grid=subject.grid, block=subject.block, blocks=None, arguments=subject.arguments)
    return TraceJob(subject.text, subject.kernel, first, defines=subject.defines)


def _entry(options: argparse.Namespace, subject: Subject) -> str | None:
    """Which kernel: "name", or "name<128>" of a template; None where the text's only one is meant."""
    name, entry = options.kernel or subject.kernel, options.entry
    if name is not None and entry is not None and entry.partition("<")[0].strip() != name:
        raise Refused(message("--entry {entry} is not an instance of --kernel {kernel}.", entry=shown(entry), kernel=shown(name)))
    return str(entry or name) if entry or name else None


def _dimensions(name: str, text: str | None, default: Dim3 | None) -> Dim3:
    if text is not None:
        return accept(dimensions(name, text))
    if default is None:
        raise Refused(message("{option} is needed for a file.", option=name))
    return default


def _blocks(text: str) -> tuple[int, ...] | None:
    if text == ALL:
        return None
    return tuple(accept(whole_number("--blocks", term, 0, LARGEST_BLOCK_NUMBER)) for term in text.split(","))


def _budget(text: str | None) -> Budget:
    if text is None:
        return Budget()
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= LONGEST_BUDGET:
        reason = message(
            "{name}: '{text}' is not a number of seconds above 0 and up to {most}.", name="--budget", text=shown(text), most=LONGEST_BUDGET
        )
        raise Refused(reason)
    return Budget(seconds=seconds)


def _named(option: str, what: str, texts: list[str]) -> dict[str, str]:
    """The values of an option that is given as NAME=VALUE, each name once."""
    values: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise Refused(message("{option}: '{text}' is not NAME={what}.", option=option, text=shown(text), what=what))
        if name in values:
            raise Refused(message("{option}: {name} is given twice.", option=option, name=shown(name)))
        values[name] = value
    return values


def _absolute(value: str) -> str:
    """A file's name says the same in any folder, so also in the process that reads it."""
    return f"@{Path(value[1:]).absolute()}" if value.startswith("@") else value


def _saves(texts: list[str]) -> dict[str, Path]:
    files: dict[str, Path] = {}
    for name, text in _named("--save", "FILE.npy", texts).items():
        path = Path(text).absolute()
        if path.suffix.lower() != NPY:
            raise Refused(message("{name}: '{text}' must end in {endings}.", name="--save", text=shown(text), endings=NPY))
        reason = refuse_file(path)
        if reason is not None:
            raise Refused(message("{name}: {reason}", name="--save", reason=reason))
        if path in files.values():
            raise Refused(message("{option}: two arguments would go into one file.", option="--save"))
        files[name] = path
    return files
