"""Good inputs for each reader, which are then broken: everything that a file can have is in some of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from app.core.challenges.challenge import Attempt
from app.core.challenges.progress import Record
from app.core.challenges.progress import text_of as records_text
from app.core.challenges.result import written
from app.core.lessons.progress import Course
from app.core.lessons.progress import text_of as progress_text
from app.core.results.published import recorded_files
from app.core.session.choices import CacheChoice
from app.core.session.draft import Draft, LaunchSettings, copy_of
from app.core.session.session import Session
from app.core.stage.draft_backup import text_of as draft_text
from app.core.state.snapshot import Snapshot, TimelinePosition
from app.core.state.states import text_of_all
from app.core.state.written import paste_of, text_of
from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import by_id
from kernels.measure.recording_file import load_recorded, recorded_text
from tests.fuzz.readers import parted

ROOT = Path(__file__).resolve().parents[2]
RESOURCES = ROOT / "resources"
CORPUS = ROOT / "tests" / "corpus"
TEXT = "__global__ void k(float *a, int n) { int i = threadIdx.x; if (i < n) a[i] = 1.0f; }\n"
PROFILES = (
    '"ID","Kernel Name","Block Size","Grid Size","dram__bytes_read.sum","gpu__time_duration.sum","launch__sm_count"\n'
    '"","","","","Mbyte","us","SM"\n"0","matmul_tiled(const float *, int)","(16, 16, 1)","(4, 4, 1)","1.5","1,212.25","132"\n',
    '==PROF== words\n"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n'
    '"0","reduce","dram__bytes_read.sum","Kbyte","3"\n"0","reduce","launch__waves","","n/a"\n',
    '"Kernel Name","reduce<128>(float *)"\n"Address","Source","Instructions Executed","L1 Wavefronts Shared"\n'
    '"0x100","LDS.128 R4, [R2]","64","128"\n"0x110","@!P0 STS [R2], R4","32","-"\n',
)
LINES = ("run", "gpu.tiled", "--n", "512", "--lang", "zh_CN", "--json", "sweep", "1:100:x2", "--grid", "4,4", "trace", "--size", "640x480")


def snapshots() -> tuple[Snapshot, ...]:
    """A plain state, one of the timing workspace, one with an edited kernel of the program's, one with a text of one's own."""
    session = Session()
    variant = by_id("gpu.tiled")
    tiled = Snapshot(Case.of(variant, Problem.square(Operation.MATMUL, 64), variant.defaults))
    timed = replace(tiled, timing=session.timing.value, caches=CacheChoice("scaled"), place=TimelinePosition(3.0))
    edited = replace(tiled, draft=copy_of(variant, tiled.stage.problem, tiled.stage.parameters), edited=True)
    own = Draft("my.cu", TEXT, TEXT, LaunchSettings("k", "", (1, 1, 1), (32, 1, 1), 0, {"a": "32:random", "n": "32"}, {"N": 3}))
    return tiled, timed, edited, replace(tiled, draft=own, edited=True)


def _drafts() -> list[str]:
    return [draft_text(each.draft) for each in snapshots() if each.draft is not None]


def _recordings() -> list[str]:
    results = [result for path in recorded_files() for result in load_recorded(path)]
    unlike = {(result.status, result.point.variant_id): result for result in results}
    return [recorded_text(list(unlike.values())[:12]), recorded_text([replace(each, times_ms=each.times_ms[:3]) for each in results[:3]])]


def _records() -> list[str]:
    attempt = Attempt("race", TEXT, (1, 1, 1), (32, 1, 1), 1)
    return [records_text({"race": Record(solved=True, hints=2, attempt=attempt), "other": Record()})]


def _kernels() -> list[bytes]:
    paths = [*(ROOT / "kernels" / "gpu").glob("*.cu"), *CORPUS.rglob("*.cu")]
    return [path.read_bytes() for path in sorted(paths) if path.stat().st_size < 4000]


def _folders(name: str) -> list[bytes]:
    return [parted(folder) for folder in sorted((RESOURCES / name).iterdir()) if folder.is_dir()]


def _encoded(texts: Sequence[str]) -> list[bytes]:
    return [text.encode() for text in texts]


ORIGINALS: Mapping[str, Callable[[], list[bytes]]] = {
    "state": lambda: _encoded([text_of(each) for each in snapshots()]),
    "word": lambda: _encoded([paste_of(each) for each in snapshots()]),
    "lesson": lambda: sorted(_folders("lessons"), key=len)[:6],
    "challenge": lambda: _folders("challenges"),
    "attempt": lambda: _encoded([written(Attempt("race", TEXT, (1, 1, 1), (32, 1, 1), 1), "Ada")]),
    "recording": lambda: _encoded(_recordings()),
    "profile": lambda: _encoded(PROFILES),
    "draft": lambda: _encoded(_drafts()),
    "recent": lambda: _encoded([text_of_all(snapshots())]),
    "progress": lambda: _encoded([progress_text({"simd": Course("one", frozenset({"one", "two"}), frozenset({"one"}))})]),
    "records": lambda: _encoded(_records()),
    "kernel": _kernels,
    "arguments": lambda: ["\n".join(LINES[at:]).encode() for at in range(len(LINES))],
}  # fmt: skip
