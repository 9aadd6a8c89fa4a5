"""Names of what a host program can call besides its own functions: by them a call is known, and what to make of it."""

from __future__ import annotations

from zlib import crc32

from kernels.simt.base.types import Location
from kernels.simt.frontend.declared_functions import OF_ONE, OF_TWO

INTRINSICS = frozenset(("sqrt", "floor", "ceil", "trunc", "rint", "fabs"))
"""Those that a processor has instructions for, or LLVM makes short code of: exact, so that the result is the same."""
_MATHEMATICS = (*OF_ONE.split(), *OF_TWO.split(), "fma")
MATHEMATICS: dict[str, str] = {
    **{name: name for name in _MATHEMATICS},
    **{f"{name}f": name for name in _MATHEMATICS},
}
"""By the name that is called, the name without the suffix of a float's."""
RANDOM = ("rand", "srand")
"""Compiled with the program: they are called millions of times."""
BYTES = ("memcpy", "memmove", "memset")
"""Compiled with the program, and checked as a whole. Where the library itself calls them, `__` stands before."""
BEHIND = "__tilescope_behind"
"""Gives what a function was given behind the parameters that have names."""
STACK = "alloca"
"""Gives memory on the program's stack, until the function ends."""
ROOM, BACK = "__tilescope_room ", "__tilescope_room_back"
"""Give memory on the stack to the array whose name stands behind, and take it back."""
_LIBRARY_CALLS = """
printf fprintf sprintf snprintf puts putchar putc fputc fputs fflush setbuf malloc calloc realloc aligned_alloc free
memcmp strlen strcmp strncmp strcpy strncpy strcat strchr strstr exit _Exit abort drand48 srand48 atoi atol atoll
atof strtol strtoul strtod strtof clock time gettimeofday clock_gettime __assertion toupper tolower isdigit isspace isalpha labs
llabs usleep sleep getenv lround ldexp __tilescope_new __tilescope_new_array __tilescope_new_zeroed __tilescope_delete
__tilescope_delete_array __tilescope_write_text __tilescope_write_signed __tilescope_write_unsigned __tilescope_write_double
__tilescope_write_char __tilescope_write_bool __tilescope_write_pointer __tilescope_format __tilescope_nanoseconds
__tilescope_kept __tilescope_drop __tilescope_count __tilescope_at __tilescope_no_function __tilescope_no_class __tilescope_try
getchar fgetc getc fgets scanf fscanf sscanf __tilescope_open __tilescope_close __tilescope_read_integer
__tilescope_read_double __tilescope_read_char __tilescope_read_text __tilescope_taken __tilescope_at_end __tilescope_all
__tilescope_throw __tilescope_exception __tilescope_uncaught fopen fclose fread fwrite feof ferror clearerr ungetc rewind fseek
ftell __tilescope_open_file __tilescope_read_bytes __tilescope_seek __tilescope_calendar strftime mktime timegm
__tilescope_vfprintf __tilescope_vsprintf __tilescope_vsnprintf __tilescope_no_argument
"""
LIBRARY_CALLS = tuple(_LIBRARY_CALLS.split())
_RUNTIME_CALLS = """
cudaMalloc cudaMallocManaged cudaMallocHost cudaHostAlloc cudaMallocAsync cudaMallocPitch cudaFree cudaFreeAsync cudaFreeHost
cudaMemcpy cudaMemcpyAsync cudaMemcpy2D cudaMemset cudaMemsetAsync cudaMemcpyToSymbol cudaMemcpyFromSymbol cudaGetSymbolAddress
cudaMemGetInfo cudaDeviceSetLimit cudaMemPrefetchAsync cudaDeviceSynchronize cudaThreadSynchronize cudaDeviceReset cudaSetDevice
cudaGetDevice cudaGetDeviceCount __tilescope_device __tilescope_device_name __tilescope_property cudaDriverGetVersion cudaRuntimeGetVersion
cudaGetLastError cudaPeekAtLastError cudaGetErrorString cudaGetErrorName cudaEventCreate cudaEventCreateWithFlags cudaEventRecord
cudaEventSynchronize cudaEventQuery cudaEventElapsedTime cudaEventDestroy cudaStreamCreate cudaStreamCreateWithFlags
cudaStreamSynchronize cudaStreamQuery cudaStreamWaitEvent cudaStreamDestroy __tilescope_advised cudaMemset2D cudaMemcpy2DAsync
cudaMemcpyToSymbolAsync cudaMemcpyFromSymbolAsync cudaHostRegister cudaHostUnregister __tilescope_memory_type cudaFuncSetAttribute
cudaFuncSetCacheConfig cudaOccupancyMaxActiveBlocksPerMultiprocessor cudaOccupancyMaxPotentialBlockSize cudaFuncGetAttributes
"""
RUNTIME_CALLS = tuple(_RUNTIME_CALLS.split())
_REFUSED_CALLS = """
cudaLaunchHostFunc cudaStreamAddCallback cudaGraphCreate cudaStreamBeginCapture cudaStreamEndCapture cudaGraphInstantiate
cudaGraphLaunch cudaGraphDestroy cudaGraphExecDestroy system fork socket open atexit
"""
REFUSED_CALLS = tuple(_REFUSED_CALLS.split())
"""What reaches out of the program, or calls back into it."""
SERVICES = (*LIBRARY_CALLS, *RUNTIME_CALLS, *REFUSED_CALLS)
"""What is answered outside of the compiled program; the position is the number that it asks for."""
NUMBER = {name: number for number, name in enumerate(SERVICES)}
LIBRARY = frozenset((*SERVICES, *MATHEMATICS, *RANDOM, *BYTES, STACK))


CALLER = Location(0, -1)
"""Where everything is in a function of the library: where the program has called it from."""


def kernel_number(entry: str) -> int:
    """Give the number that stands for a kernel in calls that ask about it."""
    return crc32(entry.encode())
