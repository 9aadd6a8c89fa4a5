"""libclang's English remarks in words for students, in templates of ours; a remark that is not known passes as it is."""

from __future__ import annotations

import re

from kernels.messages import Message, message

HOST_FUNCTION = message("{name} is a function of the host: write __device__ before it, so that a kernel can call it.")

_PATTERNS: tuple[tuple[str, Message], ...] = (
    (r"use of undeclared identifier '(?P<name>.+?)'(; did you mean '(?P<other>.+?)'\?)?$", message("Unknown name {name}.")),
    (r"unknown type name '(?P<name>.+?)'", message("Unknown type {name}.")),
    (r"no member named '(?P<name>.+?)' in '(?P<type>.+?)'", message("{type} has no member {name}.")),
    (r"expected '(?P<token>.+?)' (after|at end of) .*", message("A {token} is missing here.")),
    (r"expected '(?P<token>.+?)'$", message("A {token} is missing here.")),
    (r"expected expression$", message("A value is missing here.")),
    (r"extraneous closing brace", message("This }} closes nothing.")),
    (r"function definition is not allowed here$", message("A function cannot stand inside another one: a }} is missing further up.")),
    (r"no matching function for call to '(?P<name>.+?)'", message("No function {name} takes these arguments.")),
    (r"call to '(?P<name>.+?)' is ambiguous", message("Several functions {name} would take these arguments.")),
    (r"too few arguments to function call.*", message("This call has too few arguments.")),
    (r"too many arguments to function call.*", message("This call has too many arguments.")),
    (r"redefinition of '(?P<name>.+?)'", message("{name} is defined twice.")),
    (r"invalid operands to binary expression \('(?P<left>[^']+)'.* and '(?P<right>[^']+)'.*\)",
     message("No operator here takes {left} and {right}.")),
    (r"cannot initialize (a variable|a parameter|an array element|a member subobject|return object) of type '(?P<to>[^']+)'.* with an "
     r"[lrx]value of type '(?P<from>[^']+)'.*", message("A {from} does not become a {to} by itself.")),
    (r"assigning to '(?P<to>[^']+)'.* from incompatible type '(?P<from>[^']+)'.*",
     message("A {from} cannot be assigned to a {to}.")),
    (r"subscripted value is not an array, pointer, or vector", message("What stands before [ is neither an array nor a pointer.")),
    (r"called object type '(?P<type>[^']+)'.* is not a function.*", message("This is a {type}, not a function.")),
    (r"member reference base type '(?P<type>[^']+)'.* is not a structure or union", message("A {type} has no members.")),
    (r"cannot assign to variable '(?P<name>.+?)' with const-qualified type.*", message("{name} is const: it cannot be changed.")),
    (r"(read-only variable is not assignable|cannot assign to .*const.*|expression is not assignable)",
     message("This cannot be assigned to.")),
    (r"reference to __host__ function '(?P<name>.+?)' in __(global|device|host__ __device)__ function", HOST_FUNCTION),
    (r"kernel function type '.*' must have void return type", message("A kernel returns nothing: write void before its name.")),
    (r"reference to __global__ function '(?P<name>.+?)' in __(global|device|host__ __device)__ function",
     message("{name} is a kernel: a kernel that launches another is not supported. Call a __device__ function.")),
    (r"no template named 'texture'", message("Textures and surfaces are not supported: read from an array.")),
    (r"variable length array declaration not allowed.*|variable-sized object.*|cannot use variable-length arrays.*",
     message("The length of this array must be known when the kernel is compiled.")),
    (r"non-type template argument is not a constant expression",
     message("A template's argument must be known when the kernel is compiled.")),
    (r"unterminated conditional directive", message("This #if has no #endif.")),
    (r"unterminated /\* comment", message("This comment is never closed.")),
    (r"missing terminating .* character", message("This text is never closed with a quote.")),
    (r"implicit declaration of function '(?P<name>.+?)'.*", message("Unknown name {name}.")),
    (r"variable '(?P<name>.+?)' is uninitialized when used here", message("{name} has no value yet when it is used here.")),
    (r"more '%' conversions than data arguments", message("The format has more conversions than there are values.")),
    (r"data argument not used by format string", message("There are more values than the format has conversions.")),
    (r"using the result of an assignment as a condition without parentheses",
     message("This assigns with = ; == would compare.")),
    (r"bracket nesting level exceeded maximum.*", message("Brackets are nested too deep here.")),
)  # fmt: skip


def worded(text: str, notes: tuple[str, ...] = ()) -> Message:
    """A remark of libclang's, with the notes below it, as a `Message`."""
    if (call := re.match(r"no matching function for call to '(.+?)'", text)) and (told := _unfit(call[1], notes)) is not None:
        return told
    for pattern, template in _PATTERNS:
        if found := re.match(pattern, text):
            fields = {name: value for name, value in found.groupdict().items() if value is not None}
            return Message(template.template, tuple({"text": text, **fields}.items()))
    return message("{text}", text=text)


def _unfit(name: str, notes: tuple[str, ...]) -> Message | None:
    """Why the only function of a name does not fit a call, where its note tells."""
    if len(notes) != 1:
        return None
    if "call to __host__ function" in notes[0]:
        return Message(HOST_FUNCTION.template, (("name", name),))
    if count := re.search(r"requires (?:exactly |single argument.*, )?(\d+) arguments?, but (\d+) (?:was|were) provided", notes[0]):
        return message("{name} takes {wanted} arguments, not {given}.", name=name, wanted=int(count[1]), given=int(count[2]))
    return None
