"""What the pictures are of: one table for those that every change draws and for those that are drawn by hand."""

from __future__ import annotations

import itertools
import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from enum import Enum
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
KERNELS, CHALLENGES = ROOT / "kernels" / "gpu", ROOT / "resources" / "challenges"
PROGRAMS, INSTRUCTIONS = ROOT / "tests" / "corpus" / "programs", ROOT / "tests" / "corpus" / "instructions"
LANGUAGES = ("en", "zh_CN")
THEMES = ("light", "dark")
ALL_THEMES = (*THEMES, "contrast-light", "contrast-dark")
SMALL, LARGE = (1280, 720), (1920, 1080)
SIZES = (SMALL, LARGE)
TURN = ("--n", "64", "--tile", "32", "--step")
"""Transposition of 64 x 64 in blocks of 32 x 32: each of its 512 steps is a quarter of a row."""
WITHOUT_BARRIER, UNKNOWN_CALL, MISTAKE, SOLVED = "without_barrier.cu", "unknown_call.cu", "with_mistake.cu", "solved.attempt"
CLUSTER = "cluster.cu"
"""Files that `write_files` makes; an option that is one of these names means the file."""
CLUSTER_LAUNCH = """
void launch()
{
    float *A, *B, *C;
    cudaMalloc(&A, 1536 * sizeof(float));
    cudaMalloc(&B, 1536 * sizeof(float));
    cudaMalloc(&C, 1024 * sizeof(float));
    shared_tiles<<<dim3(2, 2), 256>>>(A, B, C);
}
"""
PROGRAM, FAILING, LEAKING = "matmul_tiled.cu", "defect_too_many_threads.cu", "defect_leaks.cu"
"""Programs of the corpus, which stay where they lie: one includes a file beside it."""


class Look(NamedTuple):
    """How a picture is drawn."""

    language: str
    theme: str
    size: tuple[int, int]


class Change(Enum):
    """What every change draws of a subject."""

    ALL = "all languages, both themes, all sizes"
    ONE = "one look; the looks take turns"
    NONE = "nothing: it is drawn by hand, with `--every-look`"


class Subject(NamedTuple):
    """What a picture is called, and the options of `tilescope screenshot` that it is taken with.

    `sizes` are those in which it is drawn at all.
    """

    name: str
    options: tuple[str, ...] = ()
    sizes: tuple[tuple[int, int], ...] = SIZES
    change: Change = Change.ONE


LESSONS = {
    "loop-order": "six",
    "cache-blocking": "curve",
    "simd": "lanes",
    "transposing-b": "nothing-gained",
    "threads-and-schedules": "dynamic",
    "hello-threads": "x-first",
    "whole-program": "there",
    "coalescing": "column",
    "shared-memory-tiling": "tile",
    "bank-conflicts": "columns",
    "fragments": "product",
    "swizzles": "exchange",
    "too-many-threads": "larger",
    "work-per-thread": "square",
    "occupancy": "registers",
    "splitting-k": "parts",
    "latency-hiding": "two-stages",
    "vectorised-access": "lanes",
    "races-and-barriers": "first",
    "two-schedules": "play",
    "locks": "narrow-fences",
    "message-passing": "where",
    "asynchronous-pipeline": "ring",
    "float32-error": "measured",
    "transfers": "phases",
    "roofline": "tiles",
    "road-to-cublas": "fastest",
    "distributing": "summa",
    "how-to-time": "never-ran",
    "pitfalls-serial": "width",
    "pitfalls-threads": "race",
    "pitfalls-cuda": "past-the-end",
    "silent-failures": "what-it-prints",
    "pitfalls-mpi": "both-send",
    "published-claims": "factor-five",
    "further-algorithms": "seven",
}
"""Lesson -> its key step: the one that it is there for."""
PRESENTED = ("--lesson", "bank-conflicts", "--step-name", "columns", "--reveal", "--view")

