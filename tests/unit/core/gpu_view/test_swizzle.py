"""The layout of a tile in a picture: found from the trace alone, with what the same access costs without it, and with a layout typed in."""

from __future__ import annotations

import numpy as np
import pytest

from app.core.gpu_view.frame import frame_at
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.shared_memory import SharedMemory
from app.core.gpu_view.shared_tiles import SharedTiles, exchanges
from app.core.gpu_view.swizzle import NO_ORIGIN, SwizzlePicture, bits_words, rule_of, sentence_of, swizzle_picture, swizzle_table
from app.core.gpu_view.typed_layout import written
from kernels.base.messages import Message
from kernels.simt.base.types import Space
from tests.launch_records import launch_of, record_of
from tests.tensor_kernels import product
from tests.unit.kernels.simt.lower.ptx.test_tensor_maps import LOAD, tensor_map


def picture(index: LaunchIndex, step: int, fraction: float = 0.0, thread: int | None = None, text: str = "") -> SwizzlePicture:
    tiles = SharedTiles(SharedMemory(index))
    found = swizzle_picture(tiles, frame_at(index, step, fraction), thread, None, text)
    assert isinstance(found, SwizzlePicture), found
    return found


def loads(index: LaunchIndex) -> list[int]:
    return [step for step in index.steps_in(Space.SHARED).tolist() if index.site(step).operation == "load"]


@pytest.mark.parametrize(
    ("piece", "pitch", "rule", "own", "other"),
    [
        ("(piece ^ row % 8)", 128, "address bits 4, 5, 6 XOR bits 7, 8, 9", 4, 32),
        ("piece", 128, "line after line, no swizzle", 32, 32),
        ("piece", 144, "16 bytes of padding after every 128", 4, 32),
        ("(piece ^ row % 4)", 128, "address bits 4, 5 XOR bits 7, 8", 8, 32),
    ],
)
def test_the_layout_of_ldmatrix_is_found_from_addresses(piece: str, pitch: int, rule: str, own: int, other: int) -> None:
    index = product(piece, pitch)
    shown = picture(index, loads(index)[0])
    assert (str(rule_of(shown.tile)), shown.own.access.wavefronts, shown.other.access.wavefronts) == (rule, own, other)
    assert (shown.tile.source, shown.unit, exchanges(index)) == ("A", 16, "XOR" in rule)
    assert picture(index, loads(index)[1]).tile.source == "B"


def test_a_store_in_c_shows_what_it_exchanges() -> None:
    index = launch_of("gpu.transpose-swizzled", 64, tile=32)
    shown = picture(index, loads(index)[10])
    assert str(rule_of(shown.tile)) == "address bits 2, 3, 4, 5, 6 XOR bits 7, 8, 9, 10, 11"
    assert (shown.own.access.wavefronts, shown.other.access.wavefronts, shown.unit) == (1, 32, 4)
    assert "takes 1 wavefront. Without a swizzle: 32 wavefronts." in str(sentence_of(shown))


def test_each_phase_shows_its_lanes_and_banks() -> None:
    index = product()
    shown = picture(index, loads(index)[0], 0.3)
    assert sorted(lane for lanes in shown.own.lanes.values() for lane in lanes) == list(range(8, 16))
    assert (set(shown.own.turns), max(shown.other.turns), sorted(set(shown.other.turns))) == ({1}, 8, [0, 8])
    assert len({unit for _, unit in shown.own.lanes}) == 8
    assert len({unit for _, unit in shown.other.lanes}) == 1


def test_the_bits_are_those_of_the_selected_lane() -> None:
    index = product()
    shown = picture(index, loads(index)[2], thread=13)
    bits = shown.bits
    assert (bits.lane, bits.row, bits.column) == (13, 13, 16)
    assert (bits.dense, bits.found) == (13 * 128 + 32, 13 * 128 + (2 ^ 13 % 8) * 16)
    assert str(bits_words(shown)) == "A[13][16], lane 13: byte 1696 without, byte 1776 in memory"
    rows = [[str(cell) for cell in row] for row in swizzle_table(shown).rows]
    assert len(rows) == 32
    assert rows[13][:5] == ["13", "2", "A[13][16]", "1696", "1776"]


def test_a_typed_layout_is_laid_over_the_access() -> None:
    index = product()
    step = loads(index)[0]
    same = picture(index, step, text=written(picture(index, step).tile))
    assert same.own.access.wavefronts == same.other.access.wavefronts == 4
    shown = picture(index, step, text="Sw<2,3,3> o (16,64):(64,1)")
    assert (shown.other.access.wavefronts, shown.refused) == (8, False)
    assert str(shown.typed) == "a column: 4 wavefronts; a row: 1 wavefront; ldmatrix.x4: 8 wavefronts"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(16,64):(64,", "Column 13"),
        ("(8,64):(64,1)", "The layout has 8 × 64 coordinates, the tile 16 × 64 elements."),
        ("(16,64):(1,16)", "The elements of one word lie apart, from row 0, column 0 on"),
        ("(16,(8,8)):(64,(8,1))", "The elements of one word lie apart"),
        ("(16,(4,16)):(4,(1,64))", "Lane 0 moves 16 bytes at once, which lie apart in this layout."),
    ],
)
def test_a_layout_that_cannot_be_says_why(text: str, reason: str) -> None:
    index = product()
    shown = picture(index, loads(index)[0], text=text)
    assert shown.refused
    assert reason in str(shown.typed)
    assert shown.other.access.wavefronts == 32


def test_values_from_nowhere_known_are_said_to_be() -> None:
    index = launch_of("gpu.async", 64)
    tiles = SharedTiles(SharedMemory(index))
    last = loads(index)[-1]
    assert isinstance(swizzle_picture(tiles, frame_at(index, 0), None, None), Message)
    assert isinstance(swizzle_picture(tiles, frame_at(index, last), None, None), SwizzlePicture)


def test_of_a_tensor_copy_no_layout_is_claimed() -> None:
    tensor = np.arange(64 * 64, dtype=np.float32).reshape(64, 64)
    text = LOAD.replace("COUNT", "512").replace("RANK", "2").replace("START", "8, 4")
    index = record_of(text, 32, {"out": np.zeros(512, np.float32), **tensor_map(tensor, (32, 16), 128)}, shared_bytes=2048)
    last = next(step for step in reversed(loads(index)) if not index.site(step).function)
    assert swizzle_picture(SharedTiles(SharedMemory(index)), frame_at(index, last), None, None) == NO_ORIGIN
