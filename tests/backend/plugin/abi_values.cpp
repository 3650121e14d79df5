// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/plugin/abi_values.hpp>

#include <span>
#include <string>

#include <doctest/doctest.h>

#include "table_of_test.hpp"

using namespace inlay;

TEST_CASE("texts cross by place and size, and one that is nowhere is empty") {
    const std::string word = "a word";
    CHECK(detail::text_in(detail::text_out(word)) == word);
    CHECK(detail::text_in({nullptr, 7}).empty());
}

TEST_CASE("what a reply says piece by piece is joined, and nobody need listen") {
    std::string heard;
    detail::say(detail::reply_to(heard), "one ");
    detail::say(detail::reply_to(heard), "sentence");
    CHECK(heard == "one sentence");
    detail::say({nullptr, nullptr}, "to nobody");
}

TEST_CASE("formats of the CPU's main memory cross by their numbers, and numbers that mean none are refused") {
    for (const layout l : {layout::plain(), layout::channels_last(), layout::channels_blocked(16)}) {
        const format f{{}, l, element_type::int8};
        CHECK(detail::format_in(detail::format_out(f)) == f);
    }
    CHECK(!detail::format_in({99, INLAY_PLAIN, 1}));
    CHECK(!detail::format_in({INLAY_FLOAT32, 3, 1}));
    CHECK(!detail::format_in({INLAY_FLOAT32, INLAY_CHANNELS_BLOCKED, 0}));
    CHECK(!detail::format_in({INLAY_FLOAT32, INLAY_CHANNELS_BLOCKED, 256}));
    CHECK(!detail::format_in({INLAY_FLOAT32, INLAY_PLAIN, 8}));
}

TEST_CASE("formats of a region cross in their order") {
    const plugin_test::doubled_region r;
    const region_view view = r.view();
    const shown_borders shown(view.input_formats, view.result_formats);
    CHECK(shown.get()->inputs[0].element == INLAY_FLOAT32);
    CHECK(shown.get()->results[0].block == 1);
    const format inputs[] = {plain_format(element_type::int8), plain_format(element_type::int64)},
                 result{{}, layout::channels_blocked(8), element_type::float32};
    const shown_borders sides(inputs, std::span(&result, 1));
    CHECK(sides.get()->inputs[1].element == INLAY_INT64);
    CHECK(sides.get()->results[0].block == 8);
}
