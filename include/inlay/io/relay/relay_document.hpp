// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_RELAY_RELAY_DOCUMENT_HPP
#define INLAY_IO_RELAY_RELAY_DOCUMENT_HPP

#include <string>

#include <inlay/core/linkage.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/target/target_schema.hpp>

namespace inlay {

/// The program as Relay text with its `#[metadata]`: the constants that are no scalars, and the places of values. `read_relay` reads an
/// equal program from it. Targets without keys of their own get those that `known` has for their kinds. Linear in text and constants.
[[nodiscard]] INLAY_FUNCTION std::string relay_document(const ir_module& m, const target_schemas& known = known_targets<>());

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/io/relay/relay_document.ipp>
#endif

#endif
