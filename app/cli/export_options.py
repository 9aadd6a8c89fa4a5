"""What can be exported: a row for each kind, with its options and the function that writes it."""

from __future__ import annotations

import argparse

from app.cli.command import Command
from app.cli.grammar import Group
from app.cli.variant_options import parameter_option, run_parameters
from app.core.base.i18n import LANGUAGES
from app.core.export.kinds import COLOURS
from app.core.results.quantities import Quantity
from kernels.base.messages import message

STAGE, USES, TUNING, LADDER = "stage", "uses", "tuning", "ladder"
PICTURES = (STAGE, USES, TUNING, LADDER)
SOURCES = ("measured", "recorded", "published")


def export_options(group: Group) -> None:
    """The kinds, each a word of its own."""
    begin = group.kinds("kind", "KIND")
    for kind in KINDS:
        own = begin(kind.name, kind.help)
        own.option("--lang", "LANGUAGE", message("language: {choices}", choices=", ".join(LANGUAGES)), default=argparse.SUPPRESS)
        own.switch("--json", message("the result as JSON"), default=argparse.SUPPRESS)
        kind.options(own)


def _stage_options(group: Group) -> None:
    group.option("--variant", "ID", message("the variant that is shown"))
    group.option("--n", "N", message("columns of the output; the sizes that are not given are equal to it"))
    group.option("--m", "M", message("rows of A"))
    group.option("--k", "K", message("columns of A and rows of B, for a multiplication"))
    for parameter in run_parameters():
        parameter_option(group, parameter)
    group.option("--source", "FILE.cu", message("a CUDA C file in place of a variant"))
    group.option("--alone", "NUMBER", message("the view that is shown alone, from 1 to 4"))
    group.option("--beside", "ID[,NAME=VALUE]", message(
        "the launch at its right that it is compared with; steps are then those of that one, for example {example}",
        example="gpu.tiled,tile=32",
    ))  # fmt: skip


def _picture_options(group: Group, size: str) -> None:
    group.option("--colours", "COLOURS", message("colours: {choices}", choices=", ".join(COLOURS)), default=COLOURS[0])
    group.option("--size", "WIDTHxHEIGHT", message("how much is on the picture, in pixels at scale 1"), default=size)
    group.option("--scale", "SCALE", message("pixels for each of these, from 1 to 8"), default="1")


def _figure(group: Group) -> None:
    group.option("path", "OUT.png|.svg|.pdf", message("the picture's file; several are of one picture"), nargs="+")
    group.option("--of", "PICTURE", message("what is drawn: {choices}", choices=", ".join(PICTURES)), default=STAGE)
    _stage_options(group)
    group.option("--step", "STEP", message("the step that the stage shows"), default="0")
    group.option("--run", "N", message("a real run at this size in place of the animation, of a variant with threads or ranks"))
    group.option("--device", "DEVICE", message("whose rungs: {choices}", choices="gpu, cpu, mpi"))
    _picture_options(group, "1600x900")


def _clip(group: Group) -> None:
    group.option("path", "OUT.webp|.apng|.gif|.mp4", message("the clip's file; several are of one clip"), nargs="+")
    _stage_options(group)
    group.option("--from", "STEP", message("the first step"), default="0")
    group.option("--to", "STEP", message("the last step"), required=True)
    group.option("--fps", "RATE", message("pictures in a second"), default="15")
    group.option("--speed", "STEPS", message("steps in a second; as many as pictures if not given"))
    _picture_options(group, "960x540")


def _curves(group: Group) -> None:
    group.option("path", "OUT.csv|.json|.png|.svg|.pdf", message("the file: a table, or a picture of the chart"))
    group.option("--variants", "VARIANT", message("ids, as in the list, patterns such as 'cpu.*', or all"), nargs="+", required=True)
    group.option("--sizes", "SIZES", message("sizes of square matrices: 256:2048:x2, 128:1024:+128 or 200,300"))
    group.option("--source", "SOURCE", message("which times: {choices}; measured and recorded if not given", choices=", ".join(SOURCES)))
    group.option("--quantity", "QUANTITY", message("what the chart shows: {choices}", choices=", ".join(Quantity)), default=Quantity.RATE)
    _picture_options(group, "1600x900")


def _report(group: Group) -> None:
    group.option("path", "OUT.html|.md|.pdf", message("the report's file"))
    group.option("--variants", "VARIANT", message("ids, as in the list, patterns such as 'cpu.*', or all"), nargs="+", required=True)
    group.option("--sizes", "SIZES", message("sizes of square matrices: 256:2048:x2, 128:1024:+128 or 200,300"))
    group.option("--source", "SOURCE", message("which times: {choices}", choices=", ".join(SOURCES)), default=SOURCES[0])
    group.option("--name", "NAME", message("who signs it"), default="")


def _recording(group: Group) -> None:
    group.option("path", "FILE.json", message("the recording's file"))


KINDS = (
    Command("figure", message("a picture of the stage, or of the page of times"), _figure, "export_figure", "export_figure"),
    Command("clip", message("a range of the timeline as an animated file"), _clip, "export_clip", "export_clip"),
    Command("curves", message("the times of variants over their sizes, as a table or a chart"), _curves, "export_curves", "export_curves"),
    Command(
        "report", message("a lab report: tables, curves, conditions, and room for your own text"), _report, "export_report", "export_report"
    ),
    Command("recording", message("everything that was measured here, for another machine to show"), _recording, "recordings", "export"),
)
