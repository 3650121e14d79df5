// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_WATCHED_LIBRARY_HPP
#define INLAY_EXAMPLES_INLAY_WATCHED_LIBRARY_HPP

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/backend/plugin/loaded_backend.hpp>
#include <inlay/core/digest.hpp>
#include <inlay/core/outcome.hpp>

namespace tool {

/// Memory that the process at work and the one that watches it share: which libraries the first one is inside of, and since when.
struct library_page;

/// Splits this process in two: the child returns nullopt with a page, and goes on; the parent watches it and returns the exit status. If
/// the child crashes, hangs or exits inside of a library, the parent says so and starts another child, in which that library takes no
/// match. Without processes or memory for that, the page is null and this process goes on alone. Precondition: it has one thread.
[[nodiscard]] std::optional<int> watch_libraries(library_page*& page);

/// Under which key, label and place the database keeps the check of a kernel, and how it ended its process.
struct kernel_note {
    inlay::digest key;
    std::string label, place, ended;
};

/// Notes whose check it is that the kernel which a back end emitted last belongs to: if it ends the process, `ended_kernels` has it.
void note_kernel(library_page& page, std::string_view kind, const kernel_note& note);

/// The kernels that ended an earlier process of this call.
[[nodiscard]] std::vector<kernel_note> ended_kernels(const library_page& page);

/// Whether a reason says how a kernel ended its process, and not what is wrong with its results.
[[nodiscard]] bool is_end_of_process(std::string_view reason);

/// A back end that was loaded from a file, as one whose calls are noted on the page: what it throws is a failure, and what it prints is
/// kept apart (`library_output`).
[[nodiscard]] inlay::outcome<inlay::loaded_backend> watched_backend(const std::string& file, library_page& page);

}  // namespace tool

#endif
