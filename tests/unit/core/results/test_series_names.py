"""What lines are called: tiles and threads always, other parameters only where they are not at their defaults."""

from __future__ import annotations

import pytest

from app.core.results.curves import Provenance, SeriesKey
from app.core.results.labels import detail_of, name_of, parameter_text
from kernels.catalogue.catalogue import VARIANTS, by_id


@pytest.mark.parametrize(("variant_id", "parameters", "name"), [
    ("gpu.naive", {"tile": 16, "rows": 0}, "Naive, tile 16"),
    ("gpu.naive", {"tile": 16, "rows": 8}, "Naive, block height 8, tile 16"),
    ("gpu.transpose-padded", {"tile": 32, "padding": 1}, "Shared memory, padded, tile 32"),
    ("gpu.transpose-padded", {"tile": 32, "padding": 0}, "Shared memory, padded, padding 0, tile 32"),
    ("gpu.double-buffered-k8", {"tile": 64, "results": 4}, "Double-buffered, k-depth 8, 4 × 4 results, tile 64"),
    ("gpu.wgmma-bf16", {"stages": 3, "tile_rows": 64}, "Hopper's tensor cores, bfloat16, Stages 3, Rows of C a block 64"),
    ("gpu.cublas", {}, "cuBLAS"),
])  # fmt: skip
def test_a_name_says_what_is_not_as_usual(variant_id: str, parameters: dict[str, int], name: str) -> None:
    variant = by_id(variant_id)
    assert str(name_of(variant, parameters)) == name


def test_a_line_is_told_apart_by_its_parameters_and_machine() -> None:
    usual = SeriesKey("gpu.naive", Provenance.RECORDED, "H200", (("rows", 0), ("tile", 8)))
    assert str(detail_of(usual)) == "tile 8, H200"
    assert detail_of(SeriesKey("gpu.naive", Provenance.MEASURED, "H200", (("rows", 0),))) is None


def test_no_parameter_is_called_by_its_identifier() -> None:
    plain = {"tile", "threads", "ranks", "padding", "chunk", "mc", "kc", "nc", "mr", "nr"}
    for variant in VARIANTS:
        for parameter in variant.parameters:
            if parameter.name not in plain:
                assert not str(parameter_text(variant, parameter.name, parameter.stops[-1])).startswith(f"{parameter.name} ")
