"""Settings of any content: what cannot be understood counts as not saved, and the program starts."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.core.base.i18n import choose_language
from app.core.export.choice import with_habits
from app.core.session.session import Session
from app.qt.base.settings import Settings
from app.qt.base.theme import theme
from app.qt.shell.application import read_zoom

EXAMPLES = int(os.environ.get("TILESCOPE_FUZZ_READERS", "60"))
FILES = ["[]", "[1, null]", "{}", '["x.cu", "/a/x.cu"]', '["\\ud800"]', "[" * 2000]
KEYS = (
    "files/recent", "files/launches", "stage/variant", "stage/size", "stage/parameters", "stage/profile", "look/theme", "look/zoom",
    "look/language", "window/geometry", "timing/ticked-matmul", "timing/ticked-transpose",
)  # fmt: skip
GOOD = (
    b"[stage]\nvariant=gpu.tiled\nsize=64 64 64\nparameters=tile=16\nprofile=h200\n[look]\nzoom=125\ntheme=dark\n"
    b"[window]\ngeometry=@ByteArray(\\x1\\xd9\\xd0\\xcb\\0\\x3)\n"
)
DIGITS = "9" * 5000
"""More than Python converts."""
VALUES = st.one_of(
    st.text(max_size=40),
    st.integers().map(str),
    st.sampled_from([json.dumps(each) for each in FILES]),
    st.sampled_from([DIGITS, "²", "64 64", "0 0 0", "64 64 1e9", "tile=16 tile=", "tile=-1", "=", "gpu.tiled", "gpu.hello", "cpu.blocked"]),
    st.sampled_from(
        [
            "@ByteArray(",
            "@Variant(\\0\\0\\0\\x7f\\xff\\xff\\xff\\xff)",
            "@Variant(\\0\\0\\0\\b\\x7f\\xff\\xff\\xff)",
            "@Invalid()",
            "@Size(1)",
        ]
    ),
)


@pytest.fixture(autouse=True)
def warnings_are_meant(qt_warnings: list[str]) -> Iterator[None]:
    """Qt says of values that they are damaged."""
    yield
    qt_warnings.clear()


def start_with(content: bytes) -> None:
    """What a start reads of the settings."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "settings.ini"
        path.write_bytes(content)
        kept = Settings(path)
        session = Session()
        kept.restore_stage(session)
        kept.restore_ticks(session)
        assert len(session.timing.value.variants) == len(session.timing.value.ticked)
        kept.keep_files(session.draft_editor)
        assert all(file.is_absolute() for file in session.draft_editor.recent_files.value)
        kept.geometry()
        theme(kept.text("look/theme") or "system", read_zoom(kept.text("look/zoom")) / 100)
        choose_language(kept.text("look/language"), {})
        with_habits(kept.text("export/habits") or "")
        assert session.set_stage_problem(session.stage.value.problem) is None, "the stage can show what it is asked for"


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=6))
@example(
    {"stage/variant": "gpu.tiled", "stage/size": "9" * 5000 + " 1 1", "stage/parameters": "tile=" + "9" * 5000, "look/zoom": "9" * 5000}
)
@example({"stage/variant": "gpu.tiled", "stage/size": "² 64 64", "stage/parameters": "tile=²", "look/zoom": "²"})
def test_any_values(values: dict[str, str]) -> None:
    sections: dict[str, list[str]] = {}
    for key, value in values.items():
        section, _, name = key.partition("/")
        sections.setdefault(section, []).append(f"{name}={value}")
    start_with("".join(f"[{section}]\n" + "\n".join(lines) + "\n" for section, lines in sections.items()).encode())


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.integers(0, len(GOOD)), st.integers(0, 30), st.binary(max_size=30))
def test_a_damaged_file(at: int, length: int, put: bytes) -> None:
    start_with(GOOD[:at] + put + GOOD[at + length :])


def test_what_was_saved_is_there_again(tmp_path: Path) -> None:
    path = tmp_path / "settings.ini"
    path.write_bytes(GOOD)
    session = Session()
    assert Settings(path).restore_stage(session)
    assert (session.stage.value.variant.id, session.stage.value.problem.m) == ("gpu.tiled", 64)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
@pytest.mark.timeout(60)
def test_settings_that_are_a_pipe_are_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "settings.ini"
    os.mkfifo(path)
    kept = Settings(path)
    assert "It is kept as" in str(kept.notice)
    kept.save_text("look/theme", "dark")
    kept.save()
    assert path.is_file()
    assert Settings(path).text("look/theme") == "dark"
