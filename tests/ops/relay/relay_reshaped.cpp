// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/relay/relay_reshaped.hpp>

#include <vector>

#include <doctest/doctest.h>

using namespace inlay;
using ints = std::vector<std::int64_t>;

namespace {

std::string reshaped(const shape& from, const ints& codes, detail::relay_reshape_options how = {}) {
    const auto made = detail::relay_reshaped(tensor_type(element_type::float32, from), codes, how);
    return made ? to_string(tensor_type(element_type::float32, *made)) : made.failure().message;
}

}  // namespace

TEST_CASE("every code of a new shape means what TVM's text says [ops.relay.reshape]") {
    CHECK(reshaped({2, 3, 4}, {4, 0, 2}) == "float32[4,3,2]");
    CHECK(reshaped({2, 3, 4}, {2, 0, 0}) == "float32[2,3,4]");
    CHECK(reshaped({2, 3, 4}, {6, 1, -1}) == "float32[6,1,4]");
    CHECK(reshaped({2, 3, 4}, {3, -1, 8}) == "float32[3,1,8]");
    CHECK(reshaped({2, 3, 4}, {-1}) == "float32[24]");
    CHECK(reshaped({2, 3, 4}, {-2}) == "float32[2,3,4]");
    CHECK(reshaped({2, 3, 4}, {2, -2}) == "float32[2,3,4]");
    CHECK(reshaped({2, 3, 4}, {-2, 1, 1}) == "float32[2,3,4,1,1]");
    CHECK(reshaped({2, 3, 4}, {-3, 0}) == "float32[6,4]");
    CHECK(reshaped({2, 3, 4, 5}, {-3, -3}) == "float32[6,20]");
    CHECK(reshaped({2, 3, 4}, {0, -3}) == "float32[2,12]");
    CHECK(reshaped({2, 3, 4}, {-3, -2}) == "float32[6,4]");
    CHECK(reshaped({2, 3, 4}, {-4, 1, 2, -2}) == "float32[1,2,3,4]");
    CHECK(reshaped({2, 3, 4}, {2, -4, -1, 3, -2}) == "float32[2,1,3,4]");
    CHECK(reshaped({2, 3, 4}, {-4, 1, -1, -2}) == "float32[1,2,3,4]");
    CHECK(reshaped({}, {}) == "float32[]");
    CHECK(reshaped({1}, {}) == "float32[]");
    CHECK(reshaped({}, {-1}) == "float32[1]");
    CHECK(reshaped({0, 3}, {0, -1}) == "float32[0,3]");
    CHECK(reshaped({0, 3}, {-1, 3}) == "float32[0,3]");
}

TEST_CASE("contrib_reverse_reshape counts from the last axis, and allowzero makes 0 an extent [ops.relay.reshape]") {
    CHECK(reshaped({10, 5, 4}, {-1, 0}) == "float32[40,5]");
    CHECK(reshaped({10, 5, 4}, {-1, 0}, {.from_last = true}) == "float32[50,4]");
    CHECK(reshaped({2, 3, 4}, {0, -3}, {.from_last = true}) == "float32[2,12]");
    CHECK(reshaped({2, 3, 4}, {-3, 0}, {.from_last = true}) == "float32[6,4]");
    CHECK(reshaped({0, 3}, {3, 0}, {.zero_is_extent = true}) == "float32[3,0]");
}

TEST_CASE("extents that are not known stay as they are where a code keeps them [ops.relay.reshape]") {
    const extent n("n");
    CHECK(reshaped({n, 3, 4}, {0, -1}) == "float32[n,12]");
    CHECK(reshaped({n, 3, 4}, {-1, 12}) == "float32[n,12]");
    CHECK(reshaped({n, 3, 4}, {-2}) == "float32[n,3,4]");
    CHECK(reshaped({n, 3, 4}, {-3, 0}) == "float32[?,4]");
    CHECK(reshaped({n, 1, 4}, {-3, 0}) == "float32[n,4]");
    CHECK(reshaped({n, 3, 4}, {0, -3}) == "float32[n,12]");
    CHECK(reshaped({n, 4}, {-4, 2, -1, 0}) == "float32[2,?,4]");
    CHECK(reshaped({n, extent()}, {-1}) == "float32[?]");
}

TEST_CASE("codes that do not fit are told of") {
    CHECK(reshaped({2, 3, 4}, {1, 1, 1, 0}).starts_with("0 in it, which needs an extent"));
    CHECK(reshaped({2}, {-3}).starts_with("-3 in it, which needs two extents"));
    CHECK(reshaped({2, 3}, {-1, -1}) == "-1 in it twice");
    CHECK(reshaped({6}, {-4, -1, 4}).starts_with("-4 in it, which cannot cut"));
    CHECK(reshaped({6}, {-4, -1, -1}).starts_with("-4 in it, and behind it"));
    CHECK(reshaped({6}, {-4, 2}).starts_with("-4 in it without"));
    CHECK(reshaped({6}, {-5}).starts_with("-5 in it"));
    CHECK(reshaped({6}, {4, -1}).starts_with("-1 in it, and the other extents do not divide"));
}
