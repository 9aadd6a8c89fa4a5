"""Clips opened again: as many pictures as were drawn, each of them pixel by pixel, or in a GIF as near as 255 colours allow."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from app.core.export.clips.encoder import Pixels, change, milliseconds
from app.core.export.clips.formats import Palette, encoder_for
from app.core.export.clips.mp4 import PROGRAM, Mp4Encoder, refuse_mp4

SIZE = (30, 46)
"""Rows and columns."""
RATE = 7
EXACT = (".webp", ".apng")
GROUND, INK, ACCENT = (248, 249, 251), (23, 32, 44), (152, 13, 60)


def drawn() -> list[Pixels]:
    """A box that moves over a plain ground by odd distances, once not at all; in the last picture one pixel of another colour."""
    pictures = []
    for at in (0, 3, 3, 8, 21):
        picture = np.full((*SIZE, 3), GROUND, np.uint8)
        picture[at : at + 7, 2 * at : 2 * at + 5] = INK
        pictures.append(picture)
    pictures[-1][29, 45] = ACCENT
    return pictures


def written(path: Path, pictures: Sequence[Pixels]) -> Path:
    encoder = encoder_for(path, RATE, len(pictures), pictures)
    for picture in pictures:
        encoder.add(picture)
    encoder.finish()
    return path


def opened(path: Path) -> tuple[list[Pixels], list[float]]:
    """All pictures as they are shown, and how long each is, in milliseconds."""
    pictures, times = [], []
    with Image.open(path) as file:
        for number in range(getattr(file, "n_frames", 1)):
            file.seek(number)
            pictures.append(np.asarray(file.convert("RGB")).copy())
            times.append(float(file.info.get("duration", 0)))
    return pictures, times


@pytest.mark.parametrize("ending", EXACT)
def test_every_picture_comes_back_as_it_was_drawn(ending: str, tmp_path: Path) -> None:
    pictures, times = opened(written(tmp_path / f"clip{ending}", drawn()))
    assert len(pictures) == len(drawn())
    for found, wanted in zip(pictures, drawn(), strict=True):
        assert np.array_equal(found, wanted)
    assert sum(times) == pytest.approx(1000 * len(pictures) / RATE, abs=1)


def test_a_gif_has_the_pictures_in_colours_of_their_own(tmp_path: Path) -> None:
    pictures, times = opened(written(tmp_path / "clip.gif", drawn()))
    for found, wanted in zip(pictures, drawn(), strict=True):
        assert np.array_equal(found, wanted)
    assert sum(times) == pytest.approx(1000 * len(pictures) / RATE, abs=10)


def test_many_colours_become_near_ones_and_plain_ground_stays(tmp_path: Path) -> None:
    rows, columns = 64, 64
    busy = np.full((rows, 2 * columns, 3), GROUND, np.uint8)
    busy[:, columns:, 0], busy[:, columns:, 1] = np.meshgrid(np.arange(columns) * 4, np.arange(rows) * 4)
    found = opened(written(tmp_path / "clip.gif", [busy]))[0][0]
    assert np.array_equal(found[:, :columns], busy[:, :columns])
    assert np.abs(found.astype(int) - busy).max() < 48
    assert len(np.unique(found.reshape(-1, 3), axis=0)) > 100


@pytest.mark.parametrize("ending", [*EXACT, ".gif"])
def test_one_picture_is_a_clip_too(ending: str, tmp_path: Path) -> None:
    pictures = drawn()[:1]
    with Image.open(written(tmp_path / f"clip{ending}", pictures)) as file:
        assert file.size == (SIZE[1], SIZE[0])
        assert np.array_equal(np.asarray(file.convert("RGB")), pictures[0])


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=4), st.integers(1, 9), st.integers(1, 9))
def test_any_pictures_come_back(tmp_path_factory: pytest.TempPathFactory, seeds: list[int], rows: int, columns: int) -> None:
    pictures = [np.random.default_rng(seed).integers(0, 3, (rows, columns, 3), np.uint8) * np.uint8(127) for seed in seeds]
    folder = tmp_path_factory.mktemp("clips")
    for ending in EXACT:
        for one, other in zip(opened(written(folder / f"clip{ending}", pictures))[0], pictures, strict=True):
            assert np.array_equal(one, other)


def test_a_change_is_the_smallest_rectangle_from_even_places() -> None:
    before, now = drawn()[0], drawn()[0].copy()
    now[5, 7] = now[8, 11] = ACCENT
    changed = change(before, now)
    assert changed.part == (4, 6, 9, 12)
    assert changed.different.sum() == 2
    assert (changed.layer[..., 3] == 255).sum() == 2
    assert change(now, now).part == (0, 0, 1, 1)
    assert not change(now, now).different.any()


def test_times_add_up_however_they_are_rounded() -> None:
    assert sum(milliseconds(number, 15) for number in range(15)) == 1000
    assert sum(milliseconds(number, 15, 10) for number in range(15)) == 100
    assert {milliseconds(number, 15, 10) for number in range(15)} == {6, 7}


def test_frequent_colours_are_kept_exactly() -> None:
    palette = Palette(drawn())
    assert {tuple(colour) for colour in palette.colours.tolist()} == {GROUND, INK, ACCENT}
    assert palette.colours[palette.nearest(np.array([[150, 10, 58]], np.uint8))].tolist() == [list(ACCENT)]
    assert len(palette.table) == 768


def test_mp4_says_which_program_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert str(refuse_mp4()) == "MP4 needs the program ffmpeg, which was not found. WebP, APNG, GIF need nothing."


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a script of the shell")
def test_a_program_that_fails_is_quoted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / PROGRAM
    program.write_text("#!/bin/sh\necho first >&2\necho 'no such codec' >&2\nexit 3\n")
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert refuse_mp4() is None
    encoder = Mp4Encoder(tmp_path / "clip.mp4", RATE, (SIZE[1], SIZE[0]))
    with pytest.raises(OSError, match="ffmpeg: no such codec"):  # whichever of the two finds out first
        feed(encoder)
    encoder.abandon()


def feed(encoder: Mp4Encoder) -> None:
    for picture in drawn() * 40:
        encoder.add(picture)
    encoder.finish()


@pytest.mark.skipif(shutil.which(PROGRAM) is None, reason="there is no ffmpeg")
def test_an_mp4_is_written_where_the_program_is(tmp_path: Path) -> None:
    path = written(tmp_path / "clip.mp4", drawn())
    assert path.read_bytes()[4:8] == b"ftyp"
