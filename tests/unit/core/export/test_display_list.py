"""Packed scenes: what a reader makes of the bytes is what was drawn, step by step, in both themes."""

from __future__ import annotations

import gzip
import json
import struct
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.core.export.display_list import Fill, Glyphs, Mark, PackedScene, Raster, StepWords, Stroke

MATRIX = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
CLEAR = "#00000000"
COLOURS = st.sampled_from(["#000000ff", "#ffffff80", "#6a35deff"])
OUTLINES = st.sampled_from(["M0 0h4v4h-4Z", "M1 1L5 5", "M2 2h1"])
MATRICES = st.sampled_from([MATRIX, (2.0, 0.0, 0.0, 2.0, 5.0, 7.0)])
FILLS = st.builds(Fill, COLOURS, OUTLINES, MATRICES, st.booleans())
WIDTHS, DASHES = st.sampled_from([1.0, 2.5]), st.sampled_from([(), (2.0, 1.0)])
STROKES = st.builds(Stroke, COLOURS, OUTLINES, MATRICES, WIDTHS, st.just("butt"), st.just("miter"), DASHES)
PLACED = st.lists(st.tuples(OUTLINES, st.just(1.0), st.just(2.0)), max_size=3).map(tuple)
LINES = st.builds(Glyphs, COLOURS, MATRICES, st.just(0.13), PLACED)
PIXELS = st.lists(st.sampled_from([0, 0xFF0000FF, 0x00FF00FF]), min_size=12, max_size=12)
IMAGES = PIXELS.map(lambda each: Raster(np.array(each, np.uint32).reshape(3, 4), (0.0, 0.0, 4.0, 3.0), MATRIX, 1.0))
MARKS = st.one_of(FILLS, STROKES, LINES, IMAGES)
STEPS = st.lists(st.tuples(st.lists(MARKS, max_size=6), st.lists(MARKS, max_size=6)), min_size=1, max_size=60)
WORDS = StepWords("1 / 9", "title", "sentence", ("view: verdict",), 3)


class Reader:
    """What the script in the page does, in Python."""

    def __init__(self, packed: bytes) -> None:
        content = gzip.decompress(packed)
        (length,) = struct.unpack_from("<I", content)
        self.scene: dict[str, Any] = json.loads(content[4 : 4 + length])
        self.pixels = np.frombuffer(content[4 + length :], "<u2")
        sizes = [image[5] * image[6] for image in self.scene["images"]]
        self.starts = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])

    def steps(self) -> list[list[int]]:
        marks: list[int] = []
        found = []
        for step in self.scene["steps"]:
            for place, gone, *come in step["drawn"]:
                marks[place : place + gone] = come
            found.append(list(marks))
        return found

    def mark(self, number: int, theme: int) -> tuple[Any, ...] | None:
        """What is seen of a mark in a theme."""
        scene = self.scene
        kind, what, matrix, *more = scene["marks"][number]
        place = tuple(scene["matrices"][matrix])
        if kind == 3:
            seen = self.image(what, theme)
            return None if not seen.any() else ("image", seen.tolist(), place, *more)
        colour = scene["colours"][what][theme]
        if colour == CLEAR:
            return None
        if kind == 0:
            return "fill", colour, scene["texts"][more[0]], place, bool(more[1])
        if kind == 1:
            return "stroke", colour, scene["texts"][more[0]], place, *scene["pens"][more[1]]
        line = scene["lines"][more[0]]
        glyphs = tuple((scene["texts"][line[at]], line[at + 1], line[at + 2]) for at in range(0, len(line), 3))
        return "glyphs", colour, place, more[1], glyphs

    def image(self, number: int, theme: int) -> np.ndarray:
        base, width, height, left, top, across, down = self.scene["images"][number]
        seen = np.zeros((height, width), np.uint32) if base < 0 else self.image(base, theme)
        part = self.pixels[self.starts[number] : self.starts[number + 1]]
        colours = np.array([int(pair[theme][1:], 16) for pair in self.scene["colours"]], np.uint32)
        seen[top : top + down, left : left + across] = colours[part].reshape(down, across)
        return seen


def seen(mark: Mark) -> tuple[Any, ...] | None:
    if isinstance(mark, Raster):
        return ("image", mark.pixels.tolist(), mark.matrix, *mark.place, mark.opacity) if mark.pixels.any() else None
    if isinstance(mark, Fill):
        return "fill", mark.colour, mark.outline, mark.matrix, mark.even
    if isinstance(mark, Stroke):
        return "stroke", mark.colour, mark.outline, mark.matrix, mark.width, mark.cap, mark.join, list(mark.dashes)
    return "glyphs", mark.colour, mark.matrix, mark.scale, mark.glyphs


@given(STEPS)
def test_each_theme_gives_what_was_drawn_in_it(steps: list[tuple[list[Mark], list[Mark]]]) -> None:
    scene = PackedScene(4, 3)
    for light, dark in steps:
        scene.add(light, dark, WORDS)
    reader = Reader(scene.packed(title="t"))
    assert reader.scene["title"] == "t"
    for drawn, numbers in zip(steps, reader.steps(), strict=True):
        for theme, marks in enumerate(drawn):
            shown, expected = [reader.mark(each, theme) for each in numbers], [seen(each) for each in marks]
            assert [each for each in shown if each is not None] == [each for each in expected if each is not None]


def test_what_does_not_change_is_written_once() -> None:
    scene = PackedScene(4, 3)
    pixels = np.array([each << 8 | 0xFF for each in range(12)], np.uint32).reshape(3, 4)
    marks: list[Mark] = [Fill("#000000ff", "M0 0h1v1h-1Z", MATRIX, even=False), Raster(pixels, (0, 0, 4, 3), MATRIX, 1.0)]
    for _ in range(5):
        scene.add(marks, marks, WORDS)
    changed = pixels.copy()
    changed[1, 2] = 0xFF0000FF
    scene.add([marks[0], Raster(changed, (0, 0, 4, 3), MATRIX, 1.0)], marks, WORDS)
    known = Reader(scene.packed()).scene
    assert [bool(step["drawn"]) for step in known["steps"]] == [True, False, False, False, False, True]
    assert [image[5:] for image in known["images"]] == [[4, 3], [1, 1]]


def test_words_of_a_step_are_kept() -> None:
    scene = PackedScene(4, 3)
    scene.add([], [], WORDS)
    step = Reader(scene.packed()).scene["steps"][0]
    assert (step["place"], step["title"], step["sentence"], step["views"], step["line"]) == (
        "1 / 9",
        "title",
        "sentence",
        ["view: verdict"],
        3,
    )
