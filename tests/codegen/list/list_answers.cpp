// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/list/list_answers.hpp>

#include <cstddef>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

/// A back end that tells its number.
struct numbered {
    std::string kind;
    [[nodiscard]] std::string text() const { return kind + " -told=true"; }
    [[nodiscard]] outcome<void> set_option(std::string_view, std::string_view) { return {}; }
    [[nodiscard]] outcome<kernel> emit(const composite_job& job) const {
        return error{kind + (job.plan == nullptr ? " has no plan" : " has a plan")};
    }
};
struct pair_of_them : list_answers<pair_of_them> {
    numbered one{"one"}, two{"two"};
    template <class F>
    decltype(auto) visit(std::size_t index, F&& f) const {
        return f(index == 0 ? one : two);
    }
};

}  // namespace

TEST_CASE("a list answers of the back end of a number, by way of its visit") {
    const pair_of_them list;
    CHECK(list.kind(0) == "one");
    CHECK(list.kind(1) == "two");
    CHECK(list.text(1) == "two -told=true");
    CHECK(list.emit(1, region_view{}).failure().message == "two has no plan");
    const composite_plan plan;
    CHECK(list.emit(0, composite_job{0, &plan, {}}).failure().message == "one has a plan");
}
