"""What `trace` executes: a file as it is found, or a variant of the catalogue with the launch that belongs to it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from app.cli.looking_options import BLOCKS
from app.cli.refusal import Refused, accept, require
from app.cli.request import as_typed, value_of, variant_named
from app.cli.variant_options import launch_parameters, option_of
from app.core.base.files.text_files import is_there, read_source
from app.core.base.parsing import ALL, LARGEST_SIZE, whole_number
from kernels.base.limits import Limits, refuse
from kernels.base.messages import message
from kernels.base.spec import Operation, Problem, Variant
from kernels.catalogue.catalogue import find
from kernels.simt.base.launch import Argument, Dim3
from kernels.simt.run.variant_launch import Traceable, traceable

SIZES = ("n", "m", "k")
DEFAULT_SIZE = 64
ENDINGS = (".cu", ".cuh", ".cpp", ".h", ".hpp", ".txt")


@dataclass(frozen=True, slots=True)
class Subject:
    """A text with what is known of its launch. `name` is how the user calls it; a file's local includes are beside `path`."""

    name: str
    text: str
    path: Path | None = None
    kernel: str | None = None
    grid: Dim3 | None = None
    block: Dim3 | None = None
    defines: Mapping[str, int] = field(default_factory=dict)
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    before: Subject | None = None
    """What is launched first, and leaves T."""
    takes_blocks: bool = False
    """The option `--blocks` is its parameter; all blocks are executed."""


def subject_of(options: argparse.Namespace) -> Subject:
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
    return Subject(options.target, accept(read_source(path)), path)


def _of_variant(variant: Variant, options: argparse.Namespace) -> Subject:
    if variant.launch is None:
        raise Refused(message("{variant} is not a CUDA kernel: there is nothing to execute in its place.", variant=variant.id))
    if variant.measured_only is not None:
        raise Refused(variant.measured_only)
    problem, parameters = _problem(variant, options), _parameters(variant, options)
    require(as_typed(refuse(variant, problem, parameters, Limits()), variant))
    return _of_traceable(variant.id, traceable(variant, problem, parameters), BLOCKS in parameters)


def _of_traceable(name: str, taken: Traceable, takes_blocks: bool) -> Subject:
    before = None if taken.before is None else _of_traceable(name, taken.before, takes_blocks=False)
    return Subject(name, taken.text, None, taken.entry, taken.grid, taken.block, taken.defines, taken.arguments, before, takes_blocks)


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
