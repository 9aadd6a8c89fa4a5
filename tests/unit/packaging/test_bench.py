"""The table of the benchmarks, the reading of their history, and what is printed of both."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from tests.perf import bench
from tests.perf.benchmarks import BENCHMARKS, Benchmark, Limit, named
from tests.perf.figures import Figure, p99, shown, slowest
from tests.perf.history import BadHistory, Entry, Machine, append, newest, read
from tests.perf.table import course, rows

PERF = Path(bench.__file__).parent
HERE, ELSEWHERE = Machine("One processor", 2), Machine("Another", 2)
FRAME = Figure("gpu.tiled alone, 99th percentile", 12.5, "ms", "120 frames")
BENCHMARK = Benchmark("frames", "frames", "frames of the window", {"*, 99th percentile": Limit(16.7)})


def entry(value: float, machine: Machine = HERE, date: str = "2026-11-20T10:00:00+00:00") -> Entry:
    return Entry(date, "abc1234", machine, 0.25, {"frames": (FRAME._replace(value=value),)})


def unspaced(line: str) -> str:
    return " ".join(line.split())


def test_each_script_stands_in_the_table_once_and_gives_its_figures() -> None:
    tools = {"bench", "benchmarks", "figures", "history", "matrix_registers", "measured_window", "one", "own_results"}
    tools |= {"paired", "played_frames", "table", "true_times"}
    assert sorted(each.module for each in BENCHMARKS) == sorted({path.stem for path in PERF.glob("*.py")} - tools)
    assert len({each.name for each in BENCHMARKS}) == len(BENCHMARKS)
    for each in BENCHMARKS:
        functions = {part.name: part.args for part in ast.parse((PERF / f"{each.module}.py").read_text(encoding="utf-8")).body
                     if isinstance(part, ast.FunctionDef)}  # fmt: skip
        assert [argument.arg for argument in functions["figures"].kwonlyargs] == ["quick"], each.name


def test_the_first_pattern_that_fits_gives_the_limit() -> None:
    studies = next(each for each in BENCHMARKS if each.name == "exploration")
    wanted = {"gpu.tiled n = 64 tile, median": 60, "gpu.tiled n = 64 tile, worst": 100, "gpu.tiled n = 64 tile, dragged, longest gap": 50,
              "gpu.vectorized-k8 n = 1024 tile, worst": 300}  # fmt: skip
    for name, most in wanted.items():
        assert studies.limit(Figure(name, 0.0, "ms", "")) == Limit(most)
    assert studies.limit(Figure("something else", 0.0, "ms", "")) is None


def test_limits_are_kept_at_their_bound() -> None:
    assert Limit(50).kept(50)
    assert not Limit(50).kept(50.1)
    assert Limit(0.9, least=True).kept(0.9)
    assert not Limit(0.9, least=True).kept(0.89)
    assert [str(each) for each in (Limit(16.7), Limit(300, least=True))] == ["≤ 16.7", "≥ 300"]


def test_all_are_run_unless_named_or_quick() -> None:
    assert named([], quick=False) == list(BENCHMARKS)
    assert {each.name for each in named([], quick=True)} < {each.name for each in BENCHMARKS}
    assert [each.name for each in named(["memory", "start"], quick=True)] == ["memory", "start"]


def test_what_was_kept_is_read_back(tmp_path: Path) -> None:
    history = tmp_path / "history.jsonl"
    assert read(history) == []
    entries = [entry(12.5), entry(13.0, ELSEWHERE), Entry("2026-11-22", "def", HERE, None, {})]
    for each in entries:
        append(history, each)
    assert read(history) == entries


@pytest.mark.parametrize(
    ("found", "instead"),
    [
        ("{", "["),
        ('"value": 12.5', '"value": NaN'),
        ('"value": 12.5', '"value": "12.5"'),
        ('"value": 12.5', '"value": true'),
        ('"unit": "ms"', '"unit": 5'),
        (', "unit": "ms"', ""),
        ('"unit": "ms"', '"unit": "ms", "more": 1'),
        ('"commit": "abc1234", ', ""),
        ('"figures": {"frames": [', '"figures": {"frames": [3, '),
        ('"machine": {', '"machine": 5, "was": {'),
    ],
)
def test_a_bad_line_is_refused_with_its_number(tmp_path: Path, found: str, instead: str) -> None:
    history = tmp_path / "history.jsonl"
    append(history, entry(12.5))
    good = history.read_text(encoding="utf-8")
    assert found in good
    history.write_text(good + good.replace(found, instead, 1) + good, encoding="utf-8")
    with pytest.raises(BadHistory, match=r"line 2 of history\.jsonl"):
        read(history)


def test_the_command_refuses_a_bad_history_and_an_unknown_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    history = tmp_path / "history.jsonl"
    history.write_text("no entry\n", encoding="utf-8")
    monkeypatch.setattr(bench, "HISTORY", history)
    assert bench.main(["--list"]) == 2
    assert "line 1" in capsys.readouterr().err
    assert bench.main(["nothing"]) == 2
    assert "'nothing'" in capsys.readouterr().err


def test_a_figure_is_compared_with_its_last_on_the_same_machine_under_the_same_conditions() -> None:
    entries = [entry(10.0), entry(12.0), entry(99.0, ELSEWHERE)]
    found = newest(entries, HERE, "frames", FRAME)
    assert found is not None
    assert found[1].value == 12.0
    assert newest(entries, HERE, "frames", FRAME._replace(conditions="300 frames")) is None
    assert newest(entries, HERE, "other", FRAME) is None


def test_a_row_says_value_limit_ratio_and_conditions() -> None:
    (first,) = rows(BENCHMARK, [FRAME], [], HERE)
    assert unspaced(first) == "gpu.tiled alone, 99th percentile 12.5 ms ≤ 16.7 first time 120 frames"
    (missed,) = rows(BENCHMARK, [FRAME._replace(value=20.0)], [entry(10.0)], HERE)
    assert unspaced(missed) == "gpu.tiled alone, 99th percentile 20 ms ≤ 16.7 missed 2.00 of 2026-11-20 abc1234 120 frames"
    (from_nought,) = rows(BENCHMARK, [FRAME], [entry(0.0)], HERE)
    assert "0 on 2026-11-20 abc1234" in from_nought


def test_the_course_of_a_benchmark_is_in_order() -> None:
    lines = list(course(BENCHMARK, [entry(10.0), entry(20.0, ELSEWHERE, "2026-11-21T10:00:00+00:00")]))
    assert lines[1] == "gpu.tiled alone, 99th percentile, ms ≤ 16.7 (120 frames)"
    assert unspaced(lines[2]) == "2026-11-20 abc1234 10 One processor, 2 cores, load 0.2"
    assert unspaced(lines[3]) == "2026-11-21 abc1234 20 missed Another, 2 cores, load 0.2"
    assert "nothing is kept" in next(iter(course(BENCHMARK, [])))


def test_a_run_measures_keeps_and_marks_and_ends_well_where_a_limit_is_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    slow = {"event-loop": (FRAME,), "frames-stage": (FRAME._replace(value=340.0),)}

    def measure(benchmark: Benchmark, *, quick: bool) -> tuple[Figure, ...] | None:
        return slow.get(benchmark.name)

    monkeypatch.setattr(bench, "HISTORY", tmp_path / "history.jsonl")
    monkeypatch.setattr(bench, "_measure", measure)
    assert bench.main(["event-loop", "frames-stage", "--keep"]) == 0
    (kept,) = read(tmp_path / "history.jsonl")
    assert kept.figures == slow
    assert kept.machine.cores >= 1
    told = capsys.readouterr().out
    assert told.count("missed") == 2
    assert "0 of 2 limits kept" in told
    assert bench.main(["frames-stage", "memory"]) == 1
    told = capsys.readouterr().out
    assert "could not be run" in told
    assert f"1.00 of {kept.date[:10]}" in told
    assert read(tmp_path / "history.jsonl") == [kept]


def test_a_run_that_is_interrupted_keeps_what_was_measured_by_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def measure(benchmark: Benchmark, *, quick: bool) -> tuple[Figure, ...] | None:
        if benchmark.name == "memory":
            raise KeyboardInterrupt
        return (FRAME,)

    monkeypatch.setattr(bench, "HISTORY", tmp_path / "history.jsonl")
    monkeypatch.setattr(bench, "_measure", measure)
    assert bench.main(["frames-stage", "memory", "event-loop", "--keep"]) == 1
    (kept,) = read(tmp_path / "history.jsonl")
    assert kept.figures == {"frames-stage": (FRAME,)}


def test_figures_are_those_of_the_slowest_series() -> None:
    quick, slow = [1.0] * 100, [2.0] * 99 + [50.0]
    median, most = slowest({"a": [quick, slow]}, "100 frames")
    assert (median.name, median.value) == ("a, median", 2.0)
    assert (most.name, most.value) == ("a, 99th percentile", p99(slow))
    assert json.loads(json.dumps(median)) == ["a, median", 2.0, "ms", "100 frames"]


def test_numbers_are_shown_without_noise() -> None:
    assert [shown(value) for value in (0.9271, 12.345, 123.4, 18560.0, 0.0)] == ["0.927", "12.3", "123", "18,560", "0"]
