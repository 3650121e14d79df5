// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_KERNEL_CHECK_HPP
#define INLAY_MEASURE_KERNEL_CHECK_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/codegen/kernel/referee_ref.hpp>
#include <inlay/core/executor.hpp>
#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/measure/compare_samples.hpp>
#include <inlay/measure/evaluate_stepwise.hpp>
#include <inlay/ops/op_definition.hpp>
#include <inlay/ops/sample/evaluate_samples.hpp>
#include <inlay/runtime/convert.hpp>
#include <inlay/target/format.hpp>

namespace inlay {

/// How a kernel is checked.
struct kernel_check_options {
    /// Elements of each result that are compared in each run, beside borders and tails, where it has so many. A fault in one of a hundred
    /// elements is missed in one of six hundred runs.
    std::size_t samples = 640;
    double cheap_operations = 2.5e5;  // three times as many are compared where these are enough
    double most_operations = 4e6;     // that the compared elements of one run may take; beyond, fewer are compared
    std::size_t least_samples = 8;    // fewer are not tried
    double last_operations = 5e7;     // that the least samples may take; beyond, the region is evaluated call by call
    std::uint64_t seed = 1;
    double rounding = 0;       // that operands of products are allowed, relative to each
    call_kernels_ref calls{};  // that then compute whole values; without them the operators' meanings do
    bool has_walls = false;    // whether what a kernel reads beyond its tensors ends the process: for processes that may end
};

/// Why no kernel of a region can be compared with the region's meaning, whatever it gives: an operator has none, or tensors at the border
/// are not stored as their own element type. Empty where one can be tried. Linear in the region.
[[nodiscard]] INLAY_FUNCTION std::string why_unchecked(const region_view& region, op_finder find);

/// Runs a kernel and compares chosen elements of its results with the meaning of its region, which `find` gives. It runs twice: on
/// different inputs, in memory of other content, and the second time with results at the places of inputs where the kernel offers that,
/// as in a program. Before the first run results, workspace and the bytes around inputs hold the least number of their type, as -infinity,
/// and before the second one the largest. The bytes around every tensor, and the inputs after the first run, show whether they were written
/// to. Inputs are valid for the operators that read them.
///
/// Error: the kernel is wrong; one sentence without its name. A verdict may be that nothing could be compared, and why: the operators have
/// no meaning, the elements take too many operations, tensors are in a device's memory.
[[nodiscard]] INLAY_FUNCTION outcome<kernel_verdict> check_kernel(const kernel& code, const region_view& region,
                                                                  std::span<const tensor> constants, op_finder find, executor_ref executor,
                                                                  const kernel_check_options& options = {});

/// Runs a change of layout once and compares all elements, and the zeros that fill the last block.
[[nodiscard]] INLAY_FUNCTION outcome<kernel_verdict> check_conversion(const kernel& code, const std::vector<std::int64_t>& extents,
                                                                      const format& from, const format& to, executor_ref executor);

namespace detail {

/// What chosen elements of a step's results are to be, from what it is about to read at these addresses. Nothing where that cannot be told.
[[nodiscard]] INLAY_FUNCTION std::optional<std::vector<expected_samples>> expected_step(const region_view& region,
                                                                                        const void* const* inputs, op_finder find,
                                                                                        executor_ref executor,
                                                                                        const kernel_check_options& options);
/// The same for a change of layout within the CPU's main memory.
[[nodiscard]] INLAY_FUNCTION std::optional<expected_samples> expected_conversion(const void* input,
                                                                                 const std::vector<std::int64_t>& extents,
                                                                                 const format& from, const format& to,
                                                                                 const kernel_check_options& options);

}  // namespace detail

/// A referee that checks kernels by `check_kernel`, on the threads of an executor.
class kernel_referee {
public:
    kernel_referee(op_finder find, executor_ref executor, kernel_check_options options = {})
        : find_(find), executor_(executor), options_(options) {}

    [[nodiscard]] outcome<kernel_verdict> judge(const kernel_case& c) const {
        kernel_check_options options = options_;
        options.rounding = c.rounding;
        return check_kernel(*c.code, *c.region, c.constants, find_, executor_, options);
    }
    [[nodiscard]] outcome<kernel_verdict> judge_conversion(const kernel& code, const std::vector<std::int64_t>& extents, const format& from,
                                                           const format& to) const {
        return check_conversion(code, extents, from, to, executor_);
    }

private:
    op_finder find_;
    executor_ref executor_;
    kernel_check_options options_;
};

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/measure/kernel_check.ipp>
#endif

#endif
