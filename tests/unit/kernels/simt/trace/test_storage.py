"""Traces in files: back exactly as written; what is damaged, hostile or of another version is refused."""

from __future__ import annotations

import dataclasses
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kernels.base.messages import Message, message
from kernels.simt.base.types import Location, Space
from kernels.simt.trace import storage
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.storage import HEADER, read_trace, write_trace
from kernels.simt.trace.trace import VERSION, Allocation, BarrierEvent, Finding, Printed, Rows, Site, Trace
from tests.analysis_traces import Recorder, words

AT = Location(3, 7)


def column(*values: int, dtype: Any = np.int32) -> Any:
    return np.array(values, dtype)


def sample() -> Trace:
    finding = Finding(
        FindingKind.DATA_RACE, AT, (0, 0, 0), ((1, 0, 0), (2, 0, 0)),
        message("{a}, {b:.3g}, {c}: {d}", a=1, b=0.1, c="x\ud800y", d=message("inner")), other=Location(4, 1, "tile.cuh"), row=1,
    )  # fmt: skip
    structured = np.zeros(2, np.dtype({"names": ["a", "b"], "formats": ["<i4", "<f8"], "offsets": [0, 8], "itemsize": 16}))
    structured["b"] = [np.nan, -0.0]
    return Trace(
        version=VERSION, kernel="k", source="// Grüße\n", grid=(2, 1, 1), block=(40, 1, 1), mode="block", blocks=((0, 0, 0), (1, 0, 0)),
        allocations=(Allocation("x", Space.GLOBAL, 256, 32, (4, 2), 4, "float"),),
        sites=(Site("load", Space.GLOBAL, 4, 0, AT, "x[i]"), Site("store", Space.SHARED, 16, -1, AT, "s[i]", tile=True)),
        rows=Rows(
            column(0, 1, 0), column(1, 0, 1), column(0, 0, 1), column(-8, 0, 2**40, dtype=np.int64), column(0, 0, 1), column(0, 1, 1),
            column(0, 0, 1), changed=column(-1, 0, 1), issued=column(-1, 0, -1),
        ),
        masks=np.arange(128).reshape(2, 64) % 3 == 0, bases=np.arange(128, dtype=np.int64).reshape(2, 64) - 5,
        barriers=(BarrierEvent(0, 2, AT, 1),), flops=2**70, findings=(finding,), printed=(Printed((1, 0, 0), (5, 0, 0), "a\0b"),),
        values={"x": np.array([[1.5, np.inf]], np.float32), "pairs": structured, "empty": np.zeros((0, 3), ">i2")},
    )  # fmt: skip


def assert_equal(found: Any, expected: Any) -> None:
    if isinstance(expected, np.ndarray):
        assert (found.dtype, found.shape, found.tobytes()) == (expected.dtype, expected.shape, expected.tobytes())
    elif dataclasses.is_dataclass(expected):
        assert type(found) is type(expected)
        for field in dataclasses.fields(expected):
            assert_equal(getattr(found, field.name), getattr(expected, field.name))
    elif isinstance(expected, dict):
        assert list(found) == list(expected)
        for key in expected:
            assert_equal(found[key], expected[key])
    else:
        assert found == expected
        assert type(found) is type(expected)


@pytest.fixture
def written(tmp_path: Path) -> Path:
    path = tmp_path / "trace.zip"
    assert write_trace(sample(), path) is None
    return path


def refused(path: Path) -> str:
    outcome = read_trace(path)
    assert isinstance(outcome, Message)
    return str(outcome)


