"""What is outlined as an operand of a stored value went into it: indices that are read make addresses, however they come there."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.gpu_view.frame import frame_at
from app.core.gpu_view.matrices.matrices import Matrices
from kernels.simt.base.launch import Fill, Filled
from tests.launches.launch_records import record_of

LOOKED_BACK = 8
"""Steps: what was read before is no longer outlined."""
VALUES, INDICES = ("v1", "v2", "v3"), ("i1", "i2")

indices = st.recursive(
    st.sampled_from(["lane", "to", *(f"{name}[lane]" for name in INDICES)]),
    lambda inner: st.builds("{1}[{0}]".format, inner, st.sampled_from(INDICES)) | st.builds("min({}, {})".format, inner, inner),
    max_leaves=3,
)
reads = st.tuples(st.sampled_from(VALUES), indices)
sums = st.lists(st.tuples(st.sampled_from(["+", "-", "*"]), reads), min_size=1, max_size=3)


@settings(max_examples=25, deadline=None)
@given(sums, indices, st.booleans(), st.sampled_from(INDICES))
def test_only_what_goes_into_a_stored_value_is_its_operand(
    terms: list[tuple[str, tuple[str, str]]], target: str, apart: bool, first: str
) -> None:
    value = "0.0f" + "".join(f" {operator} {array}[{index}]" for operator, (array, index) in terms)
    store = f"float value = {value};\n    out[{target}] = value;" if apart else f"out[{target}] = {value};"
    parameters = ", ".join([*(f"const float* {name}" for name in VALUES), *(f"const int* {name}" for name in INDICES), "float* out"])
    text = f"__global__ void k({parameters}) {{\n    int lane = threadIdx.x, to = {first}[lane];\n    {store}\n}}"
    index = record_of(text, 32, {name: Filled(32, Fill.ARANGE) for name in (*VALUES, *INDICES, "out")})
    matrices = Matrices(index)
    steps = [(step, index.site(step)) for step in range(index.steps)]
    loads, added = sum(site.operation == "load" for _, site in steps), {array for _, (array, _) in terms}
    for step in (step for step, site in steps if site.operation == "store"):
        held = {each.name for each in matrices.at(frame_at(index, step, 0.0)).matrices if each.held}
        assert held <= added
        assert held == added or loads > LOOKED_BACK
