"""Recordings: measurements as one JSON file, which come with the program, or go from one machine to another.

`conditions` are shared by all points, `of_runs` by those of a device that have times; then one line for each of the `points`, where what is
empty is left out. Median, rate and the like are not in it: they follow from the samples. A recording's text may come from anywhere: every
value is checked, nothing in it is carried out.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Formatter
from typing import Any, NoReturn

from kernels.base.messages import Message, ReasonedError, message
from kernels.base.parser_errors import json_problem
from kernels.base.spec import Device, Operation, Problem
from kernels.base.values import dataclass
from kernels.catalogue.catalogue import find
from kernels.measure.result_json import message_to_json, stored_point
from kernels.measure.results import Result, Status

FORMAT = "tilescope recording 1"
LARGEST = 1 << 31
LARGEST_NUMBER = 1 << 62
MOST_SAMPLES = 100_000
LONGEST_TEXT = 2000
"""Characters of one text: a compiler's words may be the reason of a failure."""
LONGEST_NAME = 120
"""Characters of a field's name as it is told."""
DEEPEST = 8
"""Messages in a message."""

Check = Callable[[str, Any], Any]
"""Given a field's name and its value: the value as it is kept. Raises `_Wrong`."""


class BadRecording(ReasonedError, ValueError):
    """The text is no recording that can be read. `reason` says where and why."""


class _Wrong(Exception):
    def __init__(self, field: str, problem: Message) -> None:
        super().__init__(field)
        self.field = "".join(sign if sign.isprintable() else " " for sign in field[:LONGEST_NAME])
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Recording:
    """The results of variants that this program has, and how many others there were."""

    results: tuple[Result, ...]
    left_out: int


def read_recording(text: str) -> Recording:
    """What a recording's text says. Raises `BadRecording`, which names line and field."""
    try:
        document = json.loads(text)
        if not isinstance(document, dict) or document.get("format") != FORMAT or not isinstance(document.get("points"), list):
            raise BadRecording(_NONE)
        results = list(_results(document, text))
    except json.JSONDecodeError as error:
        raise BadRecording(json_problem(error)) from error
    except _Wrong as wrong:
        raise BadRecording(message("{field} {problem}.", field=wrong.field, problem=wrong.problem)) from wrong
    except BadRecording:
        raise
    except (ValueError, RecursionError) as error:  # numbers of thousands of digits, lists in lists without end
        raise BadRecording(_NONE) from error
    known = tuple(result for result in results if find(result.point.variant_id) is not None)
    return Recording(known, len(results) - len(known))


def _results(document: Mapping[str, Any], text: str) -> Iterator[Result]:
    shared = _flat("conditions", document.get("conditions", {}))
    of_runs = {device: _flat(f"of_runs.{device}", each) for device, each in _mapping("of_runs", document.get("of_runs", {})).items()}
    for place, point in enumerate(document["points"]):
        try:
            yield _result(point, shared, of_runs)
        except _Wrong as wrong:
            line = _line_of(text, place)
            raise BadRecording(message("Line {line}: {field} {problem}.", line=line, field=wrong.field, problem=wrong.problem)) from wrong


_NONE = message("This is no recording that Tilescope has written.")
_MISSING = message("is missing")


def _result(point: Any, shared: Mapping[str, Any], of_runs: Mapping[str, Any]) -> Result:
    if not isinstance(point, dict):
        _wrong("points", message("must hold objects"))
    value = {name: check(name, point[name]) if name in point else _absent(name) for name, check in _CHECKS.items()}
    times, status = value["times_ms"], Status(value["status"])
    if bool(times) != status.verified:
        _wrong("times_ms", message("and the status '{status}' do not go together", status=status.value))
    if not times and value["reason"] is None:
        _wrong("reason", _MISSING)
    variant, problem = find(value["id"]), Problem(Operation(value["operation"]), value["m"], value["n"], value["k"])
    if problem.operation is Operation.HELLO or (variant is not None and variant.operation is not problem.operation):
        _wrong("operation", message("is not that of {variant}", variant=value["id"]))
    ran = of_runs.get(str(variant.device), {}) if variant is not None and times else {}
    return Result(
        stored_point(value["id"], problem, value["parameters"]),
        status, value["created"], times, value["relative_error"], value["allowed_error"], value["reason"],
        {**shared, **ran, **value["conditions"]},
    )  # fmt: skip


def _wrong(field: str, problem: Message) -> NoReturn:
    raise _Wrong(field, problem)


def _absent(name: str) -> Any:
    return _DEFAULTS[name] if name in _DEFAULTS else _wrong(name, _MISSING)


