// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/declare/loop_phase.hpp>

#include <doctest/doctest.h>

#include "../nest_backends.hpp"

using namespace inlay;

namespace {

struct phased : toys::by_nests<phased> {
    static constexpr std::string_view kind = "phased";
    int fails_at = -1;
    using options = option_list<option<"fails_at", &phased::fails_at, "which pass fails">>;

    template <int Number>
    struct note {
        outcome<nest> operator()(const phased& self, nest n) const {
            if (self.fails_at == Number) return error{"nothing is left to unroll"};
            n.done += std::to_string(Number);
            return n;
        }
    };
    static constexpr auto phases() {
        return phase_list(loop_phase<3, "last">(note<6>{}), loop_phase<1, "second">(note<3>{}), loop_phase<0, "first">(note<1>{}),
                          loop_phase<1, "third">(note<4>{}), loop_phase<0, "again">(note<2>{}), loop_phase<2, "fourth">(note<5>{}));
    }
    static constexpr auto strategies() {
        return strategy_table(
            strategy<"onnx.Relu">([](const phased&, const region_view&, value_id, nest&) -> outcome<void> { return {}; }));
    }
};
static_assert(emits_nests<phased> && !emits_regions<phased> && backend<phased>);

}  // namespace

TEST_CASE("loop phases run by number, and those of one number as they are listed [codegen.phases.loops]") {
    const auto n = run_loop_phases(phased(), toys::one_loop());
    REQUIRE(n.has_value());
    CHECK(n->done == "123456");
}

TEST_CASE("a loop phase that fails ends the others, and the error names it and its back end") {
    phased self;
    self.fails_at = 4;
    const auto n = run_loop_phases(self, toys::one_loop());
    REQUIRE_FALSE(n.has_value());
    CHECK(n.failure().message == "phase 'third' of back end 'phased' failed: nothing is left to unroll");
}
