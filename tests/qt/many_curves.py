"""Charts of so many curves, as a machine with a GPU would give them: CPU and GPU rungs, measured, recorded and published."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.core.results.curves import Provenance
from app.core.results.quantities import Quantity
from app.core.session.session import SIZE_AXIS, Session
from app.core.timing.model import TimingModel
from app.qt.charts.content import ChartContent, content_of
from kernels.base.spec import Device, Operation, Variant
from kernels.catalogue.catalogue import of
from kernels.measure.results import Result
from tests.measured.timing_results import disturbed, measured

SIZES = (128, 256, 512, 1024, 2048, 4096)
_USUAL = (
    "cpu.naive", "gpu.tiled", "cpu.numpy", "gpu.cublas", "cpu.blocked", "gpu.naive", "cpu.parallel", "gpu.double-buffered-k8",
    "cpu.loop-order", "gpu.work-per-thread", "cpu.packed", "gpu.fastest", "cpu.simd", "gpu.register-tiled-k8",
)  # fmt: skip
"""What is ticked first where a few are shown: of both devices in turn."""
_LEAST, _MOST = {Device.CPU: 1.0, Device.MPI: 30.0, Device.GPU: 900.0}, {Device.CPU: 220.0, Device.MPI: 200.0, Device.GPU: 46000.0}


def some_variants(count: int) -> tuple[Variant, ...]:
    """So many rungs of the multiplication."""
    rungs = {variant.id: variant for variant in of(Operation.MATMUL) if variant.device is not Device.MPI}
    ordered = [rungs[each] for each in _USUAL] + [variant for each, variant in rungs.items() if each not in _USUAL]
    return tuple(ordered[:count])


def times_of(variant: Variant, sizes: Sequence[int] = SIZES, *, slower: float = 1.0, machine: str = "") -> list[Result]:
    """Verified times: the higher the rung the faster, and the larger the matrices."""
    own = [each for each in of(variant.operation) if each.device is variant.device]
    part = own.index(variant) / (len(own) - 1)
    most = _LEAST[variant.device] * (_MOST[variant.device] / _LEAST[variant.device]) ** part
    knee = 1500.0 if variant.device is Device.GPU else 150.0
    rates = [most / (1 + (knee / n) ** 1.6) for n in sizes]
    return [measured(variant.id, n, slower * 2e-6 * n**3 / rate, machine=machine) for n, rate in zip(sizes, rates, strict=True)]


def model_of(count: int, *, one_disturbed: bool = False) -> TimingModel:
    """The results of `count` curves: two thirds were measured here, one in four recorded elsewhere, some published."""
    model = TimingModel("cpu.blocked")
    model.shown.value = frozenset(Provenance)
    variants = some_variants(max(2, round(count * 0.66)))
    left = count - len(variants)
    published = left // 3
    own = [result for variant in variants for result in times_of(variant)[: 4 if variant.id == "cpu.naive" else None]]
    if one_disturbed:
        own = [disturbed(each) if each.point.variant_id == "cpu.blocked" and each.point.problem.n == 1024 else each for each in own]
    model.add(Provenance.MEASURED, own)
    others = variants[: left - published]
    model.add(Provenance.RECORDED, [each for variant in others for each in times_of(variant, slower=0.6, machine="NVIDIA H200")])
    told = [each for variant in variants[:published] for each in times_of(variant, SIZES[1:4], slower=3, machine="lab5")]
    model.add(Provenance.PUBLISHED, [_printed(each) for each in told])
    return model


def session_of(count: int) -> Session:
    """A session that has the rungs of so many curves ticked."""
    session = Session("cpu.blocked")
    ticked = frozenset(variant.id for variant in some_variants(max(2, round(count * 0.66))))
    session.timing.value = replace(session.timing.value, ticked=ticked, sizes=SIZES)
    return session


def content_with(count: int, *, one_disturbed: bool = False) -> ChartContent:
    """A chart of so many curves over n."""
    return content_of(model_of(count, one_disturbed=one_disturbed), session_of(count).timing.value, SIZE_AXIS, Quantity.RATE)


def _printed(result: Result) -> Result:
    return replace(result, conditions={**result.conditions, "source": "lab5", "table": "2", "stated_machine": "not stated"})
