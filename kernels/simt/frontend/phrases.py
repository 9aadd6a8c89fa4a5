"""What libclang says, as patterns, and what is said in its place. The first pattern that fits holds; {text} is the remark itself."""

from __future__ import annotations

from kernels.messages import Message, message

HOST_FUNCTION = message("{name} is a function of the host: write __device__ before it, so that a kernel can call it.")
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
    (r"no (member|type|template) named '(?P<name>.+?)' in namespace '(?P<space>std.*?)'",
     message("{space}::{name} does not exist in a kernel here: write it with arrays, structs and functions of CUDA.")),
    (r"no (member|type|template) named '(?P<name>.+?)' in namespace '(?P<space>.+?)'", message("There is no {name} in {space}.")),
    (r"use of undeclared identifier '(?P<name>.+?)'", message("Unknown name {name}.")),
    (r"unknown type name '(?P<name>.+?)'", message("Unknown type {name}.")),
    (r"expected namespace name", message("There is no namespace of this name.")),
    (r"implicit declaration of function '(?P<name>.+?)'.*", message("Unknown name {name}.")),
    (r"no member named '(?P<name>.+?)' in '(?P<type>.+?)'", message("{type} has no member {name}.")),
    (r"no template named 'texture'", message("Textures and surfaces are not supported: read from an array.")),
    (r"redefinition of '(?P<name>.+?)'", message("{name} is defined twice.")),
    (r"'(?P<name>.+?)' is a (private|protected) member of '(?P<type>.+?)'",
     message("{name} is private to {type}: write public: before it, or struct in place of class.")),
    (r"variable has incomplete type '(?P<type>.+?)'", message("{type} is declared, but its members stand nowhere.")),
    (r"too (many|few) template arguments for .*template '(?P<name>.+?)'", message("{name} takes another number of template arguments.")),
    (r"(use of class template|no viable constructor or deduction guide for deduction of template arguments of) '(?P<name>.+?)'.*",
     message("{name} is a template: write its arguments behind it, between < and >.")),
    (r"invalid use of 'this' outside of a non-static member function", message("this exists in the functions of a struct only.")),
)  # fmt: skip
