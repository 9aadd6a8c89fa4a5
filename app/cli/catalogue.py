"""`tilescope list`: every variant in teaching order, and whether it can run here."""

from __future__ import annotations

import argparse

from app.cli.base.console import Console
from app.cli.base.parser import Group
from app.cli.base.request import probe
from kernels.base.devices import DeviceStatus
from kernels.base.messages import Message, message
from kernels.base.spec import Variant
from kernels.catalogue.catalogue import VARIANTS


def add_options(_group: Group) -> None:
    """Add none."""


def perform(options: argparse.Namespace, console: Console) -> int:
    """Write the catalogue as a table or as JSON."""
    statuses = {device: probe(device) for device in dict.fromkeys(variant.device for variant in VARIANTS)}
    if options.json:
        console.print_json([_entry(variant, statuses[variant.device], console) for variant in VARIANTS])
        return 0
    titles = (message("Variant"), message("Operation"), message("Device"), message("Rung"), message("Name"), message("State"))
    rows = [[console.text(title) for title in titles]]
    rows += [
        [v.id, v.operation.value, v.device.value, str(v.rung), console.text(v.title), console.text(_state(statuses[v.device]))]
        for v in VARIANTS
    ]
    console.print_rows(rows)
    for device, status in statuses.items():
        if status.reason is not None:
            console.print(f"\n{device.value}: {console.text(status.reason)}")
    return 0


def _entry(variant: Variant, status: DeviceStatus, console: Console) -> dict[str, object]:
    return {
        "id": variant.id,
        "operation": variant.operation.value,
        "device": variant.device.value,
        "rung": variant.rung,
        "title": console.text(variant.title),
        "idea": console.text(variant.idea),
        "available": status.ready,
        "reason": None if status.reason is None else console.text(status.reason),
        "parameters": [
            {
                "name": parameter.name,
                "title": console.text(parameter.title),
                "default": parameter.default,
                "minimum": parameter.minimum,
                "maximum": parameter.maximum,
                "stops": list(parameter.stops),
                "names": list(parameter.names),
            }
            for parameter in variant.parameters
        ],
    }


def _state(status: DeviceStatus) -> Message:
    return message("ready") if status.ready else message("not ready")
