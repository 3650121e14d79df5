// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/declare/backend.hpp>

#include <doctest/doctest.h>

#include "../../candidate/toy_backends.hpp"

namespace {

struct says_no_reason : toys::rows {
    [[nodiscard]] bool usable() const { return true; }
};
struct has_no_state_of_its_own : toys::rows {
    explicit has_no_state_of_its_own(int) {}
};
struct just_a_target {
    static constexpr std::string_view kind = "plain";
    static constexpr inlay::device_type device = inlay::device_type::cpu;
    using options = inlay::option_list<>;
};

}  // namespace

static_assert(inlay::backend<toys::rows> && inlay::backend<toys::chains>);
static_assert(!inlay::has_usability<says_no_reason> && !inlay::backend<says_no_reason>);
static_assert(!inlay::backend<has_no_state_of_its_own>);
static_assert(inlay::target<just_a_target> && !inlay::backend<just_a_target>);
static_assert(!inlay::has_refinement<just_a_target> && !inlay::has_version<just_a_target>);

TEST_CASE("a back end that can run here says so by an outcome without an error") {
    CHECK(toys::rows().usable().has_value());
    CHECK(toys::rows::version() != toys::chains::version());
}
