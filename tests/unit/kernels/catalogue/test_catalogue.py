from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path, PurePath

import pytest

from kernels.base.limits import Limits, refuse
from kernels.base.machine_conditions import has_avx512
from kernels.base.spec import FLOAT32_BYTES, Device, Operation, Problem, Variant
from kernels.catalogue.catalogue import VARIANTS, find, of
from kernels.catalogue.cpu_packed import default_panels

WIDEST = 68
"""Columns of a source that fit into the source pane and on a projector."""


def test_ids_are_unique_and_found() -> None:
    assert len({variant.id for variant in VARIANTS}) == len(VARIANTS)
    assert all(find(variant.id) is variant for variant in VARIANTS)
    assert find("gpu.nothing") is None


@pytest.mark.parametrize("operation", Operation)
def test_rungs_count_up_in_catalogue_order(operation: Operation) -> None:
    assert [variant.rung for variant in of(operation)] == list(range(1, len(of(operation)) + 1))


@pytest.mark.parametrize("operation", Operation)
def test_ladders_go_from_processor_to_ranks_to_gpu(operation: Operation) -> None:
    devices = [variant.device for variant in of(operation)]
    assert devices == sorted(devices, key=(Device.CPU, Device.MPI, Device.GPU).index)


def test_the_library_is_the_last_of_its_device_and_precision() -> None:
    """Float32 from parts stands where the tensor cores do, behind the library that it is compared with."""
    for device, precision in {(variant.device, variant.precision) for variant in VARIANTS}:
        alike = [each for each in of(Operation.MATMUL) if (each.device, each.precision) == (device, precision)]
        libraries = [each.library for each in alike if precision is not None or "tensor cores" not in each.features]
        assert sorted(libraries) == libraries


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_every_variant_has_a_source_that_fits_the_screen(variant: Variant) -> None:
    lines = variant.source_text.splitlines()
    assert variant.entry in variant.source_text
    assert [line for line in lines if len(line) > WIDEST] == []


def next_rung(source: str) -> str:
    """The file that a kernel's header names as the next rung."""
    found = re.search(r"Next rung: [^()]*\((\w+\.py)\)\.\n", source)
    return found[1] if found else ""


@pytest.mark.parametrize(
    ("variant", "following"),
    [pair for operation in Operation for pair in pairwise(of(operation)) if pair[1].device is not Device.GPU],
    ids=lambda variant: variant.id,
)
def test_headers_name_the_rung_that_comes_next(variant: Variant, following: Variant) -> None:
    assert next_rung(variant.source_text) == PurePath(following.source).name


def test_the_glossary_has_every_feature_in_both_languages() -> None:
    text = (Path(__file__).parents[4] / "resources" / "help" / "glossary.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| ")]
    terms = {term for row in rows if row[1] for term in re.split(", | \\(|\\)", row[0])}
    features = {feature for variant in VARIANTS for feature in variant.features}
    assert {feature for feature in features if not {feature, feature.removesuffix("s")} & terms} == set()


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_defaults_are_allowed_and_offered(variant: Variant) -> None:
    for parameter in variant.parameters:
        assert parameter.minimum <= parameter.default <= parameter.maximum
        assert parameter.default in parameter.stops
        assert all(parameter.minimum <= stop <= parameter.maximum for stop in parameter.stops)
    assert refuse(variant, Problem.square(variant.operation, 64), variant.defaults, Limits()) is None
    assert (variant.launch is None) == (variant.device is not Device.GPU or variant.source.endswith(".py"))


@pytest.mark.parametrize(("l2_kib", "deepest", "kc"), [(256, 1024, 256), (512, 1024, 512), (1024, 1024, 1024), (2048, 512, 512)])
def test_panels_are_as_deep_as_l2_and_the_lanes_have_room_for(l2_kib: int, deepest: int, kc: int) -> None:
    sizes = {"l2_bytes": l2_kib << 10, "l3_bytes": 32 << 20}
    mc, depth, nc = default_panels(sizes, deepest)
    assert depth == kc
    assert 0 < mc * depth * FLOAT32_BYTES <= sizes["l2_bytes"] // 4
    assert 0 < nc * depth * FLOAT32_BYTES <= sizes["l3_bytes"] // 8


def test_wide_vectors_are_known_by_what_the_system_says(tmp_path: Path) -> None:
    told = tmp_path / "cpuinfo"
    told.write_text("flags : fma avx2 avx512f\n", encoding="utf-8")
    assert has_avx512(told)
    told.write_text("flags : fma avx2\n", encoding="utf-8")
    assert not has_avx512(told)
    assert not has_avx512(tmp_path / "none")


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="the system has no way to keep a process on a core")
def test_threads_are_as_many_as_the_cores_that_the_program_may_use() -> None:
    """Sixteen threads on two cores wait for each other: NumPy took 45 ms for what takes 0.03."""
    core = min(os.sched_getaffinity(0))
    defaults = "{p.default for v in VARIANTS for p in v.parameters if p.name == 'threads'}"
    kept = f"import os; os.sched_setaffinity(0, [{core}]); from kernels.catalogue.catalogue import VARIANTS; print({defaults})"
    ran = subprocess.run([sys.executable, "-c", kept], capture_output=True, text=True, check=True, timeout=60)
    assert ran.stdout.strip() == "{1}"
