"""The kernels of a translation unit: their names, parameters and launch bounds, templates as well."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from kernels.simt.base.signature import KernelParameter
from kernels.simt.frontend.clang import Cursor, Extent, cindex, evaluate, extent
from kernels.simt.frontend.device_launches import KERNEL
from kernels.simt.frontend.reach import kind, stands_in

SCOPES = ("NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL")
_BOUNDS = re.compile(r"__launch_bounds__\s*\(((?:[^()]|\([^()]*\))*)\)")
PROBE = "__tilescope_bounds_"


def launch_bounds(characters: range, text: bytes, template: tuple[str, ...], probed: Mapping[int, tuple[int, ...]]) -> tuple[int, ...]:
    """The launch bounds of the kernel that covers `characters` of a text, as far as no template parameter decides them."""
    found = _BOUNDS.search(text.decode(), characters.start, characters.stop)
    names = {name[0] for each in template if (name := re.search(r"\w+(?=\s*(?:=|$))", each))}
    if found is None or not names.isdisjoint(re.findall(r"\w+", found[1])):
        return ()
    return probed.get(found.start(), ())


def bounds_probe(text: str) -> str:
    """A line that makes libclang compute what each `__launch_bounds__` of a text says."""
    return "".join(f"static const long {PROBE}{found.start()}[]={{{found[1]}}};" for found in _BOUNDS.finditer(_one_line(text)))


def _one_line(text: str) -> str:
    return re.sub(r"//[^\n]*|#[^\n]*", lambda found: " " * len(found[0]), text).replace("\n", " ")


def find_kernels(unit: Cursor, own_files: frozenset[str]) -> Iterator[Cursor]:
    """The kernels of a translation unit, a definition where there is one, in order; namespaces and `extern "C"` are looked into."""
    for cursor in unit.get_children():
        if not stands_in(cursor, own_files):
            continue
        if kind(cursor) in SCOPES:
            yield from find_kernels(cursor, own_files)
        elif kind(cursor) in ("FUNCTION_DECL", "FUNCTION_TEMPLATE") and _is_kernel(cursor):
            yield cursor


def _is_kernel(cursor: Cursor) -> bool:
    """Whether a function is a kernel of its own, not one made from a template."""
    made = cindex().conf.lib.clang_getSpecializedCursorTemplate(cursor)
    return made is None and any(map(_marks_kernel, cursor.get_children()))


def _marks_kernel(attribute: Cursor) -> bool:
    return kind(attribute) == "CUDAGLOBAL_ATTR" or (kind(attribute) == "ANNOTATE_ATTR" and attribute.spelling == KERNEL)


def qualified_name(cursor: Cursor) -> str:
    """The name with its namespaces, without those that have none."""
    names = [str(cursor.spelling)]
    parent = cursor.semantic_parent
    while parent is not None and kind(parent) in (*SCOPES, "STRUCT_DECL", "CLASS_DECL"):
        if kind(parent) != "LINKAGE_SPEC" and parent.spelling and not str(parent.spelling).startswith("("):
            names.append(str(parent.spelling))
        parent = parent.semantic_parent
    return "::".join(reversed(names))


def parameters(cursor: Cursor) -> tuple[KernelParameter, ...]:
    """A function's parameters, in order."""
    return tuple(_parameter(child.type, str(child.spelling)) for child in cursor.get_children() if kind(child) == "PARM_DECL")


def _parameter(written: Cursor, name: str) -> KernelParameter:
    real = written.get_canonical()
    pointer = real.kind.name in ("POINTER", "INCOMPLETEARRAY", "CONSTANTARRAY")
    target = _target(written) if pointer else written
    element = re.sub(r"\b(const|volatile|__restrict)\b ?", "", target.spelling).strip()
    size = max(0, target.get_canonical().get_size())
    return KernelParameter(name, str(written.spelling), pointer, element, size, () if pointer else tuple(_members(real, name)))


def _members(real: Cursor, name: str) -> Iterator[KernelParameter]:
    """The scalars and pointers that a struct consists of; those of an array are not told apart."""
    if real.kind.name == "RECORD":
        for field in real.get_fields():
            member = _parameter(field.type, f"{name}.{field.spelling}")
            yield from member.members or (member,)


def _target(written: Cursor) -> Cursor:
    """The type that a pointer or array parameter points to, as near to how it is written as can be had."""
    for type_ in (written, written.get_canonical()):
        if type_.kind.name == "POINTER":
            return type_.get_pointee()
        if type_.kind.name in ("INCOMPLETEARRAY", "CONSTANTARRAY"):
            return type_.element_type
    return written.get_canonical().get_pointee()


def template_parameters(cursor: Cursor, texts: Mapping[str, bytes]) -> tuple[str, ...]:
    """A template's parameters as written."""
    kinds = ("TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER", "TEMPLATE_TEMPLATE_PARAMETER")
    parts = (extent(child) for child in cursor.get_children() if kind(child) in kinds)
    return tuple(" ".join(written(part, texts).split()) for part in parts)


def written(part: Extent, texts: Mapping[str, bytes]) -> str:
    """The text of a stretch of a file."""
    return texts.get(part.file, b"")[part.start : part.end].decode(errors="replace")


def probed_bounds(unit: Cursor) -> dict[int, tuple[int, ...]]:
    """What the probes of `bounds_probe` gave, by the character at which `__launch_bounds__` stands."""
    found = {}
    for cursor in unit.get_children():
        if str(cursor.spelling).startswith(PROBE):
            lists = [child for child in cursor.get_children() if kind(child) == "INIT_LIST_EXPR"]
            values = [evaluate(value) for each in lists for value in each.get_children()]
            if values and all(isinstance(value, int) for value in values):
                found[int(cursor.spelling[len(PROBE) :])] = tuple(int(value) for value in values if value is not None)
    return found
