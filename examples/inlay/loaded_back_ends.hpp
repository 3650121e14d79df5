// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_LOADED_BACK_ENDS_HPP
#define INLAY_EXAMPLES_INLAY_LOADED_BACK_ENDS_HPP

#include <inlay/backend/plugin/load_folders.hpp>

namespace tool {

struct library_page;

/// Loads the back ends of the folders that a call names with `--backend-dir`, then of those of $INLAY_BACKEND_PATH: ahead of everything
/// else, since their options become options of the call. Processes that this one starts as workers find the same in their environment.
/// `page`, unless it is null, notes their calls (`watch_libraries`).
[[nodiscard]] inlay::loaded_folders load_back_ends(int argc, char** argv, library_page* page);

/// Whether a call names folders of back ends, or its environment does, and its verb has a use for them.
[[nodiscard]] bool names_folders(int argc, char** argv);

/// The same as the process that started this worker has them.
[[nodiscard]] inlay::loaded_folders loaded_back_ends_of_worker();

}  // namespace tool

#endif
