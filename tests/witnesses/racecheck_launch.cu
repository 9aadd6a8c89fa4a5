// Launches one kernel of a cubin once: launch CUBIN JOB. A job is a line for the kernel (its name, grid, block, dynamic shared memory,
// whether its blocks wait for each other), then one for each parameter and each array that a parameter points to, in hexadecimal.

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <cuda.h>

static void check(CUresult result, const char* what)
{
    if (result == CUDA_SUCCESS)
        return;
    const char* name = nullptr;
    cuGetErrorName(result, &name);
    fprintf(stderr, "%s: %s\n", what, name ? name : "?");
    exit(1);
}

static std::vector<unsigned char> bytes_of(const std::string& digits)
{
    std::vector<unsigned char> found;
    for (size_t at = 0; at + 1 < digits.size(); at += 2)
        found.push_back((unsigned char)std::stoi(digits.substr(at, 2), nullptr, 16));
    return found;
}

int main(int, char** given)
{
    CUdevice device;
    CUcontext context;
    CUmodule code;
    CUfunction kernel;
    check(cuInit(0), "init");
    check(cuDeviceGet(&device, 0), "device");
    check(cuDevicePrimaryCtxRetain(&context, device), "context");
    check(cuCtxSetCurrent(context), "context");
    check(cuModuleLoad(&code, given[1]), "load");

    std::ifstream job(given[2]);
    std::string name, word, digits;
    unsigned grid[3], block[3], shared, together;
    job >> name >> grid[0] >> grid[1] >> grid[2] >> block[0] >> block[1] >> block[2] >> shared >> together;
    check(cuModuleGetFunction(&kernel, code, name.c_str()), "function");
    if (shared > 48 * 1024)
        check(cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared), "shared memory");

    std::vector<std::vector<unsigned char>> parameters;
    while (job >> word) {
        if (word == "parameter") {
            job >> digits;
            parameters.push_back(bytes_of(digits));
            continue;
        }
        size_t position, offset;
        job >> position >> offset >> digits;
        std::vector<unsigned char> content = bytes_of(digits);
        CUdeviceptr array;
        check(cuMemAlloc(&array, content.size()), "array");
        check(cuMemcpyHtoD(array, content.data(), content.size()), "copy");
        *(CUdeviceptr*)&parameters[position][offset] = array;
    }
    std::vector<void*> addresses;
    for (auto& each : parameters)
        addresses.push_back(each.data());

    auto launch = together ? cuLaunchCooperativeKernel(kernel, grid[0], grid[1], grid[2], block[0], block[1], block[2], shared, 0, addresses.data())
                           : cuLaunchKernel(kernel, grid[0], grid[1], grid[2], block[0], block[1], block[2], shared, 0, addresses.data(), nullptr);
    check(launch, "launch");
    check(cuCtxSynchronize(), "kernel");
}
