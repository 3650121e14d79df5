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

/// Its nests are numbers.
struct counts {
    using nest = int;
    static inlay::outcome<int> lower(const inlay::region_view&) { return 1; }
    static inlay::outcome<inlay::kernel> emit(const int&) { return inlay::error{"never"}; }
    static inlay::outcome<inlay::c_part> emit_c(const int&) { return inlay::c_part{}; }
};

}  // namespace

TEST_CASE("a back end whose code leaves as C gives a part of a region") {
    static_assert(inlay::emits_c<leaves>);
    static_assert(!inlay::emits_c<stays> && !inlay::emits_c<int>);
    static_assert(inlay::emits_c_nests<counts> && !inlay::emits_c<counts> && !inlay::emits_c_nests<leaves>);
    CHECK(inlay::c_part{}.views.empty());
}
