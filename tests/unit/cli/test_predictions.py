"""`tilescope counters` and `tilescope predict`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.cli import main
from app.core.predictions.recorded_counters import RecordedCounters

REQUESTS = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"
PROFILE = f'''"ID","Kernel Name","Block Size","Grid Size","{REQUESTS}"
"","","","",""
"0","warm_up()","(1, 1, 1)","(1, 1, 1)","1"
"1","matmul_naive(const float *, const float *, float *, int, int, int)","(16, 16, 1)","(4, 4, 1)","{{count}}"
'''


def profile(folder: Path, count: str) -> str:
    path = folder / "profile.csv"
    path.write_text(PROFILE.format(count=count), encoding="utf-8")
    return str(path)


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main([*arguments, "--lang", "en"])
    output = capsys.readouterr()
    return status, output.out, output.err


def test_a_profile_stands_beside_the_prediction(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = profile(tmp_path, "16,384")
    status, out, _ = asked(capsys, "counters", "gpu.naive", "--n", "64", "--ncu", path, "--json")
    found = json.loads(out)
    (row,) = (each for each in found["counters"] if each["id"] == "global_load_requests")
    assert (status, found["exact"], found["source"]) == (0, True, f"Measured: {path}")
    assert row == {
        "id": "global_load_requests", "as_written": 16384, "as_compiled": 16384, "measured": 16384, "explained": True, "reason": None
    }  # fmt: skip


def test_both_say_how_far_what_was_executed_can_be_trusted(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("counters", "predict"):
        _, out, _ = asked(capsys, command, "gpu.tiled", "--n", "512")
        (line,) = (line for line in out.splitlines() if line.startswith("Trust, matmul_tiled: "))
        _, out, _ = asked(capsys, command, "gpu.tiled", "--n", "512", "--json")
        (found,) = json.loads(out)["trust"]
        assert line == f"Trust, matmul_tiled: {found['line']}"
        assert found["exact"]["blocks_traced"] < found["exact"]["blocks"]
        assert any("were not executed" in each for each in found["left_out"])


def test_a_difference_that_no_rule_explains_is_called_unexplained(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, _ = asked(capsys, "counters", "gpu.naive", "--n", "64", "--ncu", profile(tmp_path, "16000"))
    (line,) = (line for line in out.splitlines() if line.startswith("Global load requests"))
    assert status == 0
    assert line.endswith("unexplained")


def test_a_profile_of_another_kernel_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, _, err = asked(capsys, "counters", "gpu.tiled", "--n", "64", "--ncu", profile(tmp_path, "1"))
    assert status == 2
    assert "has no launch of matmul_tiled; it has warm_up, matmul_naive." in err


def test_a_line_that_cannot_be_read_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, _, err = asked(capsys, "counters", "gpu.naive", "--n", "64", "--ncu", profile(tmp_path, "lots"))
    assert status == 2
    assert f"profile.csv: Line 4, column {REQUESTS}: 'lots' is not a number." in err


def test_a_profile_without_a_predicted_metric_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "profile.csv"
    path.write_text(PROFILE.replace(REQUESTS, "dram__cycles_active.sum").format(count="7"), encoding="utf-8")
    status, out, err = asked(capsys, "counters", "gpu.naive", "--n", "64", "--ncu", str(path))
    assert (status, out) == (2, "")
    assert "has none of the metrics that are predicted" in err


def test_the_models_time_stands_beside_the_recorded_one(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = asked(capsys, "predict", "gpu.naive", "--n", "256", "--json")
    found = json.loads(out)
    assert (status, found["gpu_profile"], found["limit"] in found["cycles_of_a_block"] or found["limit"] == "latency") == (0, "h200", True)
    assert found["error"] == pytest.approx(found["model_ms"] / found["recorded_ms"] - 1)
    _, text, _ = asked(capsys, "predict", "gpu.naive", "--n", "256")
    assert "This is a model" in text


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("counters", "gpu.cublas", "--n", "64"), "gpu.cublas is not a CUDA kernel"),
        (("predict", "gpu.tiled", "--n", "64", "--tile", "64"), "64 × 64"),
        (("predict", "gpu.transpose-in-place", "--n", "64", "--m", "32"), "In place only square matrices are transposed"),
        (("predict", "gpu.naive", "--n", "500000"), "gpu.naive cannot be executed here: The arrays take"),
        (("counters", "gpu.hello", "--n", "64"), "gpu.hello computes nothing"),
        (("predict", "gpu.tiled", "--n", "64", "--device", "h2000"), "--device"),
        (("predict", "gpu.tiled", "--n", "64", "--device", "t4"), "Not all latencies of Tesla T4 are published"),
        (("counters", "gpu.tiled", "--n", "64", "--ncu", "nowhere.csv"), "There is no file nowhere.csv."),
    ],
)
def test_what_cannot_be_predicted_is_refused(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], reason: str) -> None:
    status, _, err = asked(capsys, *arguments)
    assert status == 2
    assert reason in err


def test_a_variant_of_which_no_counters_are_recorded_is_said_to_have_none(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.cli.counters.recorded_counters", lambda _device: RecordedCounters({}, {}))
    _, out, _ = asked(capsys, "counters", "gpu.naive", "--n", "64")
    assert out.splitlines()[-1] == "Nothing was measured: no counters of gpu.naive are recorded."
