"""The options of the commands that measure."""

from __future__ import annotations

from app.cli.grammar import Group
from app.cli.variant_options import measuring_options, parameter_option, problem_sizes, run_parameters
from kernels.base.messages import message


def run_options(group: Group) -> None:
    """One variant at one size."""
    problem_sizes(group, needed=False)  # gpu.hello has none
    measuring_options(group)


def sweep_options(group: Group) -> None:
    """Variants over sizes or parameters."""
    group.option("variants", "VARIANT", message("ids, as in the list, patterns such as 'cpu.*', or all"), nargs="+")
    group.option("--n", "SIZES", message("sizes of square matrices: 256:2048:x2, 128:1024:+128 or 200,300"), required=True)
    group.option("--out", "FILE", message("the table's file, .csv or .json"), required=True)
    group.option("--baseline", "BASELINE", message(
        "what speed-ups are over: a variant of the sweep, such as {variant}, or a parameter, for its smallest value",
        variant="cpu.numpy,threads=1",
    ))  # fmt: skip
    measuring_options(group, lists=True)


def tune_options(group: Group) -> None:
    """The settings of one variant."""
    problem_sizes(group)
    group.option("--over", "NAMES", message("the parameters that vary, all if not given; the first two are the axes of the heat map"))
    for parameter in run_parameters():
        parameter_option(group, parameter)
    group.option("--budget", "SECONDS", message("about how long all of it may take"), default="60")
    group.option("--out", "FILE", message("the table's file, .csv or .json"))
    group.switch("--again", message("measure anew what the history has"))


def error_options(group: Group) -> None:
    """Variants over sizes."""
    group.option("variants", "VARIANT", message("ids, as in the list, patterns such as 'cpu.*', or all"), nargs="+")
    group.option("--n", "SIZES", message("sizes of square matrices: 256:2048:x2, 128:1024:+128 or 200,300"), required=True)
    for parameter in run_parameters():
        parameter_option(group, parameter, lists=True)


def schedule_options(group: Group) -> None:
    """One real run of a variant with threads."""
    problem_sizes(group)
    for parameter in run_parameters():
        parameter_option(group, parameter)
    group.option("--runs", "RUNS", message("runs that are recorded; the median one is reported"))


def transfer_options(group: Group) -> None:
    """One use of the GPU, over sizes."""
    group.option("variant", "VARIANT", message("a variant's id, as in the list"))
    group.option("--n", "SIZES", message("sizes of square matrices: 256:2048:x2, 128:1024:+128 or 200,300"), required=True)
    for parameter in run_parameters():
        parameter_option(group, parameter)
    group.option("--out", "FILE", message("the table's file, .csv or .json"))
    group.switch("--pinned", message("the host's matrices in pinned memory, which is copied faster but takes longer to allocate"))


def recording_options(group: Group) -> None:
    """A recording's file."""
    group.option("path", "FILE.json", message("the recording's file"))
