"""`tilescope mpi`: a distributed variant measured, kept in the user's history, and what each rank did and sent.

Under the user's own mpiexec every rank runs this command, on however many hosts, and rank 0 writes; with `--ranks` the program
starts ranks on this machine.
"""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from typing import Any

from app import __version__
from app.cli.base.console import Console, aligned
from app.cli.base.errors import FAILED_VERIFICATION, WRONG_INPUT, Refused, require
from app.cli.base.history import history
from app.cli.base.measurement import host_cores
from app.cli.base.options import measuring_options, problem_sizes
from app.cli.base.parser import Group
from app.cli.base.request import probe, protocol_of, refuse_point, require_device, run_point, variant_named
from app.cli.run import result_lines
from kernels.base.arrays import never
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.limits import Limits
from kernels.base.machine_conditions import free_memory_bytes, machine_conditions
from kernels.base.messages import message
from kernels.base.spec import Device
from kernels.catalogue.case import Case
from kernels.measure.disturbance_watch import Watch
from kernels.measure.estimate import Estimator
from kernels.measure.export import result_object
from kernels.measure.real_run import Activity, Intervals, MpiTimeline, Seeing
from kernels.measure.results import Result, Status
from kernels.measure.sampler import Sampler, Unobserved
from kernels.measure.sweep import Bench, measure_point
from kernels.mpi.communication_volume import layout, per_worker, volume
from kernels.mpi.detect import place_among_ranks

NS_PER_MS = 1e6


def add_options(group: Group) -> None:
    """Add one variant at one size."""
    problem_sizes(group, needed=False)  # gpu.hello has none
    measuring_options(group)


def perform(options: argparse.Namespace, console: Console) -> int:
    """Measure and record; the status is that of rank 0, and 0 on the others."""
    variant = variant_named(options.variant)
    if variant.device is not Device.MPI:
        raise Refused(
            message("{variant} does not run on ranks; {command} names those that do.", variant=variant.id, command="tilescope list")
        )
    if options.ranks is None:
        return _among_these_ranks(options, console)
    _, started = place_among_ranks(console.environment)
    if started > 1:
        raise Refused(message("{name}: {mpiexec} has started {count} ranks already.", name="--ranks", mpiexec="mpiexec", count=started))
    return _with_ranks(options, console)


def _with_ranks(options: argparse.Namespace, console: Console) -> int:
    """Measure on ranks of this machine that are started for it."""
    from kernels.mpi.runner import MpiRunner

    point, status = run_point(options), probe(Device.MPI)
    require_device(point.variant, status)
    return _report(point, Sampler(MpiRunner(status), Watch(children=True, asking=0)), status, options, console)


def _among_these_ranks(options: argparse.Namespace, console: Console) -> int:
    """Take part as one of the ranks that the user's mpiexec has started; without it, as the only one."""
    if find_spec("mpi4py") is None:  # of mpiexec nothing is needed here
        require_device(variant_named(options.variant), probe(Device.MPI))
    from kernels.mpi import team

    options.ranks = str(team.ranks())
    try:
        point = run_point(options)
    except Refused:
        if team.rank() > 0:  # rank 0 says it
            return WRONG_INPUT
        raise
    if team.rank() > 0:
        team.follow()
        return 0
    leader = team.Leader()
    try:
        status = DeviceStatus(Device.MPI, Availability.READY, "", limits=Limits(memory_bytes=free_memory_bytes()))
        return _report(point, Sampler(leader), status, options, console)
    finally:
        leader.dismiss()


def _report(point: Case, sampler: Sampler, status: DeviceStatus, options: argparse.Namespace, console: Console) -> int:
    require(refuse_point(point, status))
    result, timeline = _measure(point, sampler, status, options, console)
    with history(console) as store:
        store.append(result)
    if options.json:
        shown = None if timeline is None else timeline_object(point, timeline)
        console.print_json({**result_object(result, console.text), "timeline": shown})
    elif timeline is not None:
        lines = [(console.text(name), value if isinstance(value, str) else console.text(value)) for name, value in result_lines(result)]
        for line in (*aligned(lines), "", *aligned(rank_rows(point, timeline, console))):
            console.print(line)
    if not result.verified and result.reason is not None:
        console.tell(console.text(result.reason))
    if result.verified:
        return 0
    return WRONG_INPUT if result.status is Status.SKIPPED else FAILED_VERIFICATION


