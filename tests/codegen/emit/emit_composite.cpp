// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/emit/emit_composite.hpp>

#include <cstring>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/candidate/enumerate.hpp>

#include "../nest_backends.hpp"
#include "candidate/plan_backends.hpp"

using namespace inlay;

namespace {

ir_module two_relus() {
    return toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        const node_id first = b.call("onnx.Relu", {x}, {}, toys::image());
        return b.call("onnx.Relu", {first}, {}, toys::image());
    });
}

/// The sums of what a kernel makes of -6 to 5.
float run(const kernel& k) {
    alignas(64) float from[12], to[12] = {};
    for (int i = 0; i < 12; ++i) from[i] = static_cast<float>(i - 6);
    const void* in[] = {from};
    void* out[] = {to};
    run_arguments arguments;
    arguments.inputs = in;
    arguments.results = out;
    REQUIRE(k(arguments));
    float sum = 0;
    for (const float f : to) sum += f;
    return sum;
}

}  // namespace

TEST_CASE("code is made by the composite that took the region, of the plan that it read") {
    const ir_module m = two_relus();
    const toys::joining b;
    const candidate_set set = enumerate(m, backend_list<toys::joining>(b));
    std::string notes;
    for (const candidate& c : set.candidates) {
        const auto made = emit_composite(b, {c.composite, &c.match->plan, c.view()});
        REQUIRE(made.has_value());
        notes += made->note + ", ";
        CHECK(run(*made) == 15);
    }
    CHECK(notes == "forwards, backwards, forwards, backwards, 2 at once, ");
}

TEST_CASE("without a plan the region alone decides, and where there is no code for regions a sentence says so") {
    const ir_module m = two_relus();
    const candidate_set set = enumerate(m, backend_list<toys::rows>());
    REQUIRE_FALSE(set.candidates.empty());
    const candidate& c = set.candidates[0];
    CHECK(emit_composite(toys::rows(), {c.composite, &c.match->plan, c.view()}).has_value());
    CHECK(emit_composite(toys::rows(), {c.composite, nullptr, c.view()}).has_value());
    const auto none = emit_composite(toys::two_ways(), {0, nullptr, c.view()});
    REQUIRE_FALSE(none.has_value());
    CHECK(none.failure().message == "the back end makes code of plans alone, and this region has none; enumerate the program again");
}

TEST_CASE("constants stay outside only where the region alone decides the code") {
    const ir_module m = two_relus();
    kernel_store kept;
    const candidate_set set = enumerate(m, backend_list<toys::two_ways>());
    for (const candidate& c : set.candidates) {
        const auto made = emit_composite(toys::two_ways(), {c.composite, &c.match->plan, c.view()}, kept);
        REQUIRE(made.has_value());
        CHECK(made->constants.empty());
    }
    CHECK(kept.size() == 0);
}
