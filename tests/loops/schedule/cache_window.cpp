// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/schedule/cache_window.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <inlay/loops/nest/nest_text.hpp>
#include <inlay/loops/run/run_nest.hpp>
#include <inlay/loops/schedule/schedule.hpp>

#include "../nests.hpp"

using namespace inlay;

namespace {
std::string fault_of(const std::string& text, const loop_schedule& how) {
    const auto made = scheduled(nests::parsed(text), how);
    return made ? "" : made.failure().message;
}
}  // namespace

TEST_CASE("a round works on a packed copy of what it reads, and on a copy of what it writes [loops.schedule.cache]") {
    const loop_nest n = nests::parsed(nests::product);
    const auto made = scheduled(n, loop_schedule()
                                       .split("m", 4, "tile", "lane")
                                       .reorder({"tile", "k", "lane"})
                                       .cache("b", "tile", "packed", {1, 0})
                                       .cache("c", "tile", "sums"));
    REQUIRE(made);
    CHECK(to_text(*made) == R"(nest product {
    input a: float32[5, 7]
    input b: float32[7, 6]
    output c: float32[5, 6]
    for i < 5 {
        for j < 6 {
            c[i, j] = 0.0
        }
        for tile < 2 {
            stack sums: float32[1, 4] {
                for sums_1 < 4 {
                    if 0 <= 4*tile + sums_1 < 6 {
                        sums[0, sums_1] = c[i, 4*tile + sums_1]
                    }
                }
                stack packed: float32[4, 7] {
                    for packed_1 < 4 {
                        for packed_0 < 7 {
                            if 0 <= 4*tile + packed_1 < 6 {
                                packed[packed_1, packed_0] = b[packed_0, 4*tile + packed_1]
                            }
                        }
                    }
                    for k < 7 {
                        for lane < 4 {
                            if 0 <= 4*tile + lane < 6 {
                                sums[0, lane] += a[i, k] * packed[lane, k]
                            }
                        }
                    }
                }
                for sums_1_1 < 4 {
                    if 0 <= 4*tile + sums_1_1 < 6 {
                        c[i, 4*tile + sums_1_1] = sums[0, sums_1_1]
                    }
                }
            }
        }
    }
}
)");
    const std::vector<tensor> inputs = nests::some_inputs(n);
    CHECK(run_nest(n, inputs)->front().content() == run_nest(*made, inputs)->front().content());
}

TEST_CASE("a copy that cannot be is refused with its reason [loops.schedule.cache]") {
    CHECK(fault_of(nests::product, loop_schedule().cache("b", "m", "a")).find("name 'a', which is taken") != std::string::npos);
    CHECK(fault_of(nests::product, loop_schedule().cache("b", "m", "p", {0, 0})).find("names each of the 2 axes of 'b' once") !=
          std::string::npos);
    CHECK(fault_of(nests::product, loop_schedule().cache("b", "m", "p", {0, 1, 2})).find("names each of the 2 axes of 'b' once") !=
          std::string::npos);
    CHECK(fault_of(nests::product, loop_schedule().cache("b", "j", "p")).find("there is no use of 'b' in the loop over 'j'") !=
          std::string::npos);
    CHECK(fault_of(nests::blur, loop_schedule().cache("sum", "i", "p")).find("has a buffer 'sum' of its own already") != std::string::npos);
    CHECK(fault_of(nests::by_tiles, loop_schedule().cache("b", "k", "packed", {1, 0})).find("have to keep their order") !=
          std::string::npos);
    CHECK(fault_of(nests::by_tiles, loop_schedule().cache("b", "k", "packed")).empty());
    CHECK(
        fault_of("nest n { input x: float32[1, 100000] output y: float32[1] for i < 1 { y[i] = 0.0 for j < 100000 { y[i] += x[i, j] } } }",
                 loop_schedule().cache("x", "i", "p"))
            .find("too many for a stack") != std::string::npos);
    // Rounds that run at one time may not copy back what others wrote.
    CHECK(fault_of("nest n { output y: float32[7] for i < 3 { for j < 3 { y[i + 2*j] = 1.0 } } }",
                   loop_schedule().run("i", loop_kind::parallel)) != "");
    CHECK(fault_of("nest n { output y: float32[3, 2] for i < 2 { for j < 3 { y[j, i] = 1.0 } } }",
                   loop_schedule().cache("y", "i", "p").run("i", loop_kind::parallel))
              .empty());
}
