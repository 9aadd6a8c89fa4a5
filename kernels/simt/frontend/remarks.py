"""Words for the remarks of libclang, for students.

Remarks are patterns, each with what is said in its place. The first pattern that fits holds; {text} is the remark itself, and a remark that
is not known passes as it is.
"""

from __future__ import annotations

import re

from kernels.base.messages import Message, message
from kernels.simt.frontend.declared_functions import KNOWN

_ANY_NUMBER = message("A function of any number of arguments can only be the host's: write a template, or a macro with __VA_ARGS__.")

HOST_FUNCTIONS: tuple[tuple[str, Message], ...] = (
    (
        r"cuda(Device|Stream|Event|Thread)Synchronize|cuda(Stream|Event)Query",
        message("{name} in a kernel: since CUDA 12 no kernel can wait for a grid. Only the host can."),
    ),
    (r"cudaMemcpy|cudaMemset", message("{name} is the host's: a kernel calls {name}Async, which happens in a stream, after the kernel.")),
    (r"cudaStreamCreate", message("{name} is the host's: a kernel calls {name}WithFlags, with cudaStreamNonBlocking.")),
    (r"cudaEventCreate", message("{name} is the host's: a kernel calls {name}WithFlags, with cudaEventDisableTiming.")),
    (r"cuda[A-Z]\w*", message("{name} in a kernel is not supported: call it on the host, before or after the launch.")),
    (r"(f|v|vf)printf|f?puts|f?putc|putchar", message("{name} is the host's: a kernel prints with printf.")),
    (r"s?rand|[sd]rand48", message("{name} is the host's: a kernel takes random numbers from curand, or computes them.")),
    (r"exit|abort", message("{name} is the host's: a kernel ends with return, or with assert where something is wrong.")),
    (r"time|gettimeofday|clock_gettime", message("{name} is the host's: a kernel reads clock64().")),
    (r"__tilescope_(behind|argument)", _ANY_NUMBER),
    (r".+?", message("{name} is of the host's library: no kernel can call it.")),
)
"""By name, what is said where a kernel calls one of the library."""
_OWN_FUNCTION = message("{name} is a function of the host: write __device__ before it, so that a kernel can call it.")
OF_HOST = "call to __host__ function"
"""What a note says of a function that is none of a kernel's."""
_HOST_CLASS = message("{type} is of the host's library: a kernel uses arrays and structs.")
_HOST_CONSTRUCTOR = message("{type} has no constructor that a kernel can call: write __device__ before it.")
HOST_VARIABLE = message("{name} is a variable of the host: pass it as an argument, or declare it __device__.")
FUNCTION_SPACE = r"in __(global|device|host__ __device)__ function"
TYPE = r"(?: \(aka '[^']*'\))?"
"""What may follow a type in quotes."""

_MISSING = message("A {token} is missing here.")

SYNTAX: tuple[tuple[str, Message], ...] = (
    (r"expected '(?P<token>.+?)' (after|at end of|in) .*", _MISSING),
    (r"expected '(?P<token>[^']+)'$", _MISSING),
    (r"missing '(?P<token>.+?)' between enumerators", _MISSING),
    (r"expected '\(' for function-style cast or type construction", message("A type stands where a value is expected.")),
    (r"unexpected type name '(?P<name>.+?)'", message("A type stands where a value is expected.")),
    (r"expected expression$", message("A value is missing here.")),
    (r"expected (unqualified-id|identifier)", message("This cannot stand here: a name is expected.")),
    (r"expected external declaration", message("This cannot stand here: a declaration is expected.")),
    (r"expected parameter declarator", message("A parameter is missing here.")),
    (r"expected function body after function declarator", message("A body between braces is missing here.")),
    (r"cannot combine with previous '(?P<name>.+?)' declaration specifier", message("Two types stand here: {name} comes before.")),
    (r"extraneous closing brace", message("This }} closes nothing.")),
    (r"function definition is not allowed here$", message("A function cannot stand inside another one: a }} is missing further up.")),
    (r"unterminated conditional directive", message("This #if has no #endif.")),
    (r"(?P<name>#\w+) without #if", message("This {name} has no #if.")),
    (r"unterminated /\* comment", message("This comment is never closed.")),
    (r"missing terminating .* character", message("This text is never closed with a quote.")),
    (r"(too many|too few) arguments provided to function-like macro invocation",
     message("The macro takes another number of arguments.")),
    (r"unterminated function-like macro invocation", message("The bracket behind this macro's name is never closed.")),
    (r"invalid digit '(?P<name>.+?)' in (?P<base>\w+) constant",
     message("The digit {name} cannot stand in this number: one that begins with 0 is octal.")),
    (r"invalid suffix '(?P<name>.+?)' on (integer|floating) constant", message("{name} cannot stand behind a number.")),
    (r"'(?P<name>break|continue)' statement not in .*", message("{name} stands outside of a loop.")),
    (r"'(?P<name>case|default)' statement not in switch statement", message("{name} stands outside of a switch.")),
    (r"duplicate case value '(?P<name>.+?)'", message("The case {name} stands twice in this switch.")),
    (r"use of undeclared label '(?P<name>.+?)'", message("There is no label {name} in this function.")),
    (r"cannot use '(try|throw)' .*", message("Exceptions do not exist in device code: return an error value instead.")),
    (r"bracket nesting level exceeded maximum.*", message("Brackets are nested too deep here.")),
)  # fmt: skip

