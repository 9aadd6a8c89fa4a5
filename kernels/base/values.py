"""Dataclasses whose methods are made when they are first called: a start makes some 500 classes, and calls the methods of few.

`dataclasses` writes and compiles six methods for each frozen class, which took two fifths of the time until the first window.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass  # what a checker knows of it holds
else:

    def dataclass(cls=None, /, **options):
        """Decorate as `dataclasses.dataclass` does, which still makes each method, of a frozen class when it is first called."""
        if cls is None:
            return lambda each: dataclass(each, **options)
        return _frozen(cls, **options) if options.pop("frozen", False) else dataclasses.dataclass(cls, **options)


_MADE_BY = {"__init__": "init", "__repr__": "repr", "__eq__": "eq", "__hash__": "eq"}
"""The option with which the method is made."""


def _frozen(cls: type, *, eq: bool = True, slots: bool = False, **options: Any) -> type:
    """What need not be compiled is made at once. `made` is not frozen for `dataclasses`, which would compile what refuses."""
    cls.__doc__ = cls.__doc__ or cls.__name__  # without words about itself `dataclasses` would look for its signature
    made: type[Any] = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, **options)(cls)
    own = vars(cls)
    for name, option in _MADE_BY.items():
        if (eq or option != "eq") and own.get(name) is None:  # a class with an __eq__ of its own has None for __hash__
            setattr(made, name, _late(made, name, option, slots=slots))
    methods: dict[str, Callable[..., Any]] = {"__setattr__": _refuse(made, "assign to"), "__delattr__": _refuse(made, "delete")}
    if slots and "__getstate__" not in own:
        methods |= {"__getstate__": _values, "__setstate__": _take_values}
    for name, method in methods.items():
        setattr(made, name, method)
    return made


def _late(made: type[Any], name: str, option: str, *, slots: bool) -> Callable[..., Any]:
    """Stand for a method until it is called, and then put it in this one's place."""

    def first_call(self: object, *arguments: Any, **named: Any) -> Any:
        method = _made_init(made) if name == "__init__" else _method_of_twin(made, name, option, slots=slots)
        setattr(made, name, method)
        return method(self, *arguments, **named)

    return first_call


def _made_init(made: type[Any]) -> Callable[..., None]:
    """Write and compile what takes the values: a start calls that of 70 classes, and a whole twin of each takes four times as long."""
    names: dict[str, Any] = {"__set_field__": object.__setattr__, "__missing__": dataclasses.MISSING}
    plain, named, body = ["self"], ["*"], list[str]()
    for each in dataclasses.fields(made):
        default, factory = f"__default_{each.name}__", f"__factory_{each.name}__"
        names |= {default: each.default, factory: each.default_factory}
        made_anew = each.default_factory is not dataclasses.MISSING
        optional = made_anew or each.default is not dataclasses.MISSING
        if each.init:
            (named if each.kw_only else plain).append(f"{each.name}={default}" if optional else each.name)
        elif not optional:
            continue
        given = each.name if each.init else default
        value = f"{factory}() if {given} is __missing__ else {given}" if made_anew else given
        body.append(f"__set_field__(self, {each.name!r}, {value})")
    if hasattr(made, "__post_init__"):
        body.append("self.__post_init__()")
    exec(f"def __init__({', '.join(plain + named[len(named) == 1 :])}): {'; '.join(body) or 'pass'}", names)
    method: Callable[..., None] = names["__init__"]
    method.__qualname__ = f"{made.__qualname__}.__init__"
    return method


def _method_of_twin(made: type[Any], name: str, option: str, *, slots: bool) -> Callable[..., Any]:
    fields = [(each.name, each.type, each) for each in dataclasses.fields(made)]
    twin = dataclasses.make_dataclass(
        made.__name__, fields, namespace={"__doc__": made.__doc__},
        init=False, repr=option == "repr", eq=option == "eq", frozen=True, slots=slots,
    )  # fmt: skip
    method: Callable[..., Any] = vars(twin)[name]
    return method


def _refuse(made: type, what: str) -> Callable[..., None]:
    def refuse(self: object, name: str, *value: object) -> None:
        if type(self) is made or name in made.__dataclass_fields__:  # type: ignore[attr-defined]
            raise dataclasses.FrozenInstanceError(f"cannot {what} field {name!r}")
        (object.__setattr__ if value else object.__delattr__)(self, name, *value)  # of a class derived from it

    return refuse


def _values(self: Any) -> list[Any]:
    """What is pickled."""
    return [getattr(self, each.name) for each in dataclasses.fields(self)]


def _take_values(self: Any, values: list[Any]) -> None:
    for each, value in zip(dataclasses.fields(self), values, strict=True):
        object.__setattr__(self, each.name, value)
