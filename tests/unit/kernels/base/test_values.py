"""Values whose methods are made at the first call are what `dataclasses` makes."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import re
from collections.abc import Callable, Iterator
from dataclasses import field
from pathlib import Path
from typing import Any

import pytest

from kernels.base import values

ROOT = Path(__file__).resolve().parents[4]
NAN = float("nan")


@values.dataclass(frozen=True, slots=True)
class Kept:
    """One that can be pickled: it has a name in its module."""

    number: int
    more: list[int] = field(default_factory=list)


def classes(dataclass: Callable[..., Any]) -> Iterator[type[Any]]:
    """The same classes, made by one and by the other; each is called with one or more numbers."""

    @dataclass(frozen=True, slots=True)
    class Plain:
        """Two fields, of which one has a default."""

        x: float
        y: float = 2

    yield Plain

    @dataclass(frozen=True, slots=True)
    class Derived(Plain):
        """More fields, of which one is not compared and one not given."""

        seen: int = field(default=3, compare=False)
        kept: list[int] = field(default_factory=list)
        made: int = field(init=False, default=7)
        hidden: int = field(default=8, repr=False)

    yield Derived

    @dataclass(frozen=True, slots=True)
    class Confusing:
        """Its names are those of what could make it."""

        set_field: int
        b: list[int] = field(default_factory=list)
        b_factory: int = 4
        missing: int = 5

    yield Confusing

    @dataclass(frozen=True, slots=True)
    class Checked:
        """Looked at when it is made."""

        x: float

        def __post_init__(self) -> None:
            if self.x < 0:
                raise ValueError("negative")

    yield Checked

    @dataclass(frozen=True, slots=True, eq=False)
    class Unequal:
        """Equal to itself alone."""

        x: float

    yield Unequal

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Named:
        """Given by name."""

        x: float = 1

    yield Named

    @dataclass(frozen=True)
    class Open:
        """Without slots, with methods of its own."""

        x: float

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Open) and abs(self.x) == abs(other.x)

        def __repr__(self) -> str:
            return f"<{self.x}>"

    yield Open

    @dataclass(slots=True)
    class Changed:
        """Not frozen."""

        x: float

    yield Changed

    @dataclass(frozen=True, slots=True)
    class Empty:
        """Without fields."""

    yield Empty


def told(act: Callable[[], Any]) -> str:
    """What comes of it, in words; objects without words of their own are told without their place in memory."""
    try:
        return re.sub(r" at 0x\w+", "", repr(act()))
    except (TypeError, ValueError, AttributeError) as error:
        return re.sub(r"\S*<locals>\.", "", f"{type(error).__name__}: {error}")


def answers(made: type[Any]) -> Iterator[str]:
    """What a class and its values say to all that is asked of them."""
    for given in ((), (1,), (-1,), (NAN,), (1, 2), (1, 2, 3, 4, 5, 6, 7)):
        yield told(lambda given=given: made(*given))  # type: ignore[misc]
        yield told(lambda given=given: made(*given) == made(*given))  # type: ignore[misc]
        yield told(lambda given=given: hash(made(*given)) == hash(made(*given)))  # type: ignore[misc]
    for named in ({"x": 1}, {"x": 2.5}, {"nothing": 1}, {}):
        yield told(lambda named=named: made(**named))  # type: ignore[misc]
        yield told(lambda named=named: {made(**named), made(**named)} == {made(**named)})  # type: ignore[misc]
        yield told(lambda named=named: made(**named) == made(x=1))  # type: ignore[misc]
        yield told(lambda named=named: dataclasses.replace(made(**named), x=5))  # type: ignore[misc]
        yield told(lambda named=named: dataclasses.asdict(made(**named)))  # type: ignore[misc]
        yield told(lambda named=named: copy.copy(made(**named)))  # type: ignore[misc]
        changes = (lambda value: setattr(value, "x", 3), lambda value: delattr(value, "x"))
        for change in changes if "x" in made.__dataclass_fields__ else ():
            yield told(lambda named=named, change=change: change(made(**named)))  # type: ignore[misc]
    yield told(lambda: (made.__match_args__, [each.name for each in dataclasses.fields(made)], hasattr(made, "__slots__")))


@pytest.mark.parametrize("number", range(len(list(classes(dataclasses.dataclass)))))
def test_it_answers_as_the_standard_librarys_does(number: int) -> None:
    ours, theirs = (list(classes(each))[number] for each in (values.dataclass, dataclasses.dataclass))
    assert list(answers(ours)) == list(answers(theirs))


def test_it_is_pickled() -> None:
    assert pickle.loads(pickle.dumps(Kept(3, [4]))) == Kept(3, [4])


def test_an_object_is_equal_to_none_of_a_derived_class() -> None:
    plain, derived = list(classes(values.dataclass))[:2]
    assert plain(1) != derived(1)
    assert derived(1) != plain(1)


def test_a_method_is_made_once_and_when_it_is_first_called() -> None:
    plain, derived = list(classes(values.dataclass))[:2]
    before = plain.__init__, plain.__eq__, derived.__init__
    assert {each.__name__ for each in before} == {"first_call"}
    assert {derived(1).x, derived(2).x} == {1, 2}
    assert (plain.__init__, plain.__eq__) == before[:2]
    made = derived.__init__
    assert made is not before[2]
    assert plain(1) == plain(1)
    compared = plain.__eq__
    assert compared is not before[1]
    assert plain(2) != plain(1)
    assert (plain.__eq__, derived.__init__) == (compared, made)


def test_all_classes_of_the_program_are_made_so() -> None:
    files = [path for folder in ("app", "kernels") for path in (ROOT / folder).rglob("*.py") if path.name != "values.py"]
    others = re.compile(r"^\s*from dataclasses import .*\bdataclass\b|@dataclasses\.dataclass", re.MULTILINE)
    assert [str(path) for path in files if others.search(path.read_text(encoding="utf-8"))] == []