NAMES: tuple[tuple[str, Message], ...] = (
    (r"use of undeclared identifier '(?P<name>__(shfl|shfl_up|shfl_down|shfl_xor|any|all|ballot))'",
     message("{name} no longer exists: write {name}_sync, with 0xffffffff before the other arguments.")),
    (r"(use of undeclared identifier|unknown type name) '(?P<name>cub|thrust|cuda|cutlass|cute|cu(rand|blas|fft|sparse|solver|dnn)\w*)'",
     message("{name} is of a library that is not executed here: write what it does in the kernel.")),
    (r"(unknown type name|no type named) '(?P<name>condition_variable\w*)'.*",
     message("{name} is not supported: a thread of the host does here all that it does where it is made, and waits for no other.")),
    (r"unknown type name 'va_list'", _ANY_NUMBER),
    (r"you need to include <typeinfo>.*", message("typeid is not supported.")),
    (r"no (member|type|template) named '(?P<name>.+?)' in namespace '(?P<space>std.*?)'",
     message("{space}::{name} does not exist in a kernel here: write it with arrays, structs and functions of CUDA.")),
    (r"no (member|type|template) named '(?P<name>.+?)' in namespace '(?P<space>.+?)'", message("There is no {name} in {space}.")),
    (r"use of undeclared identifier '(?P<name>.+?)'", message("Unknown name {name}.")),
    (r"unknown type name '(?P<name>.+?)'", message("Unknown type {name}.")),
    (r"expected namespace name", message("There is no namespace of this name.")),
    (r"implicit declaration of function '(?P<name>.+?)'.*", message("Unknown name {name}.")),
    (r"no (member|type) named '(?P<name>.+?)' in '(?P<type>.+?)'", message("{type} has no member {name}.")),
    (r"no template named '(?P<name>surface|texture)'",
     message("References to a {name} are not supported: read from a texture object, or from an array.")),
    (r"no template named '(?P<name>\w+?)'", message("Unknown name {name}.")),
    (r"redefinition of '(?P<name>.+?)'", message("{name} is defined twice.")),
    (r"'(?P<name>.+?)' is a (private|protected) member of '(?P<type>.+?)'",
     message("{name} is private to {type}: write public: before it, or struct in place of class.")),
    (r"variable has incomplete type '(?P<type>.+?)'", message("{type} is declared, but its members stand nowhere.")),
    (r"too (many|few) template arguments for .*template '(?P<name>.+?)'", message("{name} takes another number of template arguments.")),
    (r"(use of class template|no viable constructor or deduction guide for deduction of template arguments of) '(?P<name>.+?)'.*",
     message("{name} is a template: write its arguments behind it, between < and >.")),
    (r"invalid use of 'this' outside of a non-static member function", message("this exists in the functions of a struct only.")),
)  # fmt: skip


_LENGTH = message("The length of this array must be known when the kernel is compiled.")
_CONVERTS = message("{from} does not become {to} by itself.")
_OPERATOR = message("This operator does not take {type}.")
_SUBSCRIPT = message("What stands before [ is neither an array nor a pointer.")
_VOID = message("What a void* points to has no type: convert it first, for example to float*.")
_TOO_MANY = message("There are more values than this has room for.")
_INITIAL = message("This needs a value where it is declared.")

