// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ATTRIBUTES_LOOP_ATTRIBUTES_HPP
#define INLAY_OPS_ATTRIBUTES_LOOP_ATTRIBUTES_HPP

#include <cstdint>
#include <span>
#include <string_view>

#include <inlay/graph/attribute_list.hpp>

// The attributes of operators that run a function again and again. Members are named as the attributes are; initialisers are ONNX's
// defaults.

namespace inlay {

/// The attributes of ONNX's Loop. A program has the body as an operand.
struct loop_attributes {
    static constexpr std::string_view operators[] = {"onnx.Loop"};
    graph_attribute body{};
    using attributes = attribute_list<attribute_member<"body", &loop_attributes::body, attribute_need::required>>;
};

/// The attributes of ONNX's Scan. A program has the body as an operand.
struct scan_attributes {
    static constexpr std::string_view operators[] = {"onnx.Scan"};
    graph_attribute body{};
    std::int64_t num_scan_inputs = 0;
    std::span<const std::int64_t> scan_input_axes{};
    std::span<const std::int64_t> scan_input_directions{};
    std::span<const std::int64_t> scan_output_axes{};
    std::span<const std::int64_t> scan_output_directions{};
    using attributes = attribute_list<attribute_member<"body", &scan_attributes::body, attribute_need::required>,
                                      attribute_member<"num_scan_inputs", &scan_attributes::num_scan_inputs, attribute_need::required>,
                                      attribute_member<"scan_input_axes", &scan_attributes::scan_input_axes>,
                                      attribute_member<"scan_input_directions", &scan_attributes::scan_input_directions>,
                                      attribute_member<"scan_output_axes", &scan_attributes::scan_output_axes>,
                                      attribute_member<"scan_output_directions", &scan_attributes::scan_output_directions>>;
};

}  // namespace inlay

#endif
