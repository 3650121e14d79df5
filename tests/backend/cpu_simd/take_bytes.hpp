// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_CPU_SIMD_TAKE_BYTES_HPP
#define INLAY_TESTS_BACKEND_CPU_SIMD_TAKE_BYTES_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include <inlay/candidate/candidate.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/graph/tensor.hpp>

#include "take.hpp"

namespace cpu_simd_test {

/// Bytes of the whole range of either type, extremes often among them.
[[nodiscard]] inlay::tensor some_bytes(picker& pick, const extents& shape, bool is_signed);

/// What a candidate's kernel gives for the inputs of its region, row-major, the result like `meant`.
[[nodiscard]] std::vector<std::uint8_t> run_bytes(const inlay::kernel& k, const inlay::candidate& c,
                                                  const std::vector<inlay::tensor>& inputs, const inlay::tensor& meant,
                                                  inlay::executor_ref executor = {});

/// The bytes of the program's one result by the interpreter.
[[nodiscard]] inlay::tensor interpreted_bytes(const inlay::ir_module& program, const std::vector<inlay::tensor>& inputs);

/// The whole program as one match, run in every format tuple with each of `tested_sets`, alone and shared out in pieces: the bytes are the
/// interpreter's. How many kernels were run.
std::size_t expect_bytes(const inlay::ir_module& program, const std::vector<inlay::tensor>& inputs);

}  // namespace cpu_simd_test

#endif
