"""The layout of a tile in a picture: found from the trace alone, with what the same access costs without it, and with a layout typed in."""

from __future__ import annotations

import re

import numpy as np
import pytest

from app.core.gpu_view.frame import frame_at
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.shared.bank_sentences import why_nothing
from app.core.gpu_view.shared.banks import banks_picture
from app.core.gpu_view.shared.shared_memory import SharedMemory
from app.core.gpu_view.shared.shared_tiles import SharedTiles, exchanges
from app.core.gpu_view.shared.swizzle import SwizzlePicture, bits_words, rule_of, sentence_of, swizzle_picture, swizzle_table, verdict_of
from app.core.gpu_view.shared.typed_layout import example_for, typed_offsets, written
from kernels.base.messages import Message
from kernels.simt.base.types import Space
from tests.launches.launch_records import launch_of, record_of, recorded
from tests.launches.tensor_kernels import product
from tests.oracle.corpus import FOLDER, read
from tests.oracle.instructions import filled
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
    assert str(bits_words(shown)) == "A[13][16], lane 13: byte 1696 without a swizzle, byte 1776 in memory"
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
        ("(8,8,4):(8,1,64)", "The layout has 8 × 32 coordinates, the tile 16 × 64 elements. This one fits: (16,64):(64,1)"),
        ("(1,1,2):(0,0,1)", "The layout has 1 × 2 coordinates"),
        ("(8,64):(134217728,1)", "Offsets could go up to"),
        ("(16,64):(1,16)", "The elements of one word lie apart, from row 0, column 0 on"),
        ("(16,(8,8)):(64,(8,1))", "The elements of one word lie apart"),
        ("(16,(4,16)):(4,(1,64))", "Lane 0 moves 16 bytes at once, which lie apart in this layout."),
        ("Sw<3,1,5> o (16,64):(64,1)", "which lie apart in this layout. This one fits: Sw<3,3,3> o (16,64):(64,1)"),
    ],
)
def test_a_layout_that_cannot_be_says_why(text: str, reason: str) -> None:
    index = product()
    shown = picture(index, loads(index)[0], text=text)
    assert shown.refused
    assert reason in str(shown.typed)
    assert shown.other.access.wavefronts == 32


@pytest.mark.parametrize(("variant", "repeated"), [("gpu.mma-swizzled-bf16", {4, 32}), ("gpu.wgmma-bf16", {2, 8, 16})])
def test_the_library_s_layout_of_a_few_rows_is_repeated_over_the_whole_tile(variant: str, repeated: set[int]) -> None:
    """Swizzles of the library are written of 8 rows, in elements: `tile_to_shape` makes of them the layout of a tile."""
    index, seen = launch_of(variant, 128), set[str]()
    tiles = SharedTiles(SharedMemory(index))
    for step in loads(index)[:200]:
        for text in ("Sw<3,3,3> o (64,64):(64,1)", "Sw<3,3,3> o (8,64):(64,1)"):
            shown = swizzle_picture(tiles, frame_at(index, step), None, None, text)
            assert isinstance(shown, SwizzlePicture)
            assert not shown.refused, str(shown.typed)
            whole = typed_offsets(shown.tile, f"Sw<3,3,3> o ({int(shown.tile.row.max()) + 1},64):(64,1)", shown.own.access)
            assert isinstance(whole, tuple)
            assert (shown.other.offset == whole[0]).all()
            seen.add(str(shown.typed).partition(" ×")[0])
    assert {f"repeated {times}" for times in repeated} <= seen


