// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/schedule/schedule_text.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>
#include <inlay/loops/schedule/parse_schedule.hpp>

#include "../nests.hpp"

using namespace inlay;

namespace {
const std::string dot = R"(nest dot {
    input x: float32[6] strides [3]
    input y: float32[6]
    output z: float32[1]
    for i < 6 {
        z[0] += x[i] * y[i]
    }
}
)";

std::string random_name() { return *rc::gen::element(std::string("i"), std::string("j_1"), std::string("order"), std::string("run")); }

loop_schedule random_schedule() {
    loop_schedule how;
    const int count = *rc::gen::inRange(0, 9);
    for (int i = 0; i < count; ++i) switch (*rc::gen::element(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)) {
            case 0:
                how.split(random_name(), *rc::gen::inRange<std::int64_t>(-2, 90), random_name(), random_name());
                break;
            case 1:
                how.reorder(*rc::gen::container<std::vector<std::string>>(rc::gen::exec(random_name)));
                break;
            case 2:
                how.run(random_name(), static_cast<loop_kind>(*rc::gen::inRange(0, 10)));
                break;
            case 3:
                how.fuse(random_name(), random_name());
                break;
            case 4:
                how.inline_stage(random_name());
                break;
            case 5:
                how.compute_at(random_name(), random_name());
                break;
            case 6:
                how.cache(random_name(), random_name(), random_name(),
                          *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, 5)));
                break;
            case 7:
                how.fission(random_name(), *rc::gen::inRange<std::int64_t>(-2, 9),
                            *rc::gen::container<std::vector<std::string>>(rc::gen::exec(random_name)));
                break;
            case 8:
                how.put(random_name(), *rc::gen::element(buffer_scope::scratch, buffer_scope::stack, buffer_scope::shared));
                break;
            default:
                how.call(random_name(),
                         *rc::gen::arbitrary<bool>() ? nests::parsed(dot) : nests::parsed(nests::by_tiles).functions.front());
        }
    return how;
}
}  // namespace

TEST_CASE("a schedule prints as a person would write it [loops.schedule.text]") {
    CHECK(to_text(loop_schedule()
                      .split("j", 16, "tile", "lane")
                      .reorder({"tile", "k", "lane"})
                      .fuse("a", "i")
                      .inline_stage("v")
                      .compute_at("r", "i_6")
                      .cache("b", "tile", "packed", {1, 0})
                      .cache("c", "tile", "sums")
                      .vectorise("lane")
                      .call("k", nests::parsed(dot))) == R"(split j by 16 into tile, lane
reorder [tile, k, lane]
fuse a, i
inline v
compute r at i_6
cache b at tile as packed order [1, 0]
cache c at tile as sums
run lane vector
call k of )" + dot);
    CHECK(to_text(loop_schedule()).empty());
}

TEST_CASE("over random schedules, the text reads back as the same schedule [loops.schedule.text]") {
    const bool holds = rc::check([] {
        const loop_schedule how = random_schedule();
        const auto again = parse_schedule(to_text(how));
        if (!again) RC_FAIL(again.failure().message);
        RC_ASSERT(*again == how);
    });
    CHECK(holds);
}
