// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_EMIT_EMIT_REGION_HPP
#define INLAY_CODEGEN_EMIT_EMIT_REGION_HPP

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <inlay/candidate/constants_policy.hpp>
#include <inlay/candidate/lifted_region.hpp>
#include <inlay/codegen/declare/loop_phase.hpp>

namespace inlay {

namespace detail {

/// A region as the phases after partitioning leave it: told in after_partitioning.hpp, which a back end that has such phases includes.
template <class B>
struct after_phases;

/// A kernel with the inputs that were constants. It is as good for several threads at once as the kernel is. Beyond 64 inputs and constants
/// their addresses are gathered on the heap at every run.
struct constants_bound {
    static constexpr std::size_t on_the_stack = 64;

    kernel code;
    std::vector<tensor> constants;
    std::size_t inputs;

    [[nodiscard]] bool run(const run_arguments& arguments) const {
        const std::size_t count = inputs + constants.size();
        if (count > on_the_stack) {
            std::vector<const void*> all(count);
            return run_on(all.data(), arguments);
        }
        const void* all[on_the_stack];
        return run_on(all, arguments);
    }

private:
    [[nodiscard]] bool run_on(const void** all, run_arguments arguments) const {
        for (std::size_t i = 0; i < inputs; ++i) all[i] = arguments.inputs[i];
        for (std::size_t i = 0; i < constants.size(); ++i) all[inputs + i] = constants[i].data();
        arguments.inputs = all;
        return code(arguments);
    }
};

[[nodiscard]] inline kernel bind_constants(kernel code, const std::vector<tensor>& constants, std::size_t inputs) {
    if (constants.empty()) return code;
    const std::size_t workspace = code.workspace_bytes;
    kernel_facts facts = std::move(code.facts());
    // Nobody else may have the place of a constant.
    for (std::int32_t& v : facts.view_of)
        if (v >= static_cast<std::int32_t>(inputs)) v = -1;
    if (facts.part_at.size() > inputs) facts.part_at.resize(inputs);
    kernel bound(constants_bound{std::move(code), constants, inputs}, workspace);
    bound.facts() = std::move(facts);
    return bound;
}

/// The nest of a region after all loop phases.
template <emits_nests B>
[[nodiscard]] outcome<typename B::nest> arranged_nest(const B& self, const region_view& region) {
    auto nest = self.lower(region);
    if (nest) nest = run_loop_phases(self, *std::move(nest));
    return nest;
}

/// Code by either way.
template <has_emitter B>
[[nodiscard]] outcome<kernel> emit_body(const B& self, const region_view& region) {
    if constexpr (emits_nests<B>) {
        auto nest = arranged_nest(self, region);
        if (!nest) return nest.failure();
        return self.emit(*nest);
    } else {
        return self.emit(region);
    }
}

template <has_emitter B>
[[nodiscard]] outcome<kernel> emit_with_policy(const B& self, const region_view& region) {
    if constexpr (constants_policy_of<B>() != constants_policy::embed) {
        const lifted_region lifted(region);
        auto made = emit_body(self, lifted.view());
        if (!made) return made;
        return bind_constants(*std::move(made), lifted.constants(), region.input_count);
    } else {
        return emit_body(self, region);
    }
}

/// What `next(region_view)` gives for a region as the back end's phases after partitioning leave it.
template <has_emitter B, class Next>
[[nodiscard]] auto behind_phases(const B& self, const region_view& region, Next&& next) -> decltype(next(region)) {
    if constexpr (has_phase_at<B>(phase_place::after_partitioning)) {
        auto changed = after_phases<B>::run(self, region);
        if (!changed) return changed.failure();
        return next(changed->view(region.input_formats, region.result_formats));
    } else {
        return next(region);
    }
}

}  // namespace detail

/// Code for a region by a configured back end, whatever way it goes: its phases after partitioning, its policy for constants, then its
/// `emit`, or `lower`, loop phases and `emit`. What measures calls this; what links calls `emit_external`, or `emit_regions`
/// where the back end emits together. The kernel has the region's own inputs and results.
template <has_emitter B>
[[nodiscard]] outcome<kernel> emit_region(const B& self, const region_view& region) {
    return detail::behind_phases(self, region, [&](const region_view& r) { return detail::emit_with_policy(self, r); });
}

}  // namespace inlay

#endif
