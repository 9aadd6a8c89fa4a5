"""The same as `phrases`, for remarks on how values, functions and memory are used."""

from __future__ import annotations

from kernels.messages import Message, message
from kernels.simt.frontend.phrases import FUNCTION_SPACE, HOST_FUNCTION, HOST_VARIABLE, TYPE

_LENGTH = message("The length of this array must be known when the kernel is compiled.")
_CONVERTS = message("{from} does not become {to} by itself.")
_OPERATOR = message("This operator does not take {type}.")
_SUBSCRIPT = message("What stands before [ is neither an array nor a pointer.")
_VOID = message("What a void* points to has no type: convert it first, for example to float*.")
_TOO_MANY = message("There are more values than this has room for.")
_INITIAL = message("This needs a value where it is declared.")

CALLS: tuple[tuple[str, Message], ...] = (
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
    (rf"reference to __host__ function '(?P<name>.+?)' {FUNCTION_SPACE}", HOST_FUNCTION),
    (rf"reference to __host__ variable '(?P<name>.+?)' {FUNCTION_SPACE}", HOST_VARIABLE),
    (rf"reference to __global__ function '(?P<name>.+?)' {FUNCTION_SPACE}",
     message("{name} is a kernel: a kernel that launches another is not supported. Call a __device__ function.")),
)  # fmt: skip

VALUES: tuple[tuple[str, Message], ...] = (
    (rf"invalid operands to binary expression \('(?P<left>[^']+)'{TYPE} and '(?P<right>[^']+)'{TYPE}\)",
     message("No operator here takes {left} and {right}.")),
    (rf"invalid argument type '(?P<type>[^']+)'{TYPE} to unary expression", _OPERATOR),
    (rf"comparison (between|of).*\('(?P<left>[^']+)'{TYPE} and '(?P<right>[^']+)'{TYPE}\)",
     message("No operator here takes {left} and {right}.")),
    (rf"incompatible operand types \('(?P<left>[^']+)'{TYPE} and '(?P<right>[^']+)'{TYPE}\)",
     message("Both sides of : must have one type, not {left} and {right}.")),
    (r"no viable overloaded '(?P<name>.+?)'", message("No operator {name} takes these values.")),
    (rf"indirection requires pointer operand \('(?P<type>[^']+)'{TYPE} invalid\)", message("* needs a pointer: {type} is none.")),
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
