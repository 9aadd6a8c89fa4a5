"""The table of commands: each with its name, what it is for and its module."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from kernels.base.messages import Message, message
from kernels.base.values import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """A word of the command line. Its `module` of `app.cli` is imported when it is named: `add_options`, and `function` to perform it."""

    name: str
    help: Message
    module: str
    function: str = "perform"

    def of_module(self, function: str) -> Callable[..., Any]:
        """Import the module and find a function of it."""
        found: Callable[..., Any] = getattr(import_module(f"app.cli.{self.module}"), function)
        return found


COMMANDS = (
    Command("list", message("every variant, and whether it can run here"), "catalogue"),
    Command("run", message("measure one variant at one size and verify its result"), "run"),
    Command("sweep", message("measure variants over sizes or parameters and write the table to a file"), "sweep"),
    Command("tune", message("try the settings of a variant and show which are the fastest"), "tune"),
    Command("export", message("write pictures, clips, curves or a recording to a file"), "export"),
    Command("import", message("show the times of another machine, from its recording, beside those of this one"), "recordings"),
    Command("error", message("how far results are from exact at each size, and what that must be compared with"), "error"),
    Command("asm", message("what the compiler made of a CPU variant's inner loop, read from its machine code"), "asm"),
    Command("trace", message("execute a CUDA kernel without a GPU and report every access to memory, with what is wrong in it"), "trace"),
    Command("watch", message("execute a CUDA file again at each save, and print its findings and counters"), "watch"),
    Command("check-edges", message("try a CUDA kernel or program at the sizes and with the indices that break kernels"), "check_edges"),
    Command("program", message("run a whole CUDA program without a GPU"), "program"),
    Command("cache", message("what a variant's accesses to memory meet in the caches, counted from its own source"), "cache"),
    Command("schedule", message("who works on what when, in a real run of a variant with several threads"), "schedule"),
    Command("mpi", message("what each rank does and sends, under your own {program} or with --ranks here", program="mpiexec"), "mpi"),
    Command("counters", message("what a CUDA kernel should count, beside what Nsight Compute counted"), "counters"),
    Command("predict", message("how long a CUDA kernel should take by a model, beside the recorded time"), "predict"),
    Command("ladder", message("all rungs of a device at one size, and what each gains over the one that it improves on"), "ladder"),
    Command("transfers", message("where the time of one use of the GPU goes, and from which size on it pays"), "transfers"),
    Command("occupancy", message("how many blocks are resident on a streaming multiprocessor, and what limits them"), "occupancy"),
    Command("lessons", message("the lessons there are, or whether your own can be read and are true"), "lessons"),
    Command("open", message("open the window with what a file says"), "open_file"),
    Command("present", message("open the window and present a lesson at once, on the whole screen"), "present"),
    Command("screenshot", message("a picture of the window; needs no display"), "screenshot"),
    Command("challenges", message("the challenges there are, and which you have solved"), "challenges"),
    Command("check", message("execute attempts at challenges again, and say which targets they meet"), "check"),
    Command("doctor", message("what is there, what is missing, what to do"), "doctor"),
)
