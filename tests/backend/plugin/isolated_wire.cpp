// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/plugin/isolated_wire.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/backend/plugin/received_region.hpp>
#include <inlay/backend/plugin/shown_region.hpp>
#include <inlay/candidate/content_key.hpp>

#include "table_of_test.hpp"

using namespace inlay;

namespace {

/// A region with a constant of eight elements and an attribute of every kind.
struct wired_of_test : plugin_test::doubled_region {
    node_type line = tensor_type(element_type::int64, {8});
    tensor eight = tensor::of({8}, std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8});
    std::vector<value_id> both{0, 1}, last{2};
    attribute_map all{{"a", std::int64_t{-7}},
                      {"b", 0.25},
                      {"c", std::string("word")},
                      {"d", std::vector<std::int64_t>{1, -2}},
                      {"e", std::vector<double>{0.5}},
                      {"f", std::vector<std::string>{"p", ""}},
                      {"g", tensor::of({2}, std::vector<std::int64_t>{8, 9})}};

    wired_of_test() {
        values.insert(values.begin() + 1, {region_value::role::constant, {}, {}, &none, &line, &eight});
        values[2].operands = both;
        values[2].attributes = &all;
    }
    [[nodiscard]] region_view whole() const { return {values, 1, 1, last, {}, {}}; }
    [[nodiscard]] std::string bytes() const {
        const auto shown = shown_region::make(whole());
        REQUIRE(shown);
        wire_writer w;
        detail::write_region_of_c(w, *shown->get());
        return w.take();
    }
};

}  // namespace

TEST_CASE("a region that crosses a wire is the same region, with its constants") {
    const wired_of_test r;
    const std::string bytes = r.bytes();
    wire_reader from(bytes);
    const wired_region wired(from);
    REQUIRE(from.at_end());
    const received_region received(*wired.get());
    CHECK(content_of(received.view()).structure == content_of(r.whole()).structure);
    CHECK(received.view().values[1].value->content() == r.eight.content());
    CHECK(reinterpret_cast<std::uintptr_t>(wired.get()->values[1].data) % buffer::alignment == 0);
}

TEST_CASE("damaged bytes make a bad reader and no crash") {
    const wired_of_test r;
    const std::string whole = r.bytes();
    for (std::size_t cut = 0; cut < whole.size(); ++cut) {
        wire_reader from(std::string_view(whole).substr(0, cut));
        const wired_region wired(from);
        CHECK(!from.at_end());
    }
    std::mt19937 random(7);
    for (int i = 0; i < 3000; ++i) {
        std::string bytes = whole;
        for (int k = 0; k < 3; ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
        wire_reader from(bytes);
        const wired_region wired(from);
        (void)wired.get();
    }
}
