// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/onednn/memory.hpp>

#include <cstdint>
#include <stdexcept>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;
using namespace inlay::detail;
using list = std::vector<std::int64_t>;

TEST_CASE("a tensor takes as many bytes for the library as for this project, in every layout and rank") {
    for (const list& e : {list{7}, list{3, 5}, list{2, 20, 9}, list{2, 20, 3, 5}, list{1, 17, 2, 3, 4}})
        for (const layout& l : {layout::plain(), layout::channels_last(), layout::channels_blocked(8), layout::channels_blocked(16)}) {
            if (!onednn_has_layout(e.size(), l)) continue;
            format f = plain_format(element_type::float32);
            f.order = l;
            CHECK(onednn_desc(e, l).get_size() == stored_bytes(e, f));
        }
}

TEST_CASE("layouts other than row-major are for ranks 3 to 5, blocks for 8 and 16") {
    CHECK(onednn_has_layout(1, layout::plain()));
    CHECK_FALSE(onednn_has_layout(2, layout::channels_last()));
    CHECK_FALSE(onednn_has_layout(6, layout::channels_last()));
    CHECK_FALSE(onednn_has_layout(4, layout::channels_blocked(4)));
    CHECK((onednn_block() == 8 || onednn_block() == 16));
}

TEST_CASE("a scalar is a row of one") { CHECK(onednn_plain({}).get_size() == sizeof(float)); }

TEST_CASE("what is thrown becomes one sentence") {
    const auto failed = onednn_guarded("the test", []() -> outcome<int> { throw std::runtime_error("a reason"); });
    REQUIRE_FALSE(failed.has_value());
    CHECK(failed.failure().message == "oneDNN refuses the test: a reason");
    const auto refused = onednn_guarded("a tensor", []() -> outcome<int> {
        const dnnl::memory::desc bad({-1}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::a);
        return 1;
    });
    CHECK_FALSE(refused.has_value());
}
