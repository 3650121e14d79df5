// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_XNNPACK_BACKEND_HPP
#define INLAY_BACKEND_XNNPACK_BACKEND_HPP

#include <dlfcn.h>
#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/xnnpack/arithmetic.hpp>
#include <inlay/backend/xnnpack/concat.hpp>
#include <inlay/backend/xnnpack/conv.hpp>
#include <inlay/backend/xnnpack/fully_connected.hpp>
#include <inlay/backend/xnnpack/function.hpp>
#include <inlay/backend/xnnpack/pool.hpp>
#include <inlay/backend/xnnpack/rearrange.hpp>
#include <inlay/backend/xnnpack/resize.hpp>
#include <inlay/backend/xnnpack/softmax.hpp>
#include <inlay/candidate/match_view.hpp>
#include <inlay/codegen/backend.hpp>
#include <inlay/target/option.hpp>

namespace inlay {

/// XNNPACK on the CPU: operators on images with their channels last and on rows, float32, weights packed when the kernel is made.
///
/// Threads are those of one pool for all kernels of an instance and its copies. An emitted kernel may be run by one thread at a time.
struct xnnpack {
    static constexpr std::string_view kind = "xnnpack";
    static constexpr std::string_view refines = "llvm";
    static constexpr device_type device = device_type::cpu;

    int threads = 1;
    bool spin = false;

    using options = option_list<
        option<"threads", &xnnpack::threads, "how many threads an operator uses">,
        option<"spin", &xnnpack::spin, "idle threads wait actively for the next operator: quicker where nothing else wants the cores">>;

    /// The library tells no version; what stands for it is the size of the file that it was loaded from.
    [[nodiscard]] static std::string version() {
        Dl_info where{};
        struct stat facts {};
        if (dladdr(reinterpret_cast<void*>(xnn_initialize), &where) == 0 || where.dli_fname == nullptr ||
            stat(where.dli_fname, &facts) != 0)
            return "of unknown size";
        return std::to_string(facts.st_size) + " bytes";
    }

    [[nodiscard]] outcome<void> usable() const {
        if (threads < 1) return error{"target 'xnnpack' has -threads=" + std::to_string(threads) + "; it takes 1 or more"};
        const xnn_status answer = xnn_initialize(nullptr);
        if (answer != xnn_status_success) return error{"XNNPACK does not start: " + std::string(detail::xnnpack_text(answer))};
        return {};
    }

    /// Asks a family of operators whether it can read the region.
    template <class Family>
    struct reads {
        template <class Match>
        [[nodiscard]] verdict operator()(const xnnpack&, const Match& m) const {
            const auto plan = Family::read(m.region());
            return plan ? verdict::yes() : verdict::no(plan.failure().message);
        }
    };

    static constexpr auto patterns() {
        using namespace detail;
        return pattern_table(composite<"convolution">(xnnpack_conv::pattern_of_conv(), reads<xnnpack_conv>{}),
                             composite<"transposed_convolution">(xnnpack_conv::pattern_of_transposed(), reads<xnnpack_conv>{}),
                             composite<"fully_connected">(xnnpack_fully_connected::pattern_of_product(), reads<xnnpack_fully_connected>{}),
                             composite<"pool">(xnnpack_pooling::pattern_of_pool(), reads<xnnpack_pooling>{}),
                             composite<"batch_norm">(xnnpack_conv::pattern_of_batch_norm(), reads<xnnpack_conv>{}),
                             composite<"channel_shuffle">(xnnpack_rearrange::pattern_of_shuffle(), reads<xnnpack_rearrange>{}),
                             composite<"hard_swish">(xnnpack_function::pattern_of_hard_swish(), reads<xnnpack_function>{}),
                             composite<"softmax">(xnnpack_softmax::pattern_of_softmax(), reads<xnnpack_softmax>{}),
                             composite<"concat">(xnnpack_concat::pattern_of_concat(), reads<xnnpack_concat>{}),
                             composite<"resize">(xnnpack_resize::pattern_of_resize(), reads<xnnpack_resize>{}),
                             composite<"depth_to_space">(xnnpack_rearrange::pattern_of_depth_to_space(), reads<xnnpack_rearrange>{}),
                             composite<"operation">(xnnpack_arithmetic::pattern_of_operation(), reads<xnnpack_arithmetic>{}),
                             composite<"function">(xnnpack_function::pattern_of_function(), reads<xnnpack_function>{}));
    }

    /// The tuples that the library takes without a conversion of ours.
    [[nodiscard]] std::vector<border_formats> formats(const region_view& r) const {
        std::vector<border_formats> list;
        with_family(r, [&](auto family, const auto& plan) { list = decltype(family)::formats(plan, r); });
        return list;
    }

    /// Nothing: every region is measured.
    [[nodiscard]] std::optional<double> price(const region_view&) const { return std::nullopt; }

    [[nodiscard]] outcome<kernel> emit(const region_view& r) const {
        if (r.input_formats.size() != r.input_count || r.result_formats.size() != r.results.size())
            return error{"XNNPACK emits a region whose border formats are chosen; this one has " + std::to_string(r.input_formats.size()) +
                         " for " + std::to_string(r.input_count) + " inputs"};
        if (auto ready = usable(); !ready) return ready.failure();
        outcome<kernel> made = error{"no XNNPACK operator does what this region means"};
        with_family(r, [&](auto family, const auto& plan) { made = emit_of<decltype(family)>(r, plan); });
        return made;
    }

private:
    /// Calls `use(family, plan)` with the first family that can read the region.
    template <class Use>
    static void with_family(const region_view& r, Use&& use) {
        using namespace detail;
        const auto served = [&](auto family) {
            const auto plan = decltype(family)::read(r);
            if (plan) use(family, *plan);
            return plan.has_value();
        };
        const auto one_of = [&](auto... families) { return (served(families) || ...); };
        (void)one_of(xnnpack_conv{}, xnnpack_fully_connected{}, xnnpack_pooling{}, xnnpack_rearrange{}, xnnpack_softmax{}, xnnpack_concat{},
                     xnnpack_resize{}, xnnpack_arithmetic{}, xnnpack_function{});
    }

    template <class Family, class Plan>
    [[nodiscard]] outcome<kernel> emit_of(const region_view& r, const Plan& plan) const {
        const border_formats b{{r.input_formats.begin(), r.input_formats.end()}, {r.result_formats.begin(), r.result_formats.end()}};
        const std::vector<border_formats> offered = Family::formats(plan, r);
        if (std::find(offered.begin(), offered.end(), b) == offered.end())
            return error{"XNNPACK does not take this region with a result in the format " + to_string(b.results[0]) +
                         " and these inputs; ask it for its formats"};
        auto pool = pools_.of(static_cast<std::size_t>(threads));
        if (!pool) return pool.failure();
        detail::xnnpack_program program(*std::move(pool), spin);
        if (auto built = Family::build(plan, r, b, program); !built) return built.failure();
        return detail::xnnpack_program::finish(std::move(program));
    }

    detail::xnnpack_pools pools_;
};

static_assert(backend<xnnpack>);

}  // namespace inlay

#endif
