// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_CODEGEN_LOOPING_BACKEND_HPP
#define INLAY_TESTS_CODEGEN_LOOPING_BACKEND_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nest_backends.hpp"

#include <inlay/codegen/emit/nest_kernel.hpp>
#include <inlay/codegen/emit/region_nest.hpp>
#include <inlay/loops/schedule/schedule.hpp>
#include <inlay/passes/infer_types.hpp>

namespace toys {

/// Makes loop nests of whatever has one, and has the system's compiler make code of them. Its Relu is one of its own: the identity where it
/// cheats.
struct looping : rows {
    static constexpr std::string_view kind = "looping", refines = "llvm";
    bool cheats = false;
    std::string compiler = "cc", seen;
    using options = inlay::option_list<inlay::option<"cheats", &looping::cheats, "whether Relu does nothing">,
                                       inlay::option<"compiler", &looping::compiler, "what compiles">>;
    using nest = inlay::region_nest;

    static constexpr auto strategies() {
        return inlay::strategy_table(
            inlay::strategy<"onnx.Relu">([](const looping& self, const inlay::lowered_call& c) -> inlay::outcome<inlay::lowered_tensor> {
                if (c.operands[0].extents.size() == 1) return inlay::error{"it takes no vectors"};
                return c.nest.computed(c.extents, c.element, 1, [c, cheats = self.cheats](const std::vector<inlay::affine>& at) {
                    const inlay::expression_id x = c.operands[0].read(at);
                    return cheats ? x : c.apply(inlay::scalar_function::maximum, x, c.number(0));
                });
            }));
    }
    [[nodiscard]] inlay::outcome<nest> lower(const inlay::region_view& r) const { return inlay::lower_to_loops(*this, r, "region"); }
    static constexpr auto phases() {
        return inlay::phase_list(inlay::loop_phase<3, "unroll">([](const looping&, nest n) -> inlay::outcome<nest> {
                                     // The loop that the phase before it made.
                                     auto made = inlay::scheduled(n.loops, inlay::loop_schedule().unroll("inside"));
                                     if (!made) return made.failure();
                                     n.loops = *std::move(made);
                                     return n;
                                 }),
                                 inlay::loop_phase<1, "split">([](const looping&, nest n) -> inlay::outcome<nest> {
                                     auto made = inlay::scheduled(n.loops, inlay::loop_schedule().split("i", 1, "outside", "inside"));
                                     if (!made) return made.failure();
                                     n.loops = *std::move(made);
                                     return n;
                                 }));
    }
    [[nodiscard]] inlay::outcome<inlay::kernel> emit(const nest& n) const {
        inlay::compiler_request how = inlay::nest_compiler({"-O1", "-ffp-contract=off"});
        how.compiler = compiler;
        return inlay::nest_kernel(n, how);
    }
};
static_assert(inlay::emits_nests<looping>);

/// The same with constants lifted, so that the nest is all there is.
struct lifted_looping : rows {
    static constexpr std::string_view kind = "lifted", refines = "llvm";
    static constexpr inlay::constants_policy constants = inlay::constants_policy::lift;
    using options = inlay::option_list<>;
    using nest = inlay::loop_nest;

    [[nodiscard]] inlay::outcome<nest> lower(const inlay::region_view& r) const {
        auto made = inlay::lower_to_loops(*this, r, "region");
        return made ? inlay::outcome<nest>(std::move(made->loops)) : made.failure();
    }
    [[nodiscard]] inlay::outcome<inlay::kernel> emit(const nest& n) const {
        return inlay::nest_kernel(n, inlay::nest_compiler({"-O1", "-ffp-contract=off"}));
    }
};

/// A convolution with weights that are known, a shift, Relu, and the mean over the places.
[[nodiscard]] inline inlay::ir_module small_network() {
    using namespace inlay;
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", tensor_type(element_type::float32, {1, 2, 5, 5}));
    tensor w(element_type::float32, {3, 2, 3, 3});
    for (std::size_t i = 0; i < w.count(); ++i) w.as<float>()[i] = static_cast<float>(i % 7) / 4 - 0.75f;
    const node_id conv = b.call("onnx.Conv", {x, b.constant(w), b.constant(tensor::of({3}, std::vector<float>{0.5f, -1, 2}))},
                                {{"pads", std::vector<std::int64_t>{1, 1, 1, 1}}});
    const node_id mean = b.call("onnx.ReduceMean", {b.call("onnx.Relu", {conv}), b.constant(tensor::of<std::int64_t>({2}, {2, 3}))},
                                {{"keepdims", std::int64_t{0}}});
    b.declare(b.function(std::vector<node_id>{x}, mean, "main"));
    auto typed = infer_types(b.finish());
    return typed ? *std::move(typed) : ir_module();
}

}  // namespace toys

#endif
