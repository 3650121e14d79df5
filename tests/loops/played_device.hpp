// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_LOOPS_PLAYED_DEVICE_HPP
#define INLAY_TESTS_LOOPS_PLAYED_DEVICE_HPP

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <inlay/codegen/compile/system_compiler.hpp>
#include <inlay/core/buffer.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/text/cuda_functions.hpp>
#include <inlay/loops/text/cuda_text.hpp>
#include <inlay/ops/loops/strides.hpp>

namespace inlay::nests {

/// What has CUDA C++ run on the host: each of a block's threads is one of the system's, blocks run one after the other, barriers are the
/// system's, and what a block shares is static.
inline const std::string played_words = R"(
#include <pthread.h>
#include <thread>
#include <vector>
struct inlay_numbers { unsigned x, y, z; };
static thread_local inlay_numbers threadIdx, blockIdx;
static pthread_barrier_t inlay_barrier;
#define __global__
#define __device__
#define __shared__ static
#define __launch_bounds__(n)
#define __align__(n) __attribute__((aligned(n)))
#define __syncthreads() pthread_barrier_wait(&inlay_barrier)
template <class Kernel>
static void inlay_play(inlay_numbers grid, inlay_numbers block, Kernel kernel) {
    const unsigned threads = block.x * block.y * block.z;
    pthread_barrier_init(&inlay_barrier, nullptr, threads);
    std::vector<std::thread> all;
    for (unsigned t = 0; t < threads; ++t)
        all.emplace_back([&, t] {
            threadIdx = {t % block.x, t / block.x % block.y, t / block.x / block.y};
            for (unsigned b = 0; b < grid.x * grid.y * grid.z; ++b) {
                blockIdx = {b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y};
                kernel();
                pthread_barrier_wait(&inlay_barrier);
            }
        });
    for (std::thread& t : all) t.join();
    pthread_barrier_destroy(&inlay_barrier);
}
)";

/// What the kernels of a nest compute where this process plays the device, over row-major inputs; nothing where they do not compile.
inline std::vector<tensor> by_played_device(const loop_nest& n, const cuda_text& made, std::vector<tensor> inputs) {
    std::vector<void*> places(n.buffers.size() + 1);
    std::vector<tensor> results;
    results.reserve(n.buffers.size());
    std::size_t given = 0;
    for (buffer_id b = 0; b < n.buffers.size(); ++b) {
        if (n.buffers[b].scope == buffer_scope::input) places[b] = inputs[given++].data();
        if (n.buffers[b].scope != buffer_scope::output) continue;
        REQUIRE(n.buffers[b].strides == row_major_strides(n.buffers[b].extents));
        places[b] = results.emplace_back(n.buffers[b].element, n.buffers[b].extents).data();
    }
    buffer workspace(made.workspace_bytes + 1);
    places.back() = workspace.data();
    std::string launches;
    const auto numbers = [](const std::array<std::int64_t, 3>& v) {
        return "{" + std::to_string(v[0]) + ", " + std::to_string(v[1]) + ", " + std::to_string(v[2]) + "}";
    };
    for (const cuda_kernel& k : made.kernels) {
        REQUIRE(k.shared_bytes == 0);
        std::string list;
        for (const cuda_argument& a : k.arguments)
            list += (list.empty() ? "(" : ", (") + std::string(detail::cuda_type_of(n.buffers[a.buffer].element)) + "*)" +
                    (a.workspace ? "((unsigned char*)p[" + std::to_string(n.buffers.size()) + "] + " + std::to_string(*a.workspace) + ")"
                                 : "p[" + std::to_string(a.buffer) + "]");
        launches += "    inlay_play(" + numbers(k.grid) + ", " + numbers(k.block) + ", [&] { " + k.name + "(" + list + "); });\n";
    }
    compiler_request r{source_language::cpp20,
                       played_words + made.text +
                           "\nextern \"C\" void inlay_entry(void** p);\nextern \"C\" void inlay_entry(void** p) {\n" + launches +
                           "    (void)p;\n}\n",
                       {"-O1", "-ffp-contract=off", "-pthread", "-w"},
                       {},
                       {},
                       120};
    const auto code = compile(r);
    if (!code) {
        FAIL_CHECK(code.failure().message << "\n" << made.text);
        return {};
    }
    code->function<void(void**)>("inlay_entry")(places.data());
    return results;
}

}  // namespace inlay::nests

#endif
