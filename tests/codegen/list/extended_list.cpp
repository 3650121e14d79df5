// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/list/extended_list.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "../nest_backends.hpp"

#include <inlay/codegen/list/backend_list.hpp>

using namespace inlay;

namespace {

/// The least that a list asks of a back end that became known late.
struct latecomer {
    std::string kind;
    [[nodiscard]] std::string text() const { return kind + " -late=true"; }
    [[nodiscard]] outcome<void> set_option(std::string_view, std::string_view) { return {}; }
    [[nodiscard]] outcome<kernel> emit(const composite_job&) const { return error{kind + " is too late"}; }
};
using growing = extended_list<toys::list, latecomer>;

}  // namespace

TEST_CASE("back ends that are added stand behind those of the build, take part, and are found by kind and number") {
    growing list;
    CHECK(list.count() == 2);
    REQUIRE(list.add({"late"}));
    REQUIRE(list.add({"later"}));
    CHECK(list.count() == 4);
    CHECK(list.chosen() == std::vector<std::size_t>{0, 1, 2, 3});
    CHECK(list.index_of("reference") == 1);
    CHECK(list.index_of("later") == 3);
    CHECK(list.index_of("never") == 4);
    CHECK(list.kind(0) == "chains");
    CHECK(list.kind(2) == "late");
    CHECK(list.text(3) == "later -late=true");
    std::string order;
    list.for_each([&](const auto& b, std::size_t i) { order += std::string(std::string_view(b.kind)) + std::to_string(i) + " "; });
    CHECK(order == "chains0 reference1 late2 later3 ");
    CHECK(list.emit(2, composite_job{}).failure().message == "late is too late");
    list.choose({2, 0});
    CHECK(list.chosen() == std::vector<std::size_t>{2, 0});
    list.choose_all();
    CHECK(list.chosen().size() == 4);
}

TEST_CASE("a kind is there once, whether it is built in or added") {
    growing list;
    REQUIRE(list.add({"late"}));
    for (const std::string kind : {"late", "reference"}) {
        const auto again = list.add({kind});
        REQUIRE(!again);
        CHECK(again.failure().message == "there is a back end '" + kind + "' already; give one of them another kind");
    }
    CHECK(list.count() == 3);
}

TEST_CASE("a list without back ends of a build has those that are added") {
    extended_list<backend_list<>, latecomer> list;
    CHECK(list.count() == 0);
    REQUIRE(list.add({"late"}));
    CHECK(list.kind(0) == "late");
    CHECK(list.index_of("late") == 0);
}
