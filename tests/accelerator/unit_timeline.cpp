// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/accelerator/unit_timeline.hpp>

#include <array>
#include <cstddef>
#include <random>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

/// A program by chance that takes no token which was not given before it.
std::vector<unit_step> some_program(std::mt19937& random, std::size_t size) {
    std::vector<unit_step> made;
    std::array<int, 4> tokens{};
    const auto maybe = [&] { return random() % 3 == 0; };
    const auto take = [&](std::size_t queue) {
        if (tokens[queue] == 0 || random() % 2 == 0) return false;
        --tokens[queue];
        return true;
    };
    for (std::size_t i = 0; i < size; ++i) {
        unit_step s;
        s.unit = static_cast<work_unit>(random() % 3);
        s.cycles = random() % 5 == 0 ? 0 : static_cast<std::int64_t>(random() % 30);
        if (s.unit == work_unit::compute) {
            s.takes_from_before = take(0);
            s.takes_from_behind = take(3);
            s.gives_before = maybe();
            s.gives_behind = maybe();
            tokens[1] += s.gives_before ? 1 : 0;
            tokens[2] += s.gives_behind ? 1 : 0;
        } else if (s.unit == work_unit::load) {
            s.takes_from_behind = take(1);
            s.gives_behind = maybe();
            tokens[0] += s.gives_behind ? 1 : 0;
        } else {
            s.takes_from_before = take(2);
            s.gives_before = maybe();
            tokens[3] += s.gives_before ? 1 : 0;
        }
        made.push_back(s);
    }
    return made;
}

}  // namespace

TEST_CASE("times that are added up are those of units stepped cycle by cycle [accelerator.timeline]") {
    std::mt19937 random(3);
    for (int i = 0; i < 2000; ++i) {
        const auto program = some_program(random, 1 + random() % 40);
        const auto added = timeline_of(program);
        const auto stepped = step_timeline(program);
        REQUIRE(added);
        REQUIRE(stepped);
        CHECK(*added == *stepped);
    }
}

TEST_CASE("work overlaps as far as tokens let it [accelerator.timeline]") {
    unit_step load{work_unit::load, 10}, compute{work_unit::compute, 10}, store{work_unit::store, 10};
    load.gives_behind = compute.takes_from_before = compute.gives_behind = store.takes_from_before = true;
    const std::vector<unit_step> program{load, compute, store, load, compute, store};
    CHECK(timeline_of(program)->total == 40);
    unit_step alone = compute;
    const std::vector<unit_step> stuck{alone, load};
    CHECK(timeline_of(stuck).failure().message ==
          "instruction 0 waits for a token that no earlier instruction gives; it would wait for ever");
    CHECK(timeline_of({})->total == 0);
}
