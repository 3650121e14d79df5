// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_C_C_PART_HPP
#define INLAY_CODEGEN_C_C_PART_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/declare/emitter.hpp>
#include <inlay/codegen/emit/emit_composite.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay {

/// A header that a part includes, as whoever makes the hardware ships it.
struct c_header {
    std::string name, text;

    friend bool operator==(const c_header&, const c_header&) = default;
};

/// A file in C that is compiled beside a program's own, as a library comes in source.
struct c_source {
    std::string name, text;

    friend bool operator==(const c_source&, const c_source&) = default;
};

/// That a result is the bytes of an input, and is no argument of the function.
struct c_view {
    std::int32_t input = -1;  // its number; -1: it is computed
    std::size_t bytes = 0;
};

/// A region as C99 that leaves: a function of tensors in the region's formats, with what it calls,
/// `void NAME(const T* input, ..., const T* constant, ..., T* result, ..., unsigned char* workspace)`. It keeps nothing between calls, and
/// may be called by several threads at once, each with a workspace of its own. Programs compile it by `-std=c99 -pedantic -Wall -Wextra
/// -Werror`, with <stdint.h>, <stdbool.h> and, where it calls functions of mathematics, <math.h> before it; other headers are `needs`. Its
/// name is put in another's place wherever that word stands, so that nothing else in the text is called so.
struct c_part {
    std::string name;                 // of the function
    std::string text;                 // the function alone, `static`; empty where each result is an input's bytes
    std::vector<c_header> headers;    // files that `needs` includes
    std::vector<c_source> sources;    // files with what those declare
    std::vector<std::string> needs;   // definitions and declarations that stand before it, each once in a file
    std::vector<c_part> callees;      // functions that it calls, by names that begin with an underscore; a file names them anew
    std::vector<tensor> constants;    // what the caller gives behind the inputs
    std::size_t workspace_bytes = 0;  // aligned to 64; without any there is no such argument
    std::vector<c_view> views;        // one per result, or none where all are computed
};

/// Its code can leave as C99: `emit_c(region, name)` gives a function of that name for a region in chosen formats, or one sentence on why
/// there is none. The text depends on the region and the back end's options alone, not on the machine at hand.
template <class B>
concept emits_c = requires(const B& b, const region_view& r, std::string_view name) {
    { b.emit_c(r, name) } -> std::same_as<outcome<c_part>>;
};

/// The same of a back end whose composites are known while the program runs.
template <class B>
concept emits_c_of_jobs = requires(const B& b, const composite_job& job, std::string_view name) {
    { b.emit_c(job, name) } -> std::same_as<outcome<c_part>>;
};

/// Its loop nests can leave as C99: `emit_c(nest)` gives a function for a nest behind the loop phases. Otherwise as `emits_c`.
template <class B>
concept emits_c_nests = emits_nests<B> && requires(const B& b, const typename B::nest& n) {
    { b.emit_c(n) } -> std::same_as<outcome<c_part>>;
};

}  // namespace inlay

#endif
