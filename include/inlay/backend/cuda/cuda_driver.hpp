// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDA_CUDA_DRIVER_HPP
#define INLAY_BACKEND_CUDA_CUDA_DRIVER_HPP

#include <cstddef>
#include <span>
#include <string>

#include <inlay/backend/cuda/found_functions.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// The functions of NVIDIA's driver that are called here, declared by hand, so that a build needs none of its headers and a program none of
/// its libraries. All give 0, or a number of what failed. Device memory has addresses of 64 bits; contexts, modules, functions and streams
/// are pointers.
struct cuda_driver {
    using address = unsigned long long;

    int (*init)(unsigned flags) = nullptr;
    int (*error_text)(int error, const char** text) = nullptr;
    int (*device_count)(int* count) = nullptr;
    int (*device)(int* device, int number) = nullptr;
    int (*device_name)(char* name, int length, int device) = nullptr;
    int (*device_attribute)(int* value, int attribute, int device) = nullptr;
    int (*retain_context)(void** context, int device) = nullptr;
    int (*use_context)(void* context) = nullptr;
    int (*create_stream)(void** stream, unsigned flags) = nullptr;
    int (*destroy_stream)(void* stream) = nullptr;
    int (*wait_for_stream)(void* stream) = nullptr;
    int (*begin_capture)(void* stream, int mode) = nullptr;
    int (*end_capture)(void* stream, void** graph) = nullptr;
    int (*make_executable)(void** made, void* graph, unsigned long long flags) = nullptr;
    int (*launch_graph)(void* executable, void* stream) = nullptr;
    int (*destroy_executable)(void* executable) = nullptr;
    int (*destroy_graph)(void* graph) = nullptr;
    int (*allocate)(address* at, std::size_t bytes) = nullptr;
    int (*free)(address at) = nullptr;
    int (*copy_in)(address to, const void* from, std::size_t bytes, void* stream) = nullptr;
    int (*copy_out)(void* to, address from, std::size_t bytes, void* stream) = nullptr;
    int (*copy_within)(address to, address from, std::size_t bytes, void* stream) = nullptr;
    int (*load_module)(void** module, const void* image) = nullptr;
    int (*unload_module)(void* module) = nullptr;
    int (*module_function)(void** function, void* module, const char* name) = nullptr;
    int (*set_function_attribute)(void* function, int attribute, int value) = nullptr;
    int (*launch)(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                  unsigned shared_bytes, void* stream, void** arguments, void** extra) = nullptr;

    // Numbers of the driver's own for what is asked or set.
    static constexpr int capability_major = 75, capability_minor = 76, dynamic_shared_bytes = 8, own_thread_alone = 1;

    /// What an error means, as the driver says it.
    [[nodiscard]] std::string said(int error) const {
        const char* text = nullptr;
        if (error_text != nullptr && error_text(error, &text) == 0 && text != nullptr) return text;
        return "error " + std::to_string(error);
    }

    /// The driver of that library, which stays loaded to the end of the process. The error says that it is not installed, or too old.
    [[nodiscard]] static outcome<cuda_driver> open(const char* library) {
        auto found = found_functions::open("NVIDIA's driver", std::span(&library, 1));
        if (!found) return found.failure();
        cuda_driver made;
        found->find(made.init, "cuInit");
        found->find(made.error_text, "cuGetErrorString");
        found->find(made.device_count, "cuDeviceGetCount");
        found->find(made.device, "cuDeviceGet");
        found->find(made.device_name, "cuDeviceGetName");
        found->find(made.device_attribute, "cuDeviceGetAttribute");
        found->find(made.retain_context, "cuDevicePrimaryCtxRetain");
        found->find(made.use_context, "cuCtxSetCurrent");
        found->find(made.create_stream, "cuStreamCreate");
        found->find(made.destroy_stream, "cuStreamDestroy_v2");
        found->find(made.wait_for_stream, "cuStreamSynchronize");
        found->find(made.begin_capture, "cuStreamBeginCapture_v2");
        found->find(made.end_capture, "cuStreamEndCapture");
        found->find(made.make_executable, "cuGraphInstantiateWithFlags");
        found->find(made.launch_graph, "cuGraphLaunch");
        found->find(made.destroy_executable, "cuGraphExecDestroy");
        found->find(made.destroy_graph, "cuGraphDestroy");
        found->find(made.allocate, "cuMemAlloc_v2");
        found->find(made.free, "cuMemFree_v2");
        found->find(made.copy_in, "cuMemcpyHtoDAsync_v2");
        found->find(made.copy_out, "cuMemcpyDtoHAsync_v2");
        found->find(made.copy_within, "cuMemcpyDtoDAsync_v2");
        found->find(made.load_module, "cuModuleLoadData");
        found->find(made.unload_module, "cuModuleUnload");
        found->find(made.module_function, "cuModuleGetFunction");
        found->find(made.set_function_attribute, "cuFuncSetAttribute");
        found->find(made.launch, "cuLaunchKernel");
        if (auto whole = found->check(); !whole) return whole.failure();
        return made;
    }
};

}  // namespace inlay::detail

#endif
