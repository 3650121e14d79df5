// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_KERNEL_REFEREE_REF_HPP
#define INLAY_CODEGEN_KERNEL_REFEREE_REF_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/target/format.hpp>

namespace inlay {

/// A kernel whose results are to be compared with the meaning of its region.
struct kernel_case {
    const kernel* code = nullptr;
    const region_view* region = nullptr;  // with the formats at its border
    std::span<const tensor> constants{};  // that the kernel reads behind the region's inputs
    std::string_view kind, version;       // of the back end that made it
    std::string_view target;              // the back end with its options, as text
    std::string_view composite;
    double rounding = 0;  // of the operands of its products, relative to each, as `product_rounding` says
};

/// By how much the options of a back end let it round the operands of products, relative to each: its member `product_rounding()`, or 0.
template <class B>
[[nodiscard]] double product_rounding(const B& b) {
    if constexpr (requires { b.product_rounding(); })
        return b.product_rounding();
    else
        return 0;
}

/// What a comparison showed of a kernel that is not wrong.
struct kernel_verdict {
    double largest_error = 0;  // of all compared elements, as a share of what is allowed
    std::size_t compared = 0;  // elements
    std::string unchecked;     // why nothing was compared; empty where something was

    [[nodiscard]] bool is_checked() const { return unchecked.empty(); }
};

/// It compares kernels with what they are to compute. An error is one sentence with the first wrong element, without the kernel's name.
///
/// Requires `r.judge(kernel_case)` and `r.judge_conversion(kernel, extents, from, to)`, for changes of layout.
/// Models: `kernel_referee`, `recorded_referee`, `referee_ref`.
template <class R>
concept referee = requires(R& r, const kernel_case& c, const kernel& code, const std::vector<std::int64_t>& extents, const format& f) {
    { r.judge(c) } -> std::same_as<outcome<kernel_verdict>>;
    { r.judge_conversion(code, extents, f, f) } -> std::same_as<outcome<kernel_verdict>>;
};

/// A referee that lets no kernel pass unchecked. Refers to the other referee, which must outlive it.
template <referee R>
class strict_referee {
public:
    explicit strict_referee(R& inner) : inner_(&inner) {}

    [[nodiscard]] outcome<kernel_verdict> judge(const kernel_case& c) const { return strictly(inner_->judge(c)); }
    [[nodiscard]] outcome<kernel_verdict> judge_conversion(const kernel& code, const std::vector<std::int64_t>& extents, const format& from,
                                                           const format& to) const {
        return strictly(inner_->judge_conversion(code, extents, from, to));
    }

private:
    [[nodiscard]] static outcome<kernel_verdict> strictly(outcome<kernel_verdict> verdict) {
        if (!verdict || verdict->is_checked()) return verdict;
        return error{"it is unchecked, since " + verdict->unchecked + "; leave out --strict to run it all the same"};
    }

    R* inner_;
};

/// A referee behind one indirect call, so that linking needs to know neither meanings nor how to measure. Refers to the referee, which must
/// outlive it. An empty one lets every kernel pass unchecked.
class referee_ref {
public:
    referee_ref() = default;
    template <class R>
    requires(!std::same_as<R, referee_ref> && referee<R>) referee_ref(R& r)
        : referee_(&r),
          judge_([](void* self, const kernel_case& c) { return static_cast<R*>(self)->judge(c); }),
          judge_conversion_([](void* self, const kernel& code, const std::vector<std::int64_t>& extents, const format& from,
                               const format& to) { return static_cast<R*>(self)->judge_conversion(code, extents, from, to); }) {}

    explicit operator bool() const { return judge_ != nullptr; }

    [[nodiscard]] outcome<kernel_verdict> judge(const kernel_case& c) const {
        return judge_ == nullptr ? outcome<kernel_verdict>(unjudged()) : judge_(referee_, c);
    }
    [[nodiscard]] outcome<kernel_verdict> judge_conversion(const kernel& code, const std::vector<std::int64_t>& extents, const format& from,
                                                           const format& to) const {
        return judge_ == nullptr ? outcome<kernel_verdict>(unjudged()) : judge_conversion_(referee_, code, extents, from, to);
    }

private:
    [[nodiscard]] static kernel_verdict unjudged() { return {0, 0, "no referee was given"}; }

    void* referee_ = nullptr;
    outcome<kernel_verdict> (*judge_)(void*, const kernel_case&) = nullptr;
    outcome<kernel_verdict> (*judge_conversion_)(void*, const kernel&, const std::vector<std::int64_t>&, const format&,
                                                 const format&) = nullptr;
};

}  // namespace inlay

#endif
