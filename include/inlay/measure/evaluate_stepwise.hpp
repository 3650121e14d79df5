// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_EVALUATE_STEPWISE_HPP
#define INLAY_MEASURE_EVALUATE_STEPWISE_HPP

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/executor.hpp>
#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/ops/op_definition.hpp>
#include <inlay/ops/sample/evaluate_samples.hpp>

namespace inlay {

/// Makes kernels of single calls in plain formats behind one indirect call, so that a check needs to know no back end. Refers to the maker,
/// which must outlive it. An empty one makes none.
class call_kernels_ref {
public:
    call_kernels_ref() = default;
    template <class M>
    requires(!std::same_as<std::remove_cv_t<M>, call_kernels_ref> &&
             requires(const M& m, const region_view& r) {
                 { m(r) } -> std::same_as<outcome<kernel>>;
             }) explicit call_kernels_ref(const M& maker)
        : maker_(&maker), make_([](const void* self, const region_view& r) { return (*static_cast<const M*>(self))(r); }) {}

    explicit operator bool() const { return make_ != nullptr; }
    [[nodiscard]] outcome<kernel> operator()(const region_view& r) const { return make_(maker_, r); }

private:
    const void* maker_ = nullptr;
    outcome<kernel> (*make_)(const void*, const region_view&) = nullptr;
};

/// How a region is evaluated call by call.
struct stepwise_options {
    double most_operations = 4e9;     // of kernels, in multiplications about
    double meaning_operations = 2e8;  // of operators' own meanings, where there is no kernel
    double sample_operations = 5e7;   // that the compared elements of one call may take
    std::size_t samples = 64;         // elements of each value that are compared
    std::uint64_t seed = 1;
    double rounding = 0;  // that operands of products are allowed, relative to each
    term_sizes sizes = term_sizes::any;
};

/// Computes chosen elements of a region's results where each depends on too much for `evaluate_samples`: call by call, each as a whole, by
/// a kernel of `kernels` or by its meaning. Each kernel is compared with the meaning at chosen elements on what it read, so that it need
/// not be trusted. What is off in one value is carried on into the bounds of the next.
///
/// Error: an operator has no meaning, a kernel is wrong, or the region takes too many operations.
[[nodiscard]] INLAY_FUNCTION outcome<std::vector<expected_samples>> evaluate_stepwise(const region_view& region, op_finder find,
                                                                                      std::span<const tensor> inputs,
                                                                                      std::span<const std::vector<std::int64_t>> places,
                                                                                      call_kernels_ref kernels, executor_ref executor,
                                                                                      const stepwise_options& options = {});

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/measure/evaluate_stepwise.ipp>
#endif

#endif
