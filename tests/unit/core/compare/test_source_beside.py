"""The lines of source in which two launches differ."""

from __future__ import annotations

import pytest

from app.core.compare.differences import changed, declaration, executed_line, statement_at
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


def test_a_statement_of_several_lines_is_whole() -> None:
    index = launch_of("gpu.tiled", 32)
    line = "As[ty][tx] = (row < M && k0 + tx < K) ? A[(long long)row * K + k0 + tx] : 0.0f;"
    assert executed_line(frame_at(index, 0), index) == line


@pytest.mark.parametrize(
    ("text", "at", "statement"),
    [
        ("int a = 1;\nx = a  // the first\n  + b\n  + c;\ny = 2;", 2, "x = a + b + c;"),
        ("for (int k = 0; k < 8; ++k)\n  sum += a[k];", 1, "sum += a[k];"),
        ("for (int k = 0; k < 8; ++k)\n  sum += a[k];", 0, "for (int k = 0; k < 8; ++k)"),
        ("else\n  sum = a[k]\n    ? 1 :\n    2;", 3, "sum = a[k] ? 1 : 2;"),
        ("{\n\n#pragma unroll\nf(a,\n  b);\n}", 4, "f(a, b);"),
        ("def f(a):\n    i = cuda.grid(1)\n    a[i] = 0", 2, "a[i] = 0"),
        ("\n".join(["x"] * 30) + ";", 9, "x"),
        ("/* one;\n   two */\nx = a /* the first */ + b\n  + c; // all", 3, "x = a + b + c;"),
        ("y = 1; /* begins\n and ends */ x = a;", 1, "x = a;"),
        ("x = a\n  /* the first */\n  // and\n  + b;", 3, "x = a + b;"),
        ("x = a\n  /* the first */\n  + b;", 0, "x = a + b;"),
        ("/*\n" + 10 * "words\n" + "\nwords */\nx = a;", 13, "x = a;"),
    ],
)
def test_where_a_statement_begins_and_ends(text: str, at: int, statement: str) -> None:
    assert statement_at(text.splitlines(), at) == statement


def test_only_what_differs_is_marked() -> None:
    line, other = "float As[8][8];", "float As[16][16];"
    assert [line[first:last] for first, last in changed(line, other)] == ["8", "8"]
    assert changed(line, line) == ()
    assert changed("", line) == ()
