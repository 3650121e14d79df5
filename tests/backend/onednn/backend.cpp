// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/onednn/backend.hpp>

#include <string>

#include <doctest/doctest.h>

#include <inlay/candidate/region.hpp>

#include "take.hpp"

using namespace inlay;
using namespace onednn_test;

static_assert(backend<onednn>);
static_assert(onednn::kind == "onednn" && onednn::refines == "llvm");

TEST_CASE("the version is the loaded library's") {
    CHECK(onednn::version().substr(0, 2) == "2.");
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
    const user_lists users(g);
    const std::vector<node_id> results = g.results(), nodes{y};
    const region r(g, users, results, nodes);
    CHECK_FALSE(onednn().emit(r.view()).has_value());
    format blocks_of_4 = plain_format(element_type::float32);
    blocks_of_4.order = layout::channels_blocked(4);
    CHECK_FALSE(onednn().emit(r.view({&blocks_of_4, 1}, {&blocks_of_4, 1})).has_value());
    format whole = plain_format(element_type::int32);
    CHECK_FALSE(onednn().emit(r.view({&whole, 1}, {&whole, 1})).has_value());
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
