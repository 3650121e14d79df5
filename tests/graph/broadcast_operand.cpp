// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/graph/broadcast_operand.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;
using list = std::vector<std::int64_t>;

namespace {

/// Every tensor of at most `rank` axes whose extents are among some.
std::vector<list> shapes(std::size_t rank, const list& extents) {
    std::vector<list> all{{}};
    for (std::size_t first = 0, axis = 0; axis < rank; ++axis) {
        const std::size_t past = all.size();
        for (; first < past; ++first)
            for (const std::int64_t e : extents) {
                list longer = all[first];
                longer.push_back(e);
                all.push_back(longer);
            }
    }
    return all;
}

/// The axes along which an index of the result changes what the operand's element is, by walking over all elements.
struct walked {
    bool fits = false;
    std::vector<bool> varies;
};
walked walk(const list& operand, const list& result) {
    walked w;
    w.varies.assign(result.size(), false);
    if (operand.size() > result.size()) return w;
    for (std::size_t back = 1; back <= operand.size(); ++back) {
        const std::int64_t mine = operand[operand.size() - back], theirs = result[result.size() - back];
        if (mine != 1 && mine != theirs) return w;
        w.varies[result.size() - back] = mine != 1;
    }
    w.fits = true;
    return w;
}

}  // namespace

TEST_CASE("an operand lies along axes of a result by rank and position of its extents [graph.broadcast.axes]") {
    // One element for each row of a square matrix is not one for each column.
    const auto columns = broadcast_operand::of(list{4}, list{2, 4, 4}), rows = broadcast_operand::of(list{4, 1}, list{2, 4, 4});
    REQUIRE((columns && rows));
    CHECK(columns->is_one_for_each_of(axis_set::only(2)));
    CHECK_FALSE(columns->varies_only_along(axis_set::only(1)));
    CHECK(rows->is_one_for_each_of(axis_set::only(1)));
    CHECK_FALSE(rows->varies_only_along(axis_set::only(2)));
    CHECK(rows->varies_only_along(axis_set::range(1, 3)));
    CHECK_FALSE(rows->covers(axis_set::range(1, 3)));
    CHECK_FALSE(rows->is_scalar());
    CHECK(broadcast_operand::of(list{1, 1}, list{2, 4, 4})->is_scalar());
    CHECK(broadcast_operand::of(list{}, list{})->is_scalar());
    CHECK(broadcast_operand::of(list{}, list{})->is_per_element());
    // Leading axes of extent 1 do not matter, unless the operand has more of them than the result.
    CHECK(broadcast_operand::of(list{3, 5}, list{1, 3, 5})->is_per_element());
    CHECK_FALSE(broadcast_operand::of(list{1, 3, 5}, list{3, 5}).has_value());
    CHECK_FALSE(broadcast_operand::of(list{3}, list{1}).has_value());
    CHECK_FALSE(broadcast_operand::of(list{2}, list{3}).has_value());
    CHECK(broadcast_operand::of(list{0}, list{0})->covers(axis_set::only(0)));
    CHECK(broadcast_operand::of(list{1}, list{0})->is_scalar());
    CHECK_FALSE(broadcast_operand::of(list{0}, list{1}).has_value());
}

TEST_CASE("an operand's axes are those that a walk over all elements finds") {
    const std::vector<list> operands = shapes(3, {0, 1, 2, 3});
    for (const list& result : shapes(4, {0, 1, 2}))
        for (const list& operand : operands) {
            const walked expected = walk(operand, result);
            const auto lying = broadcast_operand::of(operand, result);
            if (lying.has_value() != expected.fits) FAIL_CHECK("an operand fits, or does not, against the definition");
            if (!lying) continue;
            bool scalar = true, whole = true;
            for (std::size_t axis = 0; axis < result.size(); ++axis) {
                scalar = scalar && !expected.varies[axis];
                whole = whole && (expected.varies[axis] || result[axis] == 1);
                bool before = true, from = true;
                for (std::size_t i = 0; i < result.size(); ++i) (i < axis ? before : from) &= !expected.varies[i];
                if (lying->varies_only_along(axis_set::range(axis, result.size())) != before) FAIL_CHECK("axes in front differ");
                if (lying->varies_only_along(axis_set::range(0, axis)) != from) FAIL_CHECK("axes behind differ");
                if (!expected.varies[axis] && lying->stride(axis) != 0) FAIL_CHECK("a repeated axis has a stride");
            }
            if (lying->is_scalar() != scalar || lying->is_per_element() != whole) FAIL_CHECK("the whole differs");
        }
}

TEST_CASE("elements along axes are repeated as the operand repeats them") {
    const std::vector<float> two{5, 7}, three{1, 2, 3};
    const auto row = broadcast_operand::of(list{3}, list{2, 3}), column = broadcast_operand::of(list{2, 1}, list{2, 3}),
               one = broadcast_operand::of(list{1}, list{2, 3});
    CHECK(row->along(axis_set::only(1), std::span<const float>(three)) == three);
    CHECK(row->along(axis_set::all(2), std::span<const float>(three)) == std::vector<float>{1, 2, 3, 1, 2, 3});
    CHECK(column->along(axis_set::all(2), std::span<const float>(two)) == std::vector<float>{5, 5, 5, 7, 7, 7});
    CHECK(column->along(axis_set::only(0), std::span<const float>(two)) == two);
    CHECK(one->along(axis_set::only(1), std::span<const float>(two).first(1)) == std::vector<float>{5, 5, 5});
    CHECK(broadcast_operand::of(list{1}, list{0})->along(axis_set::only(0), std::span<const float>(two).first(1)).empty());
}
