// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLACEMENT_PLACE_REASON_HPP
#define INLAY_PLACEMENT_PLACE_REASON_HPP

#include <cstdint>

#include <inlay/core/id.hpp>

namespace inlay {

/// Why two values are in one place, or a value in a certain one.
enum class place_cause : std::uint8_t {
    // A certain place.
    named_by_parameter,
    named_by_function,
    named_by_on_device,
    named_by_device_copy,
    named_by_call,
    copied_for_reader,
    host_of_result,
    supported_targets,
    // One place for two.
    argument,         // an operator reads its operands where it runs
    host_argument,    // but this one on the host
    parameter,        // an argument of a function, and its parameter
    function_result,  // a call of a function, and what the function gives
    function_body,
    own_parameter,  // a function's parameter, as its callers and as its body see it
    let_value,
    let_body,
    tuple_field,
    tuple_projection,
    condition,
    branch,
    scrutinee,
    matched_variable,
    clause,
    constructor_field,
    reference_content,
    global_function,
    annotated_value,  // what an annotation reads
    lowered_arguments
};

/// A constraint of planning: what it is about.
struct place_reason {
    node_id node = no_node;
    std::uint32_t operand = 0;
    place_cause cause = place_cause::argument;
};

}  // namespace inlay

#endif
