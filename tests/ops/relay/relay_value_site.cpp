// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/relay/relay_value_site.hpp>

#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

struct doubled {
    template <class Site>
    node_id operator()(Site& s) const {
        if (s.field() != 0) return s.refuse("has one field");
        return s.make("onnx.Add", {s.operand(0), s.operand(0)});
    }
};
const attribute_map nothing;

}  // namespace

TEST_CASE("a map gives the type of a call, or its value where the operands have values") {
    const tensor x = tensor::of({2}, std::vector<float>{1, 2});
    const node_type type = x.type();
    const node_type* types[] = {&type};
    const tensor* constants[] = {nullptr};
    const call_view call{"mine.Op", &nothing, types, constants, 1};
    CHECK(to_string(*detail::infer_by_map<doubled>(call)) == "float32[2]");
    const std::vector<tensor> operands{x};
    CHECK(detail::evaluate_by_map<doubled>(call, operands)->front().as<float>()[1] == 4);
    CHECK(to_string(*detail::infer_by_map<doubled, false, detail::relay_fields<2>>(call)) == "(float32[2], ?)");
}

TEST_CASE("a type is unknown where an operand's is, or where the map refuses") {
    const node_type unranked = tensor_type(element_type::float32), unknown;
    const tensor* constants[] = {nullptr};
    const node_type* first[] = {&unranked};
    const node_type* second[] = {&unknown};
    CHECK(to_string(*detail::infer_by_map<doubled>({"mine.Op", &nothing, first, constants, 1})) == "?");
    CHECK(to_string(*detail::infer_by_map<doubled>({"mine.Op", &nothing, second, constants, 1})) == "?");
}

TEST_CASE("fields of a tuple among the operands stand side by side") {
    const node_type x = tensor_type(element_type::float32, {2}), both = node_type::tuple({x, x});
    const node_type* types[] = {&both};
    const tensor* constants[] = {nullptr};
    CHECK(detail::relay_value_site({"mine.Op", &nothing, types, constants, 1}, {}, 0).arity() == 2);
}
