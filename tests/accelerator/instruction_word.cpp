// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/accelerator/instruction_word.hpp>

#include <cstdint>
#include <string>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

enum class two_ops : std::uint8_t { go, stop };
constexpr instruction_form two_forms[] = {{"go", {{{"far", 20}, {"fast", 3}}}}, {"stop", {{{"where", 32}}}}};

}  // namespace

TEST_CASE("a machine of any opcodes has its instructions as words, and as text") {
    coded_instruction<two_ops> go{two_ops::go, {work_unit::load}, {work_unit::finish, work_unit::store}, {70000, 5}};
    const auto word = encode(two_forms, go);
    REQUIRE(word);
    CHECK(*decode<two_ops>(two_forms, *word) == go);
    CHECK(to_string(two_forms, go) == "go far=70000 fast=5 takes:load gives:finish gives:store");
    CHECK(two_forms[0].bits() == 35);
    CHECK(two_forms[0].field_of("fast") == 1);
    go.values[1] = 8;
    CHECK(encode(two_forms, go).failure().message == "the instruction go has 8 as fast, for which there are 3 bits");
    CHECK(decode<two_ops>(two_forms, {2, 0, 0, 0}).failure().message == "there is no instruction with opcode 2");
}
