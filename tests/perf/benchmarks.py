"""The benchmarks: what each measures, and the limits that its figures are held to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import NamedTuple

from tests.perf.figures import Figure, shown


class Limit(NamedTuple):
    """What a figure is wanted to be: at most, or at least, so much."""

    bound: float
    least: bool = False

    def kept(self, value: float) -> bool:
        """Whether a value is within it."""
        return value >= self.bound if self.least else value <= self.bound

    def __str__(self) -> str:
        return f"{'≥' if self.least else '≤'} {shown(self.bound)}"


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A script of this folder. `limits`: by the name of the figure, in which `*` stands for anything; the first that fits counts.

    `quick`: part of a quick run, which takes a few minutes in all.
    """

    name: str
    module: str
    measures: str
    limits: Mapping[str, Limit] = field(default_factory=dict)
    quick: bool = False

    def limit(self, figure: Figure) -> Limit | None:
        """The limit that a figure has, if any."""
        return next((limit for pattern, limit in self.limits.items() if fnmatchcase(figure.name, pattern)), None)


FRAME = {"* beside a sweep, 99th percentile": Limit(12), "*, 99th percentile": Limit(8)}
"""Milliseconds: half of what 60 frames a second leave, for events are to be answered in between."""
GAP = {"*, longest gap": Limit(50)}
LEVEL = Limit(1.0, least=True)

BENCHMARKS = (
    Benchmark(
        "start", "start_up", "from the start of the process to its first window, and memory at rest",
        {
            "first window from source, median": Limit(0.8), "first window of the package, warm, median": Limit(0.6),
            "first window of the package, cold, median": Limit(2.5), "memory at rest*": Limit(250),
        },
        quick=True,
    ),
    Benchmark("third-witness", "third_witness", "the medians of single-threaded rungs beside those of a program in C, as a ratio from 1 up",
              {"*, ours and C's": Limit(1.02)}),
    Benchmark("event-loop", "event_loop_gap", "how late the event loop comes while kernels are measured and the stage plays",
              {"*, 99th percentile": Limit(10), **GAP}, quick=True),
    Benchmark("window-times", "window_times", "what the window measures beside the command, in turn, and how its interface thread fares",
              {"short times*": Limit(1.10), "times*": Limit(1.05), "*99th percentile": Limit(10), **GAP, "*share of a core": Limit(0.1)}),
    Benchmark("command-starts", "command_starts", "how far the medians of several starts of the command lie apart, rungs with threads",
              {"*": Limit(1.10)}),
    Benchmark("launch-event-loop", "launch_event_gap", "how late it comes while launches are traced, compiled, edited and dragged", GAP),
    Benchmark("frames", "launch_frame_time", "frames of the whole window while a launch plays, and beside a sweep", FRAME, quick=True),
    Benchmark("frames-cpu", "cpu_frame_time", "frames of the whole window while a CPU kernel plays", FRAME, quick=True),
    Benchmark("frames-compared", "compare_frame_time", "frames of the whole window while two launches play side by side", FRAME),
    Benchmark("frames-stage", "stage_frame_time", "frames of the stage alone while a blocked product plays", FRAME, quick=True),
    Benchmark("finished-point", "finished_point", "what a finished point costs the interface with a long history, and reading that history",
              {"*until the workspace is shown": Limit(1500), "*history is read, 99th percentile": Limit(10),
               "*history is read, longest gap": Limit(50), "*: memory": Limit(150), "*a finished point, page hidden*": Limit(2),
               "*a finished point, without drawing*": Limit(2)}, quick=True),
    Benchmark("first-picture", "launch_first_picture", "work of the interface thread until a new launch is on the screen"),
    Benchmark(
        "exploration", "exploration", "from choosing a parameter to its picture and counters, and the longest gap while one is dragged",
        {
            **GAP, "first change of a session": Limit(100), "gpu.fastest *": Limit(400), "*-k8 *": Limit(300), "*, median": Limit(60),
            "*, worst": Limit(100),
        },
        quick=True,
    ),
    Benchmark(
        "program", "program_opening", "from opening a whole program, and from an edit, to its output and to its first launch on the stage",
        {"edit, launch": Limit(1.0), "*, output": Limit(1.5), "*, launch": Limit(2.5)},
    ),
    Benchmark(
        "program-speed", "program_speed", "whole programs of 10^9 and 10^10 thread instructions, from the command to its end",
        {"10^9, *": Limit(5), "10^10, *": Limit(60)},
    ),
    Benchmark("memory", "launch_memory", "growth of the window's memory while steps and parameters change"),
    Benchmark(
        "tracing", "simt_speed", "executing CUDA C with its trace, beside numba's simulator of CUDA in the same run",
        {
            "32 x 32 tile, one block": Limit(30), "128 x 128 x 8 register tile, one block": Limit(200),
            "128 x 128 x 64 of wgmma, one block": Limit(300),
            "32 x 32 tile, whole grid": Limit(300), "diagnostics after an edit": Limit(60),
            "one block, times the simulator": Limit(300, least=True), "whole grid, times the simulator": Limit(500, least=True),
        },
        quick=True,
    ),
    Benchmark("cache-model", "cache_speed", "counting misses, beside pycachesim on the same accesses in the same run",
              {"*, counted": Limit(100, least=True), "*, times pycachesim": LEVEL}, quick=True),
    Benchmark("numpy", "cpu_ladder", "the fastest CPU kernels beside NumPy in the same run",
              {"cpu.packed, times NumPy*": Limit(1.05, least=True), "*, times NumPy*": LEVEL,
               "*, times cpu.naive*": Limit(10, least=True)}, quick=True),
    Benchmark("transposition", "transpose_bandwidth", "transpositions beside np.copyto of the same matrices, in turn in one run",
              {"best, *": Limit(0.95, least=True)}, quick=True),
    Benchmark("tile-prediction", "tile_prediction", "the tile with the fewest predicted misses against the fastest", {"*": Limit(1)}),
    Benchmark("time-model", "time_model", "the time model's error on the recorded kernels"),
    Benchmark("counters", "predicted_counters", "predicted counters beside measured ones"),
    Benchmark("killed-sweeps", "store_kill", "what the history lost in sweeps that were killed at random moments", {"*": Limit(0)}),
)  # fmt: skip


def named(names: list[str], *, quick: bool) -> list[Benchmark]:
    """Those that are named, or all, or all of a quick run. Raises KeyError with the name that is none."""
    if not names:
        return [each for each in BENCHMARKS if each.quick or not quick]
    by_name = {each.name: each for each in BENCHMARKS}
    return [by_name[name] for name in names]
