"""The launch that `trace` executes: of a file as it is found, or of a variant of the catalogue, as the options ask for it.

Everything that is wrong whatever the kernel turns out to be is refused here.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path

from app.cli.base.errors import Refused, accept, require
from app.cli.base.options import option_of
from app.cli.base.request import as_typed, value_of, variant_named
from app.core.base.files.locations import refuse_file
from app.core.base.files.text_files import is_there, read_source
from app.core.base.parsing import ALL, LARGEST_SIZE, dimensions, one_of, shown, whole_number
from kernels.base.architectures import OPT_IN_SHARED_BYTES
from kernels.base.limits import Limits, refuse, refuse_execution
from kernels.base.messages import message
from kernels.base.spec import Operation, Parameter, Problem, Variant
from kernels.base.values import dataclass
from kernels.catalogue.catalogue import VARIANTS, find
from kernels.simt.base.launch import Argument, Budget, Dim3, LaunchRequest, Mode
from kernels.simt.frontend.sources import LARGEST_FILE
from kernels.simt.run.variant_launch import launch_spec
from kernels.simt.trace.launch_spec import LaunchSpec

BLOCKS = "blocks"
"""A parameter whose option `trace` has anyway: for a variant that has the parameter, its value, not the blocks that are executed."""
SIZES = ("n", "m", "k")
DEFAULT_SIZE = 64
ENDINGS = (".cu", ".cuh", ".cpp", ".h", ".hpp", ".txt")
LARGEST_SEED = 2**63 - 1
LARGEST_BLOCK_NUMBER = 2**53
LONGEST_BUDGET = 3600.0
NPY = ".npy"


def launch_parameters() -> tuple[Parameter, ...]:
    """List every parameter that some CUDA kernel of the catalogue has."""
    return tuple({p.name: p for variant in VARIANTS if variant.launch is not None for p in variant.parameters}.values())


@dataclass(frozen=True, slots=True)
class Target:
    """A text with what is known of its launch. `name` is how the user calls it; a file's local includes are beside `path`."""

    name: str
    text: str
    path: Path | None = None
    kernel: str | None = None
    grid: Dim3 | None = None
    block: Dim3 | None = None
    defines: Mapping[str, str | int] = field(default_factory=dict)
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    before: LaunchSpec | None = None
    """The launch that comes first, and leaves T."""
    shared_bytes: int = 0
    """Dynamic ones, if the options give no other number."""
    takes_blocks: bool = False
    """The option `--blocks` is its parameter; all blocks are executed."""


def subject_of(options: argparse.Namespace) -> Target:
    """The subject that the options name; options of a variant are refused for a file."""
    variant = find(options.target)
    if variant is not None:
        return _of_variant(variant, options)
    path = Path(options.target)
    if not (path.suffix.lower() in ENDINGS or path.name != options.target or is_there(path)):
        variant_named(options.target)
    for name in (*SIZES, *(parameter.name for parameter in launch_parameters())):
        if name != BLOCKS and getattr(options, name) is not None:
            raise Refused(message("{option} is for a variant of the catalogue, not for a file.", option=option_of(name)))
    return Target(options.target, accept(read_source(path, LARGEST_FILE)), path)


def _of_variant(variant: Variant, options: argparse.Namespace) -> Target:
    require(refuse_execution(variant))
    problem, parameters = _problem(variant, options), _parameters(variant, options)
    require(as_typed(refuse(variant, problem, parameters, Limits()), variant))
    return _of_spec(variant.id, launch_spec(variant, problem, parameters), BLOCKS in parameters)


def _of_spec(name: str, taken: LaunchSpec, takes_blocks: bool) -> Target:
    own = taken.launch
    return Target(
        name, taken.text, None, taken.entry, own.grid, own.block, taken.defines, own.arguments, taken.before, own.shared_bytes, takes_blocks
    )


def _problem(variant: Variant, options: argparse.Namespace) -> Problem:
    if variant.operation is Operation.HELLO:
        return _no_matrices(variant, options)
    if variant.operation is not Operation.MATMUL and options.k is not None:
        raise Refused(message("{name} is for a multiplication; {variant} is a transposition.", name="--k", variant=variant.id))
    n = _size("--n", options.n, DEFAULT_SIZE)
    m = _size("--m", options.m, n)
    return Problem(variant.operation, m, n, _size("--k", options.k, n) if variant.operation is Operation.MATMUL else 0)


def _no_matrices(variant: Variant, options: argparse.Namespace) -> Problem:
    given = next((name for name in SIZES if getattr(options, name) is not None), None)
    if given is not None:
        raise Refused(message("{name} is a size of matrices; {variant} has none.", name=option_of(given), variant=variant.id))
    return Problem.square(variant.operation, 0)


def _size(name: str, text: str | None, default: int) -> int:
    return default if text is None else accept(whole_number(name, text, 1, LARGEST_SIZE))


def _parameters(variant: Variant, options: argparse.Namespace) -> dict[str, int]:
    parameters = dict(variant.defaults)
    for known in launch_parameters():
        text = getattr(options, known.name)
        if text is None or (known.name == BLOCKS and (text == ALL or BLOCKS not in parameters)):
            continue
        parameters[known.name] = value_of(variant, known.name, text)
    return parameters


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


def plan_of(options: argparse.Namespace, subject: Target) -> Plan:
    """Understand the options. Refused is everything that is wrong whatever the kernel is."""
    arguments = {name: _absolute(text) for name, text in _named("--arg", "VALUE", options.arg).items()}
    saves = _saves(options.save)
    for name in saves:
        if name not in arguments and name not in subject.arguments:
            raise Refused(message("{option}: no argument {name} is given.", option="--save", name=shown(name)))
    return Plan(
        _entry(options, subject),
        _dimensions("--grid", options.grid, subject.grid),
        _dimensions("--block", options.block, subject.block),
        subject.shared_bytes if options.shared is None else accept(whole_number("--shared", options.shared, 0, OPT_IN_SHARED_BYTES)),
        Mode(accept(one_of("--mode", options.mode, tuple(Mode)))),
        _blocks(ALL if subject.takes_blocks else options.blocks),
        accept(whole_number("--seed", options.seed, 0, LARGEST_SEED)),
        _budget(options.budget),
        arguments,
        saves,
    )


def job_of(plan: Plan, subject: Target) -> LaunchSpec:
    """Make what is executed. The subject's own arguments give way to those that the user wrote."""
    own = {name: value for name, value in subject.arguments.items() if name not in plan.arguments}
    launch = LaunchRequest(
        plan.grid, plan.block, own, plan.shared_bytes, plan.mode, plan.blocks, plan.seed,
        budget=plan.budget, shared_limit=OPT_IN_SHARED_BYTES,
    )  # fmt: skip
    before = None if subject.before is None else _before(launch, subject.before)
    return LaunchSpec(subject.text, plan.entry, launch, subject.path, subject.defines, plan.arguments, before)


def _before(launch: LaunchRequest, first: LaunchSpec) -> LaunchSpec:
    """Make all of what is launched first; only variants of the catalogue have it, with their own arguments."""
    own = first.launch
    return replace(first, launch=replace(launch, grid=own.grid, block=own.block, blocks=None, arguments=own.arguments, shared_bytes=0))


def _entry(options: argparse.Namespace, subject: Target) -> str | None:
    """Name the kernel: "name", or "name<128>" of a template; None where the text's only one is meant."""
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