CALLS: tuple[tuple[str, Message], ...] = (
    (r"cannot pass (object of non-trivial|non-trivial object of) type '(?P<type>.+?)'.* (through|to) variadic.*",
     message("{type} is an object: behind the format of printf and its like stand numbers and pointers. Of a std::string, give c_str().")),
    (r"no matching function for call to '(?P<name>.+?)'", message("No function {name} takes these arguments.")),
    (r"no matching constructor for initialization of '(?P<type>.+?)'", message("{type} cannot be made of these values.")),
    (r"call to '(?P<name>.+?)' is ambiguous", message("Several functions {name} would take these arguments.")),
    (r"too few arguments to function call.*", message("This call has too few arguments.")),
    (r"too many arguments to function call.*", message("This call has too many arguments.")),
    (rf"called object type '(?P<type>[^']+)'{TYPE} is not a function.*", message("This has the type {type}: it is not a function.")),
    (r"builtin functions must be directly called", message("Brackets are missing behind this function's name.")),
    (r"(void function '(?P<name>.+?)' should not return a value.*)", message("{name} is void: it returns no value.")),
    (r"non-void (function|lambda).* (does not|should) return a value.*", message("This function returns no value on some way through it.")),
    (r"kernel function type '.*' must have void return type", message("A kernel returns nothing: write void before its name.")),
    *((rf"reference to __host__ function '(?P<name>{name})' {FUNCTION_SPACE}", text) for name, text in HOST_FUNCTIONS),
    (rf"reference to __host__ variable '(?P<name>.+?)' {FUNCTION_SPACE}", HOST_VARIABLE),
    (r"call to global function '(?P<name>.+?)' not configured", message("{name} is a kernel: launch it with <<<grid, block>>>.")),
    (r"kernel call to non-global function '(?P<name>.+?)'",
     message("{name} is no kernel: write __global__ void before its name to launch it.")),
    (r"no matching literal operator for call to 'operator\"\"(?P<name>\w+)'.*", message("No literal of this kind ends in {name}.")),
    (rf"reference to __global__ function '(?P<name>.+?)' {FUNCTION_SPACE}",
     message("{name} is a kernel: launch it with <<<grid, block>>>.")),
)  # fmt: skip

VALUES: tuple[tuple[str, Message], ...] = (
    (rf"invalid operands to binary expression \('(std::)?ostream'{TYPE} and '(?P<right>[^']+)'{TYPE}\)",
     message("std::cout takes no {right} here. A kernel cannot use it at all: it writes with printf.")),
    (rf"invalid operands to binary expression \('(?P<left>[^']+)'{TYPE} and '(?P<right>[^']+)'{TYPE}\)",
     message("No operator here takes {left} and {right}.")),
    (rf"invalid argument type '(?P<type>[^']+)'{TYPE} to unary expression", _OPERATOR),
    (rf"comparison (between|of).*\('(?P<left>[^']+)'{TYPE} and '(?P<right>[^']+)'{TYPE}\)",
     message("No operator here takes {left} and {right}.")),
    (rf"incompatible operand types \('(?P<left>[^']+)'{TYPE} and '(?P<right>[^']+)'{TYPE}\)",
     message("Both sides of : must have one type, not {left} and {right}.")),
    (r"no viable overloaded '(?P<name>.+?)'", message("No operator {name} takes these values.")),
    (r"no viable overloaded operator\[\] for type '(?P<type>.+?)'", message("{type} takes no such value between [ and ].")),
    (rf"indirection requires pointer operand \('(?P<type>[^']+)'{TYPE} invalid\)", message("* needs a pointer: {type} is none.")),
    (r"cannot initialize .* of type '[^']*\(\*\)\[[^\]\d][^']*'.*",
     message("A pointer to rows whose length is known only when the program runs is not supported: use one row, and [i * n + j].")),
    (r"cannot initialize (a variable|a parameter|an array element|a member subobject|return object) of type '(?P<to>[^']+)'.* with an "
     r"[lrx]value of type '(?P<from>[^']+)'.*", _CONVERTS),
    (rf"no viable conversion from '(?P<from>[^']+)'{TYPE} to '(?P<to>[^']+)'.*", _CONVERTS),
    (rf"no matching conversion for .* from '(?P<from>[^']+)'{TYPE} to '(?P<to>[^']+)'.*",
     message("{from} cannot be converted to {to}.")),
    (r"assigning to '(?P<to>[^']+)'.* from incompatible type '(?P<from>[^']+)'.*", message("{from} cannot be assigned to {to}.")),
    (r"cannot assign to variable '(?P<name>.+?)' with const-qualified type.*", message("{name} is const: it cannot be changed.")),
    (r"(read-only variable is not assignable|cannot assign to .*const.*|expression is not assignable)",
     message("This cannot be assigned to.")),
    (r"non-const lvalue reference to type '(?P<to>[^']+)'.* cannot bind to a (temporary|value) .*type '(?P<from>[^']+)'.*",
     message("A reference to {to} needs a variable of that type: write const before it, or leave the & out.")),
    (r"cannot take the address of an rvalue.*", message("Only variables and elements of arrays have an address.")),
    (r"subscripted value is not an array, pointer, or vector", _SUBSCRIPT),
    (r"type '(?P<type>.+?)' does not provide a subscript operator", _SUBSCRIPT),
    (r"array subscript is not an integer", message("An index must be a whole number.")),
    (rf"member reference type '(?P<type>[^']+)'{TYPE} is a pointer.*", message("{type} is a pointer: write -> in place of the dot.")),
    (rf"member reference type '(?P<type>[^']+)'{TYPE} is not a pointer.*", message("{type} is no pointer: write a dot in place of ->.")),
    (r"member reference base type '(?P<type>[^']+)'.* is not a structure or union", message("{type} has no members.")),
    (r"(subscript of pointer to incomplete type|indirection not permitted on operand of type|incomplete type|arithmetic on a pointer to)"
     r" '?void.*", _VOID),
    (r"excess elements in .* initializer|initializer-string for char array is too long.*", _TOO_MANY),
    (r"declaration of (reference )?variable '(?P<name>.+?)' .*requires an initializer|default initialization of an object of const type.*",
     _INITIAL),
    (r"constexpr variable '(?P<name>.+?)' must be initialized by a constant expression",
     message("The value of {name} must be known when the kernel is compiled.")),
    (r"non-type template argument is not a constant expression",
     message("A template's argument must be known when the kernel is compiled.")),
    (r"static assertion failed( due to requirement '.*?')?: (?P<reason>.*)", message("static_assert does not hold: {reason}")),
    (r"static assertion failed.*", message("What static_assert states does not hold here.")),
)  # fmt: skip

