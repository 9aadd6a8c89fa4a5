"""The grammar of the command line. Values stay text here; the commands check them, so that every refusal is one sentence of ours."""

from __future__ import annotations

import argparse

from app import __version__
from app.cli.grammar import Group, Parser
from app.cli.lesson_options import place_options
from app.cli.plain_options import ladder_options, occupancy_options
from app.core.i18n import LANGUAGES, Translator
from app.core.inputs import ALL
from app.core.window_arguments import THEMES, VIEWS
from kernels.cachesim.presets import PRESETS
from kernels.catalog import VARIANTS
from kernels.messages import Message, message
from kernels.spec import Parameter

PROGRAM = "tilescope"
BLOCKS = "blocks"
"""A parameter whose option `trace` has anyway: for a variant that has the parameter, its value, not the blocks that are executed."""


def requested_language(arguments: list[str]) -> str | None:
    """The value of `--lang` wherever it stands: the language is needed before the rest can be understood aloud."""
    scout = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    scout.add_argument("--lang", nargs="?")
    known, _ = scout.parse_known_args(arguments)
    language: str | None = known.lang
    return language


def build_parser(translator: Translator) -> argparse.ArgumentParser:
    """The whole grammar. Parsing raises `Refused`; `--help` and `--version` print and exit with status 0."""
    parser = Parser(
        PROGRAM,
        translator=translator,
        description=translator.text(message("Matrix kernels made visible: without a command, the window opens.")),
    )
    parser.add_argument(
        "--version", action="version", version=f"{PROGRAM} {__version__}", help=translator.text(message("the program's version"))
    )
    _window_options(Group(parser, translator))
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    def command(name: str, help_text: Message) -> Group:
        about = translator.text(help_text)
        group = Group(commands.add_parser(name, translator=translator, help=about, description=about), translator)
        group.option("--lang", "LANGUAGE", _LANGUAGE_HELP, default=argparse.SUPPRESS)
        group.switch("--json", message("the result as JSON"))
        return group

    command("list", message("every variant, and whether it can run here"))
    _run(command("run", message("measure one variant at one size and verify its result")))
    _sweep(command("sweep", message("measure variants over sizes or parameters and write the table to a file")))
    _tune(command("tune", message("try the settings of a variant and show which are the fastest")))
    _recording(command("export", message("write everything that was measured here to one file, a recording")))
    _recording(command("import", message("show the times of another machine, from its recording, beside those of this one")))
    _errors(command("error", message("how far results are from exact at each size, and what that must be compared with")))
    _asm(command("asm", message("what the compiler made of a CPU variant's inner loop, read from its machine code")))
    _trace(command("trace", message("execute a CUDA kernel without a GPU and report every access to memory, with what is wrong in it")))
    _cache(command("cache", message("what a variant's accesses to memory meet in the caches, counted from its own source")))
    _schedule(command("schedule", message("who works on what when, in a real run of a variant with several threads")))
    _run(command("mpi", message("what each rank does and sends, under your own {program} or with --ranks here", program="mpiexec")))
    _counters(command("counters", message("what a CUDA kernel should count, beside what Nsight Compute counted")))
    _predict(command("predict", message("how long a CUDA kernel should take by a model, beside the recorded time")))
    ladder_options(command("ladder", message("all rungs of a device at one size, and what each gains over the one that it improves on")))
    _transfers(command("transfers", message("where the time of one use of the GPU goes, and from which size on it pays")))
    occupancy_options(command("occupancy", message("how many blocks are resident on a streaming multiprocessor, and what limits them")))
    _screenshot(command("screenshot", message("a picture of the window; needs no display")))
    _check(command("check", message("execute attempts at challenges again, and say which targets they meet")))
    command("doctor", message("what is there, what is missing, what to do"))
    return parser


_LANGUAGE_HELP = message("language: {choices}", choices=", ".join(LANGUAGES))


def run_parameters() -> tuple[Parameter, ...]:
    """Every parameter that some variant has, once each: the options of `run` and `sweep`."""
    return tuple({parameter.name: parameter for variant in VARIANTS for parameter in variant.parameters}.values())


def option_of(parameter: str) -> str:
    """The option that gives a parameter's value."""
    return f"--{parameter.replace('_', '-')}"


def _window_options(group: Group) -> None:
    group.option("--lang", "LANGUAGE", _LANGUAGE_HELP)
    group.option("--theme", "THEME", message("colours: {choices}", choices=", ".join(THEMES)))
    group.option("--variant", "ID", message("the variant that is shown"))
    group.option("--size", "WIDTHxHEIGHT", message("the window's size in pixels"))


def _problem_sizes(group: Group, *, needed: bool = True) -> None:
    group.option("variant", "VARIANT", message("a variant's id, as in the list"))
    group.option("--n", "N", message("columns of the output; the sizes that are not given are equal to it"), required=needed)
    group.option("--m", "M", message("rows of A"))
    group.option("--k", "K", message("columns of A and rows of B, for a multiplication"))


def _run(group: Group) -> None:
    _problem_sizes(group, needed=False)  # gpu.hello has none
    _measuring(group)


def _schedule(group: Group) -> None:
    _problem_sizes(group)
    for parameter in run_parameters():
        _parameter(group, parameter)
    group.option("--runs", "RUNS", message("runs that are recorded; the median one is reported"))


