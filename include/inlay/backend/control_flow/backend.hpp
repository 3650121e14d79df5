// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CONTROL_FLOW_BACKEND_HPP
#define INLAY_BACKEND_CONTROL_FLOW_BACKEND_HPP

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/backend/control_flow/block_programs.hpp>
#include <inlay/backend/control_flow/control_c.hpp>
#include <inlay/backend/control_flow/control_kernel.hpp>
#include <inlay/candidate/backend_vtable.hpp>
#include <inlay/codegen/c/c_part.hpp>
#include <inlay/codegen/declare/backend.hpp>
#include <inlay/codegen/emit/emit_composite.hpp>
#include <inlay/codegen/kernel/kernel_store.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/target/option.hpp>

namespace inlay {

namespace detail {

/// A call of a branch or a loop whose bodies are linked.
struct control_when {
    template <class B, class Match>
    verdict operator()(const B& b, const Match& m) const {
        for (const region_value& v : m.region().values)
            if (v.kind == region_value::role::call)
                for (const std::int64_t body : v.attributes->integers("bodies"))
                    if (body < 0 || static_cast<std::uint64_t>(body) >= b.blocks.size())
                        return verdict::no("its bodies are not planned; plan the program with `plan_blocks`");
        return verdict::yes();
    }
};

}  // namespace detail

/// Branches and loops, whose bodies are programs of their own that were planned and linked before (`lift_control`, `plan_blocks`): it
/// chooses the body, counts trips, hands tensors over and stacks slices. What it takes is what its bodies take by their plans: of a branch
/// the mean of its sides, of a loop the body times its trips, one where these are not known. Tensors are row-major at its border.
struct control_flow {
    static constexpr std::string_view kind = "control_flow", refines = "llvm";
    static constexpr device_type device = device_type::cpu;
    static constexpr bool is_structural = true;
    using options = option_list<>;

    block_programs blocks;         // by the numbers in the attribute `bodies`
    std::vector<c_part> c_bodies;  // likewise, where the program leaves as C: functions of the bodies' inputs and results

    [[nodiscard]] static std::string version() { return "1"; }
    [[nodiscard]] outcome<void> usable() const { return {}; }
    [[nodiscard]] static constexpr auto patterns() {
        using namespace dsl;
        constexpr detail::control_when when{};
        return pattern_table(composite<"if">(op<"inlay.if">, when), composite<"loop">(op<"inlay.loop">, when),
                             composite<"scan">(op<"inlay.scan">, when));
    }
    [[nodiscard]] std::vector<border_formats> formats(const region_view& r) const { return {plain_borders(r)}; }
    [[nodiscard]] std::optional<double> price(const region_view& r) const {
        double seconds = 0;
        for (const region_value& v : r.values) {
            if (v.kind != region_value::role::call) continue;
            const auto bodies = v.attributes->integers("bodies");
            for (const std::int64_t body : bodies) seconds += blocks.seconds(static_cast<std::size_t>(body));
            if (v.op == if_op) seconds /= static_cast<double>(std::max<std::size_t>(bodies.size(), 1));
            seconds *= static_cast<double>(v.attributes->integer("trips", 1));
        }
        return seconds;
    }
    [[nodiscard]] outcome<kernel> emit(const region_view& r) const { return detail::control_kernel::make(r, blocks); }
    /// The branch or loop in C, with its bodies, as a function of that name.
    [[nodiscard]] outcome<c_part> emit_c(const region_view& r, std::string_view name) const {
        return detail::control_c::make(r, name, c_bodies);
    }
};

static_assert(backend<control_flow>);
static_assert(emits_c<control_flow>);

}  // namespace inlay

#endif
