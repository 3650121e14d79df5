// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IR_SOURCE_POSITION_HPP
#define INLAY_IR_SOURCE_POSITION_HPP

#include <cstdint>

namespace inlay {

/// Where in its text a node was written: line and column, from 1; 0 where the program was not read from text.
struct source_position {
    std::uint32_t line = 0, column = 0;

    [[nodiscard]] bool is_known() const { return line != 0; }
    friend bool operator==(const source_position&, const source_position&) = default;
};

}  // namespace inlay

#endif
