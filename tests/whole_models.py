"""The models that a state is taken of, without workers: nothing can be run."""

from __future__ import annotations

from app.core.jobs import Job
from app.core.ladder.model import LadderModel
from app.core.measuring import Loan
from app.core.real_runs.model import RealRuns
from app.core.real_runs.recorder import Recorder
from app.core.session import Session
from app.core.stage_model import StageModel
from app.core.state.snapshot import Models
from app.core.timing import TimingModel
from kernels.spec import Device


def models_of(session: Session) -> Models:
    """All of them, for a session."""
    timing = TimingModel()
    return Models(session, StageModel(), timing, LadderModel(session, timing), RealRuns(session, Recorder(_nobody_lends)))


def _nobody_lends(_device: Device, _loan: Loan) -> Job:
    raise AssertionError("nothing is to be run")
