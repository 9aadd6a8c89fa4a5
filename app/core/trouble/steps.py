"""What was shown and chosen, as lines of the log: names of what comes with the program, and sizes; never a text of the user's."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.core.session import StageChoice
from app.core.trouble.log import LOG, without_texts
from app.core.workbench import Workbench
from kernels.devices import Availability, DeviceStatus
from kernels.messages import Message
from kernels.spec import Device


def note_steps(workbench: Workbench) -> None:
    """Log them from now on."""
    session, told = workbench.session, dict[Device, Availability]()

    def devices(statuses: Mapping[Device, DeviceStatus]) -> None:
        for device, status in statuses.items():
            if status.availability is not Availability.PROBING and told.get(device) is not status.availability:
                told[device] = status.availability
                LOG.info("%s: %s", device.value, status.availability.value)

    def shown(choice: StageChoice) -> None:
        problem = choice.problem
        LOG.info("stage: %s, %d x %d x %d, %s", choice.variant.id, problem.m, problem.n, problem.k, dict(choice.parameters))

    def noticed(what: str) -> Callable[[Message | None], None]:
        return lambda notice: None if notice is None else LOG.info("%s: %s", what, without_texts(notice))

    session.stage.subscribe(shown)
    workbench.last_session.notice.subscribe(noticed("last session"))
    workbench.keeper.failure.subscribe(noticed("edited text"))
    session.workspace.subscribe(lambda workspace: LOG.info("workspace: %s", workspace.value))
    session.desk.on_stage.subscribe(lambda edited: LOG.info("stage: %s", "an edited text" if edited else "the text of the program"))
    workbench.devices.subscribe(devices)
