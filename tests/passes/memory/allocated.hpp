// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_PASSES_MEMORY_ALLOCATED_HPP
#define INLAY_TESTS_PASSES_MEMORY_ALLOCATED_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/ops/relay/relay_ops.hpp>
#include <inlay/passes/memory/allocate_tensors.hpp>

#include "placement/planned.hpp"

/// Programs with explicit memory, of texts whose places are names.
namespace allocated {

using namespace inlay;

inline ir_module with_storage(const ir_module& m) { return allocate_tensors(m, placement::on(planned::two_devices().host()), relay_ops()); }
inline ir_module placed(const std::string& text) {
    auto made = plan_devices(planned::program(text), planned::two_devices());
    REQUIRE_MESSAGE(made.has_value(), (made ? std::string() : made.failure().message));
    return *std::move(made);
}
inline ir_module program(const std::string& text) { return with_storage(placed(text)); }

inline std::vector<node_id> calls_of(const ir_module& m, std::string_view op) {
    std::vector<node_id> found;
    for (node_id n = 0; n < m.size(); ++n)
        if (m.kind(n) == node_kind::call && m.op(n) == op) found.push_back(n);
    return found;
}

/// A tensor of ascending numbers.
inline tensor numbers(std::vector<std::int64_t> extents, float first = 1) {
    tensor t(element_type::float32, std::move(extents));
    for (float& v : t.as<float>()) v = first++;
    return t;
}
/// What a program without places gives.
inline std::vector<tensor> meaning(const std::string& text, const std::vector<tensor>& inputs) {
    auto meant = interpret(planned::program(text), inputs, relay_ops());
    REQUIRE_MESSAGE(meant.has_value(), (meant ? std::string() : meant.failure().message));
    return *std::move(meant);
}

}  // namespace allocated

#endif
