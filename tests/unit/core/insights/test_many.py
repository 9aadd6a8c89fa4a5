"""Sentences that take more than two results: Strassen's crossover, threads, ranks, tiles, and copying."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.insights import blocking, cpu_multiplications, cpu_transpositions, workers
from app.core.insights.evidence import gather
from app.core.insights.rules import Rule
from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.session.session import Session
from kernels.base.spec import Operation, Problem
from kernels.measure.results import Result
from kernels.mpi.communication_volume import volume
from tests.measured.timing_results import measured

MIB = 1 << 20
DISTURBED = (0.4, 1.0, 2.5)


def said(rule: Rule, *results: Result) -> str:
    """What one rule says of results."""
    first = results[0].point.variant
    timing = Session(first.id).timing.value
    choice = replace(timing, ticked=frozenset(result.point.variant_id for result in results))
    sentences = [rule(evidence) for evidence in gather(Results({Provenance.MEASURED: results}), choice)]
    return "\n".join(str(sentence) for sentence in sentences if sentence is not None)


def on(result: Result, **conditions: float | str) -> Result:
    return replace(result, conditions={**result.conditions, **conditions})


def disturbed(result: Result) -> Result:
    return replace(result, times_ms=tuple(part * (result.median_ms or 0.0) for part in DISTURBED))


def halved(n: int, ms: float) -> Result:
    """Strassen with one level."""
    return on(measured("cpu.strassen", n, ms), levels=1, multiplications=7 * n**3 // 8)


def test_from_where_on_strassen_is_ahead() -> None:
    packed = [measured("cpu.packed", n, ms) for n, ms in {512: 2.0, 1024: 20.0, 2048: 200.0}.items()]
    text = said(cpu_multiplications.crossover, *packed, halved(512, 4.0), halved(1024, 12.0), halved(2048, 100.0))
    assert text.startswith("From n = 1024 on, Strassen is ahead of Packed panels: at n = 2048 100 ms against 200 ms.")
    assert "88 % of the multiplications" in text


def test_that_strassen_is_not_ahead_and_why() -> None:
    text = said(cpu_multiplications.crossover, measured("cpu.packed", 1024, 20.0), halved(1024, 40.0))
    assert text.startswith("Up to n = 1024, Strassen is not ahead of Packed panels: 40 ms against 20 ms")
    assert "additions read and write whole matrices" in text


def test_of_strassen_nothing_is_said_where_it_halved_nothing_or_nothing_can_be_told() -> None:
    assert said(cpu_multiplications.crossover, measured("cpu.packed", 256, 2.0), on(measured("cpu.strassen", 256, 1.0), levels=0)) == ""
    assert said(cpu_multiplications.crossover, measured("cpu.packed", 1024, 20.0), halved(1024, 18.0)) == ""
    assert said(cpu_multiplications.crossover, measured("cpu.packed", 1024, 20.0), disturbed(halved(1024, 5.0))) == ""


@pytest.mark.parametrize(
    ("own", "sentence"), [(3e-6, "3.0e-06, that of Packed panels 3.0e-07: 10 times as large"), (4e-7, ""), (2e-7, "is no larger than")]
)
def test_the_error_of_strassen(own: float, sentence: str) -> None:
    text = said(cpu_multiplications.error, measured("cpu.packed", 1024, 20.0), replace(halved(1024, 10.0), relative_error=own))
    assert sentence in text
    assert bool(text) == bool(sentence)


def threads(variant: str, times: dict[int, float], cores: int = 4) -> list[Result]:
    return [on(measured(variant, 1024, ms, threads=count), cores=cores) for count, ms in times.items()]


def test_speed_up_and_efficiency_of_threads() -> None:
    good = said(workers.thread_scaling, *threads("cpu.parallel", {1: 40.0, 2: 21.0, 4: 11.0, 8: 9.0}))
    assert good == "At n = 1024, Multi-threaded is 3.6 times as fast on 4 threads as on one: an efficiency of 91 %."
    poor = said(workers.thread_scaling, *threads("cpu.parallel", {1: 40.0, 4: 20.0}))
    assert "an efficiency of 50 %. They share the outer cache" in poor
    none = said(workers.thread_scaling, *threads("cpu.parallel", {1: 40.0, 4: 41.0}))
    assert "gains nothing on 4 threads: it takes 41 ms, and 40 ms on one, an efficiency of 24 %" in none
    moved = said(workers.thread_scaling, *threads("cpu.transpose-parallel", {1: 40.0, 4: 20.0}))
    assert "all cores share the way to memory" in moved
    cached = [
        replace(row, conditions={**row.conditions, "l3_bytes": 1 << 30}) for row in threads("cpu.transpose-parallel", {1: 40.0, 4: 20.0})
    ]
    assert "They share the outer cache" in said(workers.thread_scaling, *cached)


def test_threads_are_not_judged_without_one_alone_or_cores_or_undisturbed_times() -> None:
    assert said(workers.thread_scaling, *threads("cpu.parallel", {2: 21.0, 4: 11.0})) == ""
    assert said(workers.thread_scaling, *threads("cpu.parallel", {1: 40.0, 2: 21.0}, cores=1)) == ""
    assert said(workers.thread_scaling, *map(disturbed, threads("cpu.parallel", {1: 40.0, 4: 11.0}))) == ""


def ranks(times: dict[int, float], cores: int = 4) -> list[Result]:
    return [on(measured("mpi.rows", 1024, ms, ranks=count), rank_cores=cores) for count, ms in times.items()]


def test_what_ranks_gain_and_what_moving_data_costs() -> None:
    moved = sum(volume("mpi.rows", Problem.square(Operation.MATMUL, 1024), 4).received) / MIB
    gained = said(workers.moving_data, *ranks({1: 100.0, 4: 40.0}))
    assert "takes 40 ms on 4 ranks and 100 ms on one: 2.5 times as fast" in gained
    assert f"would take 25 ms; the other 15 ms go to moving {moved:.3g} MiB" in gained
    lost = said(workers.moving_data, *ranks({1: 100.0, 4: 150.0}))
    assert "1.5 times as long" in lost
    assert "takes 125 ms, more than sharing out the multiplication saves" in lost


def test_of_several_distributed_rungs_the_fastest_is_told_of() -> None:
    summa = [replace(each, point=replace(each.point, variant_id="mpi.summa")) for each in ranks({1: 100.0, 4: 30.0})]
    assert "SUMMA takes 30 ms" in said(workers.moving_data, *ranks({1: 100.0, 4: 40.0}), *summa)


def test_of_ranks_nothing_is_said_that_cannot_be_told() -> None:
    assert said(workers.moving_data, *ranks({1: 100.0, 4: 95.0})) == ""
    assert said(workers.moving_data, *ranks({1: 100.0, 8: 40.0})) == ""
    assert said(workers.moving_data, *ranks({4: 40.0})) == ""
    assert said(workers.moving_data, *map(disturbed, ranks({1: 100.0, 4: 40.0}))) == ""


def tiles(times: dict[int, float], cache_mib: int, n: int = 1024) -> list[Result]:
    return [on(measured("cpu.simd-blocked", n, ms, tile=tile), l3_bytes=cache_mib * MIB) for tile, ms in times.items()]


def test_the_u_shape_or_why_there_is_none() -> None:
    flat, rising = {16: 80.0, 128: 40.0, 1024: 41.0}, {16: 80.0, 128: 40.0, 1024: 60.0}
    assert "no U shape; tile 1024 is about as fast as tile 128. A, B and C take 12 MiB and stay" in said(blocking.u_shape, *tiles(flat, 32))
    assert "although A, B and C take 12 MiB and the outermost cache has 8.0 MiB" in said(blocking.u_shape, *tiles(flat, 8))
    assert "U shape; tile 1024 takes 1.5 times as long as tile 128" in said(blocking.u_shape, *tiles(rising, 8))


def test_of_the_u_shape_nothing_is_said_without_large_tiles_a_cache_or_undisturbed_times() -> None:
    assert said(blocking.u_shape, *tiles({8: 90.0, 16: 80.0, 128: 40.0}, 32)) == ""
    assert said(blocking.u_shape, *tiles({16: 80.0, 128: 40.0, 1024: 41.0}, 0)) == ""
    assert said(blocking.u_shape, *map(disturbed, tiles({16: 80.0, 128: 40.0, 1024: 60.0}, 8))) == ""


def test_a_transposition_is_set_beside_copying() -> None:
    near = on(measured("cpu.transpose-streaming", 1024, 2.0), copy_ms=1.9)
    far = on(measured("cpu.transpose-naive", 1024, 20.0), copy_ms=2.0)
    assert said(cpu_transpositions.beside_copying, near, far).endswith(
        "95 % of what np.copyto moves between the same matrices without turning anything."
    )
    assert "10 % of what np.copyto moves" in said(cpu_transpositions.beside_copying, far)
    assert "Copying reads and writes along rows" in said(cpu_transpositions.beside_copying, far)
    assert said(cpu_transpositions.beside_copying, measured("cpu.transpose-naive", 1024, 20.0)) == ""
    assert said(cpu_transpositions.beside_copying, disturbed(near)) == ""
