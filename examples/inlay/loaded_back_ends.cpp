// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "loaded_back_ends.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/plugin/backend_folder.hpp>
#include <inlay/backend/plugin/load_backend.hpp>
#include <inlay/backend/plugin/loaded_backend.hpp>

#include "backends.hpp"
#include "cache_paths.hpp"
#include "library_output.hpp"
#include "watched_library.hpp"

namespace tool {

using namespace inlay;

namespace {

constexpr const char *path_variable = "INLAY_BACKEND_PATH", *worker_libraries = "INLAY_WORKER_BACKENDS";

std::string_view variable(const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr ? value : "";
}

/// The values of an option, without a parser: what other options there are is not known yet.
std::vector<std::string> values_of(std::string_view option, int argc, char** argv) {
    std::vector<std::string> all;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--") break;
        if (word == option && i + 1 < argc)
            all.emplace_back(argv[++i]);
        else if (word.starts_with(option) && word.substr(option.size()).starts_with("="))
            all.emplace_back(word.substr(option.size() + 1));
    }
    return all;
}

/// Whether a verb has a use for back ends; folders are not looked into for others.
bool uses_back_ends(std::string_view verb) {
    constexpr std::string_view without[] = {"devices", "equal", "grep", "peak", "place", "rewrite", "search", "show"};
    return !verb.empty() && std::find(std::begin(without), std::end(without), verb) == std::end(without);
}

std::vector<std::string> folders_of_call(int argc, char** argv) {
    std::vector<std::string> folders = values_of("--backend-dir", argc, argv);
    for (std::string& folder : folders_of_path(variable(path_variable))) folders.push_back(std::move(folder));
    return folders;
}

std::string joined(const std::vector<std::string>& list) {
    std::string text;
    for (const std::string& one : list) text += (text.empty() ? "" : ":") + one;
    return text;
}

}  // namespace

bool names_folders(int argc, char** argv) { return argc >= 2 && uses_back_ends(argv[1]) && !folders_of_call(argc, argv).empty(); }

back_end_list list_with(const loaded_folders* loaded) {
    back_end_list list;
    if (loaded == nullptr) return list;
    // Those whose kind is taken were left out when they were loaded.
    for (const loaded_backend& b : loaded->backends) (void)list.add(b).has_value();
    return list;
}

loaded_folders load_back_ends(int argc, char** argv, library_page* page) {
    if (argc < 2 || !uses_back_ends(argv[1])) return {};
    const std::vector<std::string> folders = folders_of_call(argc, argv);
    if (folders.empty()) {
        loaded_folders none;
        for (std::string& name : values_of("--isolate", argc, argv))
            if (name != "all") none.not_found.push_back(std::move(name));
        return none;
    }
    ::setenv(path_variable, joined(folders).c_str(), 1);
    loading_options how;
    how.trial.verdicts = verdict_folder();
    how.apart = values_of("--isolate", argc, argv);
    loaded_folders found = [&] {
        const library_call prints;
        return load_folders(folders, how);
    }();
    for (loaded_backend& b : found.backends)
        if (page != nullptr && !how.keeps_apart(b.origin()))
            if (auto watched = watched_backend(b.origin(), *page)) b = *std::move(watched);
    back_end_list list;
    std::vector<loaded_backend> taken;
    std::vector<std::string> files;
    for (loaded_backend& b : found.backends) {
        if (const auto added = list.add(b); !added) {
            found.skipped.push_back({b.origin(), added.failure().message});
            continue;
        }
        files.push_back(b.origin());
        taken.push_back(std::move(b));
    }
    found.backends = std::move(taken);
    ::setenv(worker_libraries, joined(files).c_str(), 1);
    return found;
}

loaded_folders loaded_back_ends_of_worker() {
    loaded_folders found;
    for (const std::string& file : folders_of_path(variable(worker_libraries)))
        if (auto made = load_backend(file)) found.backends.push_back(*std::move(made));
    return found;
}

}  // namespace tool