def rewritten(path: Path, change: Any) -> Path:
    """The same file after `change(members)`, which edits the members' bytes by name."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def with_header(path: Path, change: Any) -> Path:
    def edit(members: dict[str, bytes]) -> None:
        header = json.loads(members[HEADER])
        change(header)
        members[HEADER] = json.dumps(header).encode()

    return rewritten(path, edit)


def test_a_trace_comes_back_exactly(written: Path) -> None:
    assert_equal(read_trace(written), sample())


def updated(count: int) -> Trace:
    """A trace whose atomics read and left so many numbers."""
    recorder = Recorder()
    for _ in range(2):
        recorder.atomic("a", 3, words(0, 1, None, 5), update=(7, 8))
    trace = dataclasses.replace(recorder.trace(), version=VERSION)
    assert trace.rows.updates is not None
    fewer = dataclasses.replace(trace.rows.updates, after=trace.rows.updates.after[:count])
    return dataclasses.replace(trace, rows=dataclasses.replace(trace.rows, updates=fewer))


def test_what_atomics_did_comes_back_and_must_fit_the_lanes(tmp_path: Path) -> None:
    assert write_trace(updated(6), tmp_path / "good.zip") is None
    assert_equal(read_trace(tmp_path / "good.zip"), updated(6))
    assert write_trace(updated(5), tmp_path / "bad.zip") is None
    assert refused(tmp_path / "bad.zip")


def test_equal_traces_make_equal_files(written: Path, tmp_path: Path) -> None:
    assert write_trace(sample(), tmp_path / "again.zip") is None
    assert (tmp_path / "again.zip").read_bytes() == written.read_bytes()


def test_a_file_that_cannot_be_written_or_read_has_a_reason(tmp_path: Path) -> None:
    assert "cannot be written" in str(write_trace(sample(), tmp_path / "none" / "trace.zip"))
    assert "cannot be read" in refused(tmp_path / "missing.zip")


def test_a_trace_too_large_to_be_read_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "LARGEST_FILE", storage.LARGEST_HEADER + 100)
    assert "cannot be written" in str(write_trace(sample(), tmp_path / "trace.zip"))
    assert list(tmp_path.iterdir()) == []


def test_another_version_is_refused(written: Path) -> None:
    with_header(written, lambda header: header.update(version=VERSION + 1))
    assert f"version {VERSION + 1}; this program reads version {VERSION}" in refused(written)


@pytest.mark.parametrize("length", [0, 1, 100, 1000])
def test_a_file_that_was_cut_off_is_refused(written: Path, length: int) -> None:
    written.write_bytes(written.read_bytes()[:length])
    assert "damaged" in refused(written)


def test_no_single_changed_byte_is_believed_or_harms(written: Path) -> None:
    whole, expected = written.read_bytes(), sample()
    generator = np.random.default_rng(1)
    for place in generator.integers(0, len(whole), 300):
        damaged = bytearray(whole)
        damaged[place] ^= int(generator.integers(1, 256))
        written.write_bytes(damaged)
        outcome = read_trace(written)
        if not isinstance(outcome, Message):  # a byte of no meaning, such as a time
            assert_equal(outcome, expected)


def header_changes() -> list[Any]:
    def field(number: int, value: Any) -> Any:
        return lambda header: header["trace"].__setitem__(number, value)

    return [
        lambda header: header.clear(),
        lambda header: header.update(format="other"),
        lambda header: header.update(trace=None),
        lambda header: header["trace"].pop(),
        lambda header: header["arrays"].pop(),
        lambda header: header["arrays"][0].__setitem__(0, "|O"),
        lambda header: header["arrays"][0].__setitem__(0, "<f4"),
        lambda header: header["arrays"][0].__setitem__(1, [1 << 60]),
        lambda header: header["arrays"][0].__setitem__(1, [-1, -3]),
        lambda header: header["arrays"][0].__setitem__(1, ["3"]),
        field(0, VERSION + 1),
        field(1, 5),
        field(3, [2, 1]),
        field(4, [4000, 1, 1]),
        field(6, []),
        field(7, [["x", "nowhere", 256, 32, [4, 2], 4, "float"]]),
        field(8, []),
        field(12, [[0, 99, [3, 7, ""], 0]]),
        field(13, 1.5),
        field(16, {"x": 0}),
        field(16, {"x": -1}),
        lambda header: header["trace"][9].__setitem__(1, header["trace"][9][0]),
    ]


@pytest.mark.parametrize("number", range(len(header_changes())))
def test_a_header_that_does_not_fit_is_refused(written: Path, number: int) -> None:
    with_header(written, header_changes()[number])
    assert "damaged" in refused(written)


def test_a_header_of_endless_depth_is_refused(written: Path) -> None:
    rewritten(written, lambda members: members.update({HEADER: b"[" * 200_000}))
    assert "damaged" in refused(written)


def test_indices_that_do_not_exist_are_refused(written: Path) -> None:
    def change(members: dict[str, bytes]) -> None:
        members["0"] = column(0, 2, 0).tobytes()

    assert "damaged" in refused(rewritten(written, change))


def test_a_file_that_unpacks_to_too_much_is_refused_before_it_is_unpacked(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rewritten(written, lambda members: members.update(bomb=bytes(10_000_000)))
    assert written.stat().st_size < 100_000
    monkeypatch.setattr(storage, "LARGEST_FILE", 9_000_000)
    assert "larger than a trace can be" in refused(written)


def test_a_pickle_is_never_loaded(written: Path) -> None:
    rewritten(written, lambda members: members.update({"0": b"cos\nsystem\n(S'false'\ntR."}))
    assert "damaged" in refused(written)
