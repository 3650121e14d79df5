// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/region_wire.hpp>

#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <inlay/candidate/content_key.hpp>

#include "../cost/sample_region.hpp"

using namespace inlay;

namespace {

std::string bytes_of(const region_view& r) {
    wire_writer w;
    write_region(w, r);
    return w.take();
}
digest key(const region_view& r) { return content_key(r, "k", "v", "o"); }

}  // namespace

TEST_CASE("a region comes back with the same content, and still shows it after the copy moved") {
    sample::sample_region s = sample::example();
    s.values[6].attributes.set("text", std::string("same_upper"));
    s.values[6].attributes.set("number", 0.5);
    s.values[6].attributes.set("numbers", std::vector<double>{1, 2});
    s.values[6].attributes.set("texts", std::vector<std::string>{"a", ""});
    s.values[6].attributes.set("value", tensor::of({3}, std::vector<float>{1, 2, 3}));
    const std::string bytes = bytes_of(s.view());
    wire_reader r(bytes);
    auto copy = read_region(r);
    REQUIRE(copy.has_value());
    CHECK(r.at_end());
    const region_copy moved = std::move(*copy);
    const region_view back = moved.view();
    CHECK(key(back) == key(s.view()));
    CHECK(back[6].op == "onnx.Conv");
    CHECK(*back[6].attributes == s.values[6].attributes);
    CHECK(back[11].field == 1);
    CHECK(back[5].kind == region_value::role::absent);
    CHECK(back.input_formats[1] == s.input_formats[1]);
    CHECK(bytes_of(back) == bytes);
}

TEST_CASE("small constants and indices go by value, weights are made up") {
    sample::sample_region s = sample::example();
    s.values[2].constant = tensor(element_type::float32, {64, 32, 3, 3});
    s.values[2].type = s.values[2].constant.type();
    std::vector<std::int64_t> indices(2000);
    for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<std::int64_t>(i * i);
    s.values[3].constant = tensor::of({2000}, indices);
    s.values[3].type = s.values[3].constant.type();
    const std::string bytes = bytes_of(s.view());
    CHECK(bytes.size() < 20000);
    wire_reader r(bytes);
    const auto copy = read_region(r);
    REQUIRE(copy.has_value());
    CHECK(copy->view()[3].value->content() == s.values[3].constant.content());
    CHECK(copy->view()[4].value->content() == s.values[4].constant.content());
    const tensor& made_up = *copy->view()[2].value;
    CHECK(made_up.type() == s.values[2].constant.type());
    CHECK(made_up.content() != s.values[2].constant.content());
    wire_reader again(bytes);
    const auto twin = read_region(again);
    REQUIRE(twin.has_value());
    CHECK(twin->view()[2].value->content() == made_up.content());
}

TEST_CASE("weights beyond the bound are refused before any memory is taken") {
    sample::sample_region s = sample::example();
    s.values[2].constant = tensor(element_type::float32, {64, 64, 3, 3});
    s.values[2].type = s.values[2].constant.type();
    const std::string bytes = bytes_of(s.view());
    wire_reader r(bytes);
    const auto copy = read_region(r, 1000);
    REQUIRE_FALSE(copy.has_value());
    CHECK(copy.failure().message == "a region's weights take more memory than measuring may use; raise the bound or leave the region out");
}

TEST_CASE("cut bytes are refused at every length") {
    const std::string bytes = bytes_of(sample::example().view());
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        wire_reader r(std::string_view(bytes).substr(0, length));
        if (read_region(r).has_value()) FAIL_CHECK("a region of " << length << " bytes was read");
    }
}

TEST_CASE("damaged bytes give a region that is sound, or a sentence") {
    const std::string bytes = bytes_of(sample::example().view());
    CHECK(rc::check("random damage", [&] {
        std::string damaged = bytes;
        for (int i = *rc::gen::inRange(1, 6); i > 0; --i)
            damaged[*rc::gen::inRange<std::size_t>(0, damaged.size())] = *rc::gen::arbitrary<char>();
        wire_reader r(damaged);
        const auto copy = read_region(r, 1 << 20);
        if (!copy.has_value()) {
            RC_ASSERT(!copy.failure().message.empty());
            return;
        }
        const region_view v = copy->view();
        for (value_id i = 0; i < v.values.size(); ++i)
            for (const value_id o : v[i].operands) RC_ASSERT(o < i);
        for (const value_id o : v.results) RC_ASSERT(o < v.values.size());
        (void)key(v);
    }));
}

TEST_CASE("regions that lie about themselves are refused") {
    const auto refused = [](auto&& mutate) {
        sample::sample_region s = sample::example();
        mutate(s);
        const std::string bytes = bytes_of(s.view());
        wire_reader r(bytes);
        return !read_region(r).has_value();
    };
    CHECK_FALSE(refused([](auto&) {}));
    CHECK(refused([](auto& s) { s.values[6].operands = {6}; }));
    CHECK(refused([](auto& s) { s.values[6].operands = {77}; }));
    CHECK(refused([](auto& s) { s.inputs = 3; }));
    CHECK(refused([](auto& s) { s.inputs = 100; }));
    CHECK(refused([](auto& s) { s.results = {55}; }));
    CHECK(refused([](auto& s) { s.results = {10}; }));
    CHECK(refused([](auto& s) { s.values[11].field = 2; }));
    CHECK(refused([](auto& s) { s.values[11].operands = {9}; }));
    CHECK(refused([](auto& s) { s.values[0].type = tensor_type(element_type::float32, {extent("n")}); }));
    CHECK(refused([](auto& s) { s.values[0].type = tensor_type(element_type::float32, {std::int64_t{1} << 40, std::int64_t{1} << 40}); }));
    CHECK(refused([](auto& s) { s.values[2].type = sample::type({1}); }));
    CHECK(refused([](auto& s) { s.input_formats.pop_back(); }));
    CHECK(refused([](auto& s) { s.input_formats[0].order.block = 0; }));
    CHECK(refused([](auto& s) {
        node_type deep = sample::type({1});
        for (int i = 0; i < 40; ++i) deep = node_type::tuple({deep});
        s.values[10].type = deep;
    }));
}
