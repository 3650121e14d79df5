// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/c/c_part.hpp>

#include <doctest/doctest.h>

namespace {

struct leaves {
    static inlay::outcome<inlay::c_part> emit_c(const inlay::region_view&, std::string_view) { return inlay::c_part{}; }
};
struct stays {
    static inlay::outcome<int> emit_c(const inlay::region_view&, std::string_view) { return 1; }
};

}  // namespace

TEST_CASE("a back end whose code leaves as C gives a part of a region") {
    static_assert(inlay::emits_c<leaves>);
    static_assert(!inlay::emits_c<stays> && !inlay::emits_c<int>);
    CHECK(inlay::c_part{}.views.empty());
}
