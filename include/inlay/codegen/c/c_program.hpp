// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_C_C_PROGRAM_HPP
#define INLAY_CODEGEN_C_C_PROGRAM_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <inlay/codegen/c/c_part.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay {

/// Where a program's constants are: arrays in its source, or a file of bytes that whoever runs it maps or reads.
enum class c_weights : std::uint8_t { embedded, in_file };

/// A tensor that a program takes or gives: row-major.
struct c_tensor {
    std::string name;   // of the pointer, a C word
    std::string known;  // as the model calls it
    element_type element = element_type::float32;
    std::vector<std::int64_t> extents;
    std::size_t bytes = 0;
};

/// A constant of a program.
struct c_constant {
    std::string name;  // of the array
    tensor value;
    std::size_t offset = 0;  // in the file, a multiple of 64
};

/// A whole program in C99 with one entry point. It keeps nothing between runs: what it works in is the arena that it is given, of a size
/// and with places that are known beforehand.
struct c_program {
    std::string name;  // what its functions and files begin with, a C word
    std::vector<c_tensor> inputs, results;
    std::vector<c_constant> constants;  // each once
    c_weights weights = c_weights::embedded;
    std::vector<c_header> headers;   // that the functions include
    std::vector<c_source> sources;   // that are compiled beside it
    std::string functions;           // in C, with the headers that they need
    std::vector<std::string> calls;  // lines of the entry point
    std::size_t function_count = 0;
    std::size_t arena_bytes = 0;  // aligned to 64
    std::size_t arena_bound = 0;  // the most bytes alive at one call: no arena is smaller
    std::size_t weight_bytes = 0;
};

/// What a program is to be like.
struct c_program_options {
    std::string name = "model";  // made a C word
    /// Unsaid: in a file from 16 MiB on.
    std::optional<c_weights> weights{};
};

}  // namespace inlay

#endif
