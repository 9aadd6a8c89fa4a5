"""The options of the commands that execute, count or draw without measuring."""

from __future__ import annotations

import argparse

from app.cli.grammar import Group
from app.cli.lesson_options import place_options, tried_options
from app.cli.variant_options import launch_parameters, parameter_option, problem_sizes, run_parameters
from app.core.base.parsing import ALL
from app.core.program.window_arguments import LARGEST_ZOOM, SMALLEST_ZOOM, THEMES, VIEWS
from app.core.results.curves import Provenance
from kernels.base.messages import message
from kernels.cachesim.presets import PRESETS

BLOCKS = "blocks"
"""A parameter whose option `trace` has anyway: for a variant that has the parameter, its value, not the blocks that are executed."""

ZOOM = message("how large everything is, in percent: {smallest} to {largest}", smallest=SMALLEST_ZOOM, largest=LARGEST_ZOOM)


def trace_options(group: Group) -> None:
    """A CUDA kernel's launch."""
    group.option("target", "FILE.cu|VARIANT", message("a CUDA C file, or a variant's id, as in the list"))
    group.option("--kernel", "NAME", message("the kernel, where the file has several"))
    group.option("--entry", "NAME<ARGUMENTS>", message("the instance of a template, for example {example}", example='"reduce<128>"'))
    group.option("--grid", "X[,Y[,Z]]", message("blocks in the grid"))
    group.option("--block", "X[,Y[,Z]]", message("threads in a block"))
    group.option("--shared", "BYTES", message("dynamic shared memory of a block"), default="0")
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
    group.option("--cc", "X.Y", message("report also what the compiler makes of the kernel for this compute capability"))
    group.option("--n", "N", message("for a variant: columns of the output; the sizes that are not given are equal to it"))
    group.option("--m", "M", message("rows of A"))
    group.option("--k", "K", message("columns of A and rows of B, for a multiplication"))
    for parameter in launch_parameters():
        if parameter.name != BLOCKS:
            parameter_option(group, parameter)


def cache_options(group: Group) -> None:
    """A CPU variant and caches."""
    problem_sizes(group)
    group.option("--level", "NAME:SIZE:WAYS:LINE[:lru|plru|fifo][:wb|wt]", message(
        "a cache, sizes in bytes, the nearest first; may be repeated"
    ), action="append", default=[])  # fmt: skip
    group.option("--preset", "NAME", message("the caches of a processor: {choices}", choices=", ".join(PRESETS)))
    for parameter in run_parameters():
        parameter_option(group, parameter)


def asm_options(group: Group) -> None:
    """One variant with its parameters."""
    group.option("variant", "VARIANT", message("a variant's id, as in the list"))
    for parameter in run_parameters():
        parameter_option(group, parameter)


def predict_options(group: Group) -> None:
    """A launch of the catalogue on a GPU."""
    problem_sizes(group)
    group.option("--device", "ID", message("the GPU that is predicted, for example {example}", example="h200"))
    for parameter in run_parameters():
        parameter_option(group, parameter)


def counter_options(group: Group) -> None:
    """The same, and what Nsight Compute wrote."""
    predict_options(group)
    group.option("--ncu", "FILE.csv", message("what {command} has written, instead of what was recorded", command="ncu --csv --page raw"))


def screenshot_options(group: Group) -> None:
    """What the picture shows."""
    group.option("path", "OUT.png", message("the picture's file"))
    group.option("--size", "WIDTHxHEIGHT", message("the window's size in pixels"), default=argparse.SUPPRESS)
    group.option("--theme", "THEME", message("colours: {choices}", choices=", ".join(THEMES)), default=argparse.SUPPRESS)
    group.option("--zoom", "PERCENT", ZOOM, default=argparse.SUPPRESS)
    group.option("--variant", "ID", message("the variant that is shown"), default=argparse.SUPPRESS)
    group.option("--view", "VIEW", message("workspace: {choices}", choices=", ".join(VIEWS)), default=VIEWS[0])
    group.option("--step", "STEP", message("the step that the stage shows"))
    group.option("--n", "N", message("the matrix size on the stage"))
    for parameter in run_parameters():
        parameter_option(group, parameter)
    group.option("--run", "N", message("a real run at this size in place of the animation, of a variant with threads or ranks"))
    group.option("--alone", "NUMBER", message("the view of a launch that is shown alone, from 1 to 4"))
    group.option("--beside", "ID", message("the variant that is compared with"))
    group.option("--shown", "SOURCES", message(
        "which times the charts show: {choices}; several with commas between", choices=", ".join(Provenance)
    ))  # fmt: skip
    group.option("--source", "FILE.cu", message("a CUDA C file that is opened in the playground"))
    place_options(group)
    tried_options(group)


def check_options(group: Group) -> None:
    """Files that were handed in."""
    group.option("files", "FILE.attempt", message("files that were handed in, or folders of them"), nargs="+")
    group.option("--csv", "OUT.csv", message("write a table too: a row for each file"))
