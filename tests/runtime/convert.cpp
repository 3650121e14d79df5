// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/runtime/convert.hpp>

#include <cstring>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "../core/executors.hpp"

using namespace inlay;
using inlay_test::backwards_executor;

namespace {

/// Where the element (n, c, s) of a tensor of C channels and S places stands, from the words of `layout`'s description alone.
std::size_t place_of(const layout& l, std::size_t channels, std::size_t places, std::size_t n, std::size_t c, std::size_t s) {
    switch (l.kind) {
        case layout::form::plain:
            return n * channels * places + c * places + s;
        case layout::form::channels_last:
            return n * places * channels + s * channels + c;
        case layout::form::channels_blocked:
            break;
    }
    const std::size_t blocks = (channels + l.block - 1) / l.block;
    return n * blocks * places * l.block + (c / l.block) * places * l.block + s * l.block + c % l.block;
}

template <class T>
bool converts(const std::vector<std::int64_t>& extents, element_type element, const layout& from, const layout& to, executor_ref executor) {
    const format source{{}, from, element}, wanted{{}, to, element};
    std::size_t places = 1;
    for (std::size_t i = 2; i < extents.size(); ++i) places *= static_cast<std::size_t>(extents[i]);
    const std::size_t images = extents.size() > 1 ? static_cast<std::size_t>(extents[0]) : 1,
                      channels = extents.size() > 1 ? static_cast<std::size_t>(extents[1]) : 1;
    if (extents.size() == 1) places = static_cast<std::size_t>(extents[0]);
    const bool flat = extents.size() < 2;
    std::vector<T> in(stored_elements(extents, from), T{0});
    std::vector<T> out(stored_elements(extents, to) + 16, T(77));  // with a guard behind
    T value = 0;
    std::vector<T> expected(out.size(), T{0});
    std::fill(expected.end() - 16, expected.end(), T(77));
    for (std::size_t n = 0; n < images; ++n)
        for (std::size_t c = 0; c < channels; ++c)
            for (std::size_t s = 0; s < places; ++s) {
                value = static_cast<T>(value + 1);
                in[flat ? s : place_of(from, channels, places, n, c, s)] = value;
                expected[flat ? s : place_of(to, channels, places, n, c, s)] = value;
            }
    return convert(extents, source, wanted, in.data(), out.data(), executor).has_value() && out == expected;
}

const std::vector<layout> layouts{layout::plain(),
                                  layout::channels_last(),
                                  layout::channels_blocked(4),
                                  layout::channels_blocked(8),
                                  layout::channels_blocked(16),
                                  layout::channels_blocked(6)};

}  // namespace

TEST_CASE("every pair of layouts puts each element where index arithmetic says, and zeros into the fill") {
    CHECK(rc::check("random extents", [] {
        const auto rank = *rc::gen::inRange<std::size_t>(0, 6);
        std::vector<std::int64_t> extents;
        for (std::size_t i = 0; i < rank; ++i) extents.push_back(*rc::gen::inRange<std::int64_t>(0, i == 1 ? 40 : 12));
        const auto& from = *rc::gen::elementOf(layouts);
        const auto& to = *rc::gen::elementOf(layouts);
        backwards_executor backwards;
        RC_ASSERT(converts<std::uint8_t>(extents, element_type::int8, from, to, {}));
        RC_ASSERT(converts<std::uint16_t>(extents, element_type::bfloat16, from, to, {}));
        RC_ASSERT(converts<float>(extents, element_type::float32, from, to, {}));
        RC_ASSERT(converts<double>(extents, element_type::float64, from, to, backwards));
    }));
}

TEST_CASE("large tensors come out the same when the work is shared out") {
    backwards_executor backwards;
    for (const layout& from : layouts)
        for (const layout& to : layouts) {
            CAPTURE(to_string(from));
            CAPTURE(to_string(to));
            CHECK(converts<std::uint32_t>({2, 67, 33, 41}, element_type::float32, from, to, backwards));
            CHECK(converts<std::uint32_t>({1, 130, 5, 257}, element_type::int32, from, to, {}));
        }
}

TEST_CASE("bytes read and written count the fill") {
    const auto c = layout_conversion::make({2, 3, 5, 7}, plain_format(element_type::float32),
                                           {{}, layout::channels_blocked(16), element_type::float32});
    REQUIRE(c.has_value());
    CHECK(c->bytes_read() == 2 * 3 * 5 * 7 * 4);
    CHECK(c->bytes_written() == 2 * 16 * 5 * 7 * 4);
    CHECK_FALSE(c->is_copy());
    const auto same =
        layout_conversion::make({2, 3}, plain_format(element_type::float32), {{}, layout::channels_last(), element_type::float32});
    REQUIRE(same.has_value());
    CHECK(same->is_copy());
}

TEST_CASE("what cannot be converted is refused in one sentence") {
    const format plain = plain_format(element_type::float32);
    const auto failure = [&](const std::vector<std::int64_t>& extents, const format& from, const format& to) {
        const auto c = layout_conversion::make(extents, from, to);
        return c.has_value() ? std::string() : c.failure().message;
    };
    CHECK(failure({1, 2}, plain, plain_format(element_type::float16)) ==
          "cannot convert a tensor from float32:plain to float16:plain: the element types differ; cast it in the graph");
    CHECK(failure({1, 2}, plain, {{device_type::cuda, 0}, layout::plain(), element_type::float32}) ==
          "cannot convert a tensor from float32:plain to float32:plain@cuda: both must stand in the CPU's main memory");
    CHECK(failure({1, -2}, plain, plain) == "cannot convert a tensor from float32:plain to float32:plain: its extents are no shape");
    CHECK(failure({std::int64_t{1} << 40, std::int64_t{1} << 40}, plain, plain) ==
          "cannot convert a tensor from float32:plain to float32:plain: its extents are no shape");
    CHECK(failure({1, 2}, plain, {{}, layout::channels_blocked(0), element_type::float32}) ==
          "cannot convert a tensor from float32:plain to float32:channels_blocked0: a block holds at least one channel");
    CHECK(failure({1}, plain_format(element_type::string), plain_format(element_type::string)) ==
          "cannot convert a tensor from string:plain to string:plain: its elements have no fixed size");
}
