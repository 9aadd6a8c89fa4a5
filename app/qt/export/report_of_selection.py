"""The report on what the window has ticked."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtGui import QImage

from app.core.gpu_view.index import LaunchIndex
from app.core.report.build import NOTHING, build
from app.core.report.content import Asked, Report
from app.core.results.curves import Provenance
from app.qt.base.feature import Host
from app.qt.base.look import Look
from app.qt.export.export_view import export_theme
from kernels.analysis.trust import trust_text
from kernels.base.messages import Message, message

NAME = "report/name"
"""The setting of who signs."""


def write_lab_report(path: Path, host: Host) -> Message | None:
    """Write it, in the form that the file's ending names; returns why it cannot be written."""
    from app.qt.export.report_writer import write_report

    asked, report, look = _made(host)
    return report if isinstance(report, Message) else write_report(path, report, asked, look)


def picture_of_lab_report(host: Host) -> QImage | Message:
    """Return the first page of the lab report, or why there is none."""
    from app.qt.export.report_writer import first_page

    asked, report, look = _made(host)
    return report if isinstance(report, Message) else first_page(report, asked, look)


def refuse_lab_report(host: Host) -> Message | None:
    """Return why there is no lab report, or None."""
    return None if _asked(host).variants else NOTHING


def _asked(host: Host) -> Asked:
    bench = host.workbench
    shown = bench.stage.shown.value
    executed = None
    if isinstance(shown, LaunchIndex):
        executed = message("Executed on the stage: {name}. {trust}.", name=bench.stage_name, trust=trust_text(shown.record.trust))
    return Asked.of_choice(bench.session.timing.value, bench.timing.results, host.settings.text(NAME) or "", executed)


def _made(host: Host) -> tuple[Asked, Report | Message, Look]:
    bench, asked = host.workbench, _asked(host)
    uses = bench.timing.uses.value
    told = uses.recorded if asked.provenance is Provenance.RECORDED else uses.measured
    look = Look(export_theme("print"), host.look().translator)
    return asked, build(asked, told, time.strftime("%Y-%m-%d")), look