MEMORY: tuple[tuple[str, Message], ...] = (
    (r"variable-sized object may not be initialized",
     message("An array whose length is known only when the program runs takes no values where it is declared: assign them afterwards.")),
    (r"variable length array declaration.*|variable-sized object.*|cannot use variable-length arrays.*", _LENGTH),
    (r"initialization is not supported for __shared__ variables.*",
     message("A __shared__ variable takes no initial value: let a thread assign it, then call __syncthreads().")),
    (r"__shared__ variable '(?P<name>.+?)' cannot be 'extern'",
     message("The size of an extern __shared__ array is given at the launch: write {name}[] without a number.")),
    (r"dynamic initialization is not supported for .*", message("The initial value of this variable must be a constant.")),
)  # fmt: skip

WARNINGS: tuple[tuple[str, Message], ...] = (
    (r"variable '(?P<name>.+?)' is (used )?uninitialized when.*", message("{name} has no value yet when it is used here.")),
    (r"more '%' conversions than data arguments", message("The format has more conversions than there are values.")),
    (r"data argument not used by format string", message("There are more values than the format has conversions.")),
    (rf"format specifies type '(?P<to>[^']+)'{TYPE} but the argument has type '(?P<from>[^']+)'.*",
     message("The format wants {to} here, but the value is of type {from}.")),
    (r"using the result of an assignment as a condition without parentheses", message("This assigns with = ; == would compare.")),
    (rf"implicit conversion from '(?P<from>[^']+)'{TYPE} to '(?P<to>[^']+)'{TYPE} changes value from (?P<old>\S+) to (?P<new>\S+)",
     message("As {to}, {old} becomes {new}.")),
    (r"(division|remainder) by zero is undefined", message("This divides by zero.")),
    (r"array index (?P<index>-?\d+) is (past the end|before the beginning) of the array.*",
     message("The index {index} is outside of the array.")),
    (r"use of unary operator that may be intended as compound assignment \((?P<name>.=)\)",
     message("This assigns a value with a sign: {name} would compute with the old one.")),
    (r"shift count.*", message("This shifts by more bits than the value has, or by fewer than none.")),
    (r"\w+( \w+)? (statement|loop) has empty body", message("The ; here ends the statement: nothing is done under its condition.")),
    (r"multi-character character constant", message("Single quotes hold one character: double quotes hold a text.")),
)  # fmt: skip


