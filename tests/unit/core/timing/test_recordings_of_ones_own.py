"""A user's own recording: out of one machine as one file, into another one, where the curves show it; and no bad file does harm."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from app.core.base.background import BackgroundTasks
from app.core.results.curves import Provenance
from app.core.results.query import select
from app.core.session.session import SIZE_AXIS, Session
from app.core.timing.model import TimingModel
from app.core.timing.recordings import Imported, Recordings, day_of, export_recording, import_recording, kept_recordings, with_machines
from kernels.base.messages import Message, message
from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.measure.recording_file import load_recorded, recorded_text
from kernels.measure.results import Result, Status
from kernels.measure.rows import named_machines
from kernels.measure.store import ResultStore
from tests.command_line import CommandLine

SIZES = (256, 512)
GPU = "NVIDIA GeForce RTX 4090"


def timed(n: int, day: int = 20) -> Result:
    return Result(
        Case("gpu.tiled", Problem.square(Operation.MATMUL, n), {"tile": 16}), Status.SINGLE, f"2026-11-{day}T10:00:00+00:00", (float(n),),
        1e-7, 1e-5, conditions={"processor": "P", "gpu": GPU, "cuda_driver": "13.0"},
    )  # fmt: skip


REFUSED = Result(
    Case("gpu.tiled", Problem.square(Operation.MATMUL, 256), {"tile": 64}), Status.SKIPPED, "2026-11-20T10:00:00+00:00",
    reason=message("64 × 64 = {threads} threads a block.", threads=4096), conditions={"processor": "P"},
)  # fmt: skip
MINE = (*(timed(n) for n in SIZES), REFUSED)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.json"
    assert export_recording(MINE, path) is None
    return path


def settled(background_tasks: BackgroundTasks, told: list[Message]) -> None:
    end = time.monotonic() + 20
    while not told and time.monotonic() < end:
        background_tasks.tick()
        time.sleep(0.01)
    background_tasks.join(5)


def test_what_is_exported_is_imported_with_machine_and_day(file: Path, tmp_path: Path) -> None:
    imported = import_recording(file, tmp_path / "kept")
    assert isinstance(imported, Imported)
    assert [result.point for result in imported.results] == [result.point for result in MINE]
    assert str(imported.sentence) == f"Imported: 3 results, recorded on {GPU}, 2026-11-20."
    assert imported.kept is not None
    assert imported.kept.name.startswith("NVIDIA-GeForce-RTX-4090_2026-11-20_")
    results, problems = kept_recordings(tmp_path / "kept")
    assert results == imported.results
    assert problems == ()


def test_a_point_that_was_refused_belongs_to_the_gpu_that_its_neighbours_name() -> None:
    assert [result.conditions.get("gpu") for result in with_machines(MINE)] == [GPU] * 3
    assert with_machines((REFUSED,)) == (REFUSED,)


def test_the_same_file_twice_is_kept_once_and_another_one_beside_it(file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    for _ in range(2):
        import_recording(file, folder)
    assert len(list(folder.iterdir())) == 1
    assert export_recording([timed(1024)], file) is None
    import_recording(file, folder)
    assert len(list(folder.iterdir())) == 2


def test_variants_that_there_are_not_are_told(file: Path, tmp_path: Path) -> None:
    file.write_text(file.read_text(encoding="utf-8").replace('"id":"gpu.tiled"', '"id":"gpu.future"', 1), encoding="utf-8")
    imported = import_recording(file, tmp_path / "kept")
    assert isinstance(imported, Imported)
    assert "Left out: 1 of variants that this version does not have." in str(imported.sentence)
    file.write_text(file.read_text(encoding="utf-8").replace('"id":"gpu.tiled"', '"id":"gpu.future"'), encoding="utf-8")
    assert "holds no results" in str(import_recording(file, tmp_path / "kept"))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"print('hello')", "Line 1, column 1: this is no JSON"),
        (b'{"format": "tilescope recording 1", "points": [\n{"id": 7}]}', "Line 2: id must be a text"),
        (b'{"format": "tilescope recording 1", "conditions": 7, "points": []}', "conditions must be an object"),
        (b'{"format": "tilescope recording 1", "conditions": {"x": 1' + b"0" * 5000 + b'}, "points": []}', "This is no recording"),
        (b'{"format": "tilescope recording 1", "conditions": {"x": 1' + b"0" * 400 + b'}, "points": []}', "conditions.x must be a text"),
    ],
)
def test_a_bad_file_is_refused_with_its_reason_and_nothing_is_kept(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    assert str(import_recording(path, tmp_path / "kept")).startswith(f"{path}: {said}")
    assert not (tmp_path / "kept").exists()


def test_a_file_that_is_not_there_or_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    assert "There is no file" in str(import_recording(tmp_path / "none.json", None))
    monkeypatch.setattr("app.core.timing.recordings.LARGEST_BYTES", 100)
    assert "is larger than 100 bytes" in str(import_recording(file, None))
    file.write_bytes(b"\xff\xfe\x00")
    assert "is not UTF-8 text: line 1" in str(import_recording(file, None))


def nested_reason(depth: int, times: int) -> dict[str, object]:
    """A message that asks for another one several times, that one for another, and so on."""
    reason: dict[str, object] = {"template": "x", "arguments": {}}
    for _ in range(depth):
        reason = {"template": "{a}" * times, "arguments": {"a": reason}}
    return reason


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        (nested_reason(5, 2), None),
        (nested_reason(8, 600), "must be a text of at most"),
        (nested_reason(40, 2), "messages in messages"),
        ({"template": "{0}", "arguments": {"0": "x"}}, "asks for what it does not have"),
        ({"template": "{a.__class__}", "arguments": {"a": "x", "a.__class__": "y"}}, "asks for what it does not have"),
    ],
)
def test_a_reason_stays_a_sentence(tmp_path: Path, reason: dict[str, object], said: str | None) -> None:
    point = {"id": "gpu.tiled", "operation": "matmul", "m": 8, "n": 8, "k": 8, "status": "skipped", "created": "", "reason": reason}
    path = tmp_path / "recording.json"
    path.write_text(json.dumps({"format": "tilescope recording 1", "points": [point]}), encoding="utf-8")
    found = import_recording(path, None)
    assert isinstance(found, Imported) if said is None else said in str(found)


def test_nothing_measured_makes_no_file(tmp_path: Path) -> None:
    assert str(export_recording((), tmp_path / "x.json")) == "Nothing was measured here yet."
    assert not (tmp_path / "x.json").exists()


def test_the_curves_show_what_is_imported_at_once_and_at_the_next_start(file: Path, tmp_path: Path) -> None:
    for first in (True, False):
        timing, background_tasks, told = TimingModel(), BackgroundTasks(), list[Message]()
        recordings = Recordings(tmp_path / "kept", timing, background_tasks, told.append)
        timing.revision.subscribe(partial(_note, told))
        if first:
            recordings.import_file(file)
        else:
            recordings.start()
        settled(background_tasks, told)
        session = Session()
        session.choose_operation(Operation.MATMUL)
        shown = select(timing.results, session.timing.value, SIZE_AXIS, frozenset(Provenance))
        assert {result.point.problem.n for result in shown[Provenance.RECORDED] if result.verified} == set(SIZES)
        assert named_machines(shown[Provenance.RECORDED]) == (GPU,)


def _note(told: list[Message], _results: object) -> None:
    told.append(message("shown"))


def test_a_kept_file_that_was_damaged_is_told_and_the_others_are_shown(file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    import_recording(file, folder)
    (folder / "a.json").write_text("{", encoding="utf-8")
    results, (problem,) = kept_recordings(folder)
    assert len(results) == 3
    assert "a.json: Line 1, column " in str(problem)


def test_the_window_exports_what_was_measured(tmp_path: Path) -> None:
    timing, told = TimingModel(), list[Message]()
    timing.add(Provenance.MEASURED, MINE)
    Recordings(None, timing, BackgroundTasks(), told.append).export(tmp_path / "out.json")
    assert [str(each) for each in told] == [f"Written: {tmp_path / 'out.json'}"]
    assert load_recorded(tmp_path / "out.json") == with_machines(MINE)


def test_days_are_told_from_the_first_to_the_last() -> None:
    assert day_of([]) == ""
    assert day_of([timed(1), timed(2, day=22)]) == "2026-11-20 – 2026-11-22"


@pytest.fixture
def tilescope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.setattr("app.cli.base.history.processor_name", lambda: "P")
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


def test_a_recording_goes_out_and_in_by_the_command_line(tilescope: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    assert "Nothing was measured here yet." in tilescope.refused("export", "recording", path)
    store = ResultStore.open(tilescope.home / "data" / "results.sqlite")
    for result in (*MINE, replace(MINE[0], conditions={"processor": "another", "gpu": "another"})):
        store.append(result)
    store.close()
    assert tilescope("export", "recording", path).out == f"Written: {path}\n"
    assert tilescope("export", "recording", path, "--json").json == {"path": str(path), "results": 3, "machines": [GPU]}
    answer = tilescope("import", path, "--json").json
    assert (answer["results"], answer["left_out"], answer["machines"]) == (3, 0, [GPU])
    assert Path(answer["kept"]).is_file()
    assert f"Imported: 3 results, recorded on {GPU}" in tilescope("import", path).out


def test_the_command_line_refuses_in_one_line(tilescope: CommandLine, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    points = json.loads(recorded_text(MINE))
    points["points"][1]["m"] = -5
    bad.write_text(json.dumps(points, indent=1), encoding="utf-8")
    line = next(i for i, text in enumerate(bad.read_text(encoding="utf-8").splitlines(), 1) if text == "  {" and i > 20)
    refusal = tilescope.refused("import", bad)
    assert refusal.startswith(f"tilescope: {bad}: Line ")
    assert ": m must be a whole number from 0 to " in refusal
    assert int(refusal.split("Line ")[1].split(":")[0]) >= line
    assert "'mine.csv' must end in .json." in tilescope.refused("export", "recording", tmp_path / "mine.csv")
    assert "There is no folder" in tilescope.refused("export", "recording", tmp_path / "none" / "x.json")
