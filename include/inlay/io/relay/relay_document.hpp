// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_RELAY_RELAY_DOCUMENT_HPP
#define INLAY_IO_RELAY_RELAY_DOCUMENT_HPP

#include <string>

#include <inlay/core/linkage.hpp>
#include <inlay/ir/ir_module.hpp>

namespace inlay {

/// The program as Relay text with its `#[metadata]`: the constants that are no scalars, and the places of values. `read_relay` reads an
/// equal program from it. Linear in text and constants.
[[nodiscard]] INLAY_FUNCTION std::string relay_document(const ir_module& m);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/io/relay/relay_document.ipp>
#endif

#endif
