// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/backend_row.hpp>

#include <doctest/doctest.h>

#include <inlay/candidate/region.hpp>

#include "toy_backends.hpp"

using namespace inlay;

namespace {

struct named : toys::rows {
    int width = 3;
    static constexpr auto patterns() {
        using namespace inlay::dsl;
        return pattern_table(composite<"relu">(op<"onnx.Relu">(as<"x">), [](const named& self, const auto& m) {
                                 return self.width == 3 && m.template has<"x">() ? verdict::yes() : verdict::no("it is " + std::to_string(self.width) + " wide");
                             }),
                             composite<"add">(op<"onnx.Add">));
    }
};
struct bounded : named {
    [[nodiscard]] inlay::limits limits() const { return {static_cast<std::size_t>(width), 7}; }
};

}  // namespace

TEST_CASE("a row asks an instance what the back end's own functions say") {
    const backend_row& row = backend_row_of<bounded>();
    CHECK(&row == &backend_row_of<bounded>());
    REQUIRE(row.count == 2);
    CHECK(row.composites[0].name == "relu");
    CHECK(row.composites[1].name == "add");
    CHECK(row.composites[0].pattern == &view_of(dsl::op<"onnx.Relu">(dsl::as<"x">)));

    const ir_module m = toys::program_of(toys::image(), [](ir_builder& b, node_id x) { return b.call("onnx.Relu", {x}, {}, toys::image()); });
    const user_lists users(m);
    const std::vector<node_id> results = m.results();
    const region r(m, users, results, results);
    const node_id input = m.operand(results[0], 0), bound[] = {input};
    const found_match found{results[0], bound, {}};
    bounded three, four;
    four.width = 4;
    CHECK(row.composites[0].when(&three, r.view(), found).taken);
    CHECK(row.composites[0].when(&four, r.view(), found).reason == "it is 4 wide");
    CHECK(row.composites[1].when(&four, r.view(), {results[0], {}, {}}).taken);
    CHECK(row.most(&four).nodes == 4);
    CHECK(row.most(&four).bytes == 7);
    CHECK(row.formats(&four, r.view()).size() == 1);
}

TEST_CASE("a back end without limits takes regions of any size") {
    const named instance;
    CHECK(backend_row_of<named>().most(&instance).nodes == 0);
    CHECK(backend_row_of<named>().most(&instance).bytes == 0);
}
