"""Reader of a lesson metric from the fields of a file.

An example: `{ launch = "gpu.tiled", n = 64, tile = 16, count = "sectors", line = "As[ty][tx]" }`.
"""

from __future__ import annotations

from collections.abc import Collection

from app.core.base.files.fields import Table
from app.core.base.parsing import LARGEST_SIZE
from app.core.lesson_metrics.metric import Metric, Option, Source
from app.core.session.choices import no_variant
from app.core.session.session import profile_named
from kernels.analysis.device_profiles import profiles
from kernels.base.messages import message
from kernels.base.spec import Operation, Problem, Variant
from kernels.cachesim.presets import PRESETS
from kernels.catalogue import catalogue
from kernels.catalogue.case import Case

TEXT_OPTIONS = ("line", "space", "operation", "level", "array", "report", "table", "memory", "name", "inputs", "every", "odd", "zero")
LONGEST_OPTION = 200
LANES = 32
MOST_THREADS = 256


def metric_from(table: Table, kernels: Collection[str] = (), programs: Collection[str] = ()) -> Metric:
    """Return the lesson metric that a table asks for; `kernels` and `programs` are names of texts of the file's own. Raises `BadFile`.

    Its first field says the source, and of what variant.
    """
    from app.core.lesson_metrics.answer import KNOWN  # with all that can be executed: files are read long after the window is there

    source = next((each for each in Source if each.value in table), None)
    if source is None:
        table.wrong(None, message("names none of the sources {sources}", sources=", ".join(Source)))
    name = table.text(source.value)
    if source is Source.PROGRAM and name not in programs:
        table.wrong(source.value, message("names none of the file's programs"))
    if source is Source.PROGRAM or (source is Source.LAUNCH and name in kernels):
        count = table.one_of("count", KNOWN[source])
        own = tuple(_options(table).items())
        table.finish()
        return Metric(source, count, None, own, name)
    setting = Case.of(*settings_from(table, source.value))
    count = table.one_of("count", KNOWN[source])
    options = tuple(_options(table).items())
    table.finish()
    return Metric(source, count, setting, options)


def settings_from(table: Table, name: str) -> tuple[Variant, Problem, dict[str, int]]:
    """The variant that the field `name` names, its sizes and its parameters, which stand beside it. Raises `BadFile`."""
    variant = catalogue.find(table.text(name))
    if variant is None:
        table.wrong(name, no_variant(table.text(name)))
    return variant, sizes_from(table, variant.operation), _parameters(table, variant)


def sizes_from(table: Table, operation: Operation) -> Problem:
    """`n` for square matrices, or `m`, `n` and `k`. Raises `BadFile`."""
    if operation is Operation.HELLO:
        return Problem.square(operation, 0)
    n = table.whole("n", 1, LARGEST_SIZE)
    return Problem.of(operation, table.whole("m", 1, LARGEST_SIZE, n), n, table.whole("k", 1, LARGEST_SIZE, n))


def _parameters(table: Table, variant: Variant) -> dict[str, int]:
    """Return the variant's parameters as the table has them, and defaults for the others; values that have names are given by these."""
    values = {}
    for parameter in variant.parameters:
        if parameter.names and parameter.name in table:
            values[parameter.name] = parameter.names.index(table.one_of(parameter.name, parameter.names))
        else:
            values[parameter.name] = table.whole(parameter.name, parameter.minimum, parameter.maximum, parameter.default)
    return values


def _options(table: Table) -> dict[str, Option]:
    options: dict[str, Option] = {}
    for name in TEXT_OPTIONS:
        if name in table:
            options[name] = table.text(name, longest=LONGEST_OPTION)
    if "lane" in table:
        options["lane"] = table.whole("lane", 0, LANES - 1)
    if "thread" in table:
        options["thread"] = table.whole("thread", 0, MOST_THREADS - 1)
    if "buffered" in table:
        options["buffered"] = int(table.flag("buffered"))
    if "tolerance" in table:
        options["tolerance"] = table.number("tolerance", 0, 1)
    if "registers" in table:
        options["registers"] = table.whole("registers", 1, 255)
    if "preset" in table:
        options["preset"] = table.one_of("preset", PRESETS)
    if "profile" in table:
        options["profile"] = profile_named(table.one_of("profile", {profile.id for profile in profiles()})).id
    return options
