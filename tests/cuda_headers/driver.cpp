// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <cuda.h>

#include <inlay/backend/cuda/cuda_driver.hpp>

#include "called_alike.hpp"

using namespace cuda_headers_test;
using ours = inlay::detail::cuda_driver;

static_assert(is_called_alike<decltype(ours::init), decltype(&cuInit)>);
static_assert(is_called_alike<decltype(ours::error_text), decltype(&cuGetErrorString)>);
static_assert(is_called_alike<decltype(ours::device_count), decltype(&cuDeviceGetCount)>);
static_assert(is_called_alike<decltype(ours::device), decltype(&cuDeviceGet)>);
static_assert(is_called_alike<decltype(ours::device_name), decltype(&cuDeviceGetName)>);
static_assert(is_called_alike<decltype(ours::device_attribute), decltype(&cuDeviceGetAttribute)>);
static_assert(is_called_alike<decltype(ours::retain_context), decltype(&cuDevicePrimaryCtxRetain)>);
static_assert(is_called_alike<decltype(ours::use_context), decltype(&cuCtxSetCurrent)>);
static_assert(is_called_alike<decltype(ours::create_stream), decltype(&cuStreamCreate)>);
static_assert(is_called_alike<decltype(ours::destroy_stream), decltype(&cuStreamDestroy)>);
static_assert(is_called_alike<decltype(ours::wait_for_stream), decltype(&cuStreamSynchronize)>);
static_assert(is_called_alike<decltype(ours::begin_capture), decltype(&cuStreamBeginCapture)>);
static_assert(is_called_alike<decltype(ours::end_capture), decltype(&cuStreamEndCapture)>);
static_assert(is_called_alike<decltype(ours::make_executable), decltype(&cuGraphInstantiateWithFlags)>);
static_assert(is_called_alike<decltype(ours::launch_graph), decltype(&cuGraphLaunch)>);
static_assert(is_called_alike<decltype(ours::destroy_executable), decltype(&cuGraphExecDestroy)>);
static_assert(is_called_alike<decltype(ours::destroy_graph), decltype(&cuGraphDestroy)>);
static_assert(is_called_alike<decltype(ours::allocate), decltype(&cuMemAlloc)>);
static_assert(is_called_alike<decltype(ours::free), decltype(&cuMemFree)>);
static_assert(is_called_alike<decltype(ours::copy_in), decltype(&cuMemcpyHtoDAsync)>);
static_assert(is_called_alike<decltype(ours::copy_out), decltype(&cuMemcpyDtoHAsync)>);
static_assert(is_called_alike<decltype(ours::copy_within), decltype(&cuMemcpyDtoDAsync)>);
static_assert(is_called_alike<decltype(ours::load_module), decltype(&cuModuleLoadData)>);
static_assert(is_called_alike<decltype(ours::unload_module), decltype(&cuModuleUnload)>);
static_assert(is_called_alike<decltype(ours::module_function), decltype(&cuModuleGetFunction)>);
static_assert(is_called_alike<decltype(ours::set_function_attribute), decltype(&cuFuncSetAttribute)>);
static_assert(is_called_alike<decltype(ours::launch), decltype(&cuLaunchKernel)>);

static_assert(ours::capability_major == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
static_assert(ours::capability_minor == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
static_assert(ours::dynamic_shared_bytes == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
static_assert(ours::own_thread_alone == CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
static_assert(CUDA_SUCCESS == 0 && CU_STREAM_NON_BLOCKING == 1);
