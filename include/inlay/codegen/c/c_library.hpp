// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_C_C_LIBRARY_HPP
#define INLAY_CODEGEN_C_C_LIBRARY_HPP

#include <string>
#include <utility>
#include <vector>

#include <inlay/codegen/c/c_part.hpp>
#include <inlay/loops/text/c_text.hpp>

namespace inlay {

/// Functions in C that somebody else wrote, as whoever makes an accelerator ships them, and how loop nests call them. Programs that leave
/// have its files beside their own. Of a library that is installed there are none, and each call says what stands before it:
/// `{"conv", "npu_conv($0, $1, $2)", "#include <npu.h>\n"}`.
struct c_library {
    std::vector<c_header> headers;    // each is included before a function that calls
    std::vector<c_source> sources;    // compiled beside the program
    std::vector<printed_call> calls;  // `before` is empty where the headers are enough

    /// Has calls of a nest's function printed so: `calls("conv", "npu_conv($0, $1, $2, $3)")`, as `printed_call` says.
    c_library& call(std::string function, std::string text) & {
        calls.push_back({std::move(function), std::move(text), {}});
        return *this;
    }
    c_library&& call(std::string function, std::string text) && { return std::move(call(std::move(function), std::move(text))); }
};

}  // namespace inlay

#endif