@pytest.mark.parametrize(("variant", "bytes_", "columns"), [("gpu.mma-swizzled-tf32", 4, 16), ("gpu.mma-swizzled-bf16", 2, 32)])
def test_elements_of_an_untyped_tile_are_as_wide_as_products_take_them(variant: str, bytes_: int, columns: int) -> None:
    index = launch_of(variant, 64)
    tile = picture(index, loads(index)[0]).tile
    assert (tile.size, int(tile.column.max()) + 4 // tile.size) == (bytes_, columns)


def test_a_layout_that_is_refused_names_one_that_can_be_typed() -> None:
    index = product()
    for text in ("(8,8,4):(8,1,64)", "(16,64):(1,16)", "Sw<3,1,5> o (16,64):(64,1)"):
        said = str(picture(index, loads(index)[0], text=text).typed)
        assert not picture(index, loads(index)[0], text=said.partition("This one fits: ")[2]).refused, said


def test_the_layout_to_begin_with_can_be_typed() -> None:
    for index in (product(), launch_of("gpu.mma-swizzled-bf16", 64)):
        step = loads(index)[0]
        assert not picture(index, step, text=example_for(picture(index, step).tile)).refused


def test_values_from_nowhere_known_are_said_to_be() -> None:
    index = launch_of("gpu.async", 64)
    tiles = SharedTiles(SharedMemory(index))
    last = loads(index)[-1]
    before = swizzle_picture(tiles, frame_at(index, 0), None, None)
    assert isinstance(before, Message)
    assert before.template.endswith("The first that does is step {step}.")
    first = next(step for step in range(index.steps) if tiles.memory.placed(step) is not None)
    assert dict(before.arguments) == {"step": first + 1}
    assert isinstance(swizzle_picture(tiles, frame_at(index, last), None, None), SwizzlePicture)


def engine_reads(index: LaunchIndex, function: str) -> list[SwizzlePicture]:
    """The pictures of the steps of some instruction."""
    tiles = SharedTiles(SharedMemory(index))
    steps = (step for step in range(index.steps) if index.site(step).function.startswith(function))
    found = [swizzle_picture(tiles, frame_at(index, step), None, None) for step in steps if index.site(step).space is Space.SHARED]
    return [each for each in found if isinstance(each, SwizzlePicture)]


def in_memory(picture: SwizzlePicture) -> None:
    """The layout as it is written leads to where everything lies."""
    typed = typed_offsets(picture.tile, written(picture.tile), picture.own.access)
    assert isinstance(typed, tuple), str(typed)
    assert (typed[0] == picture.own.offset).all()


@pytest.mark.parametrize(
    ("name", "layouts", "costs"),
    [
        ("wgmma-plain", {"(64,(8,2)):(8,(1,512))", "(8,(8,2)):(8,(1,64))"}, {(4, 4), (2, 2)}),
        ("wgmma-64-byte-swizzle", {"Sw<2,3,3> o (64,32):(32,1)", "Sw<2,3,3> o (8,32):(32,1)"}, {(4, 16), (2, 8)}),
        ("wgmma-128-byte-swizzle", {"Sw<3,3,3> o (64,64):(64,1)", "Sw<3,3,3> o (8,64):(64,1)"}, {(4, 32), (2, 16)}),
    ],
)
def test_operands_of_wgmma_lie_as_their_descriptors_say(name: str, layouts: set[str], costs: set[tuple[int, int]]) -> None:
    case = read(FOLDER / "instructions" / f"{name}.cu")
    pictures = engine_reads(recorded(case.text, filled(case.kernel, case.request)), "wgmma.")
    assert {written(each.tile) for each in pictures} == layouts
    assert {(each.own.access.wavefronts, each.other.access.wavefronts) for each in pictures} == costs
    assert {each.tile.source for each in pictures} == {"A", "B"}
    for each in pictures:
        in_memory(each)


def test_the_operands_of_the_ladder_s_best_rung_are_told_apart() -> None:
    pictures = engine_reads(launch_of("gpu.wgmma-bf16", 128), "wgmma.")
    assert {(each.tile.source, written(each.tile)) for each in pictures} == {
        ("A", "Sw<3,3,3> o (64,64):(64,1)"),
        ("B", "Sw<3,3,3> o (128,64):(64,1)"),
    }
    starts = {int(each.tile.base) for each in pictures if each.tile.source == "A"}
    assert len(starts) == 4


def boxed(span: int, box: tuple[int, int] = (32, 16)) -> LaunchIndex:
    tensor, count = np.arange(64 * 64, dtype=np.float32).reshape(64, 64), box[0] * box[1]
    text = LOAD.replace("COUNT", str(count)).replace("RANK", "2").replace("START", "8, 4")
    return record_of(text, 32, {"out": np.zeros(count, np.float32), **tensor_map(tensor, box, span)}, shared_bytes=count * 4)


@pytest.mark.parametrize(
    ("span", "box", "layout"),
    [
        (0, (32, 16), "(16,32):(32,1)"),
        (32, (8, 16), "Sw<1,2,3> o (16,8):(8,1)"),
        (64, (16, 16), "Sw<2,2,3> o (16,16):(16,1)"),
        (128, (32, 16), "Sw<3,2,3> o (16,32):(32,1)"),
    ],
)
def test_a_box_lies_as_the_tensor_map_says(span: int, box: tuple[int, int], layout: str) -> None:
    index = boxed(span, box)
    for function in ("cp.async.bulk.tensor", ""):
        pictures = engine_reads(index, function)
        last = next(each for each in reversed(pictures) if each.tile.source)
        assert written(last.tile) == layout
        assert last.tile.corner == (4, 8)
        in_memory(last)
    assert str(bits_words(last)).startswith("map.address[")


def test_every_step_of_the_instructions_has_a_picture_or_a_reason() -> None:
    for name in ("bulk-load", "bulk-store", "cluster-multicast", "cluster-neighbours-memory", "wgmma-plain", "stmatrix-x4"):
        case = read(FOLDER / "instructions" / f"{name}.cu")
        index = recorded(case.text, filled(case.kernel, case.request))
        memory = SharedMemory(index)
        tiles = SharedTiles(memory)
        for step in range(0, index.steps, max(index.steps // 60, 1)):
            frame = frame_at(index, step, 0.5)
            assert isinstance(swizzle_picture(tiles, frame, None, None), SwizzlePicture | Message)
            assert banks_picture(memory, frame).memory is memory


def test_a_line_of_a_copy_in_bulk_has_a_place_in_every_bank_and_takes_no_wavefront() -> None:
    """Where it lies is shown; what it costs is said of no warp."""
    index = launch_of("gpu.wgmma-bf16", 128)
    step = next(step for step in range(index.steps) if index.site(step).bytes == 128 and index.site(step).space is Space.SHARED)
    assert index.site(step).copied
    memory, frame = SharedMemory(index), frame_at(index, step)
    shown = banks_picture(memory, frame)
    assert shown.access is None
    assert memory.written_until(step + 1) == step
    assert "no warp instruction" in str(why_nothing(index, frame.site))
    access = memory.placed(step)
    assert access is not None
    assert (access.phases[0].words_of_bank, len(access.touches)) == ((1,) * 32, 32)
    tile = swizzle_picture(SharedTiles(memory), frame, None, None)
    assert isinstance(tile, SwizzlePicture)
    assert (tile.past, tile.own.copied, verdict_of(tile)) == (False, True, None)
    assert str(sentence_of(tile)).endswith("What is copied here takes no wavefronts.")


def test_what_an_engine_reads_is_no_lane_s() -> None:
    index = launch_of("gpu.wgmma-bf16", 64)
    shown = picture(index, next(step for step in loads(index) if index.site(step).function.startswith("wgmma.")), thread=13)
    assert shown.own.engine
    assert shown.other.engine
    assert str(bits_words(shown)) == "A[13][0]: byte 1664 without a swizzle, byte 1744 in memory"
    assert [str(title) for title in swizzle_table(shown).titles][:2] == ["Part", "Phase"]
    assert not picture(product(), loads(product())[0]).own.engine


def test_packed_elements_are_named_as_the_text_that_copies_them_counts_them() -> None:
    """An element of T holds two values of 16 bits: the view never names a column past the last one of T."""
    index = launch_of("gpu.mma-swizzled-bf16", 64, tile=64, tile_rows=64)
    packed = next(role for role in index.roles.values() if role.prepared)
    (rows, columns), seen = (packed.rows, packed.columns), set[tuple[int, int]]()
    for step in loads(index):
        for row in swizzle_table(picture(index, step)).rows:
            found = re.fullmatch(r"T\[(\d+)\]\[(\d+)\]", str(row[2]))
            assert found is not None, row
            seen.add((int(found[1]), int(found[2])))
    assert {row for row, _ in seen} == set(range(rows))
    assert {column for _, column in seen} == set(range(0, columns, 4))
