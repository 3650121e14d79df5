// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_RELAY_RELAY_FAULT_HPP
#define INLAY_IO_RELAY_RELAY_FAULT_HPP

#include <string>

#include <inlay/ir/source_position.hpp>

namespace inlay {

/// One thing that is wrong in a text, and where.
struct relay_fault {
    source_position at;
    std::string message;
};

}  // namespace inlay

#endif
