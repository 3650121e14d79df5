// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/onednn/backend.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/candidate/enumerate.hpp>
#include <inlay/candidate/region.hpp>
#include <inlay/codegen/list/backend_list.hpp>

#include "take.hpp"

using namespace inlay;
using namespace onednn_test;

static_assert(backend<onednn>);
static_assert(onednn::kind == "onednn" && onednn::refines == "llvm");

TEST_CASE("the version is the loaded library's") {
    CHECK(onednn::version().starts_with(std::to_string(DNNL_VERSION_MAJOR) + "."));
    CHECK(onednn::version().find(" build ") != std::string::npos);
    CHECK(onednn().usable());
}

TEST_CASE("a thread count below one is refused") {
    onednn none;
    REQUIRE(set_option(none, "threads", "0"));
    const auto answer = none.usable();
    REQUIRE_FALSE(answer.has_value());
    CHECK(answer.failure().message.find("-threads=0") != std::string::npos);
}

TEST_CASE("options read and print") {
    onednn self;
    REQUIRE(set_option(self, "threads", "2"));
    REQUIRE(set_option(self, "winograd", "false"));
    CHECK(target_text(self) == "onednn -threads=2 -winograd=false");
}

TEST_CASE("emit refuses formats that were not chosen, and formats that the library does not know") {
    small_graph s;
    const node_id y = s.call("onnx.Conv", {s.input({1, 16, 8, 8}), s.random({16, 16, 1, 1})});
    const ir_module g = s.finish(y);
    const sized_match best = largest_match(onednn(), g);
    REQUIRE_FALSE(best.ways.empty());
    const candidate& c = best.ways[0];
    const auto emits = [&](std::span<const format> inputs, std::span<const format> results) {
        return emit_composite(onednn(), {c.composite, &c.match->plan, c.match->body.view(inputs, results)}).has_value();
    };
    CHECK(emits(c.formats.inputs, c.formats.results));
    CHECK_FALSE(emits({}, {}));
    format blocks_of_4 = plain_format(element_type::float32);
    blocks_of_4.order = layout::channels_blocked(4);
    CHECK_FALSE(emits({&blocks_of_4, 1}, {&blocks_of_4, 1}));
    format whole = plain_format(element_type::int32);
    CHECK_FALSE(emits({&whole, 1}, {&whole, 1}));
}

TEST_CASE("a convolution is offered in several forms, and the option forbids the one of Winograd") {
    const auto forms = [](const std::vector<std::int64_t>& window, std::int64_t channels, bool winograd) {
        small_graph s;
        const std::int64_t pad = window[0] / 2;
        attribute_map attributes;
        attributes.set("pads", std::vector<std::int64_t>{pad, pad, pad, pad});
        const node_id y = s.call("onnx.Conv", {s.input({1, channels, 12, 12}), s.random({32, channels, window[0], window[1]})}, attributes);
        onednn self;
        self.winograd = winograd;
        return take(self, s.finish(s.call("onnx.Relu", {y})), winograd ? 1e-4 : 2e-5);
    };
    const taken square = forms({3, 3}, 32, true), forbidden = forms({3, 3}, 32, false), few = forms({3, 3}, 8, true),
                point = forms({1, 1}, 32, true);
    CHECK(square.count("convolution") > 0);
    CHECK(square.count("convolution_as_product") == 0);
    CHECK(forbidden.count("convolution_winograd") == 0);
    CHECK(few.count("convolution_winograd") == 0);
    CHECK(point.count("convolution_as_product") == 1);
    CHECK(point.count("convolution_winograd") == 0);
    if (detail::onednn_block() == 16) CHECK(detail::onednn_has_winograd == (square.count("convolution_winograd") > 0));
}

TEST_CASE("a kernel keeps the thread count that its caller had set") {
    const auto openmp = openmp_runtime::loaded();
    REQUIRE(openmp.complete());
    const int before = openmp.get();
    openmp.set(3);
    small_graph s;
    expect_taken(s.finish(s.call("onnx.Conv", {s.input({1, 16, 8, 8}), s.random({16, 16, 1, 1})})), 1);
    CHECK(openmp.get() == 3);
    openmp.set(before);
}

TEST_CASE("a chain that goes element by element is joined beyond the patterns, and runs as one kernel with its meaning") {
    small_graph s;
    const std::vector<std::int64_t> image{1, 20, 3, 5};
    const node_id sum = s.call("onnx.Relu", {s.call("onnx.Add", {s.input(image), s.input(image)})});
    const node_id gated = s.call("onnx.Sigmoid", {s.call("onnx.Mul", {s.input(image), sum})});
    const ir_module g = s.finish(s.call("onnx.Tanh", {s.call("onnx.Sub", {s.input(image), gated})}));
    const candidate_set set = enumerate(g, backend_list<onednn>());
    const expectation expected(g, -2, 2);
    std::size_t joined = 0;
    for (const candidate& c : set.candidates) {
        if (c.nodes.size() != 6) continue;
        ++joined;
        CHECK(c.composite == onednn::patterns().size);
        const auto k = emit_composite(onednn(), {c.composite, &c.match->plan, c.view()});
        REQUIRE_MESSAGE(k.has_value(), k.failure().message);
        CHECK(k->note.find("ref") == std::string::npos);
        CHECK(expected.worst_difference(*k, c.view(), c.formats) < 2e-5);
    }
    CHECK(joined >= 2);
}

TEST_CASE("a convolution is joined with nothing that its patterns do not say, and branches are not joined") {
    small_graph s;
    const node_id conv = s.call("onnx.Conv", {s.input({1, 16, 8, 8}), s.random({16, 16, 1, 1})});
    const node_id left = s.call("onnx.Exp", {conv}), right = s.call("onnx.Tanh", {conv});
    const ir_module g = s.finish(s.call("onnx.Add", {left, right}));
    for (const candidate& c : enumerate(g, backend_list<onednn>()).candidates)
        CHECK((c.nodes.size() <= 2 && (c.nodes.size() == 1 || c.nodes[0] != conv)));
}
