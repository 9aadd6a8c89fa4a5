"""`tilescope export`: each kind a word of its own; what cannot be is refused in one line before anything is drawn, and leaves no file."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from app.cli.export import KINDS
from kernels.measure.store import ResultStore
from tests.command_line import CommandLine
from tests.measured.timing_results import measured

CPU = "Test CPU"


@pytest.fixture
def tilescope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.setattr("app.cli.export.curves.processor_name", lambda: CPU)
    monkeypatch.setattr("app.core.diagnostics.desktop.find_spec", lambda _name: None)  # nothing here gets as far as Qt
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


@pytest.mark.parametrize(("arguments", "said"), [
    ((), "Missing: KIND. See tilescope export --help."),
    (("mine.json",), "There is no kind 'mine.json'. Kinds: figure, clip, player, examples, curves, report, recording."),
    (("figure",), "Missing: OUT.png|.svg|.pdf."),
    (("figure", "a.bmp"), "FILE: 'a.bmp' must end in .png, .svg, .pdf."),
    (("figure", "none/a.png"), "There is no folder"),
    (("figure", "a.png", "--size", "10x10"), "--size, the width must be at least 640, not 10."),
    (("figure", "a.png", "--scale", "9"), "--scale must be at most 8, not 9."),
    (("figure", "a.png", "--size", "7680x4320", "--scale", "8"), "61 440 × 34 560 pixels are 2 123 366 400 in all"),
    (("figure", "a.png", "--colours", "sepia"), "--colours: 'sepia' is not one of light, dark, print."),
    (("figure", "a.png", "--of", "cake"), "--of: 'cake' is not one of stage, uses, tuning, ladder."),
    (("figure", "a.png", "--step", "0"), "--step must be at least 1"),
    (("figure", "a.png", "--alone", "10"), "--alone must be at most 9, not 10."),
    (("figure", "a.png", "--variant", "gpu.tilde"), "There is no variant 'gpu.tilde'. The closest is gpu.tiled."),
    (("figure", "a.png", "--variant", "gpu.tiled", "--tile", "64"), "64 × 64 = 4096"),
    (("figure", "a.png", "--variant", "gpu.tiled", "--order", "ijk"), "gpu.tiled has no parameter --order."),
    (("figure", "a.png", "--variant", "cpu.blocked", "--n", "5000"), "The stage records every access"),
    (("figure", "a.png", "--variant", "cpu.transpose-naive", "--k", "5"), "--k is for a multiplication"),
    (("figure", "a.png", "--source", "none.cu"), "There is no file none.cu."),
    (("figure", "a.png"), "The package PySide6 is not installed. Install it: pip install tilescope"),
    (("figure", "a.png", "b.bmp"), "FILE: 'b.bmp' must end in .png, .svg, .pdf."),
    (("figure", "a.png", "--beside", "gpu.tilde"), "There is no variant 'gpu.tilde'. The closest is gpu.tiled."),
    (("figure", "a.png", "--beside", "gpu.tiled,tile"), "--beside: 'tile' is not NAME=VALUE."),
    (("figure", "a.png", "--beside", "gpu.tiled,order=ijk"), "gpu.tiled has no parameter --order."),
    (("figure", "a.png", "--variant", "gpu.tiled", "--run", "64"), "its threads are animated, and not seen in a real run."),
    (("figure", "a.png", "--variant", "cpu.parallel", "--run", "0"), "--run must be at least 1, not 0."),
    (("figure", "a.png", "--variant", "cpu.parallel", "--run", "64", "--beside", "cpu.naive"), "--run and --beside exclude each other."),
    (("figure", "a.png", "--lane", "32"), "--lane must be at most 31, not 32."),
    (("figure", "a.png", "--variant", "cpu.naive", "--lane", "3"), "--lane is for a CUDA kernel; cpu.naive has neither lanes nor"),
    (("figure", "a.png", "--variant", "cpu.naive", "--instruction", "mma"), "--instruction is for a CUDA kernel; cpu.naive has neither"),
    (("clip", "a.webp", "--variant", "gpu.async", "--to", "5", "--alone", "8", "--lane", "3"), "--lane: view 8 shows no lanes."),
    (("player", "a.html", "--variant", "gpu.mma-bf16", "--alone", "7", "--instruction", "mma"), "is for the fragments, view 6."),
    (("player", "a.html", "--lesson", "bank-conflicts", "--lane", "3"), "--lesson and --lane exclude each other."),
    (("figure", "a.png", "--variant", "cpu.parallel", "--run", "64", "--lane", "1"), "--run and --lane exclude each other."),
    (("clip", "a.gif", "b.webp", "--to", "5", "--fps", "60"), "A GIF shows at most 50 pictures a second, not 60."),
    (("clip", "a.webp"), "Missing: --to."),
    (("clip", "a.png", "--to", "5"), "FILE: 'a.png' must end in .webp, .apng, .gif, .mp4."),
    (("clip", "a.webp", "--from", "6", "--to", "5"), "The range must end after it begins"),
    (("clip", "a.webp", "--to", "100000"), "The clip would have 100 000 pictures; at most 3000."),
    (("clip", "a.webp", "--to", "5", "--fps", "61"), "--fps must be at most 60, not 61."),
    (("clip", "a.webp", "--to", "5", "--speed", "nan"), "--speed: 'nan' is not a number from 0.100 to 10 000."),
    (("clip", "a.gif", "--to", "5", "--fps", "60"), "A GIF shows at most 50 pictures a second, not 60."),
    (("clip", "a.webp", "--to", "5", "--size", "3000x2000", "--scale", "2"), "6000 × 4000 pixels are too many for a clip"),
    (("player", "a.html", "--lesson", "nothing"), "There is no lesson 'nothing'."),
    (("player", "a.htm", "--to", "5"), "FILE: 'a.htm' must end in .html."),
    (("player", "a.html", "--from", "6", "--to", "5"), "The range must end after it begins"),
    (("player", "a.html", "--to", "5000"), "The player would have 5000 steps; at most 3000. Choose a shorter range."),
    (("player", "a.html", "--to", "5", "--size", "2561x1000"), "--size"),
    (("curves", "a.csv"), "Missing: --variants."),
    (("curves", "--variants", "cpu.naive"), "Missing: OUT.csv|.json|.png|.svg|.pdf."),
    (("curves", "--variants", "cpu.naive", "a.csv"), "--variants takes every word after it, a.csv too: write the file before --variants."),
    (("figure", "--variant", "a.png"), "Missing: OUT.png|.svg|.pdf."),
    (("curves", "a.doc", "--variants", "gpu.tiled"), "must end in .csv, .json, .png, .svg, .pdf."),
    (("curves", "a.csv", "--variants", "gpu.tiled", "--sizes", "0"), "--sizes must be at least 1, not 0."),
    (("curves", "a.csv", "--variants", "gpu.tiled", "--source", "dreams"), "'dreams' is not one of measured, recorded, published."),
    (("curves", "a.csv", "--variants", "gpu.tiled", "--quantity", "joy"), "--quantity: 'joy' is not one of"),
    (("curves", "a.csv", "--variants", "gpu.tiled", "--source", "measured"), "No times of gpu.tiled are known, measured."),
    (("curves", "a.csv", "--variants", "gpu.tiled", "--sizes", "77"), "known, measured, recorded. At other sizes there are: 128, 256,"),
    (("figure", "a.png", "--source", "my.cu", "--n", "64"), "--n is for a variant of the catalogue, not for a file."),
    (("figure", "a.png", "--source", "my.cu", "--variant", "gpu.tiled"), "--variant is for a variant of the catalogue, not for a file."),
    (("figure", "a.png", "--variant", "gpu.tiled", "--beside", "gpu.tiled,tile=x"), "--beside, tile: 'x' is not a whole number."),
])  # fmt: skip
def test_what_cannot_be_is_refused_in_one_line(
    tilescope: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    refusal = tilescope.refused("export", *arguments).replace("\u202f", " ")
    assert said in refusal
    assert not [path for path in tmp_path.iterdir() if path.is_file()]


def test_mp4_without_its_program_is_refused(tilescope: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "MP4 needs the program ffmpeg, which was not found." in tilescope.refused("export", "clip", tmp_path / "a.mp4", "--to", "5")


def test_every_kind_has_help_in_both_languages(tilescope: CommandLine) -> None:
    for kind in KINDS:
        assert kind.name in tilescope("export", "--help").out
        english, chinese = tilescope("export", kind.name, "--help"), tilescope("export", kind.name, "--help", "--lang", "zh_CN")
        assert (english.status, chinese.status) == (0, 0)
        assert english.out != chinese.out


def keep(tilescope: CommandLine) -> None:
    store = ResultStore.open(tilescope.home / "data" / "results.sqlite")
    for result in (measured("cpu.naive", 64, 4.0), measured("cpu.naive", 128, 40.0), measured("cpu.blocked", 128, 10.0, tile=32)):
        store.append(result)
    store.close()


def test_curves_are_a_table_of_what_was_measured(tilescope: CommandLine, tmp_path: Path) -> None:
    keep(tilescope)
    path = tmp_path / "curves.csv"
    arguments = ("--variants", "cpu.naive", "--source", "measured")
    assert tilescope("export", "curves", path, *arguments).out == f"Written: {path}\n"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["id"], row["n"], row["median_ms"], row["source"], row["machine"]) for row in rows] == [
        ("cpu.naive", "64", "4.0", "measured", CPU), ("cpu.naive", "128", "40.0", "measured", CPU),
    ]  # fmt: skip
    answer = tilescope("export", "curves", tmp_path / "curves.json", *arguments, "--sizes", "128", "--json").json
    assert answer == {"path": str(tmp_path / "curves.json"), "results": 1}
    assert [each["n"] for each in json.loads((tmp_path / "curves.json").read_text(encoding="utf-8"))] == [128]


def test_recorded_curves_name_their_machine_and_no_other_variant(tilescope: CommandLine, tmp_path: Path) -> None:
    keep(tilescope)
    path = tmp_path / "curves.json"
    assert tilescope("export", "curves", path, "--variants", "gpu.tiled", "gpu.naive", "--source", "recorded").status == 0
    rows = json.loads(path.read_text(encoding="utf-8"))
    assert {row["id"] for row in rows} == {"gpu.tiled", "gpu.naive"}
    assert {(row["source"], row["machine"]) for row in rows} == {("recorded", "NVIDIA H200")}


def test_published_times_have_their_reports(tilescope: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "curves.json"
    assert tilescope("export", "curves", path, "--variants", "gpu.*", "--source", "published").status == 0
    rows = json.loads(path.read_text(encoding="utf-8"))
    assert {row["source"] for row in rows} == {"published"}
    assert all(row["conditions"]["source"] for row in rows)
