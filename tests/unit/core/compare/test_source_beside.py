"""The lines of source in which two launches differ."""

from __future__ import annotations

from app.core.compare.differences import changed, declaration, executed_line
from app.core.gpu_view.frame import frame_at
from tests.launches.launch_records import launch_of

READ = 74
"""A step that reads a column of the tile."""


def test_an_array_is_declared_with_the_values_of_its_macros() -> None:
    shared, padded = launch_of("gpu.transpose-shared", 64, tile=32), launch_of("gpu.transpose-padded", 64, tile=32)
    lines = [declaration(frame_at(index, READ), index) for index in (shared, padded)]
    assert lines == ["__shared__ float tile[32][32];", "__shared__ float tile[32][32 + 1];"]
    assert [lines[1][first:last] for first, last in changed(lines[1], lines[0])] == [" + 1"]


def test_arrays_in_global_memory_have_no_declaration_to_show() -> None:
    index = launch_of("gpu.transpose-shared", 64, tile=32)
    assert declaration(frame_at(index, 0), index) == ""


def test_the_executed_line_is_that_of_the_text() -> None:
    index = launch_of("gpu.transpose-shared", 64, tile=32)
    assert executed_line(frame_at(index, READ), index) == "C[(long long)c_row * M + c_col] = tile[tx][ty];"


def test_only_what_differs_is_marked() -> None:
    line, other = "float As[8][8];", "float As[16][16];"
    assert [line[first:last] for first, last in changed(line, other)] == ["8", "8"]
    assert changed(line, line) == ()
    assert changed("", line) == ()