def _measure(
    point: Case, sampler: Sampler, status: DeviceStatus, options: argparse.Namespace, console: Console
) -> tuple[Result, MpiTimeline | None]:
    """Measure times as every variant's; then record one more run, if the results are right."""
    cores, conditions = host_cores(console.places), machine_conditions(__version__)
    bench = Bench(sampler, status.limits, protocol_of(options), Estimator(), conditions, free_memory_bytes(), cores)
    result = measure_point(point, bench, never, Unobserved())
    if not result.verified:
        return result, None
    with sampler.runner.prepare(point, sampler.references.inputs(point.problem), never) as run:
        run.sample(never)
        assert isinstance(run, Seeing)
        seen = run.look(never)
    assert isinstance(seen, MpiTimeline)
    return result, seen


def timeline_object(point: Case, timeline: MpiTimeline) -> dict[str, Any]:
    """Tell times in milliseconds from the beginning of the run, bytes as recorded and as the rung's formula has them."""
    place = layout(point.variant_id, timeline.ranks)
    messages = timeline.messages
    return {
        "duration_ms": timeline.duration_ns / NS_PER_MS,
        "grid": [place.p, place.q],
        "formula": place.formula,
        "formula_bytes_per_worker": per_worker(point.variant_id, point.problem, timeline.ranks),
        "ranks": _ranks(point, timeline),
        "intervals": _intervals(timeline.intervals),
        "beside": _intervals(timeline.beside),
        "messages": [
            {"from": sender, "to": receiver, "bytes": size, "start_ms": start / NS_PER_MS, "end_ms": end / NS_PER_MS}
            for sender, receiver, size, start, end in zip(*(column.tolist() for column in messages), strict=True)
        ],
    }  # fmt: skip


def _intervals(intervals: Intervals) -> list[dict[str, Any]]:
    return [
        {
            "rank": rank, "activity": Activity(activity).name.lower(), "line": line,
            "start_ms": start / NS_PER_MS, "end_ms": end / NS_PER_MS,
        }
        for rank, activity, start, end, line in zip(*(column.tolist() for column in intervals), strict=True)
    ]  # fmt: skip


def rank_rows(point: Case, timeline: MpiTimeline, console: Console) -> list[list[str]]:
    """Write one line for each rank, under its titles; the last two tell what the formula says."""
    titles = (
        message("Rank"), message("Host"), message("Computing, ms"), message("Communicating, ms"), message("Waiting, ms"),
        message("Bytes sent"), message("Bytes received"), message("By the formula"),
    )  # fmt: skip
    rows = [[console.text(title) for title in titles]]
    number = console.translator.number
    for rank in _ranks(point, timeline):
        times = [number(rank[f"{activity}_ms"]) for activity in ("computing", "communicating", "waiting")]
        sizes = [number(rank[name]) for name in ("sent_bytes", "received_bytes", "expected_received_bytes")]
        rows.append([str(rank["rank"]), rank["host"], *times, *sizes])
    return rows


def _ranks(point: Case, timeline: MpiTimeline) -> list[dict[str, Any]]:
    spent = {activity: timeline.spent_ns(activity) for activity in Activity}
    expected = volume(point.variant_id, point.problem, timeline.ranks)
    return [
        {
            "rank": rank,
            "host": timeline.hosts[rank],
            "clock_error_ms": timeline.clock_error_ns[rank] / NS_PER_MS,
            **{f"{activity.name.lower()}_ms": float(spent[activity][rank]) / NS_PER_MS for activity in Activity},
            "sent_bytes": int(timeline.sent_bytes[rank]),
            "received_bytes": int(timeline.received_bytes[rank]),
            "expected_sent_bytes": expected.sent[rank],
            "expected_received_bytes": expected.received[rank],
        }
        for rank in range(timeline.ranks)
    ]
