// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/reference/interpreted.hpp>

#include "run_region.hpp"

using namespace reference_test;

namespace {

/// An operator set of one operator, which adds the first element of the second operand, where there is one, and says how many operands it
/// was given.
struct shifting_ops {
    static outcome<std::vector<tensor>> shift(const call_view& call, std::span<const tensor> operands) {
        if (operands[0].count() == 0) return error{"nothing to shift"};
        tensor sum(element_type::float64, operands[0].extents()), there(element_type::int64, {1});
        const double by = call.has(1) ? operands[1].as<double>()[0] : call.attributes->number("by", 0);
        for (std::size_t i = 0; i < sum.count(); ++i) sum.as<double>()[i] = operands[0].as<double>()[i] + by;
        there.as<std::int64_t>()[0] = call.has(1) ? 2 : 1;
        return std::vector<tensor>{sum, there};
    }
    static constexpr op_definition definition{"test.Shift", op_kind::elementwise, nullptr, shift, nullptr};
    static const op_definition* find(std::string_view name) { return name == definition.name ? &definition : nullptr; }
};
static_assert(op_set<shifting_ops>);

}  // namespace

TEST_CASE("a meaning runs as a kernel: operands of the run, constants, and operands left out") {
    const attribute_map attributes{{"by", 0.5}};
    const tensor x = tensor::of({2}, std::vector<double>{1, 2}), y = tensor::of({1}, std::vector<double>{10});
    const std::vector<tensor_type> results{type_of<double>({2}), type_of<std::int64_t>({1})};
    const auto shifted = [&](const std::vector<operand>& operands) {
        const auto c = site("test.Shift", operands, attributes, results);
        REQUIRE(on_eigen::refuse_interpreted<shifting_ops>(c).empty());
        const kernel k = on_eigen::make_interpreted<shifting_ops>(c);
        CHECK(k.note == "interpreted");
        return run(k, {x.data(), y.data()}, results, 1);
    };
    auto got = shifted({given(x), given(y)});
    CHECK(got[0].as<double>()[1] == 12);
    CHECK(got[1].as<std::int64_t>()[0] == 2);
    got = shifted({known(x), absent()});
    CHECK(got[0].as<double>()[1] == 2.5);
    CHECK(got[1].as<std::int64_t>()[0] == 1);
}

TEST_CASE("a meaning that fails fails the run, and what has none is refused") {
    const attribute_map none;
    const tensor empty(element_type::float64, {0});
    const std::vector<tensor_type> results{type_of<double>({0})};
    const kernel k = on_eigen::make_interpreted<shifting_ops>(site("test.Shift", {given(empty)}, none, results));
    void* place = nullptr;
    const void* from = nullptr;
    run_arguments a;
    a.inputs = &from;
    a.results = &place;
    CHECK(!k(a));
    CHECK(on_eigen::refuse_interpreted<shifting_ops>(site("test.Other", {given(empty)}, none, results)) ==
          "the operator set has no meaning of test.Other");
    on_eigen::call_site c = site("test.Shift", {given(empty)}, none, results);
    c.operands[0].element = element_type::string;
    CHECK(on_eigen::refuse_interpreted<shifting_ops>(c) == "an operand is of type string, whose elements have no fixed size");
}
