// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <nvrtc.h>

#include <inlay/backend/cuda/nvrtc.hpp>

#include "called_alike.hpp"

using namespace cuda_headers_test;
using ours = inlay::detail::nvrtc;

static_assert(is_called_alike<decltype(ours::version), decltype(&nvrtcVersion)>);
static_assert(is_called_alike<decltype(ours::error_text), decltype(&nvrtcGetErrorString)>);
static_assert(is_called_alike<decltype(ours::create_program), decltype(&nvrtcCreateProgram)>);
static_assert(is_called_alike<decltype(ours::destroy_program), decltype(&nvrtcDestroyProgram)>);
static_assert(is_called_alike<decltype(ours::compile_program), decltype(&nvrtcCompileProgram)>);
static_assert(is_called_alike<decltype(ours::log_size), decltype(&nvrtcGetProgramLogSize)>);
static_assert(is_called_alike<decltype(ours::log), decltype(&nvrtcGetProgramLog)>);
static_assert(is_called_alike<decltype(ours::cubin_size), decltype(&nvrtcGetCUBINSize)>);
static_assert(is_called_alike<decltype(ours::cubin), decltype(&nvrtcGetCUBIN)>);
static_assert(NVRTC_SUCCESS == 0);
