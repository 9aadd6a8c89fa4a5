"""The options of commands that take no variant."""

from __future__ import annotations

from app.cli.grammar import Group
from kernels.base.messages import message


def occupancy_options(group: Group) -> None:
    """A launch by its numbers."""
    group.option("--cc", "X.Y", message("the GPU's compute capability"), required=True)
    group.option("--threads", "THREADS", message("threads in a block"), required=True)
    group.option("--registers", "REGISTERS", message("registers of a thread"), required=True)
    group.option("--shared", "BYTES", message("shared memory of a block, static and dynamic"), default="0")


def ladder_options(group: Group) -> None:
    """All rungs of a device at one size."""
    group.option("operation", "OPERATION", message("the operation: {choices}", choices="matmul, transpose"))
    group.option("--n", "N", message("the size of the square matrices"), required=True)
    group.option("--device", "DEVICE", message("whose rungs: {choices}", choices="gpu, cpu, mpi"), default="gpu")


def doctor_options(group: Group) -> None:
    """What to tell beside the findings."""
    group.switch("--log", message("where the log is, and its last lines, in place of the findings"))


def no_options(_group: Group) -> None:
    """For commands that take none."""
