// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/kernel/referee_ref.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

struct harsh_referee {
    int asked = 0;
    outcome<kernel_verdict> judge(const kernel_case&) {
        ++asked;
        return error{"it gives 1 at result 0[0], expected 2"};
    }
    outcome<kernel_verdict> judge_conversion(const kernel&, const std::vector<std::int64_t>&, const format&, const format&) {
        return kernel_verdict{0.5, 10, {}};
    }
};
static_assert(referee<harsh_referee> && referee<const referee_ref> && !referee<int>);

}  // namespace

TEST_CASE("a reference to a referee asks it, and an empty one lets kernels pass unchecked") {
    harsh_referee r;
    referee_ref ref(r);
    CHECK(ref);
    CHECK(ref.judge({}).failure().message == "it gives 1 at result 0[0], expected 2");
    CHECK(r.asked == 1);
    CHECK(ref.judge_conversion(kernel(), {}, {}, {})->compared == 10);
    CHECK_FALSE(referee_ref());
    CHECK_FALSE(referee_ref().judge({})->is_checked());
    referee_ref none;
    strict_referee strict(none);
    CHECK(strict.judge({}).failure().message.starts_with("it is unchecked, since no referee was given"));
    CHECK(strict_referee(ref).judge_conversion(kernel(), {}, {}, {})->compared == 10);
}
