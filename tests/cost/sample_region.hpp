// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_COST_SAMPLE_REGION_HPP
#define INLAY_TESTS_COST_SAMPLE_REGION_HPP

#include <cstdint>
#include <string>
#include <vector>

#include <inlay/candidate/region_view.hpp>

namespace sample {

using namespace inlay;

/// A region whose every field can be changed.
struct sample_region {
    struct value {
        region_value::role kind = region_value::role::absent;
        std::string op;
        std::vector<value_id> operands;
        attribute_map attributes;
        node_type type;
        tensor constant;
        std::uint32_t field = 0;
        node_id origin = 0;
    };
    std::vector<value> values;
    std::size_t inputs = 0, constants = 0;
    std::vector<value_id> results;
    std::vector<format> input_formats, result_formats;

    mutable std::vector<region_value> shown;

    /// Good until a field changes.
    [[nodiscard]] region_view view() const {
        shown.clear();
        for (const value& v : values) {
            region_value s;
            s.kind = v.kind;
            s.op = v.op;
            s.operands = v.operands;
            s.attributes = &v.attributes;
            s.type = &v.type;
            s.value = v.kind == region_value::role::constant ? &v.constant : nullptr;
            s.field = v.field;
            s.origin = v.origin;
            shown.push_back(s);
        }
        return {shown, inputs, constants, results, input_formats, result_formats};
    }
};

inline node_type type(std::vector<std::int64_t> extents) {
    return tensor_type(element_type::float32, shape(extents.begin(), extents.end()));
}

/// Two inputs; weights, a shape, an exponent, an operand left out; conv(x, weights, absent), add(conv, y), reshape(add, shape),
/// pow(conv, exponent), split(pow) and its second output. Leaving: the reshape and the projection.
inline sample_region example() {
    using role = region_value::role;
    sample_region s;
    const format plain = plain_format(element_type::float32), last{{}, layout::channels_last(), element_type::float32};
    const auto constant = [](tensor t) {
        sample_region::value v{role::constant, "", {}, {}, node_type(t.type()), t, 0, 0};
        return v;
    };
    s.values.push_back({role::input, "", {}, {}, type({1, 3, 8, 8}), {}, 0, 0});
    s.values.push_back({role::input, "", {}, {}, type({1, 4, 8, 8}), {}, 0, 1});
    std::vector<float> weights(4 * 3);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>(i);
    s.values.push_back(constant(tensor::of({4, 3, 1, 1}, weights)));
    s.values.push_back(constant(tensor::of({2}, std::vector<std::int64_t>{4, 64})));
    s.values.push_back(constant(tensor::scalar(2.0f)));
    s.values.push_back({role::absent, "", {}, {}, node_type::tuple({}), {}, 0, 5});
    s.values.push_back({role::call, "onnx.Conv", {0, 2, 5}, {{"strides", std::vector<std::int64_t>{1, 1}}}, type({1, 4, 8, 8}), {}, 0, 6});
    s.values.push_back({role::call, "onnx.Add", {6, 1}, {}, type({1, 4, 8, 8}), {}, 0, 7});
    s.values.push_back({role::call, "onnx.Reshape", {7, 3}, {}, type({4, 64}), {}, 0, 8});
    s.values.push_back({role::call, "onnx.Pow", {6, 4}, {}, type({1, 4, 8, 8}), {}, 0, 9});
    s.values.push_back({role::call,
                        "onnx.Split",
                        {9},
                        {{"axis", std::int64_t{1}}},
                        node_type::tuple({type({1, 2, 8, 8}), type({1, 2, 8, 8})}),
                        {},
                        0,
                        10});
    s.values.push_back({role::projection, "", {10}, {}, type({1, 2, 8, 8}), {}, 1, 11});
    s.inputs = 2;
    s.constants = 4;
    s.results = {8, 11};
    s.input_formats = {plain, last};
    s.result_formats = {plain, last};
    return s;
}

}  // namespace sample

#endif