_HEADERS = {
    "cuda_fp16.h": r"(__)?half2?|__half2?float\w*|__float2half\w*|__h(add|sub|mul|fma)\w*",
    "cuda_bf16.h": r"(__)?nv_bfloat16\w*",
    "mma.h": "wmma|nvcuda",
    "cooperative_groups.h": "cooperative_groups|cg",
}
_NO_MATCH = r"no matching (?:member )?function for call to '(.+?)'"
_PATTERNS = tuple((re.compile(pattern), template) for pattern, template in (*NAMES, *CALLS, *VALUES, *MEMORY, *WARNINGS, *SYNTAX))


def worded(text: str, notes: tuple[str, ...] = (), *, own: bool = False) -> Message:
    """A remark of libclang's, with the notes below it, as a `Message`. `own`: they are about what stands in the program."""
    if (told := _of_host(text, notes, own=own)) is not None:
        return told
    if (call := re.match(_NO_MATCH, text)) and (told := _unfit(call[1], notes)) is not None:
        return told
    unknown = re.match(r"(?:use of undeclared identifier|unknown type name) '(\w+)'", text)
    if unknown and (better := _known_better(unknown[1])) is not None:
        return better
    for pattern, template in _PATTERNS:
        if found := pattern.match(text):
            fields = {name: value for name, value in found.groupdict().items() if value is not None}
            return Message(template.template, tuple({"text": text, **fields}.items()))
    return message("{text}", text=text)


def _known_better(name: str) -> Message | None:
    """What an unknown name was meant to be, or what is missing for it."""
    header = next((header for header, names in _HEADERS.items() if re.fullmatch(names, name)), None)
    if header is not None:
        return message("{name} needs #include <{header}>.", name=name, header=header)
    meant = _BY_BARE_NAME.get(_bare(name))
    return None if meant is None else message("Unknown name {name}: {other} is perhaps meant.", name=name, other=meant)


def _bare(name: str) -> str:
    """A name without what is mistaken first: case, underscores, an s at the end."""
    return name.replace("_", "").lower().rstrip("s")


_BY_BARE_NAME = {_bare(name): name for name in (*sorted(KNOWN), "threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize")}


def _of_host(text: str, notes: tuple[str, ...], *, own: bool) -> Message | None:
    """What is said of something of the host in a kernel, the program's `own` or the library's."""
    if own and (named := re.match(rf"reference to __host__ function '(.+?)' {FUNCTION_SPACE}", text)):
        return Message(_OWN_FUNCTION.template, (("name", named[1]),))
    if not any(OF_HOST in note for note in notes):
        return None
    if (call := re.match(_NO_MATCH, text)) and all(OF_HOST in note or "requires" in note for note in notes):
        said = _OWN_FUNCTION if own else next(said for pattern, said in HOST_FUNCTIONS if re.fullmatch(pattern, call[1]))
        return Message(said.template, (("name", call[1]),))
    if made := re.match(
        r"no matching (?:constructor for initialization of|conversion for (?:\S+ cast|\w+_cast) from '.+?'.* to) '(.+?)'", text
    ):
        return Message((_HOST_CONSTRUCTOR if own else _HOST_CLASS).template, (("type", made[1]),))
    if own and (operator := re.match(r"no viable overloaded '?(?:operator)?(.+?)('|$| for type)", text)):
        return Message(_OWN_FUNCTION.template, (("name", f"operator{operator[1]}"),))
    if subscript := re.match(r"no viable overloaded operator\[\] for type '(.+?)'", text):
        return Message(_HOST_CLASS.template, (("type", subscript[1]),))
    return None


def _unfit(name: str, notes: tuple[str, ...]) -> Message | None:
    """Why the only function of a name does not fit a call, where its note tells."""
    if len(notes) != 1:
        return None
    if "call to __global__ function" in notes[0]:
        return message("{name} is a kernel: launch it with <<<grid, block>>>.", name=name)
    if count := re.search(r"requires (?:exactly |single argument.*, )?(\d+) arguments?, but (\d+) (?:was|were) provided", notes[0]):
        return message("{name} takes {wanted} arguments, not {given}.", name=name, wanted=int(count[1]), given=int(count[2]))
    return None