def _tune(group: Group) -> None:
    _problem_sizes(group)
    group.option("--over", "NAMES", message("the parameters that vary, all if not given; the first two are the axes of the heat map"))
    for parameter in run_parameters():
        _parameter(group, parameter)
    group.option("--budget", "SECONDS", message("about how long all of it may take"), default="60")
    group.option("--out", "FILE", message("the table's file, .csv or .json"))
    group.switch("--again", message("measure anew what the history has"))


def _recording(group: Group) -> None:
    group.option("path", "FILE.json", message("the recording's file"))


def _check(group: Group) -> None:
    group.option("files", "FILE.attempt", message("files that were handed in"), nargs="+")


def _errors(group: Group) -> None:
    group.option("variants", "VARIANT", message("ids, as in the list, patterns such as 'cpu.*', or all"), nargs="+")
    group.option("--n", "SIZES", message("sizes of square matrices: 256:2048:x2, 128:1024:+128 or 200,300"), required=True)
    for parameter in run_parameters():
        _parameter(group, parameter, lists=True)


def _asm(group: Group) -> None:
    group.option("variant", "VARIANT", message("a variant's id, as in the list"))
    for parameter in run_parameters():
        _parameter(group, parameter)


def _sweep(group: Group) -> None:
    group.option("variants", "VARIANT", message("ids, as in the list, patterns such as 'cpu.*', or all"), nargs="+")
    group.option("--n", "SIZES", message("sizes of square matrices: 256:2048:x2, 128:1024:+128 or 200,300"), required=True)
    group.option("--out", "FILE", message("the table's file, .csv or .json"), required=True)
    group.option("--baseline", "BASELINE", message(
        "what speed-ups are over: a variant of the sweep, such as {variant}, or a parameter, for its smallest value",
        variant="cpu.numpy,threads=1",
    ))  # fmt: skip
    _measuring(group, lists=True)


def _measuring(group: Group, *, lists: bool = False) -> None:
    for parameter in run_parameters():
        _parameter(group, parameter, lists=lists)
    group.option("--budget", "SECONDS", message("the longest that one point may take"))


def _parameter(group: Group, parameter: Parameter, *, lists: bool = False) -> None:
    help_text, choices = parameter.title, ", ".join(parameter.names)
    if parameter.names and lists:
        help_text = message("{title}: one or several of {choices}, or {all}", title=parameter.title, choices=choices, all=ALL)
    elif parameter.names:
        help_text = message("{title}: one of {choices}", title=parameter.title, choices=choices)
    elif lists:
        help_text = message("{title}: one value, or a list such as 2,4,8", title=parameter.title)
    group.option(option_of(parameter.name), parameter.name.upper(), help_text)


def launch_parameters() -> tuple[Parameter, ...]:
    """Every parameter that some CUDA kernel of the catalogue has: options of `trace`."""
    return tuple({p.name: p for variant in VARIANTS if variant.launch is not None for p in variant.parameters}.values())


def _trace(group: Group) -> None:
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
            _parameter(group, parameter)


def _cache(group: Group) -> None:
    _problem_sizes(group)
    group.option("--level", "NAME:SIZE:WAYS:LINE[:lru|plru|fifo][:wb|wt]", message(
        "a cache, sizes in bytes, the nearest first; may be repeated"
    ), action="append", default=[])  # fmt: skip
    group.option("--preset", "NAME", message("the caches of a processor: {choices}", choices=", ".join(PRESETS)))
    for parameter in run_parameters():
        _parameter(group, parameter)


def _predict(group: Group) -> None:
    _problem_sizes(group)
    group.option("--device", "ID", message("the GPU that is predicted, for example {example}", example="h200"))
    for parameter in run_parameters():
        _parameter(group, parameter)


def _counters(group: Group) -> None:
    _predict(group)
    group.option("--ncu", "FILE.csv", message("what {command} has written, instead of what was recorded", command="ncu --csv --page raw"))


def _transfers(group: Group) -> None:
    group.option("variant", "VARIANT", message("a variant's id, as in the list"))
    group.option("--n", "SIZES", message("sizes of square matrices: 256:2048:x2, 128:1024:+128 or 200,300"), required=True)
    for parameter in run_parameters():
        _parameter(group, parameter)
    group.option("--out", "FILE", message("the table's file, .csv or .json"))
    group.switch("--pinned", message("the host's matrices in pinned memory, which is copied faster but takes longer to allocate"))


def _screenshot(group: Group) -> None:
    group.option("path", "OUT.png", message("the picture's file"))
    group.option("--size", "WIDTHxHEIGHT", message("the window's size in pixels"), default=argparse.SUPPRESS)
    group.option("--theme", "THEME", message("colours: {choices}", choices=", ".join(THEMES)), default=argparse.SUPPRESS)
    group.option("--variant", "ID", message("the variant that is shown"), default=argparse.SUPPRESS)
    group.option("--view", "VIEW", message("workspace: {choices}", choices=", ".join(VIEWS)), default=VIEWS[0])
    group.option("--step", "STEP", message("the step that the stage shows"))
    group.option("--n", "N", message("the matrix size on the stage"))
    for parameter in run_parameters():
        _parameter(group, parameter)
    group.option("--run", "N", message("a real run at this size in place of the animation, of a variant with threads or ranks"))
    group.option("--alone", "NUMBER", message("the view of a launch that is shown alone, from 1 to 4"))
    group.option("--beside", "ID", message("the variant that is compared with"))
    group.option("--source", "FILE.cu", message("a CUDA C file that is opened in the playground"))
    place_options(group)
