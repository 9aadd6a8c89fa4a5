"""Laws that every trace obeys: it counts what the kernel's definition counts, stays inside the matrices, and adds up."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.base.spec import Device, Operation, Problem, Variant
from kernels.catalogue.catalogue import VARIANTS
from kernels.cpusim.execute import TraceTooLarge, trace
from kernels.cpusim.trace import NOT_STARTED, READ, WRITE, Trace, groups, region_depth
from tests.devices.cpu_settings import with_tile
from tests.launches.trace_oracle import accessed, bounding_boxes, values_at, written_before

CPU_VARIANTS = {variant.id: variant for variant in VARIANTS if variant.device is Device.CPU}
SIDES = st.one_of(st.integers(1, 9), st.sampled_from([11, 13]))
each_variant = pytest.mark.parametrize("variant", CPU_VARIANTS.values(), ids=lambda variant: variant.id)
settings.register_profile("traces", deadline=None, max_examples=30)


def traced(variant: Variant, m: int, n: int, k: int, tile: int = 4, seed: int = 1) -> Trace:
    problem = Problem(variant.operation, m, n, k if variant.operation is Operation.MATMUL else 0)
    return trace(variant, problem, with_tile(variant, tile), seed)


def elements(found: Trace, kind: int, name: str) -> int:
    """How many elements of a matrix are touched, each as often as it is."""
    chosen = (found.kind == kind) & (found.matrix == found.arrays.index(name))
    return int((found.rows[chosen] * found.columns[chosen]).sum())


@each_variant
@settings(settings.get_profile("traces"))
@given(m=SIDES, n=SIDES, k=SIDES, tile=st.integers(1, 12), seed=st.integers(0, 5))
def test_every_trace_is_consistent(variant: Variant, m: int, n: int, k: int, tile: int, seed: int) -> None:
    found = traced(variant, m, n, k, tile, seed)
    accesses = len(found.kind)
    assert found.access_start[0] == 0
    assert found.access_start[-1] == accesses
    assert (np.diff(found.access_start) > 0).all(), "a step touches something"
    assert found.indices.shape == (found.steps, len(found.loops))
    assert {len(column) for column in (found.matrix, found.row, found.column, found.rows, found.columns, found.value)} == {accesses}
    shapes = np.array([found.problem.shapes[name] for name in found.arrays])[found.matrix]
    assert (found.row >= 0).all()
    assert (found.column >= 0).all()
    assert (found.row + found.rows <= shapes[:, 0]).all()
    assert (found.column + found.columns <= shapes[:, 1]).all()
    text = variant.source_text.splitlines()
    shown = [text[line - 1].strip() for line in set(found.lines)]
    assert all(any(sign in line for sign in "=([") for line in shown), "a statement that works on values"
    assert not [line for line in shown if line.startswith(("#", "def ", "for ", "if ", '"'))]
    assert all("for " + loop.name + " in" in text[loop.line - 1] for loop in found.loops)


@each_variant
@settings(settings.get_profile("traces"))
@given(m=SIDES, n=SIDES, k=SIDES, tile=st.integers(1, 12))
def test_the_values_add_up_to_the_product(variant: Variant, m: int, n: int, k: int, tile: int) -> None:
    found = traced(variant, m, n, k, tile)
    A = found.inputs["A"].astype(np.float64)
    expected = A.T if variant.operation is Operation.TRANSPOSE else A @ found.inputs["B"].astype(np.float64)
    np.testing.assert_array_equal(found.outputs["C"], expected)  # sums of a few quarters are exact
    np.testing.assert_array_equal(values_at(found, "C", found.steps), expected)
    assert np.isnan(values_at(found, "C", 0)).all()
    assert not written_before(found, 0).any()
    assert written_before(found, found.steps).all()
    np.testing.assert_array_equal(values_at(found, "A", found.steps), found.inputs["A"])


@each_variant
@settings(settings.get_profile("traces"))
@given(m=SIDES, n=SIDES, k=SIDES, tile=st.integers(1, 12), data=st.data())
def test_what_a_step_reads_is_what_was_there(variant: Variant, m: int, n: int, k: int, tile: int, data: st.DataObject) -> None:
    found = traced(variant, m, n, k, tile)
    step = data.draw(st.integers(0, found.steps - 1))
    before = {name: values_at(found, name, step) for name in found.arrays}
    after = values_at(found, "C", step + 1)
    for access in range(found.access_start[step], found.access_start[step + 1]):
        where = (found.row[access], found.column[access])
        kind, value = found.kind[access], found.value[access]
        if kind == READ and not np.isnan(value):
            assert before[found.arrays[found.matrix[access]]][where] == value
        elif kind == WRITE and not np.isnan(value):
            assert after[where] == value
    changed = ~((before["C"] == after) | (np.isnan(before["C"]) & np.isnan(after)))
    written = accessed(found, step, step + 1).get(("C", WRITE))
    outside = changed.copy()
    if written is not None:
        outside[written.row : written.row + written.rows, written.column : written.column + written.columns] = False
    assert not outside.any()


@settings(settings.get_profile("traces"))
@given(m=SIDES, n=SIDES, k=SIDES, tile=st.integers(1, 12))
def test_accesses_are_as_many_as_the_definition_says(m: int, n: int, k: int, tile: int) -> None:
    naive, ikj, blocked = (traced(CPU_VARIANTS[name], m, n, k, tile) for name in ("cpu.naive", "cpu.loop-order", "cpu.blocked"))
    assert (elements(naive, READ, "A"), elements(naive, READ, "B"), elements(naive, READ, "C")) == (m * n * k, m * n * k, 0)
    assert elements(naive, WRITE, "C") == m * n
    for found in (ikj, blocked):
        assert elements(found, READ, "B") == elements(found, READ, "C") == m * n * k
        assert elements(found, WRITE, "C") == m * n * k + m * n
    assert elements(ikj, READ, "A") == m * k
    assert elements(blocked, READ, "A") == m * k * -(-n // tile)


def test_the_library_is_one_step() -> None:
    found = traced(CPU_VARIANTS["cpu.numpy"], 3, 5, 4)
    assert found.steps == 1
    assert found.loops == ()
    assert {key: (box.rows, box.columns) for key, box in accessed(found, 0, 1).items()} == {
        ("A", READ): (3, 4),
        ("B", READ): (4, 5),
        ("C", WRITE): (3, 5),
    }
    assert region_depth(found) == 0
    assert groups(found, 0).tolist() == [0]


@pytest.mark.parametrize(
    ("name", "depth"),
    [("cpu.naive", 2), ("cpu.loop-order", 2), ("cpu.blocked", 3), ("cpu.transpose-naive", 1), ("cpu.transpose-blocked", 2)],
)
def test_regions_are_tiles_or_what_the_inner_loop_works_on(name: str, depth: int) -> None:
    assert region_depth(traced(CPU_VARIANTS[name], 3, 3, 3)) == depth


@settings(settings.get_profile("traces"))
@given(m=SIDES, n=SIDES, k=SIDES, tile=st.integers(1, 12))
def test_groups_of_the_blocked_kernel_are_its_tiles(m: int, n: int, k: int, tile: int) -> None:
    found = traced(CPU_VARIANTS["cpu.blocked"], m, n, k, tile)
    group_of_step = groups(found, region_depth(found))
    assert group_of_step[0] == 0
    assert set(np.diff(group_of_step)) <= {0, 1}
    tiles_of_c = -(-m // tile) * -(-n // tile)
    assert group_of_step[-1] + 1 == tiles_of_c * (1 + -(-k // tile)), "each tile of C is set to zero, then gets its products"
    for group in range(group_of_step[-1] + 1):
        step = int(np.searchsorted(group_of_step, group))
        i0, j0, k0 = (int(index) for index in found.indices[step, :3])
        boxes = bounding_boxes(found, group_of_step, group)
        corner_of_c = (boxes["C", WRITE].row, boxes["C", WRITE].column)
        assert corner_of_c == (i0, j0)
        assert (boxes["C", WRITE].rows, boxes["C", WRITE].columns) == (min(tile, m - i0), min(tile, n - j0))
        if k0 == NOT_STARTED:
            assert set(boxes) == {("C", WRITE)}
        else:
            assert (boxes["A", READ].row, boxes["A", READ].column) == (i0, k0)
            assert (boxes["B", READ].row, boxes["B", READ].column) == (k0, j0)
            assert boxes["A", READ].columns == boxes["B", READ].rows == min(tile, k - k0)


@each_variant
def test_the_same_seed_gives_the_same_trace(variant: Variant) -> None:
    once, again, other = (traced(variant, 4, 4, 4, seed=seed) for seed in (3, 3, 4))
    np.testing.assert_array_equal(once.inputs["A"], again.inputs["A"])
    assert not np.array_equal(once.inputs["A"], other.inputs["A"])
    np.testing.assert_array_equal(once.value, again.value)


def test_the_limit_is_a_reason_with_numbers() -> None:
    variant = CPU_VARIANTS["cpu.naive"]
    problem = Problem(Operation.MATMUL, 4, 5, 6)
    assert len(trace(variant, problem, {}, 1, limit=260).kind) == 2 * 4 * 5 * 6 + 4 * 5
    with pytest.raises(TraceTooLarge, match="4 × 6 times 6 × 5 takes more than 259 accesses"):
        trace(variant, problem, {}, 1, limit=259)


def test_matrices_beyond_the_limit_are_refused_before_they_are_made() -> None:
    with pytest.raises(TraceTooLarge, match="1000000 × 1000000 takes more than 500000"):
        trace(CPU_VARIANTS["cpu.transpose-naive"], Problem.square(Operation.TRANSPOSE, 10**6), {}, 1)


def test_only_cpu_variants_are_traced() -> None:
    gpu = next(variant for variant in VARIANTS if variant.device is Device.GPU)
    with pytest.raises(ValueError, match="does not run on the CPU"):
        trace(gpu, Problem.square(gpu.operation, 4), gpu.defaults, 1)