def _mapping(field: str, value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else _wrong(field, message("must be an object"))


def _text(field: str, value: Any) -> str:
    if isinstance(value, str) and len(value) <= LONGEST_TEXT:
        return "".join(sign if sign.isprintable() or sign == "\n" else " " for sign in value)
    return _wrong(field, message("must be a text of at most {most} characters", most=LONGEST_TEXT))


def _whole(field: str, value: Any) -> int:
    if type(value) is int and 0 <= value <= LARGEST:
        return value
    return _wrong(field, message("must be a whole number from 0 to {most}", most=LARGEST))


def _number(field: str, value: Any) -> float:
    if _is_number(value) and value >= 0:
        return float(value)
    return _wrong(field, message("must be a number that is not negative"))


def _times(field: str, value: Any) -> tuple[float, ...]:
    if isinstance(value, list) and len(value) <= MOST_SAMPLES:
        return tuple(_number(field, time) for time in value)
    return _wrong(field, message("must be a list of numbers"))


def _one_of(choices: Collection[str]) -> Callable[[str, Any], str]:
    def check(field: str, value: Any) -> str:
        return str(value) if value in choices else _wrong(field, message("must be one of {choices}", choices=", ".join(choices)))

    return check


def _flat(field: str, value: Any) -> dict[str, str | int | float]:
    """Conditions: named texts and numbers."""
    kept: dict[str, str | int | float] = {}
    for name, each in _mapping(field, value).items():
        kept[_text(field, name)] = each if _is_number(each) else _text(f"{field}.{name}", each)
    return kept


def _is_number(value: Any) -> bool:
    """Whether it is a number that is kept as it is: JSON has whole ones that no float can hold."""
    return (type(value) is int and abs(value) <= LARGEST_NUMBER) or (type(value) is float and math.isfinite(value))


def _parameters(field: str, value: Any) -> dict[str, int]:
    return {_text(field, name): _whole(f"{field}.{name}", each) for name, each in _mapping(field, value).items()}


def _reason(field: str, value: Any, depth: int = DEEPEST) -> Message:
    """A message whose template asks for its own arguments, by their plain names, and for nothing else.

    With its arguments it is no longer than a text: messages in messages, each asked for several times, would have no bounds.
    """
    parts = _mapping(field, value)
    template = _text(f"{field}.template", parts.get("template"))
    given = _mapping(f"{field}.arguments", parts.get("arguments"))
    arguments = {name: _argument(field, name, each, depth) for name, each in given.items()}
    try:
        asked = [(name, form, conversion) for _, name, form, conversion in Formatter().parse(template) if name is not None]
    except ValueError:
        asked = [("", "", None)]
    if any(name not in arguments or not re.fullmatch(r"[^\W\d]\w*", name) or form or conversion for name, form, conversion in asked):
        _wrong(field, message("asks for what it does not have"))
    reason = Message(template, tuple(arguments.items()))
    _text(field, str(reason))
    return reason


def _argument(field: str, name: str, value: Any, depth: int) -> str | int | float | Message:
    if isinstance(value, dict):
        return _reason(field, value, depth - 1) if depth else _wrong(field, message("has messages in messages without end"))
    number: float = value
    return number if _is_number(value) else _text(f"{field}.{name}", value)


_CHECKS: Mapping[str, Check] = {
    "id": _text, "operation": _one_of([each.value for each in Operation]), "m": _whole, "n": _whole, "k": _whole,
    "parameters": _parameters, "status": _one_of([each.value for each in Status]), "times_ms": _times, "relative_error": _number,
    "allowed_error": _number, "reason": _reason, "created": _text, "conditions": _flat,
}  # fmt: skip
_DEFAULTS: Mapping[str, Any] = {
    "parameters": {}, "times_ms": (), "relative_error": None, "allowed_error": None, "reason": None, "conditions": {},
}  # fmt: skip


def _line_of(text: str, place: int) -> int:
    """The line in which a point begins. The text is JSON whose points are a list."""
    decoder, between = json.JSONDecoder(), re.compile(r"[\s,]*")
    start, end = 0, text.index("[", text.index('"points"')) + 1
    for _ in range(place + 1):
        found = between.match(text, end)
        start = end if found is None else found.end()
        _, end = decoder.raw_decode(text, start)
    return text.count("\n", 0, start) + 1


Conditions = Mapping[str, str | int | float]
DIGITS = 6
"""Significant digits of times and errors: more than a clock has."""


def load_recorded(path: Path | Traversable) -> tuple[Result, ...]:
    """The results in a recording, points without a time included. Raises `BadRecording`, a ValueError, and OSError."""
    return read_recording(path.read_text(encoding="utf-8")).results


def recorded_text(results: Sequence[Result]) -> str:
    """A recording's text; equal results give equal texts."""
    shared = _shared(results)
    of_runs = {str(device): own for device, ran in _ran(results).items() if (own := _without(_shared(ran), shared))}
    head = {"format": FORMAT, "conditions": shared, "of_runs": of_runs}
    lines = (
        json.dumps(
            _point(result, {**shared, **of_runs.get(_device(result), {})}), ensure_ascii=False, allow_nan=False, separators=(",", ":")
        )
        for result in results
    )
    begin = json.dumps(head, ensure_ascii=False, indent=1, sort_keys=True).removesuffix("\n}")
    return f'{begin},\n "points": [\n' + ",\n".join(lines) + "\n]}\n"


def _point(result: Result, shared: Conditions) -> dict[str, Any]:
    point, problem = result.point, result.point.problem
    values = {
        "id": point.variant_id,
        "operation": problem.operation.value,
        "m": problem.m, "n": problem.n, "k": problem.k,
        "parameters": dict(point.parameters),
        "status": result.status.value,
        "times_ms": [_rounded(time) for time in result.times_ms],
        "relative_error": _rounded(result.relative_error),
        "allowed_error": _rounded(result.allowed_error),
        "reason": None if result.reason is None else message_to_json(result.reason),
        "created": result.created,
        "conditions": _without(result.conditions, shared),
    }  # fmt: skip
    return {name: value for name, value in values.items() if value not in (None, [], {})}


def _device(result: Result) -> str:
    """The device whose `of_runs` hold of the result; "" where it has no time."""
    return str(result.point.variant.device) if result.times_ms else ""


def _ran(results: Sequence[Result]) -> dict[Device, list[Result]]:
    ran: dict[Device, list[Result]] = {}
    for result in results:
        if result.times_ms:
            ran.setdefault(result.point.variant.device, []).append(result)
    return ran


def _shared(results: Sequence[Result]) -> dict[str, str | int | float]:
    return dict(set.intersection(*(set(result.conditions.items()) for result in results))) if results else {}


def _without(conditions: Conditions, shared: Conditions) -> dict[str, str | int | float]:
    return {name: value for name, value in conditions.items() if name not in shared}


def _rounded(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.{DIGITS}g}")
