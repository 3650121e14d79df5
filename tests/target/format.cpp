// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/target/format.hpp>

#include <doctest/doctest.h>

using inlay::device_type;
using inlay::element_type;
using inlay::format;
using inlay::layout;

static_assert(layout{} == layout::plain());
static_assert(layout::channels_blocked(8) != layout::channels_blocked(16));
static_assert(inlay::plain_format(element_type::int8) == format{{}, layout::plain(), element_type::int8});
static_assert(format{{device_type::cuda, 0}, layout::plain(), element_type::float32} != inlay::plain_format(element_type::float32));

TEST_CASE("layouts print by name, blocks with their size") {
    CHECK(inlay::to_string(layout::plain()) == "plain");
    CHECK(inlay::to_string(layout::channels_last()) == "channels_last");
    CHECK(inlay::to_string(layout::channels_blocked(16)) == "channels_blocked16");
}

TEST_CASE("a format prints its scope only where it is not the main memory of the CPU") {
    CHECK(inlay::to_string(inlay::plain_format(element_type::float32)) == "float32:plain");
    CHECK(inlay::to_string(format{{device_type::cuda, 0}, layout::channels_last(), element_type::float16}) == "float16:channels_last@cuda");
    CHECK(inlay::to_string(format{{device_type::ext_dev, 2}, layout::plain(), element_type::int8}) == "int8:plain@ext_dev.2");
    CHECK(inlay::to_string(format{{device_type::cpu, 1}, layout::plain(), element_type::boolean}) == "bool:plain@cpu.1");
}

TEST_CASE("channels are filled up to whole blocks, in that layout only") {
    const std::vector<std::int64_t> image{2, 17, 3, 5};
    CHECK(inlay::stored_elements(image, layout::plain()) == 2 * 17 * 3 * 5);
    CHECK(inlay::stored_elements(image, layout::channels_last()) == 2 * 17 * 3 * 5);
    CHECK(inlay::stored_elements(image, layout::channels_blocked(16)) == 2 * 32 * 3 * 5);
    CHECK(inlay::stored_elements({2, 16, 3}, layout::channels_blocked(16)) == 2 * 16 * 3);
    CHECK(inlay::stored_elements(image, layout::channels_blocked(1)) == 2 * 17 * 3 * 5);
}

TEST_CASE("low ranks and empty extents need no fill") {
    CHECK(inlay::stored_elements({}, layout::channels_blocked(8)) == 1);
    CHECK(inlay::stored_elements({7}, layout::channels_blocked(8)) == 7);
    CHECK(inlay::stored_elements({4, 0, 3}, layout::channels_blocked(8)) == 0);
}

TEST_CASE("bytes are elements times the size of one") {
    CHECK(inlay::stored_bytes({3, 5}, {{}, layout::channels_blocked(8), element_type::float64}) == 3 * 8 * 8);
    CHECK(inlay::stored_bytes({3, 5}, inlay::plain_format(element_type::int8)) == 15);
    CHECK(inlay::stored_bytes({3, 5}, inlay::plain_format(element_type::string)) == 0);
}
