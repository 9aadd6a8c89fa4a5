"""The models that a state is taken of, without workers: nothing can be run."""

from __future__ import annotations

from app.core.base.job_queues import Job
from app.core.compare.comparison import Comparison
from app.core.ladder.model import LadderModel
from app.core.results.measuring import Loan
from app.core.session.session import Session
from app.core.stage.model import StageModel
from app.core.state.snapshot import Models
from app.core.timelines.model import ExecutionTimelines
from app.core.timelines.recorder import Recorder
from app.core.timing.model import TimingModel
from kernels.base.spec import Device


def models_of(session: Session) -> Models:
    """All of them, for a session."""
    timing, stage = TimingModel(), StageModel()
    runs = ExecutionTimelines(session, Recorder(_nobody_lends))
    return Models(session, stage, timing, LadderModel(session, timing), runs, Comparison(stage))


def _nobody_lends(_device: Device, _loan: Loan) -> Job:
    raise AssertionError("nothing is to be run")
