// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/xnnpack/backend.hpp>

#include <string>

#include <doctest/doctest.h>

#include <inlay/candidate/enumerate.hpp>
#include <inlay/codegen/list/backend_list.hpp>

#include "take.hpp"

using namespace inlay;
using namespace xnnpack_test;

static_assert(backend<xnnpack>);
static_assert(xnnpack::kind == "xnnpack" && xnnpack::refines == "llvm" && xnnpack::device == device_type::cpu);

TEST_CASE("the version is the build of the loaded library") {
    CHECK(xnnpack::version().starts_with("build "));
    CHECK(xnnpack::version() == xnnpack::version());
}

TEST_CASE("the library starts more than once, and a thread count below one is refused") {
    CHECK(xnnpack().usable());
    CHECK(xnnpack().usable());
    xnnpack none;
    REQUIRE(set_option(none, "threads", "0"));
    const auto answer = none.usable();
    REQUIRE_FALSE(answer.has_value());
    CHECK(answer.failure().message.find("-threads=0") != std::string::npos);
}

TEST_CASE("options read and print") {
    xnnpack self;
    REQUIRE(set_option(self, "threads", "2"));
    REQUIRE(set_option(self, "spin", "true"));
    CHECK(target_text(self) == "xnnpack -threads=2 -spin=true");
}

TEST_CASE("emit refuses formats that were not chosen or not offered, and a thread count that is not usable") {
    small_graph t;
    const node_id y = t.call("onnx.Conv", {t.input({1, 16, 8, 8}), t.random({16, 16, 1, 1})});
    const ir_module g = t.finish(y);
    const sized_match best = largest_match(xnnpack(), g);
    REQUIRE_FALSE(best.ways.empty());
    const candidate& c = best.ways[0];
    const auto emit = [&](const xnnpack& self, std::span<const format> inputs, std::span<const format> results) {
        return emit_composite(self, {c.composite, &c.match->plan, c.match->body.view(inputs, results)});
    };
    CHECK_FALSE(emit(xnnpack(), {}, {}).has_value());
    format image = plain_format(element_type::float32);
    const auto plain = emit(xnnpack(), {&image, 1}, {&image, 1});
    REQUIRE_FALSE(plain.has_value());
    CHECK(plain.failure().message.find("float32:plain") != std::string::npos);
    image.order = layout::channels_last();
    CHECK(emit(xnnpack(), {&image, 1}, {&image, 1}).has_value());
    xnnpack none;
    none.threads = -3;
    CHECK_FALSE(emit(none, {&image, 1}, {&image, 1}).has_value());
}

TEST_CASE("a node that no operator means is no candidate") {
    small_graph t;
    const node_id y = t.call("onnx.Exp", {t.input({3})});
    const ir_module g = t.finish(y);
    CHECK(enumerate(g, backend_list<xnnpack>()).candidates.empty());
}

TEST_CASE("kernels outlive the instance that made them") {
    small_graph t;
    const node_id y = t.call("onnx.Relu", {t.input({5})});
    const ir_module g = t.finish(y);
    const sized_match best = largest_match(xnnpack(), g);
    REQUIRE_FALSE(best.ways.empty());
    const candidate& c = best.ways[0];
    kernel k;
    {
        xnnpack self;
        self.threads = 2;
        auto made = emit_composite(self, {c.composite, &c.match->plan, c.view()});
        REQUIRE(made.has_value());
        k = *std::move(made);
    }
    CHECK(k.note == "clamp_nc_f32");
    const tensor x = tensor::of({5}, std::vector<float>{-1, 2, -3, 4, 0});
    tensor out(element_type::float32, {5});
    const void* in[] = {x.data()};
    void* to[] = {out.data()};
    run_arguments a;
    a.inputs = in;
    a.results = to;
    REQUIRE(k(a));
    CHECK(std::vector<float>(out.as<float>().begin(), out.as<float>().end()) == std::vector<float>{0, 2, 0, 4, 0});
}
