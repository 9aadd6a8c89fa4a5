"""`tilescope export` from end to end: the kernel is executed, drawn and written without a display."""

from __future__ import annotations

import base64
import gzip
import json
import re
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from app.core.export.choice import LEAD, USUAL_STEPS
from tests.command_line import CommandLine

STAGE = ("--variant", "gpu.tiled", "--n", "8", "--tile", "4", "--size", "640x400", "--colours", "print")


@pytest.fixture
def tilescope(qapp: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


def test_a_picture_of_a_clip_is_the_figure_of_its_step(tilescope: CommandLine, tmp_path: Path) -> None:
    clip, figure = tmp_path / "clip.apng", tmp_path / "figure.png"
    answer = tilescope("export", "clip", clip, *STAGE, "--from", "11", "--to", "14", "--json")
    assert answer.json == {"path": str(clip), "width": 640, "height": 400, "pictures": 4}
    assert tilescope("export", "figure", figure, *STAGE, "--step", "13").out == f"Written: {figure}\n"
    with Image.open(clip) as moving, Image.open(figure) as still:
        assert getattr(moving, "n_frames", 1) == 4
        moving.seek(2)
        assert np.array_equal(np.asarray(moving.convert("RGB")), np.asarray(still.convert("RGB")))


def test_two_launches_beside_each_other_go_into_several_files(tilescope: CommandLine, tmp_path: Path) -> None:
    files = [tmp_path / f"pair.{ending}" for ending in ("png", "svg")]
    compared = (*STAGE, "--beside", "gpu.tiled,tile=8", "--step", "12", "--scale", "2", "--json")
    answer = tilescope("export", "figure", *files, *compared)
    assert answer.json == [
        {"path": str(path), "width": 640 * scale, "height": 400 * scale} for path, scale in zip(files, (2, 1), strict=True)
    ]
    text = files[1].read_text(encoding="utf-8")
    assert "tile 4" in text
    assert "tile 8" in text
    assert text.count("gpu.tiled, step ") >= 1


def test_a_lane_and_an_instruction_are_pointed_at_in_each_step(tilescope: CommandLine, tmp_path: Path) -> None:
    """A clip and a player point at the lane of every step, a figure at that of its own."""
    rung = ("--variant", "gpu.mma-bf16", "--n", "64", "--alone", "6", "--size", "640x400")
    asked = ("--lane", "13", "--instruction", "mma")
    pictures = {}
    for name, more in (("plain", ()), ("lane", asked[:2]), ("both", asked)):
        assert tilescope("export", "figure", tmp_path / f"{name}.png", *rung, *more, "--step", "56").status == 0
        with Image.open(tmp_path / f"{name}.png") as image:
            pictures[name] = image.convert("RGB").tobytes()
    assert len(set(pictures.values())) == 3
    assert tilescope("export", "clip", tmp_path / "both.apng", *rung, *asked, "--from", "55", "--to", "57").status == 0
    with Image.open(tmp_path / "both.apng") as moving:
        moving.seek(1)
        assert moving.convert("RGB").tobytes() == pictures["both"]
    players = []
    for name, more in (("plain", ()), ("both", asked)):
        answer = tilescope("export", "player", tmp_path / f"{name}.html", *rung, *more, "--from", "55", "--to", "57", "--json")
        players.append(answer.json["bytes"])
    assert players[0] != players[1]
    refusal = tilescope.refused("export", "player", tmp_path / "none.html", *rung, "--instruction", "wgmma", "--from", "55", "--to", "57")
    assert "'wgmma' is not one of ldmatrix.x4, mma.m16n8k16.f32.bf16.bf16.f32." in refusal
    assert not (tmp_path / "none.html").exists()


def test_what_the_trace_does_not_have_is_refused(tilescope: CommandLine, tmp_path: Path) -> None:
    assert "--step must be at most 100, not 101." in tilescope.refused("export", "figure", tmp_path / "a.svg", *STAGE, "--step", "101")
    refusal = tilescope.refused("export", "clip", tmp_path / "a.gif", *STAGE, "--to", "101")
    assert "The range ends at step 101; the trace has 100 steps." in refusal
    assert not list(tmp_path.glob("*.*"))


def test_a_chart_is_drawn_of_recorded_times(tilescope: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "curves.svg"
    arguments = ("--variants", "gpu.tiled", "gpu.naive", "--source", "recorded", "--scale", "8", "--json")
    assert tilescope("export", "curves", path, *arguments).json["path"] == str(path)
    text = path.read_text(encoding="utf-8")
    assert "recorded on NVIDIA H200" in text
    assert 'width="1600" height="900"' in text


def test_a_player_of_a_race_begins_a_little_before_what_goes_wrong(tilescope: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "race.html"
    source = str(files("resources").joinpath("lessons", "races-and-barriers", "no_second_barrier.cu"))
    assert tilescope("export", "player", path, "--source", source, "--race", "--size", "640x400", "--json").json["steps"] == USUAL_STEPS
    packed = re.search(r'id="scene"[^>]*>([^<]*)<', path.read_text(encoding="utf-8"))
    assert packed is not None
    content = gzip.decompress(base64.b64decode(packed[1]))
    (chapter,) = json.loads(content[4 : 4 + int.from_bytes(content[:4], "little")])["chapters"]
    assert chapter["findings"][0]["step"] == LEAD
    assert tilescope("export", "player", path, *STAGE[:-2], "--to", "3", "--json").json["steps"] == 3
