"""The draft at work: what is executed of it, and what was found wrong with it."""

from __future__ import annotations

from app.core.launch.index import LaunchIndex
from app.core.launch.record import LaunchRecord
from app.core.launch.subject import Subject
from app.core.observable import Field
from app.core.playground.desk import DraftDesk
from app.core.playground.draft import Draft, Settings
from app.core.playground.subject import can_run_by_warps, subject_of_draft
from app.core.stage_model import Shown
from app.core.stage_tracer import StageReply
from kernels.analysis.devices import Profile
from kernels.messages import Message, message
from kernels.simt.frontend.diagnostics import Diagnostic
from kernels.simt.launch import Mode
from kernels.simt.worker import NotTraced

STALE = message("Showing the last version that compiled")
RACES = frozenset({"data-race"})
BY_WARPS = message("A data race was found. Warps now run one after the other, so that the wrong values it can give are seen.")


class Playground:
    """What the panels show of the draft beside its text."""

    def __init__(self, desk: DraftDesk) -> None:
        self.desk = desk
        self.diagnostics: Field[tuple[Diagnostic, ...]] = Field(())
        """Of the newest text that was looked at; in order of their lines."""
        self.reason: Field[Message | None] = Field(None)
        """Why it is not executed, where no diagnostic says so."""
        self.remark: Field[Message | None] = Field(None)
        """What is particular about how it is executed."""
        self._raced: tuple[str, Settings] | None = None
        desk.on_stage.subscribe(lambda _shown: self._forget())

    def subject(self, draft: Draft, profile: Profile) -> Subject:
        """What the stage executes of a draft."""
        return subject_of_draft(draft, profile, Mode.WARP if self._raced == (draft.text, draft.settings) else Mode.BLOCK)

    def take(self, reply: StageReply) -> None:
        """Learn from an execution. This may change the draft: when its kernels become known."""
        outcome = reply.outcome
        if not isinstance(outcome, LaunchRecord | NotTraced) or not reply.final:
            return
        self.diagnostics.value = tuple(sorted(outcome.diagnostics, key=lambda each: (each.file != "", each.line, each.column)))
        self.reason.value = outcome.reason if isinstance(outcome, NotTraced) and not outcome.diagnostics else None
        self.remark.value = BY_WARPS if isinstance(outcome, LaunchRecord) and outcome.trace.mode == Mode.WARP else None
        if outcome.kernels:
            self.desk.found(outcome.kernels)

    def wants_warps(self, reply: StageReply) -> bool:
        """Whether a race was found whose wrong values another execution would show."""
        draft, outcome = self.desk.shown, reply.outcome
        if draft is None or not isinstance(reply.work, Subject) or not isinstance(outcome, LaunchRecord):
            return False
        raced = any(finding.kind in RACES for finding in outcome.findings)
        if not raced or reply.work.launch.mode is Mode.WARP or reply.work.text != draft.text or not can_run_by_warps(draft):
            return False
        self._raced = draft.text, draft.settings
        return True

    def notice(self, outcome: NotTraced, shown: Shown | None) -> Message:
        """What the stage says where a draft could not be executed."""
        draft = self.desk.shown
        earlier = isinstance(shown, LaunchIndex) and draft is not None and shows(shown, draft)
        return STALE if earlier and outcome.diagnostics else outcome.reason

    def _forget(self) -> None:
        self.diagnostics.value, self.reason.value, self.remark.value = (), None, None


def shows(index: LaunchIndex, draft: Draft) -> bool:
    """Whether a launch is one of the draft, or of the variant that it began as."""
    return (index.subject.variant_id, index.subject.name) == (draft.variant_id, draft.name)
