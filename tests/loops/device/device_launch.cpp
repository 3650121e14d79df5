// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/device/device_launch.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "../nests.hpp"

using namespace inlay;

namespace {

std::string no_launches(const std::string& statements) {
    const auto found = launches_of(nests::parsed("nest n { output y: float32[8, 8] " + statements + " }"));
    return found ? "" : found.failure().message;
}

}  // namespace

TEST_CASE("loops over blocks and threads are launches and phases of them [loops.launch.found]") {
    const loop_nest n = nests::parsed(R"(nest n {
        input x: float32[6, 8]
        output y: float32[6, 8]
        scratch t: float32[6, 8] {
            for b < 6 block_x {
                for k < 2 {
                    for u < 4 thread_x { t[b, 4*k + u] = x[b, 4*k + u] }
                    t[b, 0] += 1.0
                }
                for v < 2 thread_y { for w < 3 thread_x { y[b, v + 2*w] = t[b, v + 2*w] } }
            }
            for i < 6 { for j < 2 { y[i, 6 + j] = 0.0 } }
        }
    })");
    const auto found = launches_of(n);
    REQUIRE(found);
    REQUIRE(found->size() == 2);
    const device_launch& first = (*found)[0];
    CHECK(first.grid == std::array<std::int64_t, 3>{6, 1, 1});
    CHECK(first.block == std::array<std::int64_t, 3>{4, 2, 1});
    CHECK(first.phases.size() == 3);
    CHECK(first.own.empty());
    CHECK((*found)[1].grid == std::array<std::int64_t, 3>{1, 1, 1});
    CHECK((*found)[1].block == std::array<std::int64_t, 3>{1, 1, 1});
    CHECK((*found)[1].phases.size() == 1);
}

TEST_CASE("several loops over blocks are numbered by one of x, y and z [loops.launch.numbered]") {
    const loop_nest n = nests::parsed(
        "nest n { output y: float32[2, 3, 5, 7] for a < 2 block_x { for b < 3 block_y { for c < 5 block_x { for d < 7 block_x { y[a, b, c, "
        "d] = 0.0 } } } } }");
    const auto found = launches_of(n);
    REQUIRE(found);
    CHECK((*found)[0].grid == std::array<std::int64_t, 3>{70, 3, 1});
    using part = std::pair<std::int64_t, std::int64_t>;
    CHECK((*found)[0].parts(n) == std::vector<part>{{35, 2}, {1, 3}, {7, 5}, {1, 7}});
}

TEST_CASE("loops and buffers that stand where a device has them not are refused by name [loops.launch.refused]") {
    CHECK(no_launches("for i < 8 { for b < 8 block_x { y[i, b] = 0.0 } }") ==
          "loop nest 'n': the loop over 'b' is block_x, and stands in other than such loops; put loops over blocks outermost");
    CHECK(no_launches("for a < 8 thread_x { for b < 8 thread_x { y[a, b] = 0.0 } }") ==
          "loop nest 'n': the loop over 'b' is thread_x, as one around it is");
    CHECK(no_launches("for t < 8 thread_y { for k < 2 { for u < 4 thread_x { y[t, 4*k + u] = 0.0 } } }")
              .find("the loop over 'u' is thread_x") != std::string::npos);
    CHECK(no_launches("for b < 8 block_x { scratch s: float32[1] { s[0] = 1.0 y[b, 0] = s[0] } }").find("allocate it outside") !=
          std::string::npos);
    CHECK(no_launches("for t < 8 thread_x { shared s: float32[1] { s[0] = 1.0 y[t, 0] = s[0] } }") ==
          "loop nest 'n': the shared buffer 's' is allocated by one thread; put it on the stack, or allocate it outside of the loops over "
          "threads");
}
