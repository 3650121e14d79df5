// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/runtime/simulate/code_lists.hpp>

#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

register_instruction made(register_op op, std::uint32_t number = 0) {
    register_instruction i;
    i.op = op;
    i.number = number;
    return i;
}
/// `name number` of each, with where it jumps.
std::string text(const std::vector<register_instruction>& code) {
    std::string all;
    for (const register_instruction& i : code)
        all += std::string(all.empty() ? "" : ", ") + name_of(i.op) + " " +
               (i.jumps() ? "to " + std::to_string(i.target) : std::to_string(i.number));
    return all;
}

}  // namespace

TEST_CASE("the lists of sides stand where the choice was put, whenever they were filled") {
    code_lists lists;
    const std::uint32_t root = lists.add(), yes = lists.add();
    lists.put(root, made(register_op::move, 1));
    code_lists::choice c;
    c.sides.push_back({{made(register_op::jump_unless)}, yes, {made(register_op::move, 3)}});
    c.sides.push_back({{}, code_lists::none, {made(register_op::move, 4)}});
    lists.put(root, std::move(c));
    lists.put(root, made(register_op::give, 5));
    lists.put(yes, made(register_op::move, 2));
    CHECK(text(lists.flat(root)) == "move 1, jump_unless to 5, move 2, move 3, jump to 6, move 4, give 5");
    CHECK(text(lists.flat(yes)) == "move 2");
}

TEST_CASE("where every side has tests, what is to be done otherwise stands behind them") {
    code_lists lists;
    const std::uint32_t root = lists.add();
    code_lists::choice c, empty;
    c.otherwise = made(register_op::fail, 7);
    empty.otherwise = made(register_op::fail, 8);
    c.sides.push_back(
        {{made(register_op::jump_unless_tag), made(register_op::take_field, 1), made(register_op::jump_unless_tag)}, code_lists::none, {}});
    c.sides.push_back({{made(register_op::jump_unless_tag)}, code_lists::none, {made(register_op::move, 2)}});
    lists.put(root, std::move(c));
    lists.put(root, std::move(empty));
    CHECK(text(lists.flat(root)) ==
          "jump_unless_tag to 4, take_field 1, jump_unless_tag to 4, jump to 8, jump_unless_tag to 7, move 2, jump to 8, fail 7, fail 8");
}

TEST_CASE("choices within choices, a hundred thousand deep, cost no native stack") {
    code_lists lists;
    const std::uint32_t root = lists.add();
    std::uint32_t inner = root;
    for (int i = 0; i < 100'000; ++i) {
        code_lists::choice c;
        const std::uint32_t next = lists.add();
        c.sides.push_back({{made(register_op::jump_unless)}, next, {}});
        c.sides.push_back({});
        lists.put(inner, std::move(c));
        inner = next;
    }
    CHECK(lists.flat(root).size() == 200'000);
    lists.clear();
    CHECK(lists.add() == 0);
}
