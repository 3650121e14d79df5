// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cutlass/backend.hpp>

#include <string>

#include <doctest/doctest.h>

#include <inlay/candidate/enumerate.hpp>
#include <inlay/codegen/backend_list.hpp>

#include "../take.hpp"

using namespace inlay;
using namespace inlay_test;

static_assert(cutlass::kind == "cutlass" && cutlass::refines == "cuda" && cutlass::device == device_type::cuda);

TEST_CASE("versions tell of headers and a compiler that are not there") {
    cutlass b;
    b.headers = "/no/such";
    b.nvcc = "/no/such/nvcc";
    b.arch = "sm_90";
    CHECK(b.version().find("1 without CUTLASS by no compiler in float32 for sm_90 on ") == 0);
}

TEST_CASE("options that make no sense are refused, and the version tells how products are computed") {
    cutlass b;
    CHECK(b.check());
    CHECK(b.version().find(" in float32 for ") != std::string::npos);
    REQUIRE(set_option(b, "precision", "tf32"));
    CHECK(b.check());
    CHECK(b.version().find(" in tf32 for ") != std::string::npos);
    REQUIRE(set_option(b, "precision", "int4"));
    CHECK(b.check().failure().message == "option '-precision' of target 'cutlass' takes float32 or tf32, not 'int4'");
    b = {};
    b.model = true;
    b.arch = "sm_50";
    CHECK(b.usable().failure().message ==
          "target 'cutlass' has no model of sm_50; -model goes with -arch of sm_75, sm_80, sm_86, sm_89, sm_90");
    b.arch = "sm_75";
    CHECK(b.usable().failure().message == "target 'cutlass' copies as devices from sm_80 on do, and sm_75 is older");
    b.arch = "sm_90a";
    CHECK(b.usable());
}

TEST_CASE("a product is planned in the device's memory, by the model where it is asked for, and what is none is left to others") {
    small_graph t;
    const ir_module g = t.finish(t.call("onnx.Exp", {t.call("onnx.MatMul", {t.input({512, 512}), t.input({512, 512})})}));
    cutlass b;
    b.model = true;
    b.arch = "sm_80";
    const candidate_set set = enumerate(g, backend_list<cutlass>(b));
    REQUIRE(set.candidates.size() == 1);
    CHECK(set.candidates[0].name == "matrix_product");
    CHECK(set.candidates[0].formats.inputs[0].scope == cutlass::memory);
    CHECK(set.candidates[0].formats.results[0].scope == cutlass::memory);
    CHECK(*b.price(set.candidates[0].view()) == doctest::Approx(5e-6 + 2.0 * 512 * 512 * 512 / 19.5e12));
}

TEST_CASE("without a device nothing is emitted, and it says so") {
    if (detail::cuda_device::here()) return;
    small_graph t;
    const ir_module g = t.finish(t.call("onnx.MatMul", {t.input({4, 5}), t.input({5, 6})}));
    const std::string none = detail::cuda_device::here().failure().message;
    for (const bool model : {false, true}) {
        cutlass b;
        b.model = model;
        const sized_match best = largest_match(b, g);
        REQUIRE(best.ways.size() == 1);
        const candidate& c = best.ways[0];
        const auto made = emit_composite(b, composite_job{c.composite, &c.match->plan, c.view()});
        REQUIRE(!made);
        CHECK(made.failure().message == none + (model ? "; with -model target 'cutlass' plans alone" : ""));
        CHECK(b.usable().has_value() == model);
    }
}
