// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_TEXT_CPP_TEXT_HPP
#define INLAY_LOOPS_TEXT_CPP_TEXT_HPP

#include <cstddef>
#include <span>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/text/c_text.hpp>

namespace inlay {

/// A nest as a C++20 function with C linkage and the parameters that `to_c` gives it. Vector loops, of so many bytes at once (16, 32 or
/// 64), use the vector types of GCC and clang; what is left over of their rounds, and what is not alike for all lanes, goes one by one.
/// It computes what `to_c`'s function does, and the errors are the same.
[[nodiscard]] INLAY_FUNCTION outcome<c_function> to_cpp(const loop_nest& n, std::size_t vector_bytes = 32,
                                                        std::span<const printed_call> calls = {});

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/text/cpp_text.ipp>
#endif

#endif
