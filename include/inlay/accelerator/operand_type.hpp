// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_ACCELERATOR_OPERAND_TYPE_HPP
#define INLAY_ACCELERATOR_OPERAND_TYPE_HPP

#include <cstdint>

namespace inlay {

/// What elements of operands are, in a field of an instruction.
enum class operand_type : std::uint8_t { signed_bytes, unsigned_bytes, floats };

/// Bytes of one such element.
[[nodiscard]] constexpr std::uint8_t bytes_of(operand_type t) { return t == operand_type::floats ? 4 : 1; }

}  // namespace inlay

#endif
