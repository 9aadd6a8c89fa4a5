"""`tilescope error` and `tilescope asm`."""

from __future__ import annotations

import json

import pytest

from app.cli import main


def test_errors_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["error", "cpu.naive", "cpu.blocked", "--n", "64,256", "--tile", "8", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["absolute_tolerance"] == 1e-5
    assert [(point["id"], point["n"]) for point in found["points"]] == [
        ("cpu.naive", 64), ("cpu.blocked", 64), ("cpu.naive", 256), ("cpu.blocked", 256),
    ]  # fmt: skip
    assert all(0 < point["relative_error"] <= point["allowed_error"] for point in found["points"])
    assert found["points"][1]["parameters"] == {"tile": 8}
    assert {curve["id"]: round(curve["absolute"]) for curve in found["growth"]} == {"cpu.naive": 1, "cpu.blocked": 1}


def test_errors_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["error", "cpu.naive", "--n", "256", "--lang", "en"]) == 0
    out = capsys.readouterr().out
    assert "long sums need a tolerance that grows" in out
    assert "u = 2⁻²⁴" in out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["error", "cpu.transpose-naive", "--n", "8"], "only moves values"),
        (["error", "cpu.naive", "--n", "8", "--tile", "4"], "has no parameter --tile"),
        (["asm", "cpu.numpy"], "its machine code cannot be read"),
        (["asm", "gpu.naive"], "its machine code cannot be read"),
        (["asm", "cpu.simd", "--lanes", "5"], "--lanes must be 4, 8 or 16"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*arguments, "--lang", "en"]) == 2
    assert reason in capsys.readouterr().err


def test_lanes_that_this_processor_lacks_are_refused_in_words(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kernels.catalogue.cpu_parameters.lanes_of_this_processor", lambda: 4)
    assert main(["asm", "cpu.simd", "--lanes", "8", "--lang", "en"]) == 2
    assert "--lanes must be at most 4, not 8: no vector register of this processor is wider." in capsys.readouterr().err


def test_the_inner_loop_in_words_and_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["asm", "cpu.hints", "--fastmath", "off", "--lang", "en"]) == 0
    assert "The inner loop is not vectorised" in capsys.readouterr().out
    assert main(["asm", "cpu.simd", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["inner_loop"]["vectorised"]
    assert found["inner_loop"]["lanes"] > 1
    assert main(["asm", "cpu.transpose-naive", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["inner_loop"] is None
