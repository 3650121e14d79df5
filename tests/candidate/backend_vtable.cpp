// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/backend_vtable.hpp>

#include <doctest/doctest.h>

#include <inlay/candidate/region.hpp>

#include "toy_backends.hpp"

using namespace inlay;

namespace {

struct named : toys::rows {
    int width = 3;
    static constexpr auto patterns() {
        using namespace inlay::dsl;
        return pattern_table(composite<"relu">(op<"onnx.Relu">(as<"x">),
                                               [](const named& self, const auto& m) {
                                                   return self.width == 3 && m.template has<"x">()
                                                              ? verdict::yes()
                                                              : verdict::no("it is " + std::to_string(self.width) + " wide");
                                               }),
                             composite<"add">(op<"onnx.Add">));
    }
};
struct bounded : named {
    [[nodiscard]] inlay::limits limits() const { return {static_cast<std::size_t>(width), 7}; }
};

}  // namespace

TEST_CASE("the functions of a back end ask an instance what its own members say") {
    const backend_vtable& row = backend_vtable_of<bounded>();
    CHECK(&row == &backend_vtable_of<bounded>());
    REQUIRE(row.count == 2);
    CHECK(row[0].name == "relu");
    CHECK(row[1].name == "add");
    CHECK(row[0].pattern == &view_of(dsl::op<"onnx.Relu">(dsl::as<"x">)));
    CHECK(row[2].pattern == nullptr);
    CHECK(&row[2] == &row[77]);

    const ir_module m =
        toys::program_of(toys::image(), [](ir_builder& b, node_id x) { return b.call("onnx.Relu", {x}, {}, toys::image()); });
    const user_lists users(m);
    const std::vector<node_id> results = m.results();
    const region r(m, users, results, results);
    const std::vector<value_id> captures{0};
    bounded three, four;
    four.width = 4;
    CHECK(row[0].read(&three, 0, r.view(), captures, {}).has_value());
    CHECK(row[0].read(&four, 0, r.view(), captures, {}).failure().message == "it is 4 wide");
    CHECK(row[1].read(&four, 1, r.view(), {}, {}).has_value());
    CHECK(row[0].code == nullptr);
    CHECK(row.most(&four).nodes == 4);
    CHECK(row.most(&four).bytes == 7);
    CHECK(row[0].formats(&four, {}, r.view()).size() == 1);
    CHECK(*row[0].price(&four, {}, r.view()) == 1.0);
    CHECK(row[0].lower_bound(&four, {}, r.view()) == 0);
}

TEST_CASE("a back end without limits takes regions of any size") {
    const named instance;
    CHECK(backend_vtable_of<named>().most(&instance).nodes == 0);
    CHECK(backend_vtable_of<named>().most(&instance).bytes == 0);
}
