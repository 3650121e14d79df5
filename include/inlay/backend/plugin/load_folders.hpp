// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_PLUGIN_LOAD_FOLDERS_HPP
#define INLAY_BACKEND_PLUGIN_LOAD_FOLDERS_HPP

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/plugin/backend_folder.hpp>
#include <inlay/backend/plugin/isolate_backend.hpp>
#include <inlay/backend/plugin/load_backend.hpp>
#include <inlay/backend/plugin/loaded_backend.hpp>
#include <inlay/backend/plugin/try_libraries.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>

namespace inlay {

/// A library or folder of which nothing was loaded, and why.
struct skipped_library {
    std::string file, reason;
};

/// What was found in folders of back ends.
struct loaded_folders {
    std::vector<loaded_backend> backends;  // in the order of folders, and in each of names
    std::vector<skipped_library> skipped;  // likewise
    std::vector<std::string> not_found;    // names that were to be kept apart, and are of no library here
};

/// How libraries are loaded.
struct loading_options {
    trial_options trial;                  // of those that come into this process
    isolation_options isolation;          // of the others
    std::vector<std::string> apart = {};  // libraries that stay in processes of their own, by the names of their files without `.so`; `all`

    [[nodiscard]] bool keeps_apart(const std::string& file) const {
        return std::any_of(apart.begin(), apart.end(), [&](const std::string& one) { return one == "all" || is_name_of(one, file); });
    }
    /// Whether a name is that of a library's file without `.so`.
    [[nodiscard]] static bool is_name_of(const std::string& name, const std::string& file) {
        return name + ".so" == file.substr(file.rfind('/') + 1);
    }
};

/// Loads the back ends of some libraries: each into a process of its own, or into this one after a child process has tried it. Of two with
/// one kind the first stays.
[[nodiscard]] inline loaded_folders load_libraries(std::span<const std::string> files, const loading_options& how) {
    loaded_folders found;
    std::vector<std::string> tried;
    for (const std::string& file : files)
        if (!how.keeps_apart(file)) tried.push_back(file);
    const std::vector<outcome<void>> verdicts = try_libraries(tried, how.trial);
    std::size_t at = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const auto skip = [&](std::string reason) { found.skipped.push_back({files[i], std::move(reason)}); };
        const bool is_apart = how.keeps_apart(files[i]);
        const outcome<void> verdict = is_apart ? outcome<void>() : verdicts[at++];
        if (!verdict) {
            skip(verdict.failure().message);
            continue;
        }
        auto made = is_apart ? isolate_backend(files[i], how.isolation) : load_backend(files[i]);
        if (!made) {
            skip(made.failure().message);
            continue;
        }
        const loaded_backend* other = nullptr;
        for (const loaded_backend& b : found.backends)
            if (b.kind == made->kind) other = &b;
        if (other != nullptr)
            skip("its back end is called '" + std::string(made->kind) + "', as that of " + quoted_text(other->origin(), 400) +
                 " is, which was first");
        else
            found.backends.push_back(*std::move(made));
    }
    return found;
}

/// Loads the back ends of all libraries of some folders. A folder that cannot be read is skipped like a library, and so is a file that
/// cannot be one.
[[nodiscard]] inline loaded_folders load_folders(std::span<const std::string> folders, const loading_options& how) {
    std::vector<std::string> files;
    std::vector<skipped_library> skipped;
    for (const std::string& folder : folders) {
        const auto listed = libraries_in(folder);
        if (!listed) {
            skipped.push_back({folder, listed.failure().message});
            continue;
        }
        for (const std::string& file : *listed)
            if (std::string why = why_no_library(file); why.empty())
                files.push_back(file);
            else
                skipped.push_back({file, std::move(why)});
    }
    loaded_folders found = load_libraries(files, how);
    for (const std::string& name : how.apart) {
        const auto is_of = [&](const std::string& file) { return loading_options::is_name_of(name, file); };
        if (name != "all" && std::none_of(files.begin(), files.end(), is_of)) found.not_found.push_back(name);
    }
    found.skipped.insert(found.skipped.begin(), skipped.begin(), skipped.end());
    return found;
}

}  // namespace inlay

#endif
