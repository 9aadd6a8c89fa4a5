"""The errors of the CUDA runtime: numbers, names, and the words that cudaGetErrorString has for them."""

from __future__ import annotations

ERRORS = {
    0: "cudaSuccess", 1: "cudaErrorInvalidValue", 2: "cudaErrorMemoryAllocation", 3: "cudaErrorInitializationError",
    9: "cudaErrorInvalidConfiguration", 12: "cudaErrorInvalidPitchValue", 13: "cudaErrorInvalidSymbol",
    17: "cudaErrorInvalidDevicePointer", 21: "cudaErrorInvalidMemcpyDirection", 65: "cudaErrorLaunchMaxDepthExceeded",
    69: "cudaErrorLaunchPendingCountExceeded", 98: "cudaErrorInvalidDeviceFunction",
    100: "cudaErrorNoDevice", 101: "cudaErrorInvalidDevice", 400: "cudaErrorInvalidResourceHandle", 600: "cudaErrorNotReady",
    700: "cudaErrorIllegalAddress", 701: "cudaErrorLaunchOutOfResources", 710: "cudaErrorAssert", 716: "cudaErrorMisalignedAddress",
    719: "cudaErrorLaunchFailure", 720: "cudaErrorCooperativeLaunchTooLarge", 801: "cudaErrorNotSupported", 999: "cudaErrorUnknown",
}  # fmt: skip
TEXTS = {
    "cudaSuccess": "no error",
    "cudaErrorInvalidValue": "invalid argument",
    "cudaErrorMemoryAllocation": "out of memory",
    "cudaErrorInitializationError": "initialization error",
    "cudaErrorInvalidConfiguration": "invalid configuration argument",
    "cudaErrorInvalidPitchValue": "invalid pitch argument",
    "cudaErrorInvalidSymbol": "invalid device symbol",
    "cudaErrorInvalidDevicePointer": "invalid device pointer",
    "cudaErrorInvalidMemcpyDirection": "invalid copy direction for memcpy",
    "cudaErrorLaunchMaxDepthExceeded": "launch would exceed maximum depth of nested launches",
    "cudaErrorLaunchPendingCountExceeded": "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount",
    "cudaErrorInvalidDeviceFunction": "invalid device function",
    "cudaErrorNoDevice": "no CUDA-capable device is detected",
    "cudaErrorInvalidDevice": "invalid device ordinal",
    "cudaErrorInvalidResourceHandle": "invalid resource handle",
    "cudaErrorNotReady": "device not ready",
    "cudaErrorIllegalAddress": "an illegal memory access was encountered",
    "cudaErrorLaunchOutOfResources": "too many resources requested for launch",
    "cudaErrorAssert": "device-side assert triggered",
    "cudaErrorMisalignedAddress": "misaligned address",
    "cudaErrorLaunchFailure": "unspecified launch failure",
    "cudaErrorCooperativeLaunchTooLarge": "too many blocks in cooperative launch",
    "cudaErrorNotSupported": "operation not supported",
    "cudaErrorUnknown": "unknown error",
}
SUCCESS, INVALID_VALUE, NO_MEMORY, INVALID_CONFIGURATION, INVALID_DEVICE, INVALID_HANDLE = 0, 1, 2, 9, 101, 400
ILLEGAL_ADDRESS, OUT_OF_RESOURCES, ASSERTED, MISALIGNED, LAUNCH_FAILURE, TOO_LARGE_TOGETHER = 700, 701, 710, 716, 719, 720
TOO_DEEP, TOO_MANY_PENDING = 65, 69
