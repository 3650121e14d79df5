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
    std::array<int, detail::token_queues> tokens{};
    for (std::size_t i = 0; i < size; ++i) {
        unit_step s;
        s.unit = static_cast<work_unit>(random() % work_units);
        s.cycles = random() % 5 == 0 ? 0 : static_cast<std::int64_t>(random() % 30);
        for (std::size_t u = 0; u < work_units; ++u) {
            const auto other = static_cast<work_unit>(u);
            if (other == s.unit) continue;
            s.takes.add(other, tokens[u * work_units + static_cast<std::size_t>(s.unit)] != 0 && random() % 2 == 0);
            s.gives.add(other, random() % 3 == 0);
        }
        detail::each_taken(s, [&](std::size_t queue) { --tokens[queue]; });
        detail::each_given(s, [&](std::size_t queue) { ++tokens[queue]; });
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
    const unit_step load{work_unit::load, 10, {}, {work_unit::compute}},
        compute{work_unit::compute, 10, {work_unit::load}, {work_unit::finish}},
        finish{work_unit::finish, 10, {work_unit::compute}, {work_unit::store}}, store{work_unit::store, 10, {work_unit::finish}};
    const std::vector<unit_step> program{load, compute, finish, store, load, compute, finish, store};
    CHECK(timeline_of(program)->total == 50);
    const unit_step alone = compute;
    const std::vector<unit_step> stuck{alone, load};
    CHECK(timeline_of(stuck).failure().message ==
          "instruction 0 waits for a token that no earlier instruction gives; it would wait for ever");
    CHECK(timeline_of({})->total == 0);
}
