// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_RELAY_READ_RELAY_HPP
#define INLAY_IO_RELAY_READ_RELAY_HPP

#include <string>
#include <string_view>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/io/relay/relay_faults.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/target/target_schema.hpp>

namespace inlay {

struct relay_read_options {
    target_schemas targets = known_targets<>();  // kinds whose options and keys are known, so that equal targets are equal values
};

/// The program of a text in Relay's form, version 0.0.5, with its metadata. Types are read as they are written and not inferred; what has
/// none has an unknown type. Nodes keep their positions in the text. Operators are not looked up. The error's message has all faults, at
/// most 20: each `line L, column C: sentence`, the line of the text, and a caret below it. Linear, but for nested scopes, whose depth adds
/// a logarithm; no recursion over the program.
[[nodiscard]] INLAY_FUNCTION outcome<ir_module> read_relay(std::string_view text, const relay_read_options& options = {});

/// `read_relay` of a file; `-` is the standard input. Errors name the path.
[[nodiscard]] INLAY_FUNCTION outcome<ir_module> load_relay(const std::string& path, const relay_read_options& options = {});

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/io/relay/read_relay.ipp>
#endif

#endif
