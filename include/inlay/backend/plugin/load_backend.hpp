// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_PLUGIN_LOAD_BACKEND_HPP
#define INLAY_BACKEND_PLUGIN_LOAD_BACKEND_HPP

#include <string>
#include <utility>

#include <inlay/backend/plugin/backend_abi.h>
#include <inlay/backend/plugin/checked_table.hpp>
#include <inlay/backend/plugin/loaded_backend.hpp>
#include <inlay/codegen/compile/shared_library.hpp>
#include <inlay/core/guarded.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay {

/// Loads a library, for good, and gives the back end that it exports, with its options at their defaults. The error says why there is none:
/// the system's reason, a function that lacks, or what of the table is not sound. A library runs code while it is loaded: one that nobody
/// has tried may end the process (`try_libraries`). `path` has a slash.
[[nodiscard]] inline outcome<loaded_backend> load_backend(const std::string& path) {
    const auto library = shared_library::open(path, true);
    if (!library) return library.failure();
    const auto entry = library->function<const inlay_backend*()>(INLAY_BACKEND_ENTRY);
    if (entry == nullptr)
        return error{std::string("it exports no function '") + INLAY_BACKEND_ENTRY + "', and so is no back end for inlay"};
    return guarded("the library", "was asked what it is", [&]() -> outcome<loaded_backend> {
        auto sound = check_table(entry());
        if (!sound) return sound.failure();
        return loaded_backend::of(*std::move(sound), path);
    });
}

}  // namespace inlay

#endif
