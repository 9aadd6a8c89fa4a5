"""Every CUDA kernel of the catalogue, executed without a GPU: right at odd sizes, nothing found, banks as the lesson says."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from kernels.analysis.counts import counts
from kernels.analysis.findings import findings
from kernels.base.architectures import OPT_IN_SHARED_BYTES
from kernels.base.limits import Limits, refuse, refuse_matrices
from kernels.base.reference import ReferenceCache
from kernels.base.spec import PREPARED, Launch, Operation, Output, Problem, Variant
from kernels.catalogue import gpu_split_k
from kernels.catalogue.catalogue import VARIANTS, by_id
from kernels.catalogue.gpu_split_k import Choice, split_k
from kernels.simt.base.launch import Argument, Budget, Filled, LaunchRequest, Mode
from kernels.simt.frontend.parse import parse
from kernels.simt.ir import Kernel
from kernels.simt.lower import lower
from kernels.simt.run.execution import execute
from kernels.simt.trace.trace import Trace
from tests.launches.bank_costs import most_wavefronts
from tests.launches.gpu_settings import settings

PATIENT = Budget(seconds=60)
"""The other cores may be busy."""

CUDA = [variant for variant in VARIANTS if variant.interpreted and variant.operation is not Operation.HELLO]


def in_pairs(able: Sequence[Mapping[str, int]]) -> list[Mapping[str, int]]:
    """As few combinations of values as have each pair of values that any of them has."""
    pairs = [set(combinations(setting.items(), min(2, len(setting)))) for setting in able]
    missing, chosen = set().union(*pairs), []
    while missing:
        best = max(range(len(pairs)), key=lambda number: len(pairs[number] & missing))
        missing -= pairs[best]
        chosen.append(able[best])
    return chosen or list(able)


SHAPES = ((1, 1, 1), (17, 19, 23), (33, 36, 12), (37, 40, 16), (5, 7, 0))
"""m, n and k: rows of odd length, and rows of whole float4s with edges that no tile meets."""
LARGE_SHAPES = ((130, 132, 20), (133, 70, 17))
"""Several blocks of large tiles."""
SHAPE = "shape"


def cases(variant: Variant) -> list[tuple[Mapping[str, int], list[tuple[int, int, int]]]]:
    """Settings, each with the shapes that it is executed on: any two values of parameters meet, and each value meets each shape."""
    chosen = in_pairs([each for each in settings(variant) if each.get("tile") != 1])
    found: dict[tuple[tuple[str, int], ...], list[tuple[int, int, int]]] = {}
    shapes = [SHAPES + (LARGE_SHAPES if "results" in setting or variant.precision is not None else ()) for setting in chosen]
    for case in in_pairs([{**setting, SHAPE: number} for setting, own in zip(chosen, shapes, strict=True) for number in range(len(own))]):
        setting = tuple((name, value) for name, value in case.items() if name != SHAPE)
        found.setdefault(setting, []).append((SHAPES + LARGE_SHAPES)[case[SHAPE]])
    return [(dict(setting), found[setting]) for setting in sorted(found)]


CASES = [(variant, setting, shapes) for variant in CUDA for setting, shapes in cases(variant)]
"""Blocks of one thread are left to the GPU: thousands of blocks take long here. So are the other combinations."""


def named(value: object) -> str:
    if isinstance(value, Mapping):
        return ",".join(f"{name}={number}" for name, number in value.items())
    return getattr(value, "id", str(value))


@cache
def _lowered(variant_id: str, entry: str, defines: tuple[tuple[str, int], ...]) -> Kernel:
    variant = by_id(variant_id)
    return lower(parse(variant.source_text, None, dict(defines)), entry)


def traced(variant: Variant, problem: Problem, parameters: Mapping[str, int], mode: Mode = Mode.BLOCK) -> tuple[Trace, ReferenceCache]:
    """The launch on seeded inputs, in the order that the kernel takes them."""
    assert refuse(variant, problem, parameters, Limits()) is None
    assert variant.launch is not None
    launch = variant.launch(problem, parameters)
    references = ReferenceCache(3)
    arguments: dict[str, Argument] = {**references.inputs(problem), "M": problem.m, "N": problem.n}
    arguments["C"] = Filled(int(np.prod(problem.shapes["C"])))
    if problem.operation is Operation.MATMUL:
        arguments["K"] = problem.k
    if variant.output is Output.IN_PLACE:
        arguments["C"] = arguments.pop("A")
    arguments |= {name: Filled(rows * columns) for name, (rows, columns) in launch.prepared.items()}
    if launch.before is not None:
        arguments[PREPARED] = executed(variant, launch.before.entry, launch.before.launch, arguments, mode).values[PREPARED]
    return executed(variant, variant.entry, launch, arguments, mode), references


def executed(variant: Variant, entry: str, launch: Launch, arguments: Mapping[str, Argument], mode: Mode) -> Trace:
    """The trace of a launch, of which nothing is found."""
    request = LaunchRequest(
        (*launch.grid, 1), (*launch.block, 1), arguments, launch.dynamic_shared_bytes, mode, seed=1, budget=PATIENT,
        shared_limit=OPT_IN_SHARED_BYTES,
    )  # fmt: skip
    trace = execute(_lowered(variant.id, entry, tuple(launch.defines.items())), request, variant.source_text)
    assert findings(trace) == ()
    return trace


def verified(trace: Trace, references: ReferenceCache, problem: Problem, variant: Variant, setting: Mapping[str, int]) -> bool:
    output = trace.values["C"].view(np.float32).reshape(problem.shapes["C"])
    reference = references.reference(problem, lambda: None, variant.output).judging(variant, problem, setting)
    return reference.verify(output, lambda: None).reason is None


def suited(variant: Variant, m: int, n: int, k: int) -> Problem:
    """The problem of these sizes, or a square one where the variant takes no other."""
    problem = Problem.of(variant.operation, m, n, k)
    return problem if refuse_matrices(variant, problem) is None else Problem.square(variant.operation, n)


@pytest.mark.parametrize(("variant", "setting", "shapes"), CASES, ids=named)
def test_every_setting_is_right_at_odd_sizes_and_nothing_is_found(
    variant: Variant, setting: Mapping[str, int], shapes: list[tuple[int, int, int]]
) -> None:
    for m, n, k in shapes:
        problem = suited(variant, m, n, k)
        trace, references = traced(variant, problem, setting)
        assert verified(trace, references, problem, variant, setting)


@pytest.mark.parametrize("variant", CUDA, ids=named)
def test_the_order_of_the_warps_does_not_matter(variant: Variant) -> None:
    problem = suited(variant, 70, 132, 20)
    trace, references = traced(variant, problem, variant.defaults, Mode.WARP)
    assert verified(trace, references, problem, variant, variant.defaults)


def worst_wavefronts(variant_id: str, setting: Mapping[str, int], operation: str, array: str) -> int:
    """Of one load (or store) of an array in shared memory, at a size that the tile divides."""
    variant = by_id(variant_id)
    trace, _ = traced(variant, Problem.of(variant.operation, 64, 64, 16), {**variant.defaults, **setting})
    number = [allocation.name for allocation in trace.allocations].index(array)
    sites = [index for index, site in enumerate(trace.sites) if site.operation == operation and site.allocation in (number, -1)]
    return max(most_wavefronts(trace, site) for site in sites)


@pytest.mark.parametrize(("variant_id", "setting", "ways"), [
    ("gpu.transpose-shared", {"tile": 32}, 32),
    ("gpu.transpose-shared", {"tile": 16}, 8),
    ("gpu.transpose-padded", {"tile": 32}, 1),
    ("gpu.transpose-padded", {"tile": 32, "padding": 0}, 32),
    ("gpu.transpose-padded", {"tile": 32, "padding": 2}, 2),
    ("gpu.transpose-padded", {"tile": 32, "padding": 3}, 1),
    ("gpu.transpose-padded", {"tile": 32, "padding": 4}, 4),
    ("gpu.transpose-padded", {"tile": 32, "padding": 8}, 8),
    ("gpu.transpose-swizzled", {"tile": 32}, 1),
    ("gpu.transpose-swizzled", {"tile": 16}, 1),
    ("gpu.transpose-swizzled", {"tile": 8}, 1),
    ("gpu.transpose-swizzled", {"tile": 4}, 1),
], ids=str)  # fmt: skip
def test_a_column_of_the_tile_lies_in_as_many_banks_as_the_lesson_says(variant_id: str, setting: Mapping[str, int], ways: int) -> None:
    assert worst_wavefronts(variant_id, setting, "load", "tile") == ways
    assert worst_wavefronts(variant_id, setting, "store", "tile") == 1


@pytest.mark.parametrize(("variant_id", "depth", "load", "store"), [
    ("gpu.mma-bf16", 32, 16, 4),
    ("gpu.mma-bf16", 64, 32, 4),
    ("gpu.mma-padded-bf16", 32, 4, 8),
    ("gpu.mma-padded-bf16", 64, 4, 4),
    ("gpu.mma-swizzled-bf16", 32, 4, 4),
    ("gpu.mma-swizzled-bf16", 64, 4, 4),
    ("gpu.mma-tf32", 16, 16, 4),
    ("gpu.mma-tf32", 32, 32, 4),
    ("gpu.mma-padded-tf32", 16, 4, 8),
    ("gpu.mma-padded-tf32", 32, 4, 4),
    ("gpu.mma-swizzled-tf32", 16, 4, 4),
    ("gpu.mma-swizzled-tf32", 32, 4, 4),
])  # fmt: skip
def test_four_matrices_take_as_many_wavefronts_as_the_header_says(variant_id: str, depth: int, load: int, store: int) -> None:
    """Four are the least for 512 bytes. With 16 of padding two rows of 64 meet when they are written."""
    setting = {"tile": 64, "tile_rows": 64, "depth": depth, "stages": 2}
    assert worst_wavefronts(variant_id, setting, "load", "stages") == load
    assert worst_wavefronts(variant_id, setting, "store", "stages") == store


def test_blocks_with_a_tile_each_and_blocks_that_share_one_are_right_in_one_launch() -> None:
    problem, choice = Problem(Operation.MATMUL, 10, 260, 17), Choice(64, 64, 16, 2, 2, 3, 5.0, (0.7, 0.6, 0.6))
    variant = by_id("gpu.split-k")
    assert choice.blocks(problem, 1) == (4, 2)
    launch = replace(split_k(problem, choice.parameters), grid=(6, 1))
    trace, references = traced(replace(variant, launch=lambda *_: launch), problem, choice.parameters)
    assert verified(trace, references, problem, variant, choice.parameters)


def test_what_later_tiles_need_is_packed_beside_the_products() -> None:
    """One cluster has two tiles: what the second one needs of B is packed while the first is multiplied, and counted."""
    variant, problem, setting = by_id("gpu.wgmma-clusters-bf16"), Problem(Operation.MATMUL, 130, 260, 70), {"multiprocessors": 2}
    assert variant.launch is not None
    launch = variant.launch(problem, setting)
    assert launch.before is not None
    steps, bricks = launch.before.launch.grid
    assert (launch.grid, steps, bricks) == ((2, 1), 2, 4 + 3)
    trace, references = traced(variant, problem, setting)
    assert verified(trace, references, problem, variant, setting)
    counted = trace.values[PREPARED].view(np.int32)[steps * (bricks + 3) * 64 * 64 // 2 :][:4]
    assert counted.tolist() == [0, 0, 3 * steps, 3 * steps + 2 * 3]  # the last number of each of six warps is one too many


def test_a_is_turned_on_its_way_to_shared_memory_without_a_conflict() -> None:
    """Copies of B are of 512 bytes a warp, which are four wavefronts at least; those of A are of 128."""
    alone = {"slices": 1, "cluster": 1}
    assert [worst_wavefronts("gpu.split-k", alone, operation, "shared") for operation in ("load", "store")] == [2, 4]


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_the_help_says_what_is_executed(language: str) -> None:
    page = (Path(__file__).parents[4] / "resources" / "help" / language / "tensor-core-instructions.md").read_text(encoding="utf-8")
    for name, precision in product(("mma", "mma-padded", "mma-swizzled"), ("bf16", "tf32")):
        variant = by_id(f"gpu.{name}-{precision}")
        assert variant.launch is not None
        launch = variant.launch(Problem.square(Operation.MATMUL, 64), variant.defaults)
        counted = [worst_wavefronts(variant.id, {}, operation, "stages") for operation in ("load", "store")]
        told = re.search(rf"`gpu.{name}-bf16`\D*(\d+)\D+(\d+)\D+(\d+)", page)
        assert told is not None
        assert [int(each) for each in told.groups()] == [*counted, launch.dynamic_shared_bytes]


def test_where_rows_lie_changes_no_bit_of_a_product() -> None:
    problem = Problem.of(Operation.MATMUL, 70, 66, 100)
    rungs = [variant for variant in CUDA if variant.id.startswith("gpu.mma")]
    outputs = [(each.precision, traced(each, problem, each.defaults)[0].values["C"].tobytes()) for each in rungs]
    assert len(outputs) == 6
    assert len(set(outputs)) == len({output for _, output in outputs}) == 2


def test_exchanged_indices_cost_sectors_and_nothing_else() -> None:
    problem = Problem.square(Operation.MATMUL, 64)
    totals = {}
    for variant_id in ("gpu.naive", "gpu.uncoalesced"):
        variant = by_id(variant_id)
        totals[variant_id] = counts(traced(variant, problem, {"tile": 32, "rows": 8})[0]).totals
    naive, exchanged = totals["gpu.naive"], totals["gpu.uncoalesced"]
    assert (naive.global_load_requests, naive.flops) == (exchanged.global_load_requests, exchanged.flops)
    assert exchanged.global_store_sectors == 8 * naive.global_store_sectors
    assert exchanged.global_load_sectors * 5 == 33 * naive.global_load_sectors  # 4 + 1 sectors against 32 + 1


@pytest.mark.parametrize(("blocks", "x", "y"), [(1, 1, 1), (3, 5, 2), (2, 32, 32)])
def test_every_thread_says_hello_once(blocks: int, x: int, y: int) -> None:
    variant = by_id("gpu.hello")
    assert variant.launch is not None
    launch = variant.launch(Problem.square(Operation.HELLO, 1), {"blocks": blocks, "threads_x": x, "threads_y": y})
    trace = execute(_lowered("gpu.hello", "hello", ()), LaunchRequest((*launch.grid, 1), (*launch.block, 1)), variant.source_text)
    assert findings(trace) == ()
    expected = [
        f"Hello World from Thread ({i}, {j}) in Block {b}!\n" for b in range(blocks) for j in range(y) for i in range(x)
    ]  # fmt: skip
    assert sorted(each.text for each in trace.printed) == sorted(expected)


IN_GROUPS = [replace(each, groups=groups) for each, groups in zip(gpu_split_k.GATHERED, (2, 3, 5) * 7, strict=False)]
IN_BURSTS = [replace(each, bursts=bursts) for each in gpu_split_k.CHOICES[:3] for bursts in (1, 2, 4) if bursts != each.bursts]
OTHER = ((70, 140, 20), (40, 70, 33), (3, 5, 0))
"""Rows of whole float4s, of float2s, and nothing to multiply: each choice is tried at one, and at rows of floats; with groups at either."""


def rows_of_floats(choice: Choice) -> tuple[int, int, int]:
    """Two tiles of a choice or four, with edges."""
    return choice.rows + 3, choice.columns + (5 if choice.columns <= 64 else -3), 37


@pytest.mark.parametrize(("choice", "shape"), [
    *((choice, rows_of_floats(choice)) for choice in [*gpu_split_k.CHOICES, *IN_GROUPS[::2]]),
    *((choice, OTHER[number % len(OTHER)]) for number, choice in enumerate([*gpu_split_k.CHOICES, *IN_GROUPS[1::2]])),
    *((choice, (40, 70, 33)) for choice in IN_BURSTS),
], ids=str)  # fmt: skip
def test_every_choice_is_right_where_rows_are_whole_float4s_float2s_or_floats(
    choice: Choice, shape: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpu_split_k, "chosen", lambda *_: choice)
    fitted, problem = by_id("gpu.fitted"), Problem(Operation.MATMUL, *shape)
    trace, references = traced(fitted, problem, fitted.defaults)
    assert verified(trace, references, problem, fitted, fitted.defaults)


@pytest.mark.parametrize(("slices", "past"), [(2, 64), (1, 63)], ids=["through shared memory", "32 neighbours at a time"])
@pytest.mark.parametrize(("groups", "k"), [(2, 70), (3, 70), (3, 33), (2, 0)])
def test_the_last_tiles_are_spread_over_all_places(groups: int, k: int, slices: int, past: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of six tiles and four places two are left: their first blocks take more steps of k than the others, which may have none."""
    choice = Choice(64, 64, 8, slices, 1, 3, 1.0, (0.7, 0.7, 0.7), turned=True, padded=True, groups=groups, spread=True)
    monkeypatch.setattr(gpu_split_k, "chosen", lambda *_: choice)
    monkeypatch.setattr(gpu_split_k, "_resident", lambda _: 4)
    fitted, problem = by_id("gpu.fitted"), Problem(Operation.MATMUL, 10, 260 + past, k)
    assert choice.blocks(problem, 1) == (4, 2 * groups)
    trace, references = traced(fitted, problem, {"multiprocessors": 1})
    assert verified(trace, references, problem, fitted, {"multiprocessors": 1})


def test_the_last_of_the_groups_adds_up_what_no_other_has_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four tiles alone, and two whose three groups count, then draw shares until none is left; C does not depend on who comes last."""
    choice = Choice(64, 64, 8, 2, 1, 3, 1.0, (0.7, 0.7, 0.7), groups=3)
    monkeypatch.setattr(gpu_split_k, "chosen", lambda *_: choice)
    fitted, problem = by_id("gpu.fitted"), Problem(Operation.MATMUL, 10, 260 + 64, 70)
    monkeypatch.setattr(gpu_split_k, "_resident", lambda _: 4)
    assert choice.blocks(problem, 1) == (4, 6)
    launch = gpu_split_k._launch_of(choice, problem, 1)
    assert launch.before is not None
    trace, references = traced(fitted, problem, {"multiprocessors": 1})
    assert verified(trace, references, problem, fitted, {"multiprocessors": 1})
    counts = trace.values[PREPARED].view(np.int32)[:6]
    assert counts.tolist() == [0, 0, 0, 0, 6, 6], "three parts, two shares after the first, and a look for more"
    again, _ = traced(fitted, problem, {"multiprocessors": 1}, Mode.WARP)
    assert again.values["C"].tobytes() == trace.values["C"].tobytes()
