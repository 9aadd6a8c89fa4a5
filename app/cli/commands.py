"""Every command: its name, what it is for, its options, and the function that performs it."""

from __future__ import annotations

from app.cli.command import Command
from app.cli.export_options import export_options
from app.cli.lesson_options import lessons_options, open_options, present_options
from app.cli.looking_options import (
    asm_options,
    cache_options,
    check_options,
    counter_options,
    predict_options,
    screenshot_options,
    trace_options,
)
from app.cli.measuring_options import (
    error_options,
    recording_options,
    run_options,
    schedule_options,
    sweep_options,
    transfer_options,
    tune_options,
)
from app.cli.plain_options import doctor_options, ladder_options, no_options, occupancy_options
from kernels.base.messages import message

COMMANDS = (
    Command("list", message("every variant, and whether it can run here"), no_options, "catalogue", "list_variants"),
    Command("run", message("measure one variant at one size and verify its result"), run_options, "run", "run"),
    Command("sweep", message("measure variants over sizes or parameters and write the table to a file"), sweep_options, "sweep", "sweep"),
    Command("tune", message("try the settings of a variant and show which are the fastest"), tune_options, "tune", "tune"),
    Command("export", message("write pictures, clips, curves or a recording to a file"), export_options, "export", "export"),
    Command(
        "import",
        message("show the times of another machine, from its recording, beside those of this one"),
        recording_options,
        "recordings",
        "import_file",
    ),
    Command(
        "error",
        message("how far results are from exact at each size, and what that must be compared with"),
        error_options,
        "errors",
        "report_errors",
    ),
    Command(
        "asm", message("what the compiler made of a CPU variant's inner loop, read from its machine code"), asm_options, "asm", "report_asm"
    ),
    Command(
        "trace",
        message("execute a CUDA kernel without a GPU and report every access to memory, with what is wrong in it"),
        trace_options,
        "trace",
        "trace",
    ),
    Command(
        "cache",
        message("what a variant's accesses to memory meet in the caches, counted from its own source"),
        cache_options,
        "cache",
        "report_cache",
    ),
    Command(
        "schedule",
        message("who works on what when, in a real run of a variant with several threads"),
        schedule_options,
        "schedule",
        "schedule",
    ),
    Command(
        "mpi",
        message("what each rank does and sends, under your own {program} or with --ranks here", program="mpiexec"),
        run_options,
        "mpi",
        "mpi",
    ),
    Command(
        "counters",
        message("what a CUDA kernel should count, beside what Nsight Compute counted"),
        counter_options,
        "counters",
        "report_counters",
    ),
    Command(
        "predict",
        message("how long a CUDA kernel should take by a model, beside the recorded time"),
        predict_options,
        "predict",
        "report_prediction",
    ),
    Command(
        "ladder",
        message("all rungs of a device at one size, and what each gains over the one that it improves on"),
        ladder_options,
        "ladder",
        "report_ladder",
    ),
    Command(
        "transfers",
        message("where the time of one use of the GPU goes, and from which size on it pays"),
        transfer_options,
        "transfers",
        "transfers",
    ),
    Command(
        "occupancy",
        message("how many blocks are resident on a streaming multiprocessor, and what limits them"),
        occupancy_options,
        "occupancy",
        "report_occupancy",
    ),
    Command(
        "lessons",
        message("the lessons there are, or whether your own can be read and are true"),
        lessons_options,
        "lessons",
        "report_lessons",
    ),
    Command("open", message("open the window with what a file says"), open_options, "window", "open_file"),
    Command("present", message("open the window and present a lesson at once, on the whole screen"), present_options, "window", "present"),
    Command("screenshot", message("a picture of the window; needs no display"), screenshot_options, "window", "take_screenshot"),
    Command("challenges", message("the challenges there are, and which you have solved"), no_options, "challenges", "list_challenges"),
    Command(
        "check", message("execute attempts at challenges again, and say which targets they meet"), check_options, "check", "check_attempts"
    ),
    Command("doctor", message("what is there, what is missing, what to do"), doctor_options, "doctor", "doctor"),
)
