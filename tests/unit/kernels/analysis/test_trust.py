"""How far traces can be trusted: the line, its sentences and its JSON, of launches that differ in one thing each."""

from __future__ import annotations

from kernels.analysis.findings import findings
from kernels.analysis.trust import Model, Modelled, Trust, trust, trust_object, trust_text, trust_tip
from kernels.base.spec import Operation, Problem
from kernels.catalogue.catalogue import by_id
from kernels.simt.base.launch import Budget, Fill, Filled, LaunchRequest
from kernels.simt.run.variant_launch import launch_spec
from kernels.simt.run.worker import trace_job
from kernels.simt.trace.flows import Reach
from kernels.simt.trace.launch_spec import LaunchSpec, Traced

ARGUMENTS = {"p": Filled(64, Fill.ZEROS), "q": Filled(64, Fill.ZEROS)}


def trusted(body: str, *, blocks: tuple[int, ...] | None = None, rows: int = 10_000) -> Trust:
    text = f"__global__ void k(int* p, int* q) {{ int t = threadIdx.x;\n{body}\n}}"
    launch = LaunchRequest((2, 1, 1), (32, 1, 1), ARGUMENTS, blocks=blocks, budget=Budget(rows=rows))
    done = trace_job(LaunchSpec(text, None, launch))
    assert isinstance(done, Traced), done
    return trust(done.trace, done.flows, findings(done.trace))


def test_what_is_exact_is_said_in_a_few_words() -> None:
    found = trusted("p[blockIdx.x * 32 + t] = 1;")
    assert found == Trust(2, 2, 64)
    assert str(trust_text(found)) == "Exact: 2 of 2 blocks"
    assert "No cache of a GPU is modelled" in str(trust_tip(found)[-1])


def test_an_atomic_that_draws_places_may_decide_addresses() -> None:
    found = trusted("q[atomicAdd(p, 1)] = t;")
    assert found.modelled == (Model(Modelled.ATOMICS, (2,), (Reach.ADDRESSES,)),)
    assert str(trust_text(found)) == "Exact: 2 of 2 blocks · modelled: order of atomics · may decide addresses"
    assert "(lines 2); it may decide addresses." in str(trust_tip(found)[1])


def test_an_atomic_whose_result_is_not_used_decides_values_alone() -> None:
    assert str(trust_text(trusted("atomicAdd(p, t);"))) == "Exact: 2 of 2 blocks · modelled: order of atomics · changes only values"


def test_sums_of_tensor_cores_are_told() -> None:
    variant = by_id("gpu.wmma-bf16")
    done = trace_job(launch_spec(variant, Problem.square(Operation.MATMUL, 16), variant.defaults))
    assert isinstance(done, Traced), done
    found = trust(done.trace, done.flows, findings(done.trace))
    assert [(each.what, each.reaches) for each in found.modelled] == [(Modelled.TENSOR, ())]
    assert str(trust_text(found)) == "Exact: 1 of 1 blocks · modelled: sums of tensor cores · changes only values"
    line = found.modelled[0].lines[0]
    assert "mma_sync" in "".join(variant.source_text.splitlines()[line - 1 : line + 1])


def test_a_race_makes_the_order_of_warps_one_of_several() -> None:
    found = trusted("p[0] = t + blockIdx.x;\nif (p[0] > 3) q[t] = 1;", blocks=None)
    assert [each.what for each in found.modelled] == [Modelled.WARPS]
    assert found.modelled[0].lines == (2, 3)
    assert found.reaches == (Reach.CONTROL,)


def test_blocks_that_stand_for_others_and_an_early_end_are_told() -> None:
    some = trusted("p[blockIdx.x * 32 + t] = 1;", blocks=(0,))
    assert str(trust_text(some)) == "Exact: 1 of 2 blocks"
    assert "1 of 2 blocks were not executed: the others stand for them." in [str(each) for each in trust_tip(some)]
    ended = trusted("for (int i = 0; i < 9999; ++i) p[t] = q[t];", blocks=(0, 1), rows=50)
    assert len(ended.left_out) == 1
    assert str(ended.left_out[0]).startswith("It ended early: ")


def test_the_same_stands_in_json() -> None:
    found = trust_object(trusted("q[atomicAdd(p, 1)] = t;"), str)
    assert found == {
        "line": "Exact: 2 of 2 blocks · modelled: order of atomics · may decide addresses",
        "exact": {"blocks_traced": 2, "blocks": 2, "accesses": 128},
        "modelled": [{"what": "atomics-order", "lines": [2], "reaches": ["addresses"]}],
        "counts": "as-written",
        "caches": "not-modelled",
        "left_out": [],
        "reaches": ["addresses"],
    }
