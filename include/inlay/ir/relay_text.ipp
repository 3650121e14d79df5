// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IR_RELAY_TEXT_IPP
#define INLAY_IR_RELAY_TEXT_IPP

#include <string>
#include <utility>

#include <inlay/ir/relay_text.hpp>

#include <inlay/core/in_force.hpp>
#include <inlay/ir/write_relay_metadata.hpp>
#include <inlay/target/target_schema.hpp>

namespace inlay {

INLAY_FUNCTION std::string relay_text(const ir_module& m, const target_schemas& known) {
    relay_print printed = print_relay(m);
    const bool refers = !printed.constants.empty() || !printed.placements.empty();
    if (!refers || !in_force<"placement.text.metadata">()) return std::move(printed.text);
    return printed.text + "\n#[metadata]\n" + write_relay_metadata(printed.constants, printed.placements, known);
}

INLAY_FUNCTION std::string relay_text(const ir_module& m) { return relay_text(m, known_targets<>()); }

}  // namespace inlay

#endif