SUBJECTS = (
    Subject("window", change=Change.ALL),
    Subject("naive", ("--variant", "gpu.naive", "--step", "8257")),
    Subject("uncoalesced", ("--variant", "gpu.uncoalesced", "--step", "8257"), (LARGE,), Change.NONE),
    Subject("naive-beside-uncoalesced", ("--variant", "gpu.naive", "--beside", "gpu.uncoalesced", "--step", "8257")),
    Subject("tiled-8", ("--variant", "gpu.tiled", "--tile", "8", "--step", "10310"), (LARGE,), Change.NONE),
    Subject("tiled-16-load", ("--variant", "gpu.tiled", "--tile", "16", "--step", "7263")),
    Subject("tiled-16-compute", ("--variant", "gpu.tiled", "--tile", "16", "--step", "7426"), (LARGE,), Change.NONE),
    Subject("tiled-32", ("--variant", "gpu.tiled", "--tile", "32", "--step", "8898"), (LARGE,), Change.NONE),
    Subject("transpose-shared", ("--variant", "gpu.transpose-shared", *TURN, "67")),
    Subject("transpose-padded", ("--variant", "gpu.transpose-padded", *TURN, "67"), (LARGE,), Change.NONE),
    Subject("transpose-swizzled", ("--variant", "gpu.transpose-swizzled", *TURN, "67"), (LARGE,), Change.NONE),
    Subject("banks-shared-beside-padded", (
        "--variant", "gpu.transpose-shared", "--beside", "gpu.transpose-padded", "--alone", "3", *TURN, "67",
    )),
    Subject("float4-phases", ("--variant", "gpu.vectorized-k8", "--n", "256", "--alone", "3", "--step", "60"), (LARGE,), Change.NONE),
    Subject("float4", ("--variant", "gpu.vectorized-k8", "--n", "256", "--step", "60"), (LARGE,)),
    Subject("double-buffered", ("--variant", "gpu.double-buffered-k8", "--n", "256", "--step", "2432")),
    Subject("hello", ("--variant", "gpu.hello", "--step", "9")),
    Subject("values", ("--variant", "gpu.tiled", "--n", "8", "--tile", "4", "--step", "29"), (LARGE,), Change.NONE),
    Subject("large", ("--variant", "gpu.tiled", "--n", "16384", "--tile", "16"), (LARGE,), Change.NONE),
    *(Subject(f"alone-{view}", ("--variant", "gpu.tiled", "--step", "7263", "--alone", view), SIZES, Change.NONE) for view in "12345"),
    Subject("clusters", ("--source", CLUSTER, "--alone", "9", "--step", "310")),
    Subject("race", ("--source", WITHOUT_BARRIER, "--variant", "gpu.tiled", "--step", "301")),
    Subject("unsupported", ("--source", UNKNOWN_CALL, "--variant", "gpu.tiled"), (LARGE,), Change.NONE),
    Subject("mistake", ("--source", MISTAKE, "--variant", "gpu.tiled")),
    Subject("program", ("--source", PROGRAM), change=Change.ALL),
    Subject("program-failing", ("--source", FAILING)),
    Subject("program-leaks", ("--source", LEAKING, "--step", "6")),
    Subject("timing", ("--view", "timing", "--shown", "recorded,published")),
    Subject("ladder", ("--variant", "gpu.fastest", "--view", "ladder", "--shown", "recorded")),
    Subject("tuning", ("--variant", "gpu.register-tiled-k8", "--view", "tuning", "--shown", "recorded")),
    *(Subject(f"lesson-{lesson}", ("--lesson", lesson, "--step-name", step, "--reveal")) for lesson, step in LESSONS.items()),
    *(Subject(f"presenter-{height}", (*PRESENTED, "presenter"), ((width, height),)) for width, height in SIZES),
    Subject("notes", (*PRESENTED, "notes")),
    Subject("challenge", ("--challenge", "bank-conflict")),
    Subject("challenge-program", ("--challenge", "missing-copy")),
    Subject("challenge-solved", ("--challenge", "bank-conflict", "--attempt", SOLVED)),
    Subject("help", ("--view", "help")),
    Subject("export", ("--view", "export")),
    Subject("timing-recorded", ("--view", "timing", "--shown", "recorded")),
)  # fmt: skip

