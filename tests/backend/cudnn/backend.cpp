// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cudnn/backend.hpp>

#include <cstdint>
#include <set>
#include <string>

#include <doctest/doctest.h>

#include <inlay/candidate/enumerate.hpp>
#include <inlay/codegen/list/backend_list.hpp>

#include "../take.hpp"

using namespace inlay;
using namespace inlay_test;

static_assert(cudnn::kind == "cudnn" && cudnn::refines == "cuda" && cudnn::device == device_type::cuda);

TEST_CASE("options that make no sense are refused, and the version tells how convolutions are computed") {
    cudnn b;
    CHECK(b.check());
    CHECK(b.version().find(" in float32 for ") != std::string::npos);
    REQUIRE(set_option(b, "precision", "tf32"));
    CHECK(b.version().find(" in tf32 for ") != std::string::npos);
    REQUIRE(set_option(b, "precision", "half"));
    CHECK(b.check().failure().message == "option '-precision' of target 'cudnn' takes float32 or tf32, not 'half'");
    b = {};
    b.model = true;
    b.arch = "sm_50";
    CHECK(b.usable().failure().message ==
          "target 'cudnn' has no model of sm_50; -model goes with -arch of sm_75, sm_80, sm_86, sm_89, sm_90");
    b.arch = "sm_90";
    CHECK(b.usable());
}

TEST_CASE("convolutions, poolings and softmax are planned in the device's memory") {
    small_graph t;
    const node_id conv = t.call("onnx.Relu", {t.call("onnx.Conv", {t.input({1, 4, 8, 8}), t.random({8, 4, 3, 3})})});
    const node_id pool = t.call("onnx.MaxPool", {conv}, {{"kernel_shape", std::vector<std::int64_t>{2, 2}}});
    cudnn b;
    b.model = true;
    b.arch = "sm_80";
    const candidate_set set = enumerate(t.finish(t.call("onnx.Softmax", {pool})), backend_list<cudnn>(b));
    std::set<std::string> names;
    for (const candidate& c : set.candidates) {
        names.insert(c.name);
        for (const format& f : c.formats.inputs) CHECK(f.scope == cudnn::memory);
        for (const format& f : c.formats.results) CHECK(f.scope == cudnn::memory);
    }
    CHECK(names == std::set<std::string>{"convolution", "convolution_in_calls", "pool", "softmax"});
}

TEST_CASE("without a device nothing is emitted, and it says so") {
    if (detail::cuda_device::here()) return;
    const std::string none = detail::cuda_device::here().failure().message;
    const std::vector<std::int64_t> kernel{2, 2};
    for (const char* op : {"onnx.Softmax", "onnx.MaxPool", "onnx.Conv"})
        for (const bool model : {false, true}) {
            small_graph t;
            const node_id x = t.input({1, 4, 8, 8});
            const std::string name = op;
            cudnn b;
            b.model = model;
            const ir_module m = t.finish(name == "onnx.Softmax"   ? t.call(op, {x})
                                         : name == "onnx.MaxPool" ? t.call(op, {x}, {{"kernel_shape", kernel}})
                                                                  : t.call(op, {x, t.random({8, 4, 3, 3})}));
            const sized_match best = largest_match(b, m);
            REQUIRE(best.ways.size() == 1);
            const candidate& c = best.ways[0];
            const auto made = emit_composite(b, composite_job{c.composite, &c.match->plan, c.view()});
            REQUIRE(!made);
            CHECK(made.failure().message == none + (model ? "; with -model target 'cudnn' plans alone" : ""));
        }
}
