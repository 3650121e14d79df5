// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_TEXT_CUDA_TEXT_HPP
#define INLAY_LOOPS_TEXT_CUDA_TEXT_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/text/c_text.hpp>

namespace inlay {

/// What a kernel is given: a buffer of the nest's, the caller's or, for scratch, so many bytes behind the workspace's first.
struct cuda_argument {
    buffer_id buffer = 0;
    std::optional<std::size_t> workspace;
};

/// One launch of a `__global__` function.
struct cuda_kernel {
    std::string name;
    std::array<std::int64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::size_t shared_bytes = 0;  // given at the launch; 0 where the function declares what it shares itself
    std::vector<cuda_argument> arguments;
};

/// A nest in CUDA C++.
struct cuda_text {
    std::string text;                  // the kernels, with includes and what they call
    std::string includes;              // of it
    std::vector<std::string> needs;    // what they call: definitions, each of which stands before them once
    std::string alone;                 // the kernels without these
    std::string launcher;              // behind these, a function of the host's that launches them on a stream and gives CUDA's error code
    std::vector<cuda_kernel> kernels;  // in the order in which they run
    std::size_t workspace_bytes = 0;   // device memory that scratch buffers take, aligned to 256
};

/// What CUDA devices launch at most: blocks along x and along y or z, threads of a block in all and along z, bytes that a block shares
/// without and with asking, of compute capability 8.0 to 9.0 ("CUDA C++ Programming Guide", table of technical specifications).
struct cuda_limits {
    std::int64_t grid_x = 2147483647, grid_y = 65535, threads = 1024, threads_z = 64;
    std::size_t shared_unasked = std::size_t{48} << 10, shared = std::size_t{227} << 10;
};

/// A nest in CUDA C++: a `__global__` function for each of its launches (`launches_of`), with barriers where `order_threads` has them. It
/// computes what `run_phases` does, up to how the device's functions round and where it fuses products and sums. float16 and bfloat16 are
/// computed in float32 and rounded. Functions that the nest calls are called as `calls` says, else printed as what they mean. The
/// error names the launch that is larger than a device's limits, or is that of `launches_of` or `order_threads`.
[[nodiscard]] INLAY_FUNCTION outcome<cuda_text> to_cuda(const loop_nest& n, std::span<const printed_call> calls = {},
                                                        cuda_limits limits = {});

/// Several nests as one text: what they have in common once. Their names differ.
[[nodiscard]] INLAY_FUNCTION std::string joined_text(std::span<const cuda_text> all);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/text/cuda_text.ipp>
#endif

#endif
