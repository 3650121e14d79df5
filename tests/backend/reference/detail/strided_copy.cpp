// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/reference/detail/strided_copy.hpp>

#include <cstdint>
#include <vector>

#include "../run_region.hpp"

using namespace reference_test;
using on_eigen::strided_copy;

namespace {

/// What a copy does, element by element.
template <class T>
void plainly(const std::vector<strided_copy::axis>& axes, std::size_t depth, T* to, const T* from) {
    if (depth == axes.size()) {
        *to = *from;
        return;
    }
    for (std::int64_t i = 0; i < axes[depth].size; ++i) plainly(axes, depth + 1, to + i * axes[depth].to, from + i * axes[depth].from);
}

/// A transposition of random extents, some axes of which repeat one element.
template <class T>
void compare(seeded& random) {
    const std::size_t rank = static_cast<std::size_t>(random.integer(1, 4));
    std::vector<strided_copy::axis> axes(rank);
    std::vector<std::size_t> order(rank);
    for (std::size_t i = 0; i < rank; ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random.engine);
    std::int64_t read = 1, written = 1;
    for (auto& a : axes) a.size = random.coin() ? random.integer(1, 5) : random.integer(14, 40);
    for (std::size_t i = rank; i-- > 0;) {
        axes[i].to = written;
        written *= axes[i].size;
    }
    for (const std::size_t i : order) {
        const bool repeats = random.integer(0, 4) == 0;
        axes[i].from = repeats ? 0 : read;
        if (!repeats) read *= axes[i].size;
    }
    std::vector<T> from(static_cast<std::size_t>(read) + 3), wanted(static_cast<std::size_t>(written) + 2, T{99}), got = wanted;
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<T>(i * 7 % 101);
    plainly(axes, 0, wanted.data() + 1, from.data() + 3);
    thread_executor many{3};
    strided_copy(axes, sizeof(T), 3, 1).run(executor_ref(many), got.data(), from.data());
    CHECK(got == wanted);
}

}  // namespace

TEST_CASE("copies in every order of axes are what single elements say, for every width") {
    seeded random(5);
    for (int round = 0; round < 60; ++round) {
        CAPTURE(round);
        compare<std::uint8_t>(random);
        compare<std::uint16_t>(random);
        compare<std::uint32_t>(random);
        compare<std::uint64_t>(random);
    }
}

TEST_CASE("axes that go on evenly are one block, which a view can stand for") {
    CHECK(strided_copy({{2, 12, 12}, {3, 4, 4}, {4, 1, 1}}, 4).is_identity());
    CHECK(strided_copy({{1, 5, 9}, {4, 1, 1}}, 4).is_identity());
    CHECK_FALSE(strided_copy({{2, 12, 12}, {3, 4, 4}, {4, 1, 1}}, 4, 1).is_identity());
    CHECK_FALSE(strided_copy({{3, 1, 4}, {4, 3, 1}}, 4).is_identity());
}

TEST_CASE("an empty axis copies nothing") {
    float to = 5;
    const float from = 6;
    strided_copy({{3, 0, 1}, {0, 1, 1}}, 4).run({}, &to, &from);
    CHECK(to == 5);
}