README = Subject("stage", ("--variant", "gpu.tiled", "--tile", "16", "--step", "7426"), (SMALL,))
"""What README.md shows, once in each language: half of a tile has been used, and the text says what the tile saves."""
README_DENSITY = 2
"""Pixels of these pictures to one of the window, along each side, for screens that show more than one."""


def drawn(subjects: Iterable[Subject], *, everything: bool) -> Iterator[tuple[Subject, Look]]:
    """The subjects with their looks: all of them, or those that take turns."""
    for place, subject in enumerate(subjects):
        if everything or subject.change is Change.ALL:
            looks = itertools.product(LANGUAGES, ALL_THEMES if everything else THEMES, subject.sizes)
            yield from ((subject, Look(*look)) for look in looks)
        elif subject.change is Change.ONE:
            yield subject, _look(subject, place)


def _look(subject: Subject, place: int) -> Look:
    """The look whose turn it is at this place of the table: 16 in a row differ in language, theme or size."""
    language, size, theme = place % 2, place // 2, place // 4
    return Look(LANGUAGES[language], ALL_THEMES[theme % len(ALL_THEMES)], subject.sizes[size % len(subject.sizes)])


def name_of(subject: Subject, look: Look) -> str:
    """The picture's file."""
    width, height = look.size
    return f"{subject.name}-{look.language}-{look.theme}-{width}x{height}.png"


def write_files(folder: Path) -> None:
    """Write a kernel without its first barrier, one with a call that nobody knows, one with a mistake, one of a cluster with its launch,
    and a challenge solved."""
    tiled = (KERNELS / "matmul_tiled.cu").read_text(encoding="utf-8")
    challenge = CHALLENGES / "bank-conflict"
    launch = tomllib.loads((challenge / "challenge.toml").read_text(encoding="utf-8"))["kernel"][0]["launch"]
    padded = (challenge / "kernel.cu").read_text(encoding="utf-8").replace("tile[TILE][TILE];", "tile[TILE][TILE + 1];")
    attempt = {"format": "tilescope attempt 1", "challenge": "bank-conflict", "grid": launch["grid"], "block": launch["block"]}
    written = {
        WITHOUT_BARRIER: _exchanged(tiled, r"__syncthreads\(\);", ""),
        UNKNOWN_CALL: _exchanged(tiled, r"__syncthreads\(\);", 'asm volatile("bar.sync 0;");'),
        MISTAKE: _exchanged(tiled, r"float sum = 0\.0f;", "float sum = 0.0f"),
        CLUSTER: (INSTRUCTIONS / "cluster-multicast.cu").read_text(encoding="utf-8") + CLUSTER_LAUNCH,
        SOLVED: json.dumps(attempt | {"text": padded}),
    }
    for name, text in written.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


def options_of(subject: Subject, folder: Path) -> tuple[str, ...]:
    """The options, with files where `write_files` put them."""
    made, kept = (WITHOUT_BARRIER, UNKNOWN_CALL, MISTAKE, CLUSTER, SOLVED), (PROGRAM, FAILING, LEAKING)
    places = {**dict.fromkeys(made, folder), **dict.fromkeys(kept, PROGRAMS)}
    return tuple(str(places[option] / option) if option in places else option for option in subject.options)


def _exchanged(text: str, what: str, by: str) -> str:
    changed, times = re.subn(rf"^(\s+){what}$", rf"\g<1>{by}", text, count=1, flags=re.MULTILINE)
    if times != 1:
        raise ValueError(f"the kernel has no line {what}")
    return changed
