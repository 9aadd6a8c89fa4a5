"""`tilescope mpi`: a distributed variant measured, and what each rank did and sent.

Under the user's own mpiexec every rank runs this command, on however many hosts, and rank 0 writes; with `--ranks` the program
starts ranks on this machine.
"""

from __future__ import annotations

import argparse
from contextlib import AbstractContextManager, nullcontext
from importlib.util import find_spec

from app import __version__
from app.cli.console import Console, aligned
from app.cli.measurement import host_cores
from app.cli.mpi_report import rank_rows, timeline_object
from app.cli.refusal import FAILED_VERIFICATION, WRONG_INPUT, Refused, require
from app.cli.request import probe, protocol_of, refuse_point, require_device, run_point, variant_named
from app.cli.run import result_lines
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.limits import Limits
from kernels.base.machine import free_memory_bytes, machine_conditions
from kernels.base.messages import message
from kernels.base.spec import Device
from kernels.measure.estimate import Estimator
from kernels.measure.export import result_object
from kernels.measure.real_run import MpiTimeline, Seeing
from kernels.measure.results import Point, Result, Status
from kernels.measure.sampler import Sampler, SamplingState
from kernels.measure.sweep import Bench, measure_point
from kernels.measure.watch import Watch
from kernels.mpi.detect import place_among_ranks


def mpi(options: argparse.Namespace, console: Console) -> int:
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
    """On ranks of this machine that are started for it."""
    from kernels.mpi.runner import MpiRunner

    point, status = run_point(options), probe(Device.MPI)
    require_device(point.variant, status)
    return _report(point, Sampler(MpiRunner(status), Watch(children=True, asking=0)), status, options, console)


def _among_these_ranks(options: argparse.Namespace, console: Console) -> int:
    """As one of the ranks that the user's mpiexec has started; without it, as the only one."""
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


def _report(point: Point, sampler: Sampler, status: DeviceStatus, options: argparse.Namespace, console: Console) -> int:
    require(refuse_point(point, status))
    result, timeline = _measure(point, sampler, status, options, console)
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
    point: Point, sampler: Sampler, status: DeviceStatus, options: argparse.Namespace, console: Console
) -> tuple[Result, MpiTimeline | None]:
    """Times as every variant's; then one more run that is recorded, if they are right."""
    cores, conditions = host_cores(console.places), machine_conditions(__version__)
    bench = Bench(sampler, status.limits, protocol_of(options), Estimator(), conditions, free_memory_bytes(), cores)
    result = measure_point(point, bench, _nobody_cancels, _Unobserved())
    if not result.verified:
        return result, None
    with sampler.runner.prepare(point, sampler.references.inputs(point.problem), _nobody_cancels) as run:
        run.sample(_nobody_cancels)
        assert isinstance(run, Seeing)
        seen = run.look(_nobody_cancels)
    assert isinstance(seen, MpiTimeline)
    return result, seen


def _nobody_cancels() -> None:
    """The interrupt key ends the command at once."""


class _Unobserved:
    def still(self) -> AbstractContextManager[None]:
        return nullcontext()

    def entered(self, point: Point, phase: SamplingState) -> None:
        pass

    def sampled(self, point: Point, taken: int, at_most: int) -> None:
        pass
